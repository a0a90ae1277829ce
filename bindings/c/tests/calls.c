/*
 * Random calls with mostly valid arguments: calls COUNT SEED. Every call returns a known status, writes its outputs
 * only with OCTILE_OK, and agrees with the other functions about the same path; the sanitizers check the rest.
 *
 * COUNT and SEED determine every call and every argument, so a failure can be repeated: no call depends on the clock.
 * The last line has the final state of the generator, which is the same on every machine.
 */
#include "check.h"

enum { SLOTS = 4, SIDE = 24, ROOM = SIDE * SIDE };

static uint64_t state;

static uint32_t below(uint32_t bound) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)((state >> 16) % bound);
}

/* True once in so many times. */
static bool once_in(uint32_t times) { return below(times) == 0; }

static octile_grid *grids[SLOTS];
static octile_engine *engines[SLOTS];
static octile_path *paths[SLOTS];
static octile_edits *edits[SLOTS];
static octile_routes *routes[SLOTS];
static octile_field *fields[SLOTS];
static octile_index *indexes[SLOTS];
static octile_flag *flag;

/* One of the handles of a kind; NULL now and then. */
#define ANY(slots) (once_in(40) ? NULL : (slots)[below(SLOTS)])

/* Puts a new handle into a slot, if the call has made one. */
#define REPLACE(slots, free_it, type, call)                                                                            \
    do {                                                                                                               \
        type *made = NULL;                                                                                             \
        if (known(call) == OCTILE_OK) {                                                                                \
            CHECK(made != NULL);                                                                                       \
            type **slot = &(slots)[below(SLOTS)];                                                                      \
            free_it(*slot);                                                                                            \
            *slot = made;                                                                                              \
        } else {                                                                                                       \
            CHECK(made == NULL);                                                                                       \
        }                                                                                                              \
    } while (0)

static octile_status known(octile_status status) {
    CHECK(status >= OCTILE_OK && status <= OCTILE_CANCELLED && status != OCTILE_PANIC);
    if (status != OCTILE_OK) CHECK(octile_error_message()[0] != 0);
    return status;
}

/* A cell that is mostly on the map. */
static octile_cell cell(void) {
    if (once_in(50)) return at(below(UINT32_MAX), below(UINT32_MAX));
    return at(below(SIDE), below(SIDE));
}

static const char *one_of(const char *const *texts, uint32_t count) { return once_in(60) ? NULL : texts[below(count)]; }

static const char *spec(void) {
    static const char *const SPECS[] = {"corner-sweep", "jump-graph",      "hub-labels", "taut-sight",
                                        "astar",        "jps:prune=gates", "cpd",        "rea-star",
                                        "terrain-jump", "core-search",     "theta-star", "no-such"};
    return one_of(SPECS, 12);
}

static void make_grid(void) {
    uint8_t bytes[ROOM];
    uint32_t share = 2 + below(9);
    for (uint32_t i = 0; i < ROOM; i++) bytes[i] = once_in(share);
    switch (below(4)) {
        case 0:
            REPLACE(grids, octile_grid_free, octile_grid,
                    octile_grid_from_blocked(SIDE, SIDE, bytes, once_in(9) ? below(ROOM) : ROOM, &made));
            break;
        case 1:
            REPLACE(grids, octile_grid_free, octile_grid,
                    octile_grid_from_free_bits(SIDE, SIDE, bytes, ROOM / 8, &made));
            break;
        case 2: REPLACE(grids, octile_grid_free, octile_grid, octile_grid_clone(ANY(grids), &made)); break;
        default: REPLACE(grids, octile_grid_free, octile_grid, octile_engine_grid(ANY(engines), &made)); break;
    }
}

static void change_grid(void) {
    static const char *const MOVEMENTS[] = {"octile", "tile", "octile-cutting", "fly"};
    octile_grid *grid = ANY(grids);
    switch (below(3)) {
        case 0: known(octile_grid_set_movement(grid, one_of(MOVEMENTS, 4))); break;
        case 1: known(octile_grid_apply(grid, ANY(edits))); break;
        default: {
            uint8_t prices[ROOM];
            for (uint32_t i = 0; i < ROOM; i++) prices[i] = (uint8_t)(below(6) ? 1 + below(9) : 0);
            if (once_in(3)) known(octile_grid_set_prices(grid, prices, ROOM, once_in(2) ? "enter" : NULL));
        }
    }
}

static void change_edits(void) {
    octile_edits *list = ANY(edits);
    const uint8_t bits[8] = {0x5a, 0xff, 0x3c, 0, 1, 2, 3, 4};
    uint32_t width = below(9), height = below(9);
    size_t before = octile_edits_count(list);
    switch (below(5)) {
        case 0: known(octile_edits_block(list, cell(), cell())); break;
        case 1: known(octile_edits_unblock(list, cell(), cell())); break;
        case 2: known(octile_edits_price(list, cell(), cell(), (uint8_t)below(256))); break;
        case 3: known(octile_edits_patch(list, cell(), width, height, bits, (width * height + 7) / 8)); break;
        default:
            if (known(octile_edits_clear(list)) == OCTILE_OK) CHECK(octile_edits_count(list) == 0);
            return;
    }
    CHECK(octile_edits_count(list) >= before);
}

static void make_engine(void) {
    octile_build_options options = OCTILE_BUILD_OPTIONS;
    const octile_index *given[1] = {indexes[below(SLOTS)]};
    if (once_in(3)) options.indexes = given, options.index_count = 1;
    if (once_in(9)) options.cancel = flag;
    switch (below(3)) {
        case 0:
            REPLACE(engines, octile_engine_free, octile_engine, octile_engine_new(ANY(grids), spec(), &made));
            break;
        case 1:
            REPLACE(engines, octile_engine_free, octile_engine,
                    octile_engine_build(ANY(grids), spec(), &options, &made));
            break;
        default:
            REPLACE(engines, octile_engine_free, octile_engine,
                    octile_engine_for_agent(ANY(engines), once_in(2) ? "square:2" : "disc:0.8", &made));
    }
}

static void make_others(void) {
    static const char *const KINDS[] = {"gates", "hub-labels", "cpd", "cpd:layout=rectangles", "none"};
    octile_cell goals[3] = {cell(), cell(), cell()};
    double most = once_in(4) ? below(30) : HUGE_VAL;
    switch (below(5)) {
        case 0:
            REPLACE(indexes, octile_index_free, octile_index,
                    octile_index_build(ANY(grids), one_of(KINDS, 5), NULL, &made));
            break;
        case 1:
            REPLACE(fields, octile_field_free, octile_field,
                    octile_field_new(ANY(grids), goals, below(4), most, &made));
            break;
        case 2:
            REPLACE(fields, octile_field_free, octile_field,
                    octile_engine_field(ANY(engines), goals, below(4), most, &made));
            break;
        case 3: REPLACE(paths, octile_path_free, octile_path, octile_path_clone(ANY(paths), &made)); break;
        default: {
            const octile_index *index = ANY(indexes);
            size_t length = octile_index_size(index);
            known(octile_index_verify(index, ANY(grids)));
            /* Cut short, it must be refused. */
            size_t kept = once_in(2) && length > 0 ? below((uint32_t)length) : length;
            REPLACE(indexes, octile_index_free, octile_index,
                    octile_index_from_memory(octile_index_bytes(index), kept, &made));
        }
    }
}

/* Whether two costs are the same. */
static bool equal(octile_cost a, octile_cost b) {
    return a.straight == b.straight && a.diagonal == b.diagonal && a.parts == b.parts && a.length == b.length;
}

/* One question in all ways: the answers agree. */
static void ask(void) {
    static octile_cell cells[ROOM];
    static octile_point points[ROOM];
    const octile_engine *engine = ANY(engines);
    octile_path *path = ANY(paths);
    octile_cell start = cell(), goal = cell();
    octile_cost cost = {9, 9, 9, -1}, other = cost;
    size_t count = SIZE_MAX, all = 0;
    bool is_any_angle = octile_engine_is_any_angle(engine);
    octile_status status = is_any_angle ? known(octile_find_points(engine, start, goal, points, ROOM, &count, &cost))
                                        : known(octile_find(engine, start, goal, cells, ROOM, &count, &cost));
    CHECK((status == OCTILE_OK) == (count != SIZE_MAX) && (status == OCTILE_OK) == (cost.length >= 0));
    CHECK(known(octile_find_cost(engine, start, goal, &other)) == status);
    if (octile_engine_connected(engine, start, goal)) CHECK(status == OCTILE_OK);
    if (path != NULL) {
        octile_reply reply;
        CHECK(known(octile_find_path(engine, start, goal, path)) == status);
        CHECK(known(octile_ask(engine, start, &goal, 1, NULL, path, &reply)) == status);
        if (status == OCTILE_OK) CHECK(equal(reply.cost, cost) && octile_engine_still_valid(engine, path));
    }
    if (status != OCTILE_OK) return;
    CHECK(equal(cost, other));
    if (is_any_angle) return;
    CHECK(same_cell(cells[0], start) && same_cell(cells[count - 1], goal));
    OK(octile_find_cells(engine, start, goal, cells, ROOM, &all, NULL));
    CHECK(all >= count && cost.length * 4 >= (double)(all - 1));
    CHECK(all == 1 ||
          known(octile_find_cells(engine, start, goal, cells, all - 1, &count, NULL)) == OCTILE_SMALL_BUFFER);
}

/* A batch, and questions with terms. */
static void ask_many(void) {
    octile_cell starts[8], goals[8];
    octile_cost costs[16];
    size_t places[8], count = 0;
    octile_terms terms = OCTILE_TERMS;
    octile_engine *engine = ANY(engines);
    octile_routes *batch = ANY(routes);
    for (int i = 0; i < 8; i++) starts[i] = cell(), goals[i] = cell();
    if (once_in(2)) terms.nearest = once_in(2) ? "goal" : "both";
    if (once_in(3)) terms.max_cost = below(40);
    if (once_in(3)) terms.max_expanded = below(60);
    /* Either no time at all, or more than any query takes. */
    if (once_in(9)) terms.timeout = below(2) * 3600.0;
    if (once_in(9)) terms.cancel = flag;
    known(octile_flag_set(flag, once_in(2)));
    switch (below(4)) {
        case 0:
            known(octile_ask(engine, starts[0], goals, below(9), once_in(5) ? NULL : &terms, ANY(paths), NULL));
            break;
        case 1: known(octile_find_nearest(engine, starts[0], goals, below(9), places, costs, below(9), &count)); break;
        case 2: known(octile_find_costs(engine, starts, 2, goals, 8, costs, 16)); break;
        default:
            if (known(octile_find_many(engine, starts, goals, 8, once_in(2) ? NULL : &terms, batch)) != OCTILE_OK)
                return;
            CHECK(octile_routes_count(batch) == 8 && octile_routes_offsets(batch)[0] == 0);
            for (size_t i = 0; i < 9; i++) {
                octile_cost cost = {0, 0, 0, -1};
                octile_status status = known(octile_routes_status(batch, i));
                CHECK(known(octile_routes_cost(batch, i, &cost)) == status);
                if (status == OCTILE_OK) CHECK(cost.length == octile_routes_lengths(batch)[i]);
            }
    }
}

static void ask_field(void) {
    octile_field *field = ANY(fields);
    octile_cell from = cell(), next;
    octile_cost cost;
    octile_point place = {below(SIDE) + 0.5, below(SIDE) + 0.25}, direction;
    octile_cell goals[2] = {cell(), cell()};
    size_t count = 0;
    switch (below(5)) {
        case 0: {
            bool there = octile_field_length(field, from) < HUGE_VAL;
            CHECK((known(octile_field_cost(field, from, &cost)) == OCTILE_OK) == there);
            CHECK((known(octile_field_step(field, from, &next)) == OCTILE_OK) == there);
            if (there) CHECK(octile_field_length(field, next) <= cost.length);
            known(octile_field_path(field, from, ANY(paths)));
            break;
        }
        case 1: known(octile_field_direction(field, place, &direction)); break;
        case 2: known(octile_field_apply(field, ANY(edits))); break;
        case 3: known(octile_field_set_goals(field, goals, below(3))); break;
        default: known(octile_field_lengths(field, NULL, 0, &count)); break;
    }
}

static void change_engine(void) {
    octile_engine *engine = ANY(engines);
    switch (below(4)) {
        case 0: known(octile_engine_renew(engine)); break;
        case 1: octile_engine_is_stale(engine); break;
        default: known(octile_engine_apply(engine, ANY(edits))); break;
    }
}

static void step(void) {
    static void (*const CALLS[])(void) = {ask,           ask,         ask_many,    ask_many,  ask_field,  change_edits,
                                          change_engine, change_grid, make_others, make_grid, make_engine};
    CALLS[below(sizeof CALLS / sizeof *CALLS)]();
}

int main(int argument_count, char **arguments) {
    CHECK(argument_count == 3);
    uint64_t count = strtoull(arguments[1], NULL, 10);
    CHECK(count > 0);
    state = strtoull(arguments[2], NULL, 10) * 0x9e3779b97f4a7c15u + 1;
    fprintf(stderr, "calls: %llu calls, seed %s\n", (unsigned long long)count, arguments[2]);
    OK(octile_flag_new(&flag));
    for (int i = 0; i < SLOTS; i++) {
        OK(octile_grid_open(SIDE, SIDE, &grids[i]));
        OK(octile_path_new(&paths[i]));
        OK(octile_edits_new(&edits[i]));
        OK(octile_routes_new(&routes[i]));
        engines[i] = engine_for(grids[i], "corner-sweep");
    }
    for (uint64_t i = 0; i < count; i++) step();
    for (int i = 0; i < SLOTS; i++) {
        octile_index_free(indexes[i]);
        octile_field_free(fields[i]);
        octile_routes_free(routes[i]);
        octile_edits_free(edits[i]);
        octile_path_free(paths[i]);
        octile_engine_free(engines[i]);
        octile_grid_free(grids[i]);
    }
    octile_flag_free(flag);
    fprintf(stderr, "calls: none wrong, final state %016llx\n", (unsigned long long)state);
    return 0;
}
