/* Batches, questions with terms, fields, agents, patches and indexes. The argument is a folder to write to. */
#include "check.h"

/* A map with a wall that has one gap, at the top, and a chamber without a door. */
static octile_grid *walled(void) {
    return drawn("........\n"
                 "...@....\n"
                 "...@.@@@\n"
                 "...@.@.@\n"
                 "...@.@@@\n");
}

static void batches(void) {
    octile_grid *grid = walled();
    octile_engine *engine = engine_for(grid, "jump-graph");
    octile_routes *routes = NULL;
    OK(octile_routes_new(&routes));
    CHECK(octile_routes_count(routes) == 0 && octile_routes_lengths(routes) == NULL &&
          octile_routes_cells(routes) == NULL);
    const octile_cell starts[] = {{0, 4}, {0, 0}, {0, 0}, {9, 9}, {1, 1}};
    const octile_cell goals[] = {{4, 4}, {6, 3}, {3, 3}, {0, 0}, {1, 1}};
    OK(octile_find_many(engine, starts, goals, 5, NULL, routes));
    CHECK(octile_routes_count(routes) == 5 && octile_routes_points(routes) == NULL);
    const size_t *offsets = octile_routes_offsets(routes);
    const octile_cell *cells = octile_routes_cells(routes);
    const double *lengths = octile_routes_lengths(routes);
    OK(octile_routes_status(routes, 0));
    CHECK(offsets[0] == 0 && same_cell(cells[0], starts[0]) && same_cell(cells[offsets[1] - 1], goals[0]));
    octile_cost cost, alone;
    OK(octile_routes_cost(routes, 0, &cost));
    OK(octile_find_cost(engine, starts[0], goals[0], &alone));
    CHECK(cost.straight == alone.straight && cost.diagonal == alone.diagonal && cost.parts == 1 &&
          cost.length == lengths[0]);
    CHECK(octile_routes_status(routes, 1) == OCTILE_NO_PATH && lengths[1] == HUGE_VAL && offsets[1] == offsets[2]);
    FAILS(octile_routes_status(routes, 2), OCTILE_QUERY, "query 2: goal 3,3 is blocked");
    FAILS(octile_routes_status(routes, 3), OCTILE_QUERY, "query 3 cannot be asked");
    CHECK(isnan(lengths[3]) && octile_routes_cost(routes, 3, &cost) == OCTILE_QUERY);
    OK(octile_routes_cost(routes, 4, &cost));
    CHECK(cost.length == 0.0 && offsets[5] - offsets[4] == 1);
    FAILS(octile_routes_status(routes, 5), OCTILE_ARGUMENT, "there are 5, counted from 0");

    octile_terms terms = OCTILE_TERMS;
    terms.nearest = "goal";
    terms.max_cost = 20;
    OK(octile_find_many(engine, starts, goals, 3, &terms, routes));
    CHECK(octile_routes_is_nearest(routes, 1) && !octile_routes_is_nearest(routes, 0) &&
          octile_routes_is_nearest(routes, 2));
    terms = (octile_terms)OCTILE_TERMS;
    terms.max_cost = 1;
    OK(octile_find_many(engine, starts, goals, 1, &terms, routes));
    FAILS(octile_routes_status(routes, 0), OCTILE_LIMIT, "limit");
    CHECK(octile_routes_cost(routes, 0, &cost) == OCTILE_LIMIT);
    OK(octile_find_many(engine, NULL, NULL, 0, NULL, routes));
    CHECK(octile_routes_count(routes) == 0);
    octile_engine_free(engine);

    engine = engine_for(grid, "taut-sight");
    OK(octile_find_many(engine, starts, goals, 2, NULL, routes));
    const octile_point *points = octile_routes_points(routes);
    offsets = octile_routes_offsets(routes);
    CHECK(octile_routes_cells(routes) == NULL && offsets[1] == 4 && points[0].x == 0 && points[3].y == 4);
    OK(octile_routes_cost(routes, 0, &cost));
    CHECK(cost.parts == 0 && cost.straight == 0 && cost.length > 8);
    octile_engine_free(engine);
    octile_grid_free(grid);

    /* On a map with prices, counts are in parts of a move. */
    const uint8_t prices[3] = {1, 9, 1};
    const octile_cell west = {0, 0}, east = {1, 0};
    OK(octile_grid_open(3, 1, &grid));
    OK(octile_grid_set_prices(grid, prices, sizeof prices, NULL));
    engine = engine_for(grid, "terrain-jump");
    OK(octile_find_many(engine, &west, &east, 1, NULL, routes));
    OK(octile_routes_cost(routes, 0, &cost));
    CHECK(cost.straight == 20 && cost.parts == 4 && cost.length == 5.0);
    octile_engine_free(engine);
    octile_routes_free(routes);
    octile_grid_free(grid);
}

static void questions(void) {
    octile_grid *grid = walled();
    octile_engine *engine = engine_for(grid, NULL);
    octile_path *path = NULL, *copy = NULL;
    octile_reply reply;
    octile_terms terms = OCTILE_TERMS;
    octile_cell cells[16];
    size_t count = 0;
    OK(octile_path_new(&path));

    const octile_cell goals[] = {{4, 4}, {2, 4}, {0, 0}};
    OK(octile_ask(engine, at(0, 4), goals, 3, NULL, path, &reply));
    CHECK(reply.place == 1 && same_cell(reply.goal, goals[1]) && !reply.is_nearest && reply.away == 0.0 &&
          reply.cost.straight == 2);
    OK(octile_path_waypoints(path, cells, 16, &count));
    CHECK(count == 2 && same_cell(cells[1], goals[1]) && octile_engine_still_valid(engine, path));
    OK(octile_path_clone(path, &copy));
    OK(octile_path_cells(copy, NULL, 0, &count));
    CHECK(count == 3);
    octile_path_free(copy);

    CHECK(octile_ask(engine, at(0, 0), &(octile_cell){6, 3}, 1, NULL, path, &reply) == OCTILE_NO_PATH);
    CHECK(reply.place == 1 &&
          !octile_engine_still_valid(engine, path)); /* The reply is as it was, the path is empty. */
    terms.nearest = "goal";
    OK(octile_ask(engine, at(0, 0), &(octile_cell){6, 3}, 1, &terms, NULL, &reply));
    CHECK(reply.is_nearest && reply.place == SIZE_MAX && same_cell(reply.goal, at(6, 1)) && reply.away == 2.0);
    terms.nearest = "both";
    OK(octile_ask(engine, at(3, 4), goals, 1, &terms, NULL, &reply));
    CHECK(same_cell(reply.start, at(4, 4)) && reply.cost.length == 0.0);

    terms = (octile_terms)OCTILE_TERMS;
    terms.max_cost = 3;
    FAILS(octile_ask(engine, at(0, 4), goals, 1, &terms, path, &reply), OCTILE_LIMIT, "max_cost");
    terms = (octile_terms)OCTILE_TERMS;
    terms.max_expanded = 0;
    FAILS(octile_ask(engine, at(0, 4), goals, 1, &terms, path, &reply), OCTILE_LIMIT, "max_expanded");
    terms = (octile_terms)OCTILE_TERMS;
    terms.timeout = 0;
    FAILS(octile_ask(engine, at(0, 4), goals, 1, &terms, path, &reply), OCTILE_LIMIT, "timeout");
    octile_flag *flag = NULL;
    OK(octile_flag_new(&flag));
    CHECK(!octile_flag_is_set(flag));
    terms = (octile_terms)OCTILE_TERMS;
    terms.cancel = flag;
    OK(octile_ask(engine, at(0, 4), goals, 1, &terms, path, &reply));
    OK(octile_flag_set(flag, true));
    CHECK(octile_flag_is_set(flag));
    FAILS(octile_ask(engine, at(0, 4), goals, 1, &terms, path, &reply), OCTILE_LIMIT, "cancelled");
    octile_flag_free(flag);

    size_t places[3];
    octile_cost costs[6];
    const octile_cell targets[] = {{7, 0}, {0, 0}, {6, 3}, {0, 2}};
    OK(octile_find_nearest(engine, at(0, 4), targets, 4, places, costs, 3, &count));
    CHECK(count == 3 && places[0] == 3 && places[1] == 1 && places[2] == 0 && costs[0].straight == 2);
    OK(octile_find_nearest(engine, at(0, 4), targets, 4, places, NULL, 1, &count));
    CHECK(count == 1 && places[0] == 3);
    OK(octile_find_nearest(engine, at(0, 4), targets, 4, NULL, NULL, 0, &count));
    CHECK(count == 0);
    OK(octile_find_costs(engine, goals, 2, targets, 3, costs, 6));
    CHECK(costs[1 * 3 + 1].straight == 2 && costs[1 * 3 + 1].diagonal == 2);
    CHECK(costs[0 * 3 + 2].length == HUGE_VAL && costs[0 * 3 + 2].parts == 0);
    FAILS(octile_find_costs(engine, goals, 2, targets, 3, costs, 5), OCTILE_ARGUMENT, "room for 5");
    OK(octile_find_costs(engine, goals, 2, targets, 0, NULL, 0));
    octile_path_free(path);
    octile_engine_free(engine);
    octile_grid_free(grid);
}

static void fields(void) {
    octile_grid *grid = walled(), *now = NULL;
    octile_engine *engine = engine_for(grid, NULL);
    octile_edits *edits = NULL;
    octile_field *field = NULL, *near = NULL;
    octile_path *path = NULL;
    octile_cell next;
    octile_cost cost, asked;
    octile_point direction;
    double lengths[40];
    size_t count = 0;
    OK(octile_edits_new(&edits));
    OK(octile_path_new(&path));
    const octile_cell goals[] = {{7, 0}, {4, 4}};
    OK(octile_field_new(grid, goals, 2, HUGE_VAL, &field));
    CHECK(octile_field_length(field, at(4, 4)) == 0.0 && octile_field_length(field, at(4, 2)) == 2.0);
    CHECK(octile_field_length(field, at(6, 3)) == HUGE_VAL && octile_field_length(field, at(99, 99)) == HUGE_VAL);
    OK(octile_field_cost(field, at(0, 4), &cost));
    OK(octile_find_cost(engine, at(0, 4), at(7, 0), &asked));
    CHECK(cost.length <= asked.length && octile_field_cost(field, at(6, 3), &cost) == OCTILE_NO_PATH);
    OK(octile_field_step(field, at(4, 2), &next));
    CHECK(same_cell(next, at(4, 3)));
    OK(octile_field_step(field, at(4, 4), &next));
    CHECK(same_cell(next, at(4, 4)) && octile_field_step(field, at(3, 3), &next) == OCTILE_NO_PATH);
    octile_point place = {4.5, 2.5}, chamber = {6.5, 3.5};
    OK(octile_field_direction(field, place, &direction));
    CHECK(fabs(direction.x) < 1e-9 && fabs(direction.y - 1.0) < 1e-9);
    CHECK(octile_field_direction(field, chamber, &direction) == OCTILE_NO_PATH);
    OK(octile_field_path(field, at(4, 1), path));
    OK(octile_path_cells(path, NULL, 0, &count));
    CHECK(count == 4 && octile_field_path(field, at(6, 3), path) == OCTILE_NO_PATH);
    OK(octile_field_lengths(field, lengths, 40, &count));
    CHECK(count == 40 && lengths[4 * 8 + 4] == 0.0 && lengths[0 * 8 + 6] == 1.0);

    OK(octile_edits_block(edits, at(4, 3), at(4, 3)));
    OK(octile_field_apply(field, edits));
    CHECK(octile_field_length(field, at(4, 2)) > 2.0);
    OK(octile_field_set_goals(field, &(octile_cell){0, 0}, 1));
    CHECK(octile_field_length(field, at(2, 0)) == 2.0 && octile_field_length(field, at(4, 4)) == HUGE_VAL);
    OK(octile_engine_field(engine, goals, 1, 2.0, &near)); /* The engine's map has not changed. */
    CHECK(octile_field_length(near, at(5, 0)) == 2.0 && octile_field_length(near, at(4, 0)) == HUGE_VAL);
    octile_field_free(near);
    octile_field_free(field);
    octile_path_free(path);
    octile_edits_free(edits);
    OK(octile_engine_grid(engine, &now));
    CHECK(octile_grid_is_free(now, at(4, 3)));
    octile_grid_free(now);
    octile_engine_free(engine);
    octile_grid_free(grid);
}

static void agents(void) {
    octile_grid *grid = drawn(".....\n..@..\n.....\n.....\n");
    octile_engine *engine = engine_for(grid, NULL), *wide = NULL, *none = NULL;
    octile_edits *edits = NULL;
    octile_cost small, large;
    OK(octile_engine_for_agent(engine, "square:2", &wide));
    OK(octile_find_cost(engine, at(0, 0), at(3, 0), &small));
    OK(octile_find_cost(wide, at(0, 0), at(3, 0), &large));
    CHECK(small.length < large.length && octile_find_cost(wide, at(0, 0), at(1, 0), &large) == OCTILE_QUERY);
    /* One map for both. */
    OK(octile_edits_new(&edits));
    OK(octile_edits_unblock(edits, at(2, 1), at(2, 1)));
    OK(octile_engine_apply(wide, edits));
    OK(octile_find_cost(wide, at(0, 0), at(3, 0), &large));
    CHECK(large.length == 3.0);
    FAILS(octile_engine_for_agent(engine, "cube:2", &none), OCTILE_ARGUMENT, "agent: ");
    FAILS(octile_engine_for_agent(engine, "square:0", &none), OCTILE_ARGUMENT, "agent: ");
    CHECK(none == NULL);
    octile_edits_free(edits);
    octile_engine_free(wide);
    octile_engine_free(engine);
    octile_grid_free(grid);
}

static void patches(void) {
    octile_grid *grid = NULL, *now = NULL;
    octile_edits *edits = NULL;
    const uint8_t house[2] = {0x10, 0x01}; /* 3 x 3, least significant bit first: the middle and the last are free. */
    OK(octile_grid_open(8, 8, &grid));
    octile_engine *engine = engine_for(grid, "corner-sweep");
    OK(octile_edits_new(&edits));
    OK(octile_edits_patch(edits, at(4, 5), 3, 3, house, 2));
    OK(octile_engine_apply(engine, edits));
    OK(octile_engine_grid(engine, &now));
    CHECK(octile_grid_free_cells(now) == 64 - 7 && octile_grid_is_free(now, at(5, 6)) &&
          octile_grid_is_free(now, at(6, 7)));
    FAILS(octile_edits_patch(edits, at(0, 0), 3, 3, house, 1), OCTILE_ARGUMENT, "3 x 3 cells need 2 bytes");
    FAILS(octile_edits_patch(edits, at(0, 0), 0, 3, house, 0), OCTILE_GRID, "");
    OK(octile_edits_patch(edits, at(UINT32_MAX, 6), 3, 3, house, 2));
    FAILS(octile_engine_apply(engine, edits), OCTILE_EDIT, "off the map");
    octile_edits_free(edits);
    octile_grid_free(now);
    octile_engine_free(engine);
    octile_grid_free(grid);
}

typedef struct {
    size_t calls;
    octile_flag *ends;
} watcher;

static void watch(void *user, const char *stage, uint64_t done, uint64_t all) {
    watcher *watcher = user;
    watcher->calls++;
    CHECK(stage[0] != 0 && done <= all);
    if (watcher->ends != NULL) OK(octile_flag_set(watcher->ends, true));
}

static void indexes(const char *folder) {
    octile_grid *grid = walled(), *other = drawn("...\n");
    octile_index *index = NULL, *opened = NULL, *none = NULL;
    octile_engine *engine = NULL;
    octile_cost cost;
    char file[512], kind[32];
    size_t length = 0;
    watcher watcher = {0};
    octile_build_options options = OCTILE_BUILD_OPTIONS;
    options.progress = watch;
    options.user = &watcher;
    snprintf(file, sizeof file, "%s/walled.octx", folder);
    OK(octile_index_build(grid, "cpd:layout=rectangles", &options, &index));
    CHECK(watcher.calls > 0 && octile_index_size(index) > 0);
    OK(octile_index_kind(index, kind, sizeof kind, &length));
    CHECK(strcmp(kind, "cpd") == 0);
    OK(octile_index_save(index, file));
    OK(octile_index_open(file, &opened));
    CHECK(octile_index_size(opened) == octile_index_size(index));
    CHECK(memcmp(octile_index_bytes(opened), octile_index_bytes(index), octile_index_size(index)) == 0);
    OK(octile_index_verify(opened, grid));
    FAILS(octile_index_verify(opened, other), OCTILE_INDEX, "");
    octile_index_free(opened);
    OK(octile_index_from_memory(octile_index_bytes(index), octile_index_size(index), &opened));

    const octile_index *given[] = {opened};
    options = (octile_build_options)OCTILE_BUILD_OPTIONS;
    options.indexes = given;
    options.index_count = 1;
    OK(octile_engine_build(grid, "cpd:layout=rectangles", &options, &engine));
    octile_index_free(opened); /* The engine keeps what it needs. */
    octile_index_free(index);
    OK(octile_find_cost(engine, at(0, 4), at(4, 4), &cost));
    CHECK(!octile_engine_is_stale(engine) && octile_engine_index_bytes(engine) > 0);
    octile_edits *edits = NULL;
    OK(octile_edits_new(&edits));
    OK(octile_edits_block(edits, at(4, 0), at(4, 0)));
    OK(octile_engine_apply(engine, edits));
    CHECK(octile_engine_is_stale(engine));
    OK(octile_engine_renew(engine));
    CHECK(!octile_engine_is_stale(engine));
    /* The engine renews its index by itself, until it is told not to. */
    OK(octile_edits_clear(edits));
    OK(octile_edits_unblock(edits, at(4, 0), at(4, 0)));
    OK(octile_engine_apply(engine, edits));
    CHECK(octile_engine_is_stale(engine));
    OK(octile_engine_keep_fresh(engine, 0.0));
    WAIT_UNTIL(!octile_engine_is_stale(engine));
    OK(octile_engine_keep_fresh(engine, -1.0));
    OK(octile_edits_block(edits, at(0, 0), at(0, 0)));
    OK(octile_engine_apply(engine, edits));
    CHECK(octile_engine_is_stale(engine));
    FAILS(octile_engine_keep_fresh(engine, NAN), OCTILE_ARGUMENT, "is not a time");
    octile_edits_free(edits);
    octile_engine_free(engine);
    engine = NULL;

    FAILS(octile_index_build(grid, "cdp", NULL, &none), OCTILE_SPEC, "cpd");
    FAILS(octile_index_build(grid, "hub-labels:layout=what", NULL, &none), OCTILE_SPEC, "");
    FAILS(octile_index_open("no/such.octx", &none), OCTILE_INDEX, "no/such.octx");
    FAILS(octile_index_from_memory((const uint8_t *)"octile", 6, &none), OCTILE_INDEX, "");
    OK(octile_index_build(grid, "gates", NULL, &index));
    given[0] = index;
    FAILS(octile_engine_build(grid, "jps", &options, &engine), OCTILE_INDEX, "has no use for an index of kind `gates`");
    given[0] = NULL;
    FAILS(octile_engine_build(grid, "jps", &options, &engine), OCTILE_NULL_POINTER, "one of the indexes");
    FAILS(octile_index_save(index, "no/such/folder/x.octx"), OCTILE_FILE, "no/such/folder/x.octx");
    options = (octile_build_options)OCTILE_BUILD_OPTIONS;
    options.budget = "cheap";
    FAILS(octile_engine_build(grid, "jps", &options, &engine), OCTILE_ARGUMENT, "beforehand");
    OK(octile_flag_new(&watcher.ends));
    options = (octile_build_options)OCTILE_BUILD_OPTIONS;
    options.cancel = watcher.ends;
    options.progress = watch;
    options.user = &watcher;
    octile_grid *large = NULL;
    OK(octile_grid_open(64, 64, &large));
    CHECK(octile_index_build(large, "cpd", &options, &none) == OCTILE_CANCELLED);
    CHECK(none == NULL && engine == NULL);
    octile_grid_free(large);
    octile_flag_free(watcher.ends);
    octile_index_free(index);
    octile_grid_free(other);
    octile_grid_free(grid);
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    batches();
    questions();
    fields();
    agents();
    patches();
    indexes(arguments[1]);
    return 0;
}
