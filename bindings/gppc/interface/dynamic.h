/*
 * What an entry of the dynamic track of the grid path planning competition has, where maps change: six C functions.
 *
 * Moves go to the eight neighbours, straight ones cost 1 and diagonal ones sqrt(2); a diagonal needs both cells beside
 * it free.
 */

#ifndef GPPC_DYNAMIC_H
#define GPPC_DYNAMIC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gppc_point {
    uint16_t x;
    uint16_t y;
};

/* The next points of a path, the entry's until it is called again. */
struct gppc_path {
    const struct gppc_point *path;
    uint32_t length;    /* 0 says that there is no path, whatever came before */
    uint8_t incomplete; /* 1 asks to be called again for more points; earlier ones are not repeated */
};

/* A map, or a rectangle of it at pos: with i = y * width + x, its cell x, y is free if bitarray[i / 8] >> (i % 8) & 1
 * is 1. */
struct gppc_patch {
    const uint8_t *bitarray;
    uint16_t width;
    uint16_t height;
    struct gppc_point pos;
};

/* Called once with the map of the first query, in a process of its own: all that a search is to know of it goes into
 * the file. */
void gppc_preprocess_init_map(struct gppc_patch init_map, const char *preprocess_filename);

/* Called once in a process that searches. What it returns is the first argument of the others. The bits stay where they
   are until gppc_free_data has returned, and follow the changes. */
void *gppc_search_init(struct gppc_patch active_map, const char *preprocess_filename);

/* Tells which rectangles of the map have changed, in this order; its bits have done so already. */
void gppc_map_change(void *data, const struct gppc_patch *changes, uint32_t changes_length);

/* Gives points of which neighbours lie on one straight or diagonal line; the first is the start, the last the goal. */
struct gppc_path gppc_get_path(void *data, struct gppc_point start, struct gppc_point goal);

void gppc_free_data(void *data);

const char *gppc_get_name(void);

#ifdef __cplusplus
}
#endif

#endif
