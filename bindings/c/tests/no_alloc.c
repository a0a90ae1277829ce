/* A warm call allocates nothing. Linked with --wrap for all that allocates. */
#include "check.h"

static size_t allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
int __real_posix_memalign(void **memory, size_t align, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
int __wrap_posix_memalign(void **memory, size_t align, size_t size);

void *__wrap_malloc(size_t size) {
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    allocations++;
    return __real_realloc(memory, size);
}

int __wrap_posix_memalign(void **memory, size_t align, size_t size) {
    allocations++;
    return __real_posix_memalign(memory, align, size);
}

static void ask(const octile_engine *engine, octile_path *path) {
    static octile_cell cells[256];
    static octile_point points[256];
    size_t count = 0;
    octile_cost cost;
    bool is_any_angle = octile_engine_is_any_angle(engine);
    for (uint32_t i = 0; i < 64; i++) {
        octile_cell start = at(0, i), goal = at(63, 63 - i);
        if (is_any_angle) {
            OK(octile_find_points(engine, start, goal, points, 256, &count, &cost));
        } else {
            OK(octile_find(engine, start, goal, cells, 256, &count, &cost));
            OK(octile_find_cells(engine, start, goal, cells, 256, &count, &cost));
        }
        OK(octile_find_cost(engine, start, goal, &cost));
        OK(octile_find_path(engine, start, goal, path));
        CHECK(octile_find_cost(engine, start, at(32, 32), &cost) == OCTILE_NO_PATH);
        octile_reply reply;
        octile_terms terms = OCTILE_TERMS;
        terms.max_cost = 500;
        OK(octile_ask(engine, start, &goal, 1, &terms, path, &reply));
        CHECK(same_cell(reply.goal, goal));
    }
}

int main(void) {
    octile_grid *grid = NULL;
    octile_edits *edits = NULL;
    octile_path *path = NULL;
    OK(octile_grid_open(64, 64, &grid));
    OK(octile_edits_new(&edits));
    OK(octile_edits_block(edits, at(30, 1), at(34, 60)));
    OK(octile_edits_unblock(edits, at(32, 32), at(32, 32)));
    OK(octile_grid_apply(grid, edits));
    OK(octile_path_new(&path));
    const char *specs[] = {"corner-sweep", "jump-graph", "hub-labels", "taut-sight"};
    CHECK(allocations > 0);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        octile_engine *engine = engine_for(grid, specs[i]);
        ask(engine, path);
        ask(engine, path);
        size_t before = allocations;
        ask(engine, path);
        if (allocations != before) {
            fprintf(stderr, "%s: %zu allocations in warm calls\n", specs[i], allocations - before);
            return 1;
        }
        octile_engine_free(engine);
    }
    octile_path_free(path);
    octile_edits_free(edits);
    octile_grid_free(grid);
    return 0;
}
