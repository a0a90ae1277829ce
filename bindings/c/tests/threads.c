/* Threads ask one engine while its map changes, and each has its own messages. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 2000 };

static octile_engine *engine;
static atomic_uint asking;
static atomic_bool is_edited;

static void *ask(void *place) {
    octile_cell cells[64];
    size_t count = 0;
    octile_cost cost;
    uint32_t row = *(uint32_t *)place;
    asking++;
    for (uint32_t i = 0; i < ROUNDS || !is_edited; i++) {
        octile_status status = octile_find_cells(engine, at(0, row), at(31, i % 32), cells, 64, &count, &cost);
        CHECK(status == OCTILE_OK);
        CHECK(cells[0].y == row && cells[count - 1].x == 31 && count == 1 + cost.straight + cost.diagonal);
        if (i % 100 == 0) {
            char expected[32];
            snprintf(expected, sizeof expected, "start 99,%u is off", (unsigned)row);
            FAILS(octile_find(engine, at(99, row), at(0, 0), NULL, 0, &count, NULL), OCTILE_QUERY, expected);
        }
    }
    return NULL;
}

int main(void) {
    octile_grid *grid = NULL;
    octile_edits *walls = NULL, *doors = NULL;
    OK(octile_grid_open(32, 32, &grid));
    engine = engine_for(grid, "corner-sweep");
    OK(octile_edits_new(&walls));
    OK(octile_edits_new(&doors));
    OK(octile_edits_block(walls, at(16, 1), at(16, 30)));
    OK(octile_edits_unblock(doors, at(16, 1), at(16, 30)));
    pthread_t threads[THREADS];
    uint32_t rows[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        rows[i] = 8 * i;
        CHECK(pthread_create(&threads[i], NULL, ask, &rows[i]) == 0);
    }
    WAIT_UNTIL(asking == THREADS);
    for (int i = 0; i < 200; i++) OK(octile_engine_apply(engine, i % 2 == 0 ? walls : doors));
    is_edited = true;
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    octile_edits_free(walls);
    octile_edits_free(doors);
    octile_engine_free(engine);
    octile_grid_free(grid);
    return 0;
}
