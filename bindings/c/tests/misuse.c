/* What does not work is told, and nothing is written. */
#include "check.h"

static octile_grid *const NO_GRID = NULL;

static void null(void) {
    octile_grid *grid = drawn("...\n"), *out = NULL;
    octile_engine *engine = engine_for(grid, "astar");
    octile_edits *edits = NULL;
    octile_path *path = NULL;
    octile_cell cells[4];
    octile_cost cost;
    size_t count = 77;
    char text[8], *advice = NULL;
    const uint8_t byte = 0;
    OK(octile_edits_new(&edits));
    OK(octile_path_new(&path));
#define NULLED(call, what) FAILS(call, OCTILE_NULL_POINTER, what " is NULL")
    NULLED(octile_grid_load(NULL, NULL, &out), "file");
    NULLED(octile_grid_load("x.map", NULL, NULL), "grid");
    NULLED(octile_grid_from_memory(NULL, 3, NULL, &out), "file");
    NULLED(octile_grid_parse(NULL, &out), "drawing");
    NULLED(octile_grid_parse(".", NULL), "grid");
    NULLED(octile_grid_open(1, 1, NULL), "grid");
    NULLED(octile_grid_from_blocked(1, 1, NULL, 1, &out), "blocked");
    NULLED(octile_grid_from_blocked(1, 1, &byte, 1, NULL), "grid");
    NULLED(octile_grid_from_free_bits(1, 1, NULL, 1, &out), "free_bits");
    NULLED(octile_grid_clone(NULL, &out), "grid");
    NULLED(octile_grid_clone(grid, NULL), "copy");
    NULLED(octile_grid_set_movement(NULL, "tile"), "grid");
    NULLED(octile_grid_set_movement(grid, NULL), "movement");
    NULLED(octile_grid_set_prices(grid, NULL, 3, NULL), "prices");
    NULLED(octile_grid_apply(NULL, edits), "grid");
    NULLED(octile_grid_apply(grid, NULL), "edits");
    NULLED(octile_edits_new(NULL), "edits");
    NULLED(octile_edits_block(NULL, at(0, 0), at(0, 0)), "edits");
    NULLED(octile_edits_clear(NULL), "edits");
    NULLED(octile_path_new(NULL), "path");
    NULLED(octile_path_cost(NULL, &cost), "path");
    NULLED(octile_path_cost(path, NULL), "cost");
    NULLED(octile_path_cells(path, cells, 4, NULL), "count");
    NULLED(octile_engine_new(NULL, "astar", &engine), "grid");
    NULLED(octile_engine_new(grid, "astar", NULL), "engine");
    NULLED(octile_engine_apply(NULL, edits), "engine");
    NULLED(octile_engine_grid(engine, NULL), "grid");
    NULLED(octile_find(NULL, at(0, 0), at(1, 0), cells, 4, &count, NULL), "engine");
    NULLED(octile_find(engine, at(0, 0), at(1, 0), cells, 4, NULL, NULL), "count");
    NULLED(octile_find(engine, at(0, 0), at(1, 0), NULL, 4, &count, NULL), "the buffer");
    NULLED(octile_find_cost(engine, at(0, 0), at(1, 0), NULL), "cost");
    NULLED(octile_find_path(engine, at(0, 0), at(1, 0), NULL), "path");
    NULLED(octile_cost_text(NULL, text, 8, &count), "cost");
    NULLED(octile_planners(text, 8, NULL), "length");
    NULLED(octile_advise(NULL, NULL, &advice), "grid");
    NULLED(octile_advise(grid, NULL, NULL), "advice");
    CHECK(count == 77 && out == NULL && advice == NULL);

    CHECK(octile_grid_width(NO_GRID) == 0 && octile_grid_height(NO_GRID) == 0 && octile_grid_free_cells(NO_GRID) == 0);
    CHECK(!octile_grid_is_free(NO_GRID, at(0, 0)) && octile_grid_price(NO_GRID, at(0, 0)) == 0);
    CHECK(!octile_grid_connected(NO_GRID, at(0, 0), at(0, 0)) && !octile_engine_connected(NULL, at(0, 0), at(0, 0)));
    CHECK(!octile_engine_is_any_angle(NULL) && !octile_path_is_any_angle(NULL) && octile_edits_count(NULL) == 0);
    octile_grid_free(NULL);
    octile_engine_free(NULL);
    octile_path_free(NULL);
    octile_edits_free(NULL);
    octile_string_free(NULL);

    octile_path_free(path);
    octile_edits_free(edits);
    octile_engine_free(engine);
    octile_grid_free(grid);
}

/* The same of questions, batches, fields and indexes. */
static void null_questions(void) {
    octile_grid *grid = drawn("...\n");
    octile_engine *engine = engine_for(grid, "astar"), *other = NULL;
    octile_edits *edits = NULL;
    octile_path *path = NULL, *copy = NULL;
    octile_routes *routes = NULL;
    octile_field *field = NULL, *no_field = NULL;
    octile_index *index = NULL, *no_index = NULL;
    octile_flag *flag = NULL;
    octile_cell cell = at(1, 0);
    octile_cost cost;
    octile_point point = {0, 0};
    size_t count = 77, places[1];
    double lengths[3];
    char text[8];
    OK(octile_edits_new(&edits));
    OK(octile_path_new(&path));
    OK(octile_routes_new(&routes));
    OK(octile_field_new(grid, &cell, 1, HUGE_VAL, &field));
    OK(octile_index_build(grid, "gates", NULL, &index));
    NULLED(octile_flag_new(NULL), "flag");
    NULLED(octile_flag_set(NULL, true), "flag");
    NULLED(octile_edits_patch(NULL, cell, 1, 1, (const uint8_t *)"", 1), "edits");
    NULLED(octile_edits_patch(edits, cell, 1, 1, NULL, 1), "free_bits");
    NULLED(octile_path_clone(NULL, &copy), "path");
    NULLED(octile_path_clone(path, NULL), "copy");
    NULLED(octile_ask(NULL, cell, &cell, 1, NULL, NULL, NULL), "engine");
    NULLED(octile_ask(engine, cell, NULL, 1, NULL, NULL, NULL), "goals");
    NULLED(octile_ask(engine, cell, NULL, 2, NULL, NULL, NULL), "goals");
    NULLED(octile_find_nearest(NULL, cell, &cell, 1, places, NULL, 1, &count), "engine");
    NULLED(octile_find_nearest(engine, cell, NULL, 1, places, NULL, 1, &count), "targets");
    NULLED(octile_find_nearest(engine, cell, &cell, 1, NULL, NULL, 1, &count), "places");
    NULLED(octile_find_nearest(engine, cell, &cell, 1, places, NULL, 1, NULL), "count");
    NULLED(octile_find_costs(NULL, &cell, 1, &cell, 1, &cost, 1), "engine");
    NULLED(octile_find_costs(engine, NULL, 1, &cell, 1, &cost, 1), "sources");
    NULLED(octile_find_costs(engine, &cell, 1, NULL, 1, &cost, 1), "targets");
    NULLED(octile_find_costs(engine, &cell, 1, &cell, 1, NULL, 1), "costs");
    NULLED(octile_routes_new(NULL), "routes");
    NULLED(octile_find_many(NULL, &cell, &cell, 1, NULL, routes), "engine");
    NULLED(octile_find_many(engine, NULL, &cell, 1, NULL, routes), "starts");
    NULLED(octile_find_many(engine, &cell, NULL, 1, NULL, routes), "goals");
    NULLED(octile_find_many(engine, &cell, &cell, 1, NULL, NULL), "routes");
    NULLED(octile_routes_status(NULL, 0), "routes");
    NULLED(octile_routes_cost(NULL, 0, &cost), "routes");
    NULLED(octile_routes_cost(routes, 0, NULL), "cost");
    NULLED(octile_field_new(NULL, &cell, 1, HUGE_VAL, &no_field), "grid");
    NULLED(octile_field_new(grid, NULL, 1, HUGE_VAL, &no_field), "goals");
    NULLED(octile_field_new(grid, &cell, 1, HUGE_VAL, NULL), "field");
    NULLED(octile_engine_field(NULL, &cell, 1, HUGE_VAL, &no_field), "engine");
    NULLED(octile_field_set_goals(NULL, &cell, 1), "field");
    NULLED(octile_field_set_goals(field, NULL, 1), "goals");
    NULLED(octile_field_apply(NULL, edits), "field");
    NULLED(octile_field_apply(field, NULL), "edits");
    NULLED(octile_field_cost(NULL, cell, &cost), "field");
    NULLED(octile_field_cost(field, cell, NULL), "cost");
    NULLED(octile_field_step(NULL, cell, &cell), "field");
    NULLED(octile_field_step(field, cell, NULL), "next");
    NULLED(octile_field_direction(NULL, point, &point), "field");
    NULLED(octile_field_direction(field, point, NULL), "direction");
    NULLED(octile_field_path(NULL, cell, path), "field");
    NULLED(octile_field_path(field, cell, NULL), "path");
    NULLED(octile_field_lengths(NULL, lengths, 3, &count), "field");
    NULLED(octile_field_lengths(field, NULL, 3, &count), "the buffer");
    NULLED(octile_field_lengths(field, lengths, 3, NULL), "count");
    NULLED(octile_engine_for_agent(NULL, "square:1", &other), "engine");
    NULLED(octile_engine_for_agent(engine, NULL, &other), "agent");
    NULLED(octile_engine_for_agent(engine, "square:1", NULL), "sized");
    NULLED(octile_engine_build(NULL, "jps", NULL, &other), "grid");
    NULLED(octile_engine_build(grid, "jps", NULL, NULL), "engine");
    NULLED(octile_engine_renew(NULL), "engine");
    NULLED(octile_engine_keep_fresh(NULL, 1.0), "engine");
    NULLED(octile_index_build(NULL, "gates", NULL, &no_index), "grid");
    NULLED(octile_index_build(grid, NULL, NULL, &no_index), "kind");
    NULLED(octile_index_build(grid, "gates", NULL, NULL), "index");
    NULLED(octile_index_open(NULL, &no_index), "file");
    NULLED(octile_index_open("x.octx", NULL), "index");
    NULLED(octile_index_from_memory(NULL, 1, &no_index), "file");
    NULLED(octile_index_save(NULL, "x.octx"), "index");
    NULLED(octile_index_save(index, NULL), "file");
    NULLED(octile_index_kind(NULL, text, 8, &count), "index");
    NULLED(octile_index_verify(NULL, grid), "index");
    CHECK(count == 77 && other == NULL && copy == NULL && no_field == NULL && no_index == NULL);

    CHECK(octile_routes_count(NULL) == 0 && octile_routes_lengths(NULL) == NULL && octile_routes_offsets(NULL) == NULL);
    CHECK(octile_routes_cells(NULL) == NULL && octile_routes_points(NULL) == NULL &&
          !octile_routes_is_nearest(NULL, 0));
    CHECK(octile_field_length(NULL, cell) == HUGE_VAL && !octile_flag_is_set(NULL) && !octile_engine_is_stale(NULL));
    CHECK(octile_index_size(NULL) == 0 && octile_index_bytes(NULL) == NULL && octile_engine_index_bytes(NULL) == 0);
    CHECK(!octile_engine_still_valid(NULL, path) && !octile_engine_still_valid(engine, NULL));
    octile_flag_free(flag);
    octile_routes_free(NULL);
    octile_field_free(NULL);
    octile_index_free(NULL);

    octile_index_free(index);
    octile_field_free(field);
    octile_routes_free(routes);
    octile_path_free(path);
    octile_edits_free(edits);
    octile_engine_free(engine);
    octile_grid_free(grid);
}

/* Sizes and numbers that cannot be. */
static void numbers(void) {
    octile_grid *grid = drawn("...\n");
    octile_engine *engine = engine_for(grid, "astar");
    octile_routes *routes = NULL;
    octile_field *field = NULL;
    octile_cell cell = at(1, 0);
    octile_cost cost;
    size_t count = 0, places[1];
    OK(octile_routes_new(&routes));
    octile_terms terms = OCTILE_TERMS;
    terms.max_cost = NAN;
    FAILS(octile_ask(engine, cell, &cell, 1, &terms, NULL, NULL), OCTILE_ARGUMENT, "max_cost is not a number");
    terms = (octile_terms)OCTILE_TERMS;
    terms.timeout = -1.0;
    FAILS(octile_ask(engine, cell, &cell, 1, &terms, NULL, NULL), OCTILE_ARGUMENT, "is not a time");
    terms = (octile_terms)OCTILE_TERMS;
    terms.nearest = "far";
    FAILS(octile_find_many(engine, &cell, &cell, 1, &terms, routes), OCTILE_ARGUMENT, "nearest: ");
    octile_terms empty = {0};
    FAILS(octile_ask(engine, cell, &cell, 1, &empty, NULL, NULL), OCTILE_ARGUMENT, "begin with OCTILE_TERMS");
    FAILS(octile_ask(engine, cell, &cell, SIZE_MAX, NULL, NULL, NULL), OCTILE_ARGUMENT, "more than there can be");
    FAILS(octile_ask(engine, cell, NULL, 0, NULL, NULL, NULL), OCTILE_QUERY, "has no goals");
    FAILS(octile_find_many(engine, &cell, &cell, SIZE_MAX / 2, NULL, routes), OCTILE_ARGUMENT,
          "more than there can be");
    FAILS(octile_find_nearest(engine, cell, &cell, 1, places, NULL, SIZE_MAX, &count), OCTILE_ARGUMENT, "more than");
    FAILS(octile_find_costs(engine, &cell, SIZE_MAX, &cell, SIZE_MAX, &cost, 1), OCTILE_ARGUMENT, "costs: ");
    FAILS(octile_field_new(grid, &cell, 1, NAN, &field), OCTILE_ARGUMENT, "max_cost is not a number");
    FAILS(octile_field_new(grid, &(octile_cell){9, 9}, 1, HUGE_VAL, &field), OCTILE_QUERY, "off the map");
    CHECK(field == NULL);
    octile_routes_free(routes);
    octile_engine_free(engine);
    octile_grid_free(grid);
}

static void buffers(void) {
    octile_grid *grid = drawn("......\n.@@@@.\n......\n");
    octile_engine *engine = engine_for(grid, "corner-sweep");
    octile_cell cells[4] = {{9, 9}, {9, 9}, {9, 9}, {9, 9}};
    octile_cost cost = {1, 2, 3, 4.0};
    size_t count = 0, length = 0;
    char text[4] = "abc";
    FAILS(octile_find(engine, at(0, 1), at(5, 1), cells, 3, &count, &cost), OCTILE_SMALL_BUFFER,
          "it has room for 3, and 4 are needed");
    CHECK(count == 4 && cells[0].x == 9 && cost.straight == 1);
    FAILS(octile_find_cells(engine, at(0, 1), at(5, 1), cells, 4, &count, NULL), OCTILE_SMALL_BUFFER, "8 are needed");
    CHECK(count == 8 && cells[0].x == 9);
    OK(octile_find(engine, at(0, 1), at(5, 1), cells, SIZE_MAX, &count, NULL)); /* No more than needed is touched. */
    cost.parts = 1, cost.straight = 100, cost.diagonal = 2;
    FAILS(octile_cost_text(&cost, text, 4, &length), OCTILE_SMALL_BUFFER, "are needed");
    CHECK(length == strlen("100+2√2") && strcmp(text, "abc") == 0);
    cost.diagonal = 0;
    FAILS(octile_cost_text(&cost, text, 3, &length), OCTILE_SMALL_BUFFER, "4 are needed");
    OK(octile_cost_text(&cost, text, 4, &length));
    CHECK(length == 3 && strcmp(text, "100") == 0);
    cost.parts = UINT32_MAX, cost.straight = UINT32_MAX, cost.diagonal = 7;
    OK(octile_cost_text(&cost, NULL, 0, &length));
    CHECK(length < 64);
    octile_engine_free(engine);
    octile_grid_free(grid);
}

static void questions(void) {
    octile_grid *grid = drawn("..@.\n");
    octile_engine *engine = engine_for(grid, NULL), *none = NULL;
    octile_edits *edits = NULL;
    octile_cost cost = {0, 0, 0, -1.0};
    FAILS(octile_find_cost(engine, at(0, 0), at(2, 0), &cost), OCTILE_QUERY, "goal 2,0 is blocked");
    FAILS(octile_find_cost(engine, at(9, 0), at(0, 0), &cost), OCTILE_QUERY, "start 9,0 is off the map");
    FAILS(octile_find_cost(engine, at(0, 0), at(3, 0), &cost), OCTILE_NO_PATH, "there is no path");
    CHECK(cost.length == -1.0);
    FAILS(octile_engine_new(grid, "corner-sweeep", &none), OCTILE_SPEC, "corner-sweep");
    FAILS(octile_engine_new(grid, "jps:prune=what", &none), OCTILE_SPEC, "prune");
    FAILS(octile_engine_new(grid, "cpd:index=no/such.octx", &none), OCTILE_INDEX, "no/such.octx");
    FAILS(octile_engine_new(grid, "\xff", &none), OCTILE_ARGUMENT, "spec is not UTF-8");
    FAILS(octile_advise(grid, "colour=blue", NULL), OCTILE_NULL_POINTER, "advice");
    OK(octile_edits_new(&edits));
    OK(octile_edits_block(edits, at(0, 0), at(UINT32_MAX, UINT32_MAX)));
    FAILS(octile_engine_apply(engine, edits), OCTILE_EDIT, "off the map");
    FAILS(octile_grid_apply(grid, edits), OCTILE_EDIT, "off the map");
    OK(octile_edits_clear(edits));
    OK(octile_edits_price(edits, at(0, 0), at(0, 0), 3));
    FAILS(octile_engine_apply(engine, edits), OCTILE_EDIT, "price");
    CHECK(octile_grid_free_cells(grid) == 3);
    const uint8_t prices[4] = {1, 2, 3, 4};
    OK(octile_grid_set_prices(grid, prices, 4, "average"));
    FAILS(octile_engine_new(grid, "jps", &none), OCTILE_BUILD, "price");
    CHECK(none == NULL);
    octile_edits_free(edits);
    octile_engine_free(engine);
    octile_grid_free(grid);
}

static void maps(const char *folder) {
    octile_grid *grid = NULL;
    const uint8_t bytes[8] = {0};
    char file[512];
    FAILS(octile_grid_open(0, 5, &grid), OCTILE_GRID, "");
    FAILS(octile_grid_open(UINT32_MAX, UINT32_MAX, &grid), OCTILE_GRID, "");
    FAILS(octile_grid_from_blocked(3, 2, bytes, 5, &grid), OCTILE_ARGUMENT,
          "3 x 2 cells need 6 bytes, and there are 5");
    FAILS(octile_grid_from_blocked(0, 2, bytes, 0, &grid), OCTILE_GRID, "");
    FAILS(octile_grid_from_blocked(3, 2, bytes, SIZE_MAX, &grid), OCTILE_ARGUMENT, "more than there can be");
    FAILS(octile_grid_from_free_bits(3, 3, bytes, 9, &grid), OCTILE_ARGUMENT,
          "3 x 3 cells need 2 bytes, and there are 9");
    FAILS(octile_grid_parse("..\n...\n", &grid), OCTILE_GRID, "line 2");
    FAILS(octile_grid_load("no/such.map", NULL, &grid), OCTILE_FILE, "no/such.map: ");
    FAILS(octile_grid_load(folder, NULL, &grid), OCTILE_FILE, folder);
    snprintf(file, sizeof file, "%s/bad.map", folder);
    FAILS(octile_grid_load(file, NULL, &grid), OCTILE_FILE, "bad.map: line");
    snprintf(file, sizeof file, "%s/land.map", folder);
    octile_load_options options = OCTILE_LOAD_OPTIONS;
    options.movement = "fly";
    FAILS(octile_grid_load(file, &options, &grid), OCTILE_ARGUMENT, "movement: ");
    options = (octile_load_options)OCTILE_LOAD_OPTIONS;
    options.prices = "no/such.prices";
    FAILS(octile_grid_load(file, &options, &grid), OCTILE_FILE, "no/such.prices");
    options.prices = "costmap";
    FAILS(octile_grid_load(file, &options, &grid), OCTILE_FILE, "costmap");
    octile_load_options empty = {0};
    FAILS(octile_grid_load(file, &empty, &grid), OCTILE_ARGUMENT, "OCTILE_LOAD_OPTIONS");
    empty.size = 4096;
    FAILS(octile_grid_load(file, &empty, &grid), OCTILE_ARGUMENT, "older than the header");
    CHECK(grid == NULL);
    grid = drawn("...\n");
    FAILS(octile_grid_set_movement(grid, "fly"), OCTILE_ARGUMENT, "movement: ");
    FAILS(octile_grid_set_prices(grid, bytes, 4, NULL), OCTILE_ARGUMENT, "need 3 bytes");
    FAILS(octile_grid_set_prices(grid, bytes, 3, "free"), OCTILE_ARGUMENT, "convention: ");
    octile_grid_free(grid);
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    null();
    null_questions();
    numbers();
    buffers();
    questions();
    maps(arguments[1]);
    return 0;
}
