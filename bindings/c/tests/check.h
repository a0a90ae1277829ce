/* What tests are made of. */
#ifndef CHECK_H
#define CHECK_H

#include <octile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n  %s\n", __FILE__, __LINE__, #condition, octile_error_message());              \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define OK(call) CHECK((call) == OCTILE_OK)

/* A status, and what the message must say. */
#define FAILS(call, status, text)                                                                                      \
    do {                                                                                                               \
        CHECK((call) == (status));                                                                                     \
        CHECK(strstr(octile_error_message(), (text)) != NULL);                                                         \
    } while (0)

/* Waits until a condition holds that another thread brings about. Two minutes without that are a hang. */
#define WAIT_UNTIL(condition)                                                                                          \
    do {                                                                                                               \
        time_t end = time(NULL) + 120;                                                                                 \
        while (!(condition)) {                                                                                         \
            CHECK(time(NULL) < end);                                                                                   \
            nanosleep(&(struct timespec){0, 1000000}, NULL);                                                           \
        }                                                                                                              \
    } while (0)

static inline octile_cell at(uint32_t x, uint32_t y) {
    octile_cell cell = {x, y};
    return cell;
}

static inline bool same_cell(octile_cell a, octile_cell b) { return a.x == b.x && a.y == b.y; }

static inline octile_grid *drawn(const char *drawing) {
    octile_grid *grid = NULL;
    OK(octile_grid_parse(drawing, &grid));
    return grid;
}

static inline octile_engine *engine_for(const octile_grid *grid, const char *spec) {
    octile_engine *engine = NULL;
    OK(octile_engine_new(grid, spec, &engine));
    return engine;
}

#endif
