/*
 * octile: shortest paths on grid maps.
 *
 * Handles. A grid, an engine, a path and a list of edits are opaque. Functions that make one write it to their last
 * argument, and it is yours: free it once with the function that ends in _free. Nothing is freed for you, and a handle
 * that was freed must not be used or freed again. NULL may be freed.
 *
 * Statuses. What can fail returns an octile_status. OCTILE_OK is 0. octile_error_message() says in words what went
 * wrong. Outputs come last, and are written only with OCTILE_OK; the one exception is a count, which
 * OCTILE_SMALL_BUFFER writes as well. Pointers that are NULL are found and answered by OCTILE_NULL_POINTER; those that
 * lead nowhere are not.
 *
 * Buffers. A function that fills a buffer takes the buffer, its capacity in items, and where to write the count. Ask
 * with capacity 0 for the count alone, make room, then ask again; or ask at once with a buffer that is probably large
 * enough, and again if it was not.
 *
 * Threads. Any number of threads may use one engine at the same time, also to change its map. Grids, paths and edits
 * may be read by many threads at once, through functions that take them as const; a function that takes one without
 * const needs it for itself. Messages are those of the thread that asks.
 *
 * Texts are UTF-8 and end with NUL, names of files as well. Arrays with something for each cell go row by row: the cell
 * x, y is at y * width + x.
 */

#ifndef OCTILE_H
#define OCTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Options that leave everything out, to begin with: octile_load_options options = OCTILE_LOAD_OPTIONS;
 */
#define OCTILE_LOAD_OPTIONS { sizeof(octile_load_options), NULL, NULL, NULL, NULL }

/**
 * The version of the binary interface that this header describes. It changes when a program that was compiled with an
 * older header could not use a newer library; new functions and statuses alone do not change it.
 */
#define OCTILE_ABI_VERSION 1

/**
 * How a call ended. Later versions may have more of them: treat one that you do not know as an error.
 */
typedef enum {
    /**
     * All is well, and the outputs are written.
     */
    OCTILE_OK = 0,
    /**
     * There is no path: an answer, not an error.
     */
    OCTILE_NO_PATH = 1,
    /**
     * A pointer that is needed is NULL.
     */
    OCTILE_NULL_POINTER = 2,
    /**
     * An argument is not what it should be: a name that is not known, an array of another size, a text that is not
     * UTF-8.
     */
    OCTILE_ARGUMENT = 3,
    /**
     * The buffer is too small: the count says how much is needed.
     */
    OCTILE_SMALL_BUFFER = 4,
    /**
     * A file cannot be read, or is not a map.
     */
    OCTILE_FILE = 5,
    /**
     * A map cannot be made: its sides are 0 or too large, or a drawing is not one.
     */
    OCTILE_GRID = 6,
    /**
     * There is no such planner, or it has no such key or value.
     */
    OCTILE_SPEC = 7,
    /**
     * The planner cannot be built for this map.
     */
    OCTILE_BUILD = 8,
    /**
     * An index file cannot be used.
     */
    OCTILE_INDEX = 9,
    /**
     * The question cannot be asked: a cell is blocked or off the map.
     */
    OCTILE_QUERY = 10,
    /**
     * The changes cannot be made: a cell is off the map, or a price is for a map that has none.
     */
    OCTILE_EDIT = 11,
    /**
     * A path was asked for points that it has not: cells of an any-angle path, or points of one from cell to cell.
     */
    OCTILE_POINTS = 12,
    /**
     * A bug of octile was met, and the call was given up. Free what it was about, and report the message.
     */
    OCTILE_PANIC = 13,
} octile_status;

/**
 * Changes of a map, to be made all at once.
 */
typedef struct octile_edits octile_edits;

/**
 * A planner for a map, which may change. Any number of threads may ask one engine, and change its map, at the same
 * time.
 */
typedef struct octile_engine octile_engine;

/**
 * A map: which cells are free, how one may move, and what cells cost.
 */
typedef struct octile_grid octile_grid;

/**
 * A path that is kept. Use one again and again: its memory is kept as well.
 */
typedef struct octile_path octile_path;

/**
 * How a map is loaded. Begin with OCTILE_LOAD_OPTIONS, which sets the size and leaves all else out, and change what you
 * want; what is NULL is left out.
 */
typedef struct {
    /**
     * The size of this struct: programs with an older header, which know less of it, go on working.
     */
    size_t size;
    /**
     * How one may move: "octile" (eight neighbours, a diagonal needs both cells beside it free), "tile" (four
     * neighbours) or "octile-cutting" (eight neighbours, corners may be cut). The default is "octile".
     */
    const char *movement;
    /**
     * What cells cost: the name of a price file, "costmap" for the costs of a Nav2 costmap, or "occupancy" for a ROS
     * map. By default all cells cost the same, but for drawings with digits.
     */
    const char *prices;
    /**
     * How prices make the cost of a move: "average", the mean of the cells that it touches, or "enter", the price of
     * the cell that it enters. The default is "average".
     */
    const char *convention;
    /**
     * What cells of a ROS map or costmap are that nobody knows: "blocked" or "free". The default is "blocked".
     */
    const char *unknown;
} octile_load_options;

/**
 * A cell of a map: x is its column, counted from the left, and y its row, counted from the top, both from 0.
 */
typedef struct {
    /**
     * The column.
     */
    uint32_t x;
    /**
     * The row.
     */
    uint32_t y;
} octile_cell;

/**
 * What a path costs. Paths from cell to cell have exact costs: (straight + diagonal * sqrt(2)) / parts.
 */
typedef struct {
    /**
     * Moves along rows and columns; on a map with prices the sum of what they cost, in parts. 0 of an any-angle path.
     */
    uint32_t straight;
    /**
     * Moves along diagonals, in the same way.
     */
    uint32_t diagonal;
    /**
     * What the two are counted in: 1, or 4 for quarters on a map with prices by "average". 0 of an any-angle path,
     * which has a length alone.
     */
    uint32_t parts;
    /**
     * The length, rounded; on a map with prices the cost.
     */
    double length;
} octile_cost;

/**
 * A place on the map, in cells: the cell x, y reaches from x, y at its upper left corner to x + 1, y + 1, and its
 * centre is at x + 0.5, y + 0.5.
 */
typedef struct {
    /**
     * To the right.
     */
    double x;
    /**
     * Downwards.
     */
    double y;
} octile_point;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the binary interface that the library was built with. A program that loads the library at run time
 * should compare it with OCTILE_ABI_VERSION of its header before it calls anything else, and go no further if they
 * differ.
 */
uint32_t octile_abi_version(void);

/**
 * The version of octile, such as "0.1.0". The text lives as long as the library.
 */
const char *octile_version(void);

/**
 * What the last call of this thread that returned another status than OCTILE_OK had to say, such as "goal 7,2 is
 * blocked: choose a free cell"; "" if there was none. Each thread has a message of its own. The text is UTF-8, is
 * octile's, and stays as it is until this thread calls octile again: copy it if you want to keep it.
 */
const char *octile_error_message(void);

/**
 * Loads a map from a file: a MovingAI .map, a drawing .txt, a .png or .pgm image, or a ROS .yaml with its image. The
 * format is told by what is in the file, else by its name. options may be NULL. The map is to be freed with
 * octile_grid_free.
 */
octile_status octile_grid_load(const char *file,
                               const octile_load_options *options,
                               octile_grid **grid);

/**
 * Reads a map from the bytes of a file that you have in memory, in any format of octile_grid_load but ROS, which is two
 * files. options may be NULL.
 */
octile_status octile_grid_from_memory(const uint8_t *file,
                                      size_t length,
                                      const octile_load_options *options,
                                      octile_grid **grid);

/**
 * Makes a map from a drawing, a line for each row: "." is free, "@" blocked, a digit from 1 to 9 free at that price.
 */
octile_status octile_grid_parse(const char *drawing, octile_grid **grid);

/**
 * Makes a map of free cells.
 */
octile_status octile_grid_open(uint32_t width, uint32_t height, octile_grid **grid);

/**
 * Makes a map from an array with a byte for each cell, row by row, so that the cell x, y is blocked[y * width + x]:
 * everything but 0 is blocked. length is that of the array, and must be width * height. An array of bool is such an
 * array: cast it.
 */
octile_status octile_grid_from_blocked(uint32_t width,
                                       uint32_t height,
                                       const uint8_t *blocked,
                                       size_t length,
                                       octile_grid **grid);

/**
 * Makes a map from an array with a bit for each cell, as the grid path planning competition has them: with i = y *
 * width + x, the cell x, y is free if free_bits[i / 8] >> (i % 8) & 1 is 1. Rows follow each other without a gap.
 * length is that of the array in bytes, and must be (width * height + 7) / 8.
 */
octile_status octile_grid_from_free_bits(uint32_t width,
                                         uint32_t height,
                                         const uint8_t *free_bits,
                                         size_t length,
                                         octile_grid **grid);

/**
 * Makes a second map that is like this one and changes apart from it. It costs next to nothing before one of them
 * changes.
 */
octile_status octile_grid_clone(const octile_grid *grid,
                                octile_grid **copy);

/**
 * Frees a map. Engines that were made for it do not need it any more. NULL is ignored.
 */
void octile_grid_free(octile_grid *grid);

/**
 * Changes how one may move: "octile", "tile" or "octile-cutting", as in octile_load_options. Engines that were made
 * before keep their rule.
 */
octile_status octile_grid_set_movement(octile_grid *grid,
                                       const char *movement);

/**
 * Gives all cells prices from 1 to 255, a byte for each, row by row; 0 blocks a cell, and what is blocked stays so.
 * length is that of the array, and must be width * height. convention is "average" or "enter", as in
 * octile_load_options; NULL is "average". Only some planners take maps with prices: "terrain-jump" is the one to use.
 */
octile_status octile_grid_set_prices(octile_grid *grid,
                                     const uint8_t *prices,
                                     size_t length,
                                     const char *convention);

/**
 * Makes all changes, or none if one of them cannot be made. Engines that were made before are not changed: they have
 * octile_engine_apply.
 */
octile_status octile_grid_apply(octile_grid *grid,
                                const octile_edits *edits);

/**
 * How many cells a row has; 0 if grid is NULL.
 */
uint32_t octile_grid_width(const octile_grid *grid);

/**
 * How many rows there are; 0 if grid is NULL.
 */
uint32_t octile_grid_height(const octile_grid *grid);

/**
 * How many cells are free; 0 if grid is NULL.
 */
uint32_t octile_grid_free_cells(const octile_grid *grid);

/**
 * Whether a cell is free. Those off the map are not, and none is if grid is NULL.
 */
bool octile_grid_is_free(const octile_grid *grid, octile_cell cell);

/**
 * What a cell costs: 1 on a map without prices; 0 if it is blocked or off the map, or if grid is NULL.
 */
uint8_t octile_grid_price(const octile_grid *grid, octile_cell cell);

/**
 * Whether a path leads from cell to cell between two cells: that is known without a search. It is false if one of them
 * is blocked or off the map, or if grid is NULL.
 */
bool octile_grid_connected(const octile_grid *grid,
                           octile_cell a,
                           octile_cell b);

/**
 * Makes an empty list of changes. Free it with octile_edits_free.
 */
octile_status octile_edits_new(octile_edits **edits);

/**
 * Frees a list of changes. NULL is ignored.
 */
void octile_edits_free(octile_edits *edits);

/**
 * Blocks every cell of the rectangle between two opposite corners, both of which belong to it; twice the same cell is
 * one cell. Changes are made in the order in which they were added, so that the last word about a cell counts. Whether
 * cells are on the map is found out when the changes are made.
 */
octile_status octile_edits_block(octile_edits *edits,
                                 octile_cell a,
                                 octile_cell b);

/**
 * Frees every cell of a rectangle, as octile_edits_block blocks them. On a map with prices they cost what they did
 * before they were blocked.
 */
octile_status octile_edits_unblock(octile_edits *edits,
                                   octile_cell a,
                                   octile_cell b);

/**
 * Gives every cell of a rectangle a price from 1 to 255, on a map that has prices. Blocked cells stay blocked, and have
 * the price once they are free.
 */
octile_status octile_edits_price(octile_edits *edits,
                                 octile_cell a,
                                 octile_cell b,
                                 uint8_t price);

/**
 * Forgets all changes and keeps the memory, so that a list can be used again and again.
 */
octile_status octile_edits_clear(octile_edits *edits);

/**
 * How many rectangles were named; 0 if edits is NULL.
 */
size_t octile_edits_count(const octile_edits *edits);

/**
 * Writes a cost as a text such as "2+2√2", or "4.2426" of an any-angle path, with the NUL that ends it. length becomes
 * that of the text without NUL, as strlen counts it: capacity must be greater. 64 bytes are enough for every cost. With
 * capacity 0 only the length is asked for.
 */
octile_status octile_cost_text(const octile_cost *cost,
                               char *text,
                               size_t capacity,
                               size_t *length);

/**
 * Makes an empty path, for octile_find_path. Free it with octile_path_free.
 */
octile_status octile_path_new(octile_path **path);

/**
 * Frees a path. NULL is ignored.
 */
void octile_path_free(octile_path *path);

/**
 * Whether a path goes in any direction, and so has points rather than waypoints and cells; false if path is NULL or
 * empty.
 */
bool octile_path_is_any_angle(const octile_path *path);

/**
 * What a path costs; nothing if it is empty.
 */
octile_status octile_path_cost(const octile_path *path, octile_cost *cost);

/**
 * Copies start, turning points and goal of a path from cell to cell into a buffer. capacity is how many cells have room
 * there, and count becomes how many there are. With capacity 0 only the count is asked for.
 */
octile_status octile_path_waypoints(const octile_path *path,
                                    octile_cell *cells,
                                    size_t capacity,
                                    size_t *count);

/**
 * Copies every cell of a path from cell to cell into a buffer, from start to goal, as octile_path_waypoints does.
 */
octile_status octile_path_cells(const octile_path *path, octile_cell *cells, size_t capacity, size_t *count);

/**
 * Copies the points of an any-angle path into a buffer: its start, the corners of cells where it turns, and its goal,
 * as octile_path_waypoints does.
 */
octile_status octile_path_points(const octile_path *path,
                                 octile_point *points,
                                 size_t capacity,
                                 size_t *count);

/**
 * Makes the planner of a name for a map, with keys behind a colon, such as "jps:prune=gates" or
 * "hub-labels:index=arena.octx"; octile_planners lists them. NULL is "corner-sweep". The engine takes the map as it is,
 * so that you may change or free the grid. Some planners take long to build. Free the engine with octile_engine_free.
 */
octile_status octile_engine_new(const octile_grid *grid,
                                const char *spec,
                                octile_engine **engine);

/**
 * Frees an engine, which no thread may be using. NULL is ignored.
 */
void octile_engine_free(octile_engine *engine);

/**
 * Whether paths of an engine go in any direction, so that octile_find_points gives them; false if they go from cell to
 * cell, or if engine is NULL.
 */
bool octile_engine_is_any_angle(const octile_engine *engine);

/**
 * Whether a path of this engine leads from one cell to another on the map as it is now: that is known without a search.
 * It is false if one of them is blocked or off the map, or if engine is NULL.
 */
bool octile_engine_connected(const octile_engine *engine,
                             octile_cell a,
                             octile_cell b);

/**
 * Writes which planner the engine "auto" has chosen, as a text with the NUL that ends it; "" of all other engines.
 * length becomes that of the text without NUL: capacity must be greater. With capacity 0 only the length is asked for.
 */
octile_status octile_engine_chosen(const octile_engine *engine,
                                   char *text,
                                   size_t capacity,
                                   size_t *length);

/**
 * Makes all changes to the map of an engine, or none if one of them cannot be made. Whoever is asking meanwhile
 * finishes on the map as it was; whoever asks later gets paths on the new one.
 */
octile_status octile_engine_apply(const octile_engine *engine,
                                  const octile_edits *edits);

/**
 * Gives the map of an engine as it is now, as a grid of your own, to be freed with octile_grid_free.
 */
octile_status octile_engine_grid(const octile_engine *engine, octile_grid **grid);

/**
 * Finds a shortest path from cell to cell and copies its start, its turning points and its goal into a buffer. capacity
 * is how many cells have room there, and count becomes how many there are; it is written as well with
 * OCTILE_SMALL_BUFFER, so that you can ask again. With capacity 0 cells may be NULL, and only the count is asked for.
 * cost may be NULL. OCTILE_NO_PATH says that no path leads there, OCTILE_QUERY that an end is blocked or off the map,
 * OCTILE_POINTS that the planner finds any-angle paths, for which there is octile_find_points. A warm call allocates
 * nothing: each thread keeps some memory for its paths until it ends.
 */
octile_status octile_find(const octile_engine *engine,
                          octile_cell start,
                          octile_cell goal,
                          octile_cell *cells,
                          size_t capacity,
                          size_t *count,
                          octile_cost *cost);

/**
 * Finds a shortest path as octile_find does, and copies every cell of it from start to goal.
 */
octile_status octile_find_cells(const octile_engine *engine,
                                octile_cell start,
                                octile_cell goal,
                                octile_cell *cells,
                                size_t capacity,
                                size_t *count,
                                octile_cost *cost);

/**
 * Finds a path in any direction, with a planner such as "taut-sight", and copies its points into a buffer, as
 * octile_find does with cells: its start, the corners of cells where it turns, and its goal. A path begins and ends at
 * the upper left corners of its cells, or at their centres if the engine was made with "ends=centres". OCTILE_POINTS
 * says that the planner finds paths from cell to cell, for which there is octile_find.
 */
octile_status octile_find_points(const octile_engine *engine,
                                 octile_cell start,
                                 octile_cell goal,
                                 octile_point *points,
                                 size_t capacity,
                                 size_t *count,
                                 octile_cost *cost);

/**
 * Finds what a shortest path costs, without the path, with any planner. Statuses are those of octile_find.
 */
octile_status octile_find_cost(const octile_engine *engine, octile_cell start, octile_cell goal, octile_cost *cost);

/**
 * Finds a shortest path, with any planner, and keeps it in a path that you have made with octile_path_new: ask that for
 * its points and its cost as often as you like. What was in the path is gone, also if no new one is found: then it is
 * empty. Statuses are those of octile_find.
 */
octile_status octile_find_path(const octile_engine *engine,
                               octile_cell start,
                               octile_cell goal,
                               octile_path *path);

/**
 * Writes the planners that there are, a line for each with its name, a tab and what it is, as a text with the NUL that
 * ends it. length becomes that of the text without NUL: capacity must be greater. With capacity 0 only the length is
 * asked for.
 */
octile_status octile_planners(char *text,
                              size_t capacity,
                              size_t *length);

/**
 * Tries planners on a map and says which is the fastest that fits: the first line of the advice is what
 * octile_engine_new takes, the lines after it are the reasons. needs may be NULL, or keys of the planner "auto", such
 * as "memory=100MB,changes=0.01%/2000,paths=any-angle". It takes a second or three for a large map. Free the advice
 * with octile_string_free.
 */
octile_status octile_advise(const octile_grid *grid,
                            const char *needs,
                            char **advice);

/**
 * Frees a text that octile has given out, which only octile_advise does. NULL is ignored.
 */
void octile_string_free(char *string);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OCTILE_H */
