/* What works. The argument is a folder with maps. */
#include "check.h"

#include <math.h>

static void versions(void) {
    CHECK(octile_abi_version() == OCTILE_ABI_VERSION);
    CHECK(strchr(octile_version(), '.') != NULL);
    CHECK(strcmp(octile_error_message(), "") == 0);
}

static void grids(void) {
    octile_grid *grid = drawn("..@\n...\n"), *other = NULL, *copy = NULL;
    CHECK(octile_grid_width(grid) == 3 && octile_grid_height(grid) == 2 && octile_grid_free_cells(grid) == 5);
    CHECK(octile_grid_is_free(grid, at(1, 0)) && !octile_grid_is_free(grid, at(2, 0)));
    CHECK(!octile_grid_is_free(grid, at(3, 0)) && !octile_grid_is_free(grid, at(UINT32_MAX, UINT32_MAX)));
    CHECK(octile_grid_price(grid, at(0, 0)) == 1 && octile_grid_price(grid, at(2, 0)) == 0);
    CHECK(octile_grid_connected(grid, at(0, 0), at(2, 1)) && !octile_grid_connected(grid, at(0, 0), at(2, 0)));

    const uint8_t blocked[6] = {0, 0, 1, 0, 0, 255};
    OK(octile_grid_from_blocked(3, 2, blocked, sizeof blocked, &other));
    CHECK(octile_grid_free_cells(other) == 4 && !octile_grid_is_free(other, at(2, 1)));
    octile_grid_free(other);

    /* Nine cells in two bytes: all but the last is free. */
    const uint8_t bits[2] = {0xff, 0xfe};
    OK(octile_grid_from_free_bits(3, 3, bits, sizeof bits, &other));
    CHECK(octile_grid_free_cells(other) == 8 && !octile_grid_is_free(other, at(2, 2)));
    octile_grid_free(other);

    const char map[] = "type octile\nheight 1\nwidth 2\nmap\n.@\n";
    OK(octile_grid_from_memory((const uint8_t *)map, strlen(map), NULL, &other));
    CHECK(octile_grid_free_cells(other) == 1);
    octile_grid_free(other);

    octile_edits *edits = NULL;
    OK(octile_edits_new(&edits));
    OK(octile_edits_unblock(edits, at(0, 0), at(2, 1)));
    CHECK(octile_edits_count(edits) == 1);
    OK(octile_grid_clone(grid, &copy));
    OK(octile_grid_apply(copy, edits));
    CHECK(octile_grid_free_cells(copy) == 6 && octile_grid_free_cells(grid) == 5);
    octile_edits_free(edits);
    octile_grid_free(copy);
    octile_grid_free(grid);
}

static void paths(void) {
    octile_grid *grid = drawn("......\n.@@@@.\n......\n");
    octile_engine *engine = engine_for(grid, NULL);
    octile_grid_free(grid); /* The engine has its own. */
    CHECK(!octile_engine_is_any_angle(engine) && octile_engine_connected(engine, at(0, 1), at(5, 1)));

    octile_cell cells[16];
    octile_cost cost;
    size_t count = 0, length = 0;
    char text[64];
    OK(octile_find(engine, at(0, 1), at(5, 1), NULL, 0, &count, NULL));
    CHECK(count == 4);
    OK(octile_find(engine, at(0, 1), at(5, 1), cells, 4, &count, &cost));
    CHECK(cells[0].x == 0 && cells[0].y == 1 && cells[3].x == 5 && cells[3].y == 1);
    CHECK(cost.straight == 7 && cost.diagonal == 0 && cost.parts == 1 && cost.length == 7.0);
    OK(octile_cost_text(&cost, text, sizeof text, &length));
    CHECK(strcmp(text, "7") == 0 && length == 1);
    OK(octile_find_cells(engine, at(0, 1), at(5, 1), cells, 16, &count, &cost));
    CHECK(count == 8 && cells[1].x == 0 && cells[7].x == 5);
    OK(octile_find_cost(engine, at(0, 0), at(0, 0), &cost));
    CHECK(cost.length == 0.0);
    OK(octile_find(engine, at(0, 0), at(0, 0), cells, 16, &count, NULL));
    CHECK(count == 1);

    octile_path *path = NULL;
    OK(octile_path_new(&path));
    OK(octile_find_path(engine, at(0, 0), at(5, 1), path));
    CHECK(!octile_path_is_any_angle(path));
    OK(octile_path_cost(path, &cost));
    CHECK(cost.straight == 6);
    OK(octile_path_waypoints(path, cells, 16, &count));
    CHECK(count == 3 && cells[1].x == 5 && cells[1].y == 0);
    OK(octile_path_cells(path, NULL, 0, &count));
    CHECK(count == 7);

    /* The map changes. */
    octile_edits *edits = NULL;
    OK(octile_edits_new(&edits));
    OK(octile_edits_unblock(edits, at(4, 1), at(1, 1)));
    OK(octile_engine_apply(engine, edits));
    OK(octile_find_cost(engine, at(0, 1), at(5, 1), &cost));
    CHECK(cost.length == 5.0);
    OK(octile_edits_clear(edits));
    OK(octile_edits_block(edits, at(2, 0), at(2, 2)));
    OK(octile_engine_apply(engine, edits));
    CHECK(octile_find(engine, at(0, 1), at(5, 1), cells, 16, &count, &cost) == OCTILE_NO_PATH);
    CHECK(cost.length == 5.0 && strcmp(octile_error_message(), "there is no path") == 0);
    CHECK(octile_find_path(engine, at(0, 1), at(5, 1), path) == OCTILE_NO_PATH);
    FAILS(octile_path_cells(path, NULL, 0, &count), OCTILE_POINTS, "none was found");
    CHECK(!octile_engine_connected(engine, at(0, 1), at(5, 1)));
    OK(octile_engine_grid(engine, &grid));
    CHECK(octile_grid_free_cells(grid) == 15);

    octile_grid_free(grid);
    octile_edits_free(edits);
    octile_path_free(path);
    octile_engine_free(engine);
}

static void any_angle(void) {
    octile_grid *grid = drawn("....\n.@@.\n....\n");
    octile_engine *engine = engine_for(grid, "taut-sight:ends=centres");
    octile_point points[8];
    octile_cell cells[8];
    octile_cost cost;
    size_t count = 0, length = 0;
    char text[64];
    CHECK(octile_engine_is_any_angle(engine));
    OK(octile_find_points(engine, at(0, 0), at(3, 0), points, 8, &count, &cost));
    CHECK(count == 2 && points[0].x == 0.5 && points[1].x == 3.5 && points[1].y == 0.5);
    CHECK(cost.parts == 0 && cost.straight == 0 && cost.length == 3.0);
    OK(octile_find_points(engine, at(0, 0), at(3, 2), points, 8, &count, &cost));
    CHECK(count == 3 && fabs(cost.length - 4.1) < 0.2);
    OK(octile_cost_text(&cost, text, sizeof text, &length));
    CHECK(strlen(text) == length && length == 6);
    FAILS(octile_find(engine, at(0, 0), at(3, 0), cells, 8, &count, NULL), OCTILE_POINTS, "any direction");
    octile_path *path = NULL;
    OK(octile_path_new(&path));
    OK(octile_find_path(engine, at(0, 0), at(3, 0), path));
    CHECK(octile_path_is_any_angle(path));
    OK(octile_path_points(path, points, 8, &count));
    FAILS(octile_path_waypoints(path, cells, 8, &count), OCTILE_POINTS, "any direction");
    octile_path_free(path);
    octile_engine_free(engine);
    octile_grid_free(grid);
}

static void prices(void) {
    octile_grid *grid = NULL;
    const uint8_t prices[6] = {1, 9, 1, 1, 1, 0};
    octile_cost cost;
    OK(octile_grid_open(3, 2, &grid));
    OK(octile_grid_set_prices(grid, prices, sizeof prices, "enter"));
    CHECK(octile_grid_price(grid, at(1, 0)) == 9 && !octile_grid_is_free(grid, at(2, 1)));
    octile_engine *engine = engine_for(grid, "terrain-jump");
    OK(octile_find_cost(engine, at(0, 0), at(2, 0), &cost));
    CHECK(cost.straight == 10 && cost.parts == 1 && cost.length == 10.0);
    octile_edits *edits = NULL;
    OK(octile_edits_new(&edits));
    OK(octile_edits_price(edits, at(1, 0), at(1, 0), 2));
    OK(octile_engine_apply(engine, edits));
    OK(octile_find_cost(engine, at(0, 0), at(2, 0), &cost));
    CHECK(cost.length == 3.0);
    octile_edits_free(edits);
    octile_engine_free(engine);

    OK(octile_grid_set_prices(grid, prices, sizeof prices, NULL));
    engine = engine_for(grid, "terrain-jump");
    OK(octile_find_cost(engine, at(0, 0), at(1, 0), &cost));
    CHECK(cost.straight == 20 && cost.parts == 4 && cost.length == 5.0);
    octile_engine_free(engine);

    OK(octile_grid_set_movement(grid, "tile"));
    engine = engine_for(grid, "astar");
    OK(octile_find_cost(engine, at(0, 0), at(1, 1), &cost));
    CHECK(cost.diagonal == 0 && cost.length == 2.0);
    octile_engine_free(engine);
    octile_grid_free(grid);
}

static void files(const char *folder) {
    char file[512], priced[512];
    snprintf(file, sizeof file, "%s/land.map", folder);
    snprintf(priced, sizeof priced, "%s/land.prices", folder);
    octile_grid *grid = NULL;
    OK(octile_grid_load(file, NULL, &grid));
    CHECK(octile_grid_width(grid) == 3);
    octile_grid_free(grid);
    octile_load_options options = OCTILE_LOAD_OPTIONS;
    options.prices = priced;
    options.convention = "enter";
    options.movement = "octile-cutting";
    OK(octile_grid_load(file, &options, &grid));
    CHECK(octile_grid_price(grid, at(1, 0)) == 7 && octile_grid_free_cells(grid) == 2);
    octile_grid_free(grid);
    const uint8_t image[] = {'P', '5', '\n', '3', ' ', '1', '\n', '2', '5', '5', '\n', 0, 254, 255};
    options = (octile_load_options)OCTILE_LOAD_OPTIONS;
    options.prices = "costmap";
    options.unknown = "free";
    OK(octile_grid_from_memory(image, sizeof image, &options, &grid));
    CHECK(octile_grid_free_cells(grid) == 2);
    octile_grid_free(grid);
}

static void catalog(void) {
    size_t length = 0;
    OK(octile_planners(NULL, 0, &length));
    char *text = malloc(length + 1), *advice = NULL;
    CHECK(text != NULL);
    OK(octile_planners(text, length + 1, &length));
    CHECK(strlen(text) == length && strstr(text, "corner-sweep\t") != NULL);
    free(text);
    octile_grid *grid = drawn("....\n.@@.\n....\n");
    OK(octile_advise(grid, "changes=yes", &advice));
    CHECK(strchr(advice, '\n') != NULL);
    *strchr(advice, '\n') = 0;
    octile_engine *engine = engine_for(grid, advice);
    octile_engine_free(engine);
    octile_string_free(advice);
    char chosen[256];
    engine = engine_for(grid, "auto");
    OK(octile_engine_chosen(engine, chosen, sizeof chosen, &length));
    CHECK(length > 0 && strlen(chosen) == length);
    octile_engine_free(engine);
    octile_grid_free(grid);
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    versions();
    grids();
    paths();
    any_angle();
    prices();
    files(arguments[1]);
    catalog();
    return 0;
}
