/*
 * octile: shortest paths on grid maps.
 *
 * Handles. Grids, edits, engines, paths, indexes, fields, the answers of batches and flags are opaque. Functions that
 * make one write it to their last argument, and it is yours: free it once with the function that ends in _free. Nothing
 * is freed for you, and a handle that was freed must not be used or freed again. NULL may be freed.
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

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Options that leave everything out, to begin with: octile_load_options options = OCTILE_LOAD_OPTIONS;
 */
#define OCTILE_LOAD_OPTIONS { sizeof(octile_load_options), NULL, NULL, NULL, NULL }

/**
 * Terms that ask for nothing more than a path, to begin with: octile_terms terms = OCTILE_TERMS;
 */
#define OCTILE_TERMS { sizeof(octile_terms), NULL, HUGE_VAL, UINT64_MAX, HUGE_VAL, NULL }

/**
 * Options that leave everything out, to begin with: octile_build_options options = OCTILE_BUILD_OPTIONS;
 */
#define OCTILE_BUILD_OPTIONS { sizeof(octile_build_options), NULL, 0, NULL, NULL, NULL, NULL }

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
    /**
     * A limit of the question ended the search, and the message says which: an answer, not an error.
     */
    OCTILE_LIMIT = 14,
    /**
     * A build was ended by its flag.
     */
    OCTILE_CANCELLED = 15,
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
 * The distances from all cells to the nearest of some goals, and the next step from each: for many units with one aim.
 */
typedef struct octile_field octile_field;

/**
 * A flag that ends searches and builds which were given it. Any number of threads may set and read one at the same
 * time.
 */
typedef struct octile_flag octile_flag;

/**
 * A map: which cells are free, how one may move, and what cells cost.
 */
typedef struct octile_grid octile_grid;

/**
 * An index that was built beforehand, in a file or in memory: an engine that is given one does not build it.
 */
typedef struct octile_index octile_index;

/**
 * A path that is kept. Use one again and again: its memory is kept as well.
 */
typedef struct octile_path octile_path;

/**
 * The answers of a batch, in columns. Use one again and again: its memory is kept.
 */
typedef struct octile_routes octile_routes;

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

/**
 * Who is told how far a build is: with the pointer from the options, what is being done, and how much of it is done of
 * how much. Calls come from whichever thread works, one at a time or several at once, and the text is good until the
 * call returns.
 */
typedef void (*octile_progress)(void *user, const char *stage, uint64_t done, uint64_t all);

/**
 * How an engine or an index is built. Begin with OCTILE_BUILD_OPTIONS, which sets the size and leaves all else out, and
 * change what you want.
 */
typedef struct {
    /**
     * The size of this struct: programs with an older header, which know less of it, go on working.
     */
    size_t size;
    /**
     * Indexes to use rather than to build them, index_count of them; they stay yours, and may be freed when the call
     * has returned. One that the planner has no use for is an error.
     */
    const octile_index *const *indexes;
    /**
     * How many indexes there are.
     */
    size_t index_count;
    /**
     * How much work it may be: "brief" (a second or two), "at-once" (some ten seconds), "beforehand" (minutes) or
     * "unlimited". NULL is "at-once" for an engine, and "beforehand" for an index.
     */
    const char *budget;
    /**
     * A flag that ends the build when it is set, by any thread, with OCTILE_CANCELLED; NULL for none.
     */
    const octile_flag *cancel;
    /**
     * Who is told how far it is; NULL for nobody.
     */
    octile_progress progress;
    /**
     * What progress gets as its first argument.
     */
    void *user;
} octile_build_options;

/**
 * What is asked for beside the ends of a path. Begin with OCTILE_TERMS, which sets the size and asks for nothing more,
 * and change what you want.
 */
typedef struct {
    /**
     * The size of this struct: programs with an older header, which know less of it, go on working.
     */
    size_t size;
    /**
     * What to do about ends that cannot be had. "goal": where no goal can be reached, or none within the limits, the
     * path leads to the cell nearest to one. "both": a start that is blocked is replaced by the nearest cell as well.
     * NULL or "no": nothing.
     */
    const char *nearest;
    /**
     * No path that costs more. HUGE_VAL is no limit.
     */
    double max_cost;
    /**
     * No more expansions. UINT64_MAX is no limit.
     */
    uint64_t max_expanded;
    /**
     * No more seconds. HUGE_VAL is no limit.
     */
    double timeout;
    /**
     * A flag that ends the search when it is set, by any thread; NULL for none. Keep it until the call returns.
     */
    const octile_flag *cancel;
} octile_terms;

/**
 * What is known of an answer beside its path.
 */
typedef struct {
    /**
     * Where the path begins: the start, or the cell nearest to it.
     */
    octile_cell start;
    /**
     * Where the path ends: one of the goals, or the cell nearest to one.
     */
    octile_cell goal;
    /**
     * Which of the goals was reached, counted from 0; SIZE_MAX if none was.
     */
    size_t place;
    /**
     * Whether the path leads only to the cell nearest to a goal.
     */
    bool is_nearest;
    /**
     * How far that is from the nearest of the goals, in a straight line between the centres of cells; 0 if a goal was
     * reached.
     */
    double away;
    /**
     * What the path costs.
     */
    octile_cost cost;
} octile_reply;

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
 * Makes a flag that is not set. Free it with octile_flag_free, when no search and no build looks at it any more.
 */
octile_status octile_flag_new(octile_flag **flag);

/**
 * Frees a flag. NULL is ignored.
 */
void octile_flag_free(octile_flag *flag);

/**
 * Sets a flag, or takes that back. A search that was given it ends within a fraction of a millisecond, a build a little
 * later; one that begins while it is set ends at once.
 */
octile_status octile_flag_set(const octile_flag *flag, bool is_set);

/**
 * Whether a flag is set; false if flag is NULL.
 */
bool octile_flag_is_set(const octile_flag *flag);

/**
 * Loads a map from a file: a MovingAI .map, a drawing .txt, a .png or .pgm image, or a ROS .yaml with its image. The
 * format is told by what is in the file, else by its name. options may be NULL. The map is to be freed with
 * octile_grid_free.
 */
octile_status octile_grid_load(const char *file, const octile_load_options *options, octile_grid **grid);

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
octile_status octile_grid_clone(const octile_grid *grid, octile_grid **copy);

/**
 * Frees a map. Engines that were made for it do not need it any more. NULL is ignored.
 */
void octile_grid_free(octile_grid *grid);

/**
 * Changes how one may move: "octile", "tile" or "octile-cutting", as in octile_load_options. Engines that were made
 * before keep their rule.
 */
octile_status octile_grid_set_movement(octile_grid *grid, const char *movement);

/**
 * Gives all cells prices from 1 to 255, a byte for each, row by row; 0 blocks a cell, and what is blocked stays so.
 * length is that of the array, and must be width * height. convention is "average" or "enter", as in
 * octile_load_options; NULL is "average". Only some planners take maps with prices: "terrain-jump" is the one to use.
 */
octile_status octile_grid_set_prices(octile_grid *grid, const uint8_t *prices, size_t length, const char *convention);

/**
 * Makes all changes, or none if one of them cannot be made. Engines that were made before are not changed: they have
 * octile_engine_apply.
 */
octile_status octile_grid_apply(octile_grid *grid, const octile_edits *edits);

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
bool octile_grid_connected(const octile_grid *grid, octile_cell a, octile_cell b);

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
octile_status octile_edits_block(octile_edits *edits, octile_cell a, octile_cell b);

/**
 * Frees every cell of a rectangle, as octile_edits_block blocks them. On a map with prices they cost what they did
 * before they were blocked.
 */
octile_status octile_edits_unblock(octile_edits *edits, octile_cell a, octile_cell b);

/**
 * Gives every cell of a rectangle a price from 1 to 255, on a map that has prices. Blocked cells stay blocked, and have
 * the price once they are free.
 */
octile_status octile_edits_price(octile_edits *edits, octile_cell a, octile_cell b, uint8_t price);

/**
 * Puts a patch on the map, as the dynamic track of the grid path planning competition has them: the rectangle of width
 * times height cells whose upper left cell is given becomes what the bits say. With i = y * width + x, the cell x, y of
 * the patch is free if free_bits[i / 8] >> (i % 8) & 1 is 1, else blocked. length is that of the array in bytes, and
 * must be (width * height + 7) / 8.
 */
octile_status octile_edits_patch(octile_edits *edits,
                                 octile_cell upper_left,
                                 uint32_t width,
                                 uint32_t height,
                                 const uint8_t *free_bits,
                                 size_t length);

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
 * Makes a second path that is like this one. Free it with octile_path_free.
 */
octile_status octile_path_clone(const octile_path *path, octile_path **copy);

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
octile_status octile_path_waypoints(const octile_path *path, octile_cell *cells, size_t capacity, size_t *count);

/**
 * Copies every cell of a path from cell to cell into a buffer, from start to goal, as octile_path_waypoints does.
 */
octile_status octile_path_cells(const octile_path *path, octile_cell *cells, size_t capacity, size_t *count);

/**
 * Copies the points of an any-angle path into a buffer: its start, the corners of cells where it turns, and its goal,
 * as octile_path_waypoints does.
 */
octile_status octile_path_points(const octile_path *path, octile_point *points, size_t capacity, size_t *count);

/**
 * Builds the index of a map, for the planner of the same name: kind is "hub-labels", "core-table", "cpd" or
 * "taut-labels", with settings behind a colon for those that have some, such as "cpd:layout=rectangles"; "gates" and
 * "blocked-areas" are for all planners that prune. A kind that is not there is told with all that are. options may be
 * NULL. It takes as long as it takes, within its budget. Free the index with octile_index_free.
 */
octile_status octile_index_build(const octile_grid *grid,
                                 const char *kind,
                                 const octile_build_options *options,
                                 octile_index **index);

/**
 * Opens an index file, such as "octile build" and octile_index_save write. It is mapped, not read: do not change the
 * file while the index, or an engine that uses it, is there. Free the index with octile_index_free.
 */
octile_status octile_index_open(const char *file, octile_index **index);

/**
 * Reads an index from the bytes of a file that you have in memory, which are copied.
 */
octile_status octile_index_from_memory(const uint8_t *file, size_t length, octile_index **index);

/**
 * Writes an index to a file. What was there under that name is replaced when the new file is whole, and stays if it
 * cannot be written.
 */
octile_status octile_index_save(const octile_index *index, const char *file);

/**
 * Writes the kind of an index, such as "hub-labels", as a text with the NUL that ends it. length becomes that of the
 * text without NUL: capacity must be greater. With capacity 0 only the length is asked for.
 */
octile_status octile_index_kind(const octile_index *index, char *text, size_t capacity, size_t *length);

/**
 * How many bytes an index has, and its file; 0 if index is NULL.
 */
size_t octile_index_size(const octile_index *index);

/**
 * The bytes of an index, octile_index_size of them: what its file has. They are the index's, and are good until it is
 * freed. NULL if index is.
 */
const uint8_t *octile_index_bytes(const octile_index *index);

/**
 * Reads all of an index, and says by OCTILE_INDEX if it is damaged; with a grid, also if it was not made for exactly
 * that map. grid may be NULL. Engines check an index when they are given it, but do not read all of a large one.
 */
octile_status octile_index_verify(const octile_index *index, const octile_grid *grid);

/**
 * Frees an index. Engines that were given it keep what they need of it. NULL is ignored.
 */
void octile_index_free(octile_index *index);

/**
 * Makes the planner of a name for a map, with keys behind a colon, such as "jps:prune=gates" or
 * "hub-labels:index=arena.octx"; octile_planners lists them. NULL is "corner-sweep". The engine takes the map as it is,
 * so that you may change or free the grid. Some planners take long to build. Free the engine with octile_engine_free.
 */
octile_status octile_engine_new(const octile_grid *grid, const char *spec, octile_engine **engine);

/**
 * Makes the planner of a name for a map, as octile_engine_new does, with indexes that were built beforehand, a budget,
 * somebody who is told how far it is, and a flag that ends it. options may be NULL.
 */
octile_status octile_engine_build(const octile_grid *grid,
                                  const char *spec,
                                  const octile_build_options *options,
                                  octile_engine **engine);

/**
 * Makes the same engine for an agent of some size, on the same map: "square:2" is a square of two cells by two, whose
 * upper left cell goes over the cells of paths, "disc:1.5" a disc with a radius of 1.5 cells around their centres. All
 * engines of one map are changed by octile_engine_apply of any of them. Free the engine with octile_engine_free.
 */
octile_status octile_engine_for_agent(const octile_engine *engine, const char *agent, octile_engine **sized);

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
bool octile_engine_connected(const octile_engine *engine, octile_cell a, octile_cell b);

/**
 * Writes which planner the engine "auto" has chosen, as a text with the NUL that ends it; "" of all other engines.
 * length becomes that of the text without NUL: capacity must be greater. With capacity 0 only the length is asked for.
 */
octile_status octile_engine_chosen(const octile_engine *engine, char *text, size_t capacity, size_t *length);

/**
 * Makes all changes to the map of an engine, or none if one of them cannot be made. Whoever is asking meanwhile
 * finishes on the map as it was; whoever asks later gets paths on the new one.
 */
octile_status octile_engine_apply(const octile_engine *engine, const octile_edits *edits);

/**
 * Whether an engine's index is older than its map: paths stay shortest, but may take a search. False if engine is NULL.
 */
bool octile_engine_is_stale(const octile_engine *engine);

/**
 * Builds the planner of an engine anew for the map as it is, and waits until that is done: call it in a thread that has
 * time. Others go on asking and changing the map meanwhile.
 */
octile_status octile_engine_renew(const octile_engine *engine);

/**
 * Has an engine build its planner anew by itself, in threads of its own, when its index has gone stale and the map has
 * not changed for so many seconds. A negative number ends that.
 */
octile_status octile_engine_keep_fresh(const octile_engine *engine, double quiet);

/**
 * Whether a path that was found before can still be walked on the map as it is now, by the agent that the engine is
 * for. It may no longer be the shortest. False if one of the two is NULL.
 */
bool octile_engine_still_valid(const octile_engine *engine, const octile_path *path);

/**
 * How many bytes the planner's index takes in memory or in its file; 0 if engine is NULL.
 */
size_t octile_engine_index_bytes(const octile_engine *engine);

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
octile_status octile_find_path(const octile_engine *engine, octile_cell start, octile_cell goal, octile_path *path);

/**
 * Answers a question in full. goals has goal_count cells: of several, the one with the cheapest path is taken. terms
 * may be NULL. path may be NULL, and so may reply: without a path only the cost is found, which is sooner done.
 * OCTILE_OK says that there is a path, to a goal or, if the terms ask for that, to the cell nearest to one: reply tells
 * which. OCTILE_NO_PATH and OCTILE_LIMIT say that there is none; path is empty then. OCTILE_QUERY says that the
 * question cannot be asked: an end is off the map, or blocked and the terms do not ask for the nearest.
 */
octile_status octile_ask(const octile_engine *engine,
                         octile_cell start,
                         const octile_cell *goals,
                         size_t goal_count,
                         const octile_terms *terms,
                         octile_path *path,
                         octile_reply *reply);

/**
 * Finds the nearest of many targets, by path: as many as have room. places and costs have room for capacity items each;
 * places becomes where in targets they are, the nearest first, and costs what paths to them cost. costs may be NULL.
 * count becomes how many were found, which is fewer than capacity if no more can be reached. A target that is blocked
 * or off the map is an error.
 */
octile_status octile_find_nearest(const octile_engine *engine,
                                  octile_cell start,
                                  const octile_cell *targets,
                                  size_t target_count,
                                  size_t *places,
                                  octile_cost *costs,
                                  size_t capacity,
                                  size_t *count);

/**
 * Finds what paths cost from every source to every target, a row for each source: from source i to target j it is
 * costs[i * target_count + j]. capacity is how many costs have room, and must be source_count * target_count. Where
 * there is no path, parts is 0 and length is HUGE_VAL. It takes far less time than so many single questions, on all
 * cores.
 */
octile_status octile_find_costs(const octile_engine *engine,
                                const octile_cell *sources,
                                size_t source_count,
                                const octile_cell *targets,
                                size_t target_count,
                                octile_cost *costs,
                                size_t capacity);

/**
 * Makes room for the answers of batches. Free it with octile_routes_free.
 */
octile_status octile_routes_new(octile_routes **routes);

/**
 * Frees the answers of a batch, and with them all arrays that they have given. NULL is ignored.
 */
void octile_routes_free(octile_routes *routes);

/**
 * Finds many paths at once, on all cores: from starts[i] to goals[i] for each i below count. terms may be NULL; a
 * timeout is for the whole batch. What was in routes is replaced, and the arrays that it gave are gone. OCTILE_OK says
 * that the batch is done: how each query ended, octile_routes_status says. All see the map as it was when the batch
 * began.
 */
octile_status octile_find_many(const octile_engine *engine,
                               const octile_cell *starts,
                               const octile_cell *goals,
                               size_t count,
                               const octile_terms *terms,
                               octile_routes *routes);

/**
 * How many queries were answered; 0 if routes is NULL.
 */
size_t octile_routes_count(const octile_routes *routes);

/**
 * The lengths of all paths, octile_routes_count of them: HUGE_VAL where there is no path, not a number where the query
 * could not be asked. On a map with prices they are costs. The array is that of routes, and is good until the next
 * batch or until routes is freed; so are the other arrays. It is NULL if routes is, or if there are no answers.
 */
const double *octile_routes_lengths(const octile_routes *routes);

/**
 * How a query of the batch ended, counted from 0: OCTILE_OK if there is a path, OCTILE_NO_PATH, OCTILE_LIMIT, or
 * OCTILE_QUERY if it could not be asked.
 */
octile_status octile_routes_status(const octile_routes *routes, size_t query);

/**
 * Whether the path of a query leads only to the cell nearest to its goal; false if routes is NULL, or if there is no
 * such query.
 */
bool octile_routes_is_nearest(const octile_routes *routes, size_t query);

/**
 * What the path of a query costs, exactly. Statuses are those of octile_routes_status.
 */
octile_status octile_routes_cost(const octile_routes *routes, size_t query, octile_cost *cost);

/**
 * Where the points of each path are, octile_routes_count + 1 numbers: those of query i begin at offsets[i] and end
 * before offsets[i + 1]. NULL if routes is, or if there are no answers.
 */
const size_t *octile_routes_offsets(const octile_routes *routes);

/**
 * Starts, turning points and goals of all paths, one path behind the other. NULL if routes is, if there are none, or if
 * the paths go in any direction.
 */
const octile_cell *octile_routes_cells(const octile_routes *routes);

/**
 * The points of all paths that go in any direction, one path behind the other. NULL if routes is, if there are none, or
 * if the paths go from cell to cell.
 */
const octile_point *octile_routes_points(const octile_routes *routes);

/**
 * Finds the distances from all cells of a map to the nearest of count goals, up to max_cost; HUGE_VAL is no limit. Free
 * the field with octile_field_free.
 */
octile_status octile_field_new(const octile_grid *grid,
                               const octile_cell *goals,
                               size_t count,
                               double max_cost,
                               octile_field **field);

/**
 * Finds the distances on the map of an engine as it is now, for the agent that the engine is for, as octile_field_new
 * does.
 */
octile_status octile_engine_field(const octile_engine *engine,
                                  const octile_cell *goals,
                                  size_t count,
                                  double max_cost,
                                  octile_field **field);

/**
 * Frees a field. NULL is ignored.
 */
void octile_field_free(octile_field *field);

/**
 * Finds the distances to other goals, in the same memory and up to the same cost. If one of them is blocked or off the
 * map the field stays as it was.
 */
octile_status octile_field_set_goals(octile_field *field, const octile_cell *goals, size_t count);

/**
 * Makes changes to the map of a field, which has a map of its own, and finds anew only what they change of it.
 */
octile_status octile_field_apply(octile_field *field, const octile_edits *edits);

/**
 * The length of a shortest path from a cell to a goal, on a map with prices its cost; HUGE_VAL if there is none within
 * the greatest cost, or if field is NULL.
 */
double octile_field_length(const octile_field *field, octile_cell cell);

/**
 * What a shortest path from a cell to a goal costs, exactly. OCTILE_NO_PATH says that there is none.
 */
octile_status octile_field_cost(const octile_field *field, octile_cell cell, octile_cost *cost);

/**
 * The next cell on a shortest path from a cell to a goal; at a goal it is the goal itself. OCTILE_NO_PATH says that
 * there is none.
 */
octile_status octile_field_step(const octile_field *field, octile_cell cell, octile_cell *next);

/**
 * Where a unit is to go that stands anywhere in a cell, as a vector of length 1, which turns smoothly from cell to
 * cell; 0, 0 where it has arrived. OCTILE_NO_PATH says that no way leads to a goal from there.
 */
octile_status octile_field_direction(const octile_field *field, octile_point place, octile_point *direction);

/**
 * Gives the shortest path from a cell to a goal, in a path that you have made with octile_path_new. OCTILE_NO_PATH says
 * that there is none; the path is empty then.
 */
octile_status octile_field_path(const octile_field *field, octile_cell start, octile_path *path);

/**
 * Copies the lengths from all cells into a buffer, row by row: HUGE_VAL where there is no path. capacity is how many
 * have room, and count becomes how many there are. With capacity 0 only the count is asked for.
 */
octile_status octile_field_lengths(const octile_field *field, double *lengths, size_t capacity, size_t *count);

/**
 * Writes the planners that there are, a line for each with its name, a tab and what it is, as a text with the NUL that
 * ends it. length becomes that of the text without NUL: capacity must be greater. With capacity 0 only the length is
 * asked for.
 */
octile_status octile_planners(char *text, size_t capacity, size_t *length);

/**
 * Tries planners on a map and says which is the fastest that fits: the first line of the advice is what
 * octile_engine_new takes, the lines after it are the reasons. needs may be NULL, or keys of the planner "auto", such
 * as "memory=100MB,changes=0.01%/2000,paths=any-angle". It takes a second or three for a large map. Free the advice
 * with octile_string_free.
 */
octile_status octile_advise(const octile_grid *grid, const char *needs, char **advice);

/**
 * Frees a text that octile has given out, which only octile_advise does. NULL is ignored.
 */
void octile_string_free(char *string);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OCTILE_H */
