/* The dynamic entry at the edges of its interface, from C. Without an argument all calls are allowed; with one the last
 * is not, and the entry must end the program. */
#include "../interface/dynamic.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    if (!(condition)) {                                                                                                \
        fprintf(stderr, "edges.c:%d: %s\n", __LINE__, #condition);                                                     \
        exit(1);                                                                                                       \
    }

/* 3 x 3 cells in nine bits; those behind them do not count. */
static uint8_t bits[2] = {0xff, 0xff};
static const struct gppc_patch MAP = {bits, 3, 3, {0, 0}};
static const uint8_t BLOCKED[1] = {0};

static struct gppc_path ask(void *data, uint16_t sx, uint16_t sy, uint16_t gx, uint16_t gy) {
    struct gppc_point start = {sx, sy}, goal = {gx, gy};
    return gppc_get_path(data, start, goal);
}

static void allowed(void *data) {
    struct gppc_path path = ask(data, 0, 0, 2, 2);
    CHECK(path.length == 2 && !path.incomplete && path.path[0].x == 0 && path.path[1].x == 2);
    path = ask(data, 1, 1, 1, 1);
    CHECK(path.length >= 1 && path.path[0].x == 1 && path.path[0].y == 1 && !path.incomplete);
    path = ask(data, 0, 0, 3, 0); /* off the map */
    CHECK(path.length == 0 && !path.incomplete);

    struct gppc_patch nothing = {NULL, 0, 3, {1, 1}}, wall = {BLOCKED, 1, 3, {1, 0}};
    gppc_map_change(data, NULL, 0);
    gppc_map_change(data, &nothing, 1);
    CHECK(ask(data, 0, 0, 2, 0).length == 2);
    bits[0] = 0x6d;
    bits[1] = 0xff;
    gppc_map_change(data, &wall, 1);
    CHECK(ask(data, 0, 0, 2, 0).length == 0 && ask(data, 0, 0, 1, 1).length == 0 && ask(data, 0, 0, 0, 2).length == 2);
}

int main(int count, char **arguments) {
    const char *fault = count > 1 ? arguments[1] : "";
    CHECK(strcmp(gppc_get_name(), "octile") == 0);
    gppc_preprocess_init_map(MAP, NULL);
    gppc_free_data(NULL);
    void *data = gppc_search_init(MAP, NULL);
    allowed(data);

    struct gppc_patch off = {BLOCKED, 1, 3, {2, 1}}, empty = {NULL, 1, 1, {0, 0}}, none = {NULL, 0, 0, {0, 0}};
    if (strcmp(fault, "off") == 0) gppc_map_change(data, &off, 1);
    if (strcmp(fault, "empty") == 0) gppc_map_change(data, &empty, 1);
    if (strcmp(fault, "changes") == 0) gppc_map_change(data, NULL, 1);
    if (strcmp(fault, "data") == 0) ask(NULL, 0, 0, 1, 1);
    if (strcmp(fault, "map") == 0) gppc_search_init(none, NULL);
    gppc_free_data(data);
    puts("all right");
    return 0;
}
