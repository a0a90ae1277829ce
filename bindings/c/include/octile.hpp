/*
 * octile: shortest paths on grid maps, for C++17 and later.
 *
 * All of octile.h as classes. Each holds a handle and frees it; they move and do not copy, but for those with clone().
 * Arguments of functions are only read while they run: an engine needs neither its grid nor the edits it was given.
 *
 * Answers. That there is no path is an empty std::optional, and that a limit ended a search is an Outcome: neither is
 * an error. Everything else that can go wrong throws an Error, with a class for each kind. Functions that begin with
 * try_ do not throw: they give a Result, which is a value or a Fault. Programs without exceptions use those; the others
 * then print the message and abort.
 *
 * Threads. As in octile.h: any number of threads may use one Engine or one Flag at the same time, and their functions
 * are const. Other objects may be read by many threads at once, and changed by one that has them for itself.
 *
 * Texts are UTF-8. Arrays with something for each cell go row by row: the cell x, y is at y * width + x.
 */

#ifndef OCTILE_HPP
#define OCTILE_HPP

#include <octile.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#if __has_include(<version>)
#include <version>
#endif
#if defined(__cpp_lib_span)
#include <span>
#endif

/* Cells, points and costs are those of C: what belongs to them stands beside them. */

inline bool operator==(octile_cell a, octile_cell b) noexcept { return a.x == b.x && a.y == b.y; }
inline bool operator!=(octile_cell a, octile_cell b) noexcept { return !(a == b); }

inline bool operator==(octile_point a, octile_point b) noexcept { return a.x == b.x && a.y == b.y; }
inline bool operator!=(octile_point a, octile_point b) noexcept { return !(a == b); }

/** Whether two costs on one map are the same: exactly, but for any-angle paths, which have a length alone. */
inline bool operator==(const octile_cost &a, const octile_cost &b) noexcept {
    return a.straight == b.straight && a.diagonal == b.diagonal && a.parts == b.parts && a.length == b.length;
}
inline bool operator!=(const octile_cost &a, const octile_cost &b) noexcept { return !(a == b); }

/** Whether a cost is less than another. */
inline bool operator<(const octile_cost &a, const octile_cost &b) noexcept { return a.length < b.length; }

namespace octile {

/** A cell of a map: x is its column, counted from the left, and y its row, counted from the top. */
using Cell = octile_cell;
/** A place on the map, in cells: the centre of the cell x, y is at x + 0.5, y + 0.5. */
using Point = octile_point;
/** What a path costs: (straight + diagonal * sqrt(2)) / parts exactly, and its length, rounded. */
using Cost = octile_cost;
/** How a call ended. */
using Status = octile_status;

/** No limit of a cost or a length. */
inline constexpr double UNLIMITED = std::numeric_limits<double>::infinity();

/* Errors. */

/** What went wrong, as a value. */
struct Fault {
    /** Which kind it is. */
    Status status;
    /** What to tell people, such as "goal 7,2 is blocked: choose a free cell". */
    std::string message;
};

/** What went wrong, as an exception. */
class Error : public std::runtime_error {
  public:
    explicit Error(const Fault &fault) : std::runtime_error(fault.message), status_(fault.status) {}

    /** Which kind it is. */
    Status status() const noexcept { return status_; }

  private:
    Status status_;
};

/** An argument is not what it should be: a name that is not known, an array of another size, a handle moved away. */
struct ArgumentError : Error { using Error::Error; };
/** A buffer is too small; the message says what is needed. */
struct BufferError : Error { using Error::Error; };
/** A file cannot be read, or is not a map. */
struct FileError : Error { using Error::Error; };
/** A map cannot be made. */
struct GridError : Error { using Error::Error; };
/** There is no such planner, or it has no such key or value. */
struct SpecError : Error { using Error::Error; };
/** The planner cannot be built for this map. */
struct BuildError : Error { using Error::Error; };
/** An index file cannot be used. */
struct IndexError : Error { using Error::Error; };
/** The question cannot be asked: a cell is blocked or off the map. */
struct QueryError : Error { using Error::Error; };
/** The changes cannot be made: a cell is off the map, or a price is for a map that has none. */
struct EditError : Error { using Error::Error; };
/** A path was asked for points that it has not: cells of an any-angle path, or points of one from cell to cell. */
struct PointsError : Error { using Error::Error; };
/** A build was cancelled. */
struct Cancelled : Error { using Error::Error; };
/** A bug of octile was met. Drop what it was about, and report the message. */
struct Panic : Error { using Error::Error; };

namespace detail {

/** What the last call of this thread had to say. */
inline Fault last_fault(Status status) { return {status, octile_error_message()}; }

/** Throws the exception of a fault. */
[[noreturn]] inline void raise(const Fault &fault) {
#if defined(__cpp_exceptions)
    switch (fault.status) {
        case OCTILE_NULL_POINTER:
        case OCTILE_ARGUMENT: throw ArgumentError(fault);
        case OCTILE_SMALL_BUFFER: throw BufferError(fault);
        case OCTILE_FILE: throw FileError(fault);
        case OCTILE_GRID: throw GridError(fault);
        case OCTILE_SPEC: throw SpecError(fault);
        case OCTILE_BUILD: throw BuildError(fault);
        case OCTILE_INDEX: throw IndexError(fault);
        case OCTILE_QUERY: throw QueryError(fault);
        case OCTILE_EDIT: throw EditError(fault);
        case OCTILE_POINTS: throw PointsError(fault);
        case OCTILE_CANCELLED: throw Cancelled(fault);
        case OCTILE_PANIC: throw Panic(fault);
        default: throw Error(fault);
    }
#else
    std::fprintf(stderr, "octile: %s\n", fault.message.c_str());
    std::abort();
#endif
}

} // namespace detail

/** A value, or why there is none; used like the std::expected of C++23. */
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Fault fault) : content_(std::in_place_index<1>, std::move(fault)) {}

    /** Whether there is a value. */
    bool has_value() const noexcept { return content_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }

    /** The value; without one the Fault is thrown as an Error. */
    T &value() & { return checked(), **this; }
    const T &value() const & { return checked(), **this; }
    T value() && { return checked(), std::move(**this); }

    /** The value, which must be there. */
    T &operator*() noexcept { return *std::get_if<0>(&content_); }
    const T &operator*() const noexcept { return *std::get_if<0>(&content_); }
    T *operator->() noexcept { return std::get_if<0>(&content_); }
    const T *operator->() const noexcept { return std::get_if<0>(&content_); }

    /** Why there is no value, which must be so. */
    const Fault &error() const noexcept { return *std::get_if<1>(&content_); }

  private:
    void checked() const {
        if (!has_value()) detail::raise(error());
    }

    std::variant<T, Fault> content_;
};

/* What the classes are made of. */
namespace detail {

/** Goes on if all is well. */
inline void check(Status status) {
    if (status != OCTILE_OK) raise(last_fault(status));
}

/** True if all is well, false if there is no path. */
inline bool found(Status status) {
    if (status != OCTILE_NO_PATH) check(status);
    return status == OCTILE_OK;
}

/** The value if all is well, nothing if there is no path. */
template <class T>
std::optional<T> when_found(Status status, T value) {
    return found(status) ? std::optional<T>(std::move(value)) : std::nullopt;
}

/** The same as a Result. */
template <class T>
Result<std::optional<T>> result(Status status, T value) {
    if (status == OCTILE_OK) return std::optional<T>(std::move(value));
    if (status == OCTILE_NO_PATH) return std::optional<T>();
    return last_fault(status);
}

/** The handle that a function of C writes to its last argument. */
template <class T, class F>
T *made(const F &make) {
    T *handle = nullptr;
    check(make(&handle));
    return handle;
}

/** What a function of C copies into a buffer: asked for its size, then for the items. */
template <class T, class F>
std::vector<T> items(const F &fill) {
    std::size_t count = 0;
    check(fill(nullptr, std::size_t{0}, &count));
    std::vector<T> items(count);
    check(fill(items.data(), count, &count));
    return items;
}

/** The same for a text, whose NUL is not counted. */
template <class F>
std::string text(const F &fill) {
    std::size_t length = 0;
    check(fill(nullptr, std::size_t{0}, &length));
    std::string text(length, '\0');
    check(fill(text.data(), length + 1, &length));
    return text;
}

/** The lines of a text. */
inline std::vector<std::string> lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

/** A text that may be left out, which is what an empty one means. */
inline const char *or_null(const std::string &text) noexcept { return text.empty() ? nullptr : text.c_str(); }

/** Holds a handle and frees it. */
template <class T, void (*Free)(T *)>
class Handle {
  public:
    /** Takes over a handle that was made with the functions of octile.h. */
    explicit Handle(T *handle) noexcept : handle_(handle) {}

    /** The handle, for functions of octile.h; nullptr if it was moved away. */
    T *get() noexcept { return handle_.get(); }
    const T *get() const noexcept { return handle_.get(); }

  private:
    struct Freed {
        void operator()(T *handle) const noexcept { Free(handle); }
    };
    std::unique_ptr<T, Freed> handle_;
};

} // namespace detail

/* Parts of a program that are compiled for C++17 and for C++20 have functions of their own, as their spans differ. */
#if defined(__cpp_lib_span)
inline namespace std_span {

/** An array of somebody else. */
template <class T>
using Span = std::span<T>;
#else
inline namespace own_span {

/** An array of somebody else: what is needed of the std::span of C++20. */
template <class T>
class Span {
  public:
    constexpr Span() noexcept = default;

    /** From a pointer; a template, so that {0, 1} is no Span. */
    template <class P, class = std::enable_if_t<std::is_pointer_v<P>>>
    constexpr Span(P data, std::size_t size) noexcept : data_(data), size_(size) {}

    /** From an array, a std::vector, or another Span. */
    template <class R, class Item = std::remove_pointer_t<decltype(std::data(std::declval<R &>()))>,
              class = std::enable_if_t<std::is_convertible_v<Item (*)[], T (*)[]>>>
    constexpr Span(R &&items) noexcept : Span(std::data(items), std::size(items)) {}

    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t place) const noexcept { return data_[place]; }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};
#endif

/* Maps and their changes. */

/** A flag that any thread may set, for searches and builds that are to end. It must live as long as they do. */
class Flag : public detail::Handle<octile_flag, octile_flag_free> {
  public:
    using Handle::Handle;

    /** A flag that is not set. */
    Flag() : Handle(detail::made<octile_flag>(octile_flag_new)) {}

    /** Sets it, or takes it back. */
    void set(bool is_set = true) const { detail::check(octile_flag_set(get(), is_set)); }

    /** Whether it is set. */
    bool is_set() const noexcept { return octile_flag_is_set(get()); }
};

/** Changes of a map, to be made all at once. The last word about a cell counts. */
class Edits : public detail::Handle<octile_edits, octile_edits_free> {
  public:
    using Handle::Handle;

    /** No changes. */
    Edits() : Handle(detail::made<octile_edits>(octile_edits_new)) {}

    /** Blocks every cell of the rectangle between two opposite corners, both of which belong to it. */
    Edits &block(Cell a, Cell b) { return added(octile_edits_block(get(), a, b)); }
    /** Blocks a cell. */
    Edits &block(Cell cell) { return block(cell, cell); }

    /** Frees every cell of a rectangle. On a map with prices they cost what they did before they were blocked. */
    Edits &unblock(Cell a, Cell b) { return added(octile_edits_unblock(get(), a, b)); }
    /** Frees a cell. */
    Edits &unblock(Cell cell) { return unblock(cell, cell); }

    /** Gives every cell of a rectangle a price, on a map that has prices. Blocked cells stay blocked. */
    Edits &price(Cell a, Cell b, std::uint8_t price) { return added(octile_edits_price(get(), a, b, price)); }
    /** Gives a cell a price. */
    Edits &price(Cell cell, std::uint8_t price) { return this->price(cell, cell, price); }

    /** Makes a rectangle what an array of bits says, 1 for free: as in Grid::from_free_bits. */
    Edits &patch(Cell upper_left, std::uint32_t width, std::uint32_t height, Span<const std::uint8_t> free_bits) {
        return added(octile_edits_patch(get(), upper_left, width, height, free_bits.data(), free_bits.size()));
    }

    /** Forgets all changes and keeps the memory. */
    Edits &clear() { return added(octile_edits_clear(get())); }

    /** How many rectangles were named. */
    std::size_t size() const noexcept { return octile_edits_count(get()); }

  private:
    Edits &added(Status status) {
        detail::check(status);
        return *this;
    }
};

/** How a map is loaded. What is empty is left out. */
struct LoadOptions {
    /** How one may move: "octile" (the default), "tile" or "octile-cutting". */
    std::string movement;
    /** What cells cost: the name of a price file, "costmap" for a Nav2 costmap, or "occupancy" for a ROS map. */
    std::string prices;
    /** How prices make the cost of a move: "average" (the default) or "enter". */
    std::string convention;
    /** What cells of a ROS map or costmap are that nobody knows: "blocked" (the default) or "free". */
    std::string unknown;

    /** The same for C, as long as this lives. */
    octile_load_options c() const noexcept {
        octile_load_options options = OCTILE_LOAD_OPTIONS;
        options.movement = detail::or_null(movement);
        options.prices = detail::or_null(prices);
        options.convention = detail::or_null(convention);
        options.unknown = detail::or_null(unknown);
        return options;
    }
};

/** A map: which cells are free, how one may move, and what cells cost. */
class Grid : public detail::Handle<octile_grid, octile_grid_free> {
  public:
    using Handle::Handle;

    /** Loads a map from a file: .map, .txt, .png, .pgm, or a ROS .yaml. */
    static Grid load(const std::string &file, const LoadOptions &options = {}) {
        return try_load(file, options).value();
    }

    /** The same without exceptions. */
    static Result<Grid> try_load(const std::string &file, const LoadOptions &options = {}) {
        const octile_load_options c = options.c();
        octile_grid *grid = nullptr;
        const Status status = octile_grid_load(file.c_str(), &c, &grid);
        if (status != OCTILE_OK) return detail::last_fault(status);
        return Grid(grid);
    }

    /** Reads a map from the bytes of a file. */
    static Grid from_memory(Span<const std::uint8_t> file, const LoadOptions &options = {}) {
        const octile_load_options c = options.c();
        return made([&](octile_grid **out) { return octile_grid_from_memory(file.data(), file.size(), &c, out); });
    }

    /** Makes a map from a drawing, a line for each row: "." is free, "@" blocked, a digit free at that price. */
    static Grid parse(const std::string &drawing) {
        return made([&](octile_grid **out) { return octile_grid_parse(drawing.c_str(), out); });
    }

    /** Makes a map of free cells. */
    static Grid open(std::uint32_t width, std::uint32_t height) {
        return made([&](octile_grid **out) { return octile_grid_open(width, height, out); });
    }

    /** Makes a map from an array with a byte for each cell: everything but 0 is blocked. */
    static Grid from_blocked(std::uint32_t width, std::uint32_t height, Span<const std::uint8_t> blocked) {
        return made([&](octile_grid **out) {
            return octile_grid_from_blocked(width, height, blocked.data(), blocked.size(), out);
        });
    }

    /** Makes a map from an array with a bit for each cell, lowest of a byte first, rows without a gap: 1 is free. */
    static Grid from_free_bits(std::uint32_t width, std::uint32_t height, Span<const std::uint8_t> free_bits) {
        return made([&](octile_grid **out) {
            return octile_grid_from_free_bits(width, height, free_bits.data(), free_bits.size(), out);
        });
    }

    /** A second map that is like this one and changes apart from it; next to nothing before one of them changes. */
    Grid clone() const {
        return made([&](octile_grid **out) { return octile_grid_clone(get(), out); });
    }

    /** Changes how one may move: "octile", "tile" or "octile-cutting". Engines made before keep their rule. */
    void set_movement(const std::string &movement) { detail::check(octile_grid_set_movement(get(), movement.c_str())); }

    /** Gives all cells prices from 1 to 255, a byte for each; 0 blocks a cell, and what is blocked stays so. */
    void set_prices(Span<const std::uint8_t> prices, const std::string &convention = "average") {
        detail::check(octile_grid_set_prices(get(), prices.data(), prices.size(), convention.c_str()));
    }

    /** Makes all changes, or none. Engines that were made before are not changed: they have their own apply. */
    void apply(const Edits &edits) { detail::check(octile_grid_apply(get(), edits.get())); }

    /** How many cells a row has. */
    std::uint32_t width() const noexcept { return octile_grid_width(get()); }
    /** How many rows there are. */
    std::uint32_t height() const noexcept { return octile_grid_height(get()); }
    /** How many cells are free. */
    std::uint32_t free_cells() const noexcept { return octile_grid_free_cells(get()); }
    /** Whether a cell is free. Those off the map are not. */
    bool is_free(Cell cell) const noexcept { return octile_grid_is_free(get(), cell); }
    /** What a cell costs: 1 on a map without prices; 0 if it is blocked or off the map. */
    std::uint8_t price(Cell cell) const noexcept { return octile_grid_price(get(), cell); }
    /** Whether a path leads from cell to cell between two cells: that is known without a search. */
    bool connected(Cell a, Cell b) const noexcept { return octile_grid_connected(get(), a, b); }

  private:
    template <class F>
    static Grid made(const F &make) {
        return Grid(detail::made<octile_grid>(make));
    }
};

/* Paths. */

/** A cost as a text such as "2+2√2", or "4.2426" of an any-angle path. */
inline std::string to_string(const Cost &cost) {
    return detail::text([&](char *text, std::size_t capacity, std::size_t *length) {
        return octile_cost_text(&cost, text, capacity, length);
    });
}

/** A path. Use one again and again, with Engine::find_into: its memory is kept. */
class Path : public detail::Handle<octile_path, octile_path_free> {
  public:
    using Handle::Handle;

    /** An empty path. */
    Path() : Handle(detail::made<octile_path>(octile_path_new)) {}

    /** A second path that is like this one. */
    Path clone() const {
        return Path(detail::made<octile_path>([&](octile_path **out) { return octile_path_clone(get(), out); }));
    }

    /** Whether it goes in any direction, and so has points rather than waypoints and cells. */
    bool is_any_angle() const noexcept { return octile_path_is_any_angle(get()); }

    /** What it costs; nothing if it is empty. */
    Cost cost() const {
        Cost cost{};
        detail::check(octile_path_cost(get(), &cost));
        return cost;
    }

    /** Its length, rounded; on a map with prices its cost. */
    double length() const { return cost().length; }

    /** Start, turning points and goal of a path from cell to cell. */
    std::vector<Cell> waypoints() const { return copied<Cell>(octile_path_waypoints); }

    /** Every cell of a path from cell to cell. */
    std::vector<Cell> cells() const { return copied<Cell>(octile_path_cells); }

    /** The points of an any-angle path: its start, the corners of cells where it turns, and its goal. */
    std::vector<Point> points() const { return copied<Point>(octile_path_points); }

  private:
    template <class T>
    std::vector<T> copied(Status (*copy)(const octile_path *, T *, std::size_t, std::size_t *)) const {
        return detail::items<T>(
            [&](T *items, std::size_t capacity, std::size_t *count) { return copy(get(), items, capacity, count); });
    }
};

/** What was found in a buffer: the part of it that was filled, and what the path costs. */
template <class T>
struct Found {
    /** The cells or points of the path. */
    Span<T> items;
    /** What it costs. */
    Cost cost;
};

/** Paths of a batch, in columns. Use one again and again: its memory is kept. */
class Routes : public detail::Handle<octile_routes, octile_routes_free> {
  public:
    using Handle::Handle;

    /** No paths. */
    Routes() : Handle(detail::made<octile_routes>(octile_routes_new)) {}

    /** How many queries there were. */
    std::size_t size() const noexcept { return octile_routes_count(get()); }

    /** The lengths of all paths; UNLIMITED where there is none, NaN where the query could not be asked. */
    Span<const double> lengths() const noexcept { return {octile_routes_lengths(get()), size()}; }

    /** How a query ended: OCTILE_OK, OCTILE_NO_PATH, OCTILE_LIMIT, or why it could not be asked. */
    Status status(std::size_t query) const noexcept { return octile_routes_status(get(), query); }

    /** Whether the path of a query leads only to the cell nearest to its goal. */
    bool is_nearest(std::size_t query) const noexcept { return octile_routes_is_nearest(get(), query); }

    /** What there is to say of a query that has no path; empty of one that has. */
    std::string message(std::size_t query) const {
        return status(query) == OCTILE_OK ? std::string() : octile_error_message();
    }

    /** What a path costs; throws if the query could not be asked. */
    std::optional<Cost> cost(std::size_t query) const {
        Cost cost{};
        const Status status = octile_routes_cost(get(), query, &cost);
        return status == OCTILE_LIMIT ? std::nullopt : detail::when_found(status, cost);
    }

    /** Turning points of a path from cell to cell; empty if there is none. query must be less than size(). */
    Span<const Cell> cells(std::size_t query) const noexcept { return part(octile_routes_cells(get()), query); }

    /** Points of an any-angle path; empty if there is none. query must be less than size(). */
    Span<const Point> points(std::size_t query) const noexcept { return part(octile_routes_points(get()), query); }

    /** The turning points of all paths from cell to cell, one path behind the other. */
    Span<const Cell> all_cells() const noexcept { return all(octile_routes_cells(get())); }

    /** The points of all any-angle paths, one path behind the other. */
    Span<const Point> all_points() const noexcept { return all(octile_routes_points(get())); }

    /** Where each path begins in all_cells() or all_points(), and where the last ends: size() + 1 of them. */
    Span<const std::size_t> offsets() const noexcept {
        const std::size_t *offsets = octile_routes_offsets(get());
        return {offsets, offsets == nullptr ? 0 : size() + 1};
    }

  private:
    template <class T>
    Span<const T> part(const T *items, std::size_t query) const noexcept {
        if (items == nullptr) return {};
        const std::size_t *offsets = octile_routes_offsets(get());
        return {items + offsets[query], offsets[query + 1] - offsets[query]};
    }

    template <class T>
    Span<const T> all(const T *items) const noexcept {
        return {items, items == nullptr ? 0 : octile_routes_offsets(get())[size()]};
    }
};

/* Questions. */

/** Whether the nearest cell that can be reached will do. */
enum class Nearest {
    /** No: an end that is blocked is an error, and a goal that cannot be reached has no path. */
    No,
    /** For the goal. */
    Goal,
    /** For the goal, and for a start that is blocked. */
    Both,
};

/** What is asked beside the ends of a path. */
struct Terms {
    /** Whether the nearest cell that can be reached will do. */
    Nearest nearest = Nearest::No;
    /** The greatest cost that will do. */
    double max_cost = UNLIMITED;
    /** The most steps of the search. */
    std::uint64_t max_expanded = std::numeric_limits<std::uint64_t>::max();
    /** How long the search may take. */
    std::chrono::duration<double> timeout{UNLIMITED};
    /** Ends the search when it is set. */
    const Flag *cancel = nullptr;

    /** The same for C, as long as the flag lives. */
    octile_terms c() const noexcept {
        octile_terms terms = OCTILE_TERMS;
        terms.nearest = nearest == Nearest::No ? nullptr : nearest == Nearest::Goal ? "goal" : "both";
        terms.max_cost = max_cost;
        terms.max_expanded = max_expanded;
        terms.timeout = timeout.count();
        terms.cancel = cancel == nullptr ? nullptr : cancel->get();
        return terms;
    }
};

/** How a question was answered. */
enum class Outcome {
    /** By a path to a goal. */
    Found,
    /** By a path to the cell nearest to a goal. */
    Nearest,
    /** There is no path. */
    NoPath,
    /** A limit ended the search. */
    Limit,
};

/** What is known of an answer beside its path. Without a path there is nothing but the outcome and the limit. */
struct Reply {
    /** How it ended. */
    Outcome outcome = Outcome::NoPath;
    /** Where the path begins. */
    Cell start{};
    /** Where it ends. */
    Cell goal{};
    /** Which of the goals was reached, counted from 0. */
    std::optional<std::size_t> place;
    /** How far from the nearest goal it ends, in cells; 0 if it was reached. */
    double away = 0.0;
    /** What it costs. */
    Cost cost{};
    /** Which limit ended the search, in words. */
    std::string limit;

    /** Whether there is a path. */
    explicit operator bool() const noexcept { return outcome == Outcome::Found || outcome == Outcome::Nearest; }
};

/** An answer with its path. */
struct Answer : Reply {
    /** The path; empty if there is none. */
    Path path;
};

/** One of the nearest targets. */
struct Near {
    /** Which target it is, counted from 0. */
    std::size_t place;
    /** What a path there costs. */
    Cost cost;
};

/* Fields. */

/** The cost from every cell to the nearest of some goals, for many who go there. */
class Field : public detail::Handle<octile_field, octile_field_free> {
  public:
    using Handle::Handle;

    /** The field of a map, up to a cost. */
    Field(const Grid &grid, Span<const Cell> goals, double max_cost = UNLIMITED)
        : Handle(detail::made<octile_field>([&](octile_field **out) {
              return octile_field_new(grid.get(), goals.data(), goals.size(), max_cost, out);
          })) {}

    /** Takes other goals. */
    void set_goals(Span<const Cell> goals) { detail::check(octile_field_set_goals(get(), goals.data(), goals.size())); }

    /** Makes all changes to the map of the field, or none, and computes what they touch again. */
    void apply(const Edits &edits) { detail::check(octile_field_apply(get(), edits.get())); }

    /** The length of a path from a cell; UNLIMITED where there is none. */
    double length(Cell cell) const noexcept { return octile_field_length(get(), cell); }

    /** What a path from a cell costs. */
    std::optional<Cost> cost(Cell cell) const {
        Cost cost{};
        const Status status = octile_field_cost(get(), cell, &cost);
        return detail::when_found(status, cost);
    }

    /** The cell to go to from a cell; at a goal the goal itself. */
    std::optional<Cell> step(Cell cell) const {
        Cell next{};
        const Status status = octile_field_step(get(), cell, &next);
        return detail::when_found(status, next);
    }

    /** Where to go from a place between cells: a vector. */
    std::optional<Point> direction(Point place) const {
        Point direction{};
        const Status status = octile_field_direction(get(), place, &direction);
        return detail::when_found(status, direction);
    }

    /** The path from a cell. */
    std::optional<Path> path(Cell start) const {
        Path path;
        const Status status = octile_field_path(get(), start, path.get());
        return detail::when_found(status, std::move(path));
    }

    /** The lengths from all cells, row by row; UNLIMITED where there is no path. */
    std::vector<double> lengths() const {
        return detail::items<double>([&](double *lengths, std::size_t capacity, std::size_t *count) {
            return octile_field_lengths(get(), lengths, capacity, count);
        });
    }
};

/* Building. */

class Index;

/** What a build tells while it runs: what it is at, and how much of that is done. */
using Progress = std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t all)>;

/** How an engine or an index is built. */
struct BuildOptions {
    /** Indexes to use, in place of files that the spec names. */
    std::vector<const Index *> indexes;
    /** How much work it may be: "brief", "at-once", "beforehand" or "unlimited"; empty is the default. */
    std::string budget;
    /** Ends the build when it is set. */
    const Flag *cancel = nullptr;
    /** Is told what is done, by any thread, one at a time. If it throws, the build is cancelled, and throws that on. */
    Progress progress;
};

namespace building {

/** A build: options for C, and what its progress function has thrown. */
class Job {
  public:
    explicit Job(const BuildOptions &options);
    Job(const Job &) = delete;
    Job &operator=(const Job &) = delete;

    /** For C. */
    const octile_build_options *options() const noexcept { return &options_; }

    /** The status of the build, unless the progress function has thrown: then that goes on. */
    Status ended(Status status) const {
#if defined(__cpp_exceptions)
        if (thrown_) std::rethrow_exception(thrown_);
#endif
        return status;
    }

  private:
    static void tell(void *user, const char *stage, std::uint64_t done, std::uint64_t all) noexcept;

    const Progress &progress_;
    std::vector<const octile_index *> indexes_;
    std::mutex telling_;
    std::exception_ptr thrown_;
    std::optional<Flag> own_flag_;
    octile_build_options options_ = OCTILE_BUILD_OPTIONS;
};

} // namespace building

/** What a planner has worked out for a map, in memory or in a file. */
class Index : public detail::Handle<octile_index, octile_index_free> {
  public:
    using Handle::Handle;

    /** Builds the index of a kind, with settings behind a colon, such as "hub-labels" or "cpd:layout=rectangles". */
    static Index build(const Grid &grid, const std::string &kind, const BuildOptions &options = {}) {
        building::Job job(options);
        return made([&](octile_index **out) {
            return job.ended(octile_index_build(grid.get(), kind.c_str(), job.options(), out));
        });
    }

    /** Opens an index file. */
    static Index open(const std::string &file) {
        return made([&](octile_index **out) { return octile_index_open(file.c_str(), out); });
    }

    /** Takes the bytes of an index file, which are copied. */
    static Index from_memory(Span<const std::uint8_t> bytes) {
        return made([&](octile_index **out) { return octile_index_from_memory(bytes.data(), bytes.size(), out); });
    }

    /** Writes it to a file, which appears whole or not at all. */
    void save(const std::string &file) const { detail::check(octile_index_save(get(), file.c_str())); }

    /** Its kind, such as "hub-labels". */
    std::string kind() const {
        return detail::text([&](char *text, std::size_t capacity, std::size_t *length) {
            return octile_index_kind(get(), text, capacity, length);
        });
    }

    /** Its bytes, as long as it lives. */
    Span<const std::uint8_t> bytes() const noexcept { return {octile_index_bytes(get()), octile_index_size(get())}; }

    /** Throws if it is damaged. */
    void verify() const { detail::check(octile_index_verify(get(), nullptr)); }

    /** Throws if it is damaged, or of another map. */
    void verify(const Grid &grid) const { detail::check(octile_index_verify(get(), grid.get())); }

  private:
    template <class F>
    static Index made(const F &make) {
        return Index(detail::made<octile_index>(make));
    }
};

namespace building {

inline Job::Job(const BuildOptions &options) : progress_(options.progress) {
    for (const Index *index : options.indexes) indexes_.push_back(index->get());
    options_.indexes = indexes_.data();
    options_.index_count = indexes_.size();
    options_.budget = detail::or_null(options.budget);
    if (options.cancel != nullptr) options_.cancel = options.cancel->get();
    if (!progress_) return;
    if (options.cancel == nullptr) options_.cancel = own_flag_.emplace().get();
    options_.progress = tell;
    options_.user = this;
}

inline void Job::tell(void *user, const char *stage, std::uint64_t done, std::uint64_t all) noexcept {
    auto &job = *static_cast<Job *>(user);
    const std::lock_guard lock(job.telling_);
#if defined(__cpp_exceptions)
    try {
        if (!job.thrown_) job.progress_(stage, done, all);
    } catch (...) {
        job.thrown_ = std::current_exception();
        octile_flag_set(job.options_.cancel, true);
    }
#else
    job.progress_(stage, done, all);
#endif
}

} // namespace building

/* Engines. */

/** A planner for a map, which may change. Any number of threads may use one engine at the same time. */
class Engine : public detail::Handle<octile_engine, octile_engine_free> {
  public:
    using Handle::Handle;

    /** Makes the planner of a name for a map, with keys behind a colon: "jps:prune=gates"; planners() lists them. */
    explicit Engine(const Grid &grid, const std::string &spec = "corner-sweep")
        : Handle(detail::made<octile_engine>(
              [&](octile_engine **out) { return octile_engine_new(grid.get(), spec.c_str(), out); })) {}

    /** Makes a planner that takes long to build, or from indexes. */
    Engine(const Grid &grid, const std::string &spec, const BuildOptions &options)
        : Engine(try_build(grid, spec, options).value()) {}

    /** The same without exceptions, but for those of a progress function. */
    static Result<Engine> try_build(const Grid &grid, const std::string &spec, const BuildOptions &options = {}) {
        building::Job job(options);
        octile_engine *engine = nullptr;
        const Status status = job.ended(octile_engine_build(grid.get(), spec.c_str(), job.options(), &engine));
        if (status != OCTILE_OK) return detail::last_fault(status);
        return Engine(engine);
    }

    /** The same engine for a larger agent, "square:2" or "disc:1.5", on the same map: edits of one reach both. */
    Engine for_agent(const std::string &agent) const {
        return Engine(detail::made<octile_engine>(
            [&](octile_engine **out) { return octile_engine_for_agent(get(), agent.c_str(), out); }));
    }

    /** Whether its paths go in any direction. */
    bool is_any_angle() const noexcept { return octile_engine_is_any_angle(get()); }

    /** Which planner the engine "auto" has chosen; empty of all others. */
    std::string chosen() const {
        return detail::text([&](char *text, std::size_t capacity, std::size_t *length) {
            return octile_engine_chosen(get(), text, capacity, length);
        });
    }

    /** How much memory its index takes, in bytes. */
    std::size_t index_bytes() const noexcept { return octile_engine_index_bytes(get()); }

    /** The map as it is now. */
    Grid grid() const {
        return Grid(detail::made<octile_grid>([&](octile_grid **out) { return octile_engine_grid(get(), out); }));
    }

    /** Whether a path leads from one cell to another on the map as it is now: that is known without a search. */
    bool connected(Cell a, Cell b) const noexcept { return octile_engine_connected(get(), a, b); }

    /** Makes all changes to the map, or none. Whoever is asking meanwhile finishes on the map as it was. */
    void apply(const Edits &edits) const { detail::check(octile_engine_apply(get(), edits.get())); }

    /** Whether a path can still be walked on the map as it is now. */
    bool still_valid(const Path &path) const noexcept { return octile_engine_still_valid(get(), path.get()); }

    /** Whether its index is older than the map: answers are right, and may take longer. */
    bool is_stale() const noexcept { return octile_engine_is_stale(get()); }

    /** Builds the index anew for the map as it is and waits; others go on asking. */
    void renew() const { detail::check(octile_engine_renew(get())); }

    /** Builds the index anew by itself, when no edit has come for so long. */
    void keep_fresh(std::chrono::duration<double> after) const {
        detail::check(octile_engine_keep_fresh(get(), after.count()));
    }

    /** Does so no more. */
    void keep_stale() const { detail::check(octile_engine_keep_fresh(get(), -1.0)); }

    /** Finds a shortest path; nothing if there is none. */
    std::optional<Path> find(Cell start, Cell goal) const { return try_find(start, goal).value(); }

    /** The same without exceptions. */
    Result<std::optional<Path>> try_find(Cell start, Cell goal) const {
        Path path;
        const Status status = octile_find_path(get(), start, goal, path.get());
        return detail::result(status, std::move(path));
    }

    /** Finds a shortest path into a path that is used again: whether there is one. A warm call allocates nothing. */
    bool find_into(Cell start, Cell goal, Path &path) const {
        return detail::found(octile_find_path(get(), start, goal, path.get()));
    }

    /** Finds a path from cell to cell: start, turning points and goal in a buffer. A warm call allocates nothing. */
    std::optional<Found<Cell>> find_into(Cell start, Cell goal, Span<Cell> buffer) const {
        return try_find_into(start, goal, buffer).value();
    }
    /** The same without exceptions. */
    Result<std::optional<Found<Cell>>> try_find_into(Cell start, Cell goal, Span<Cell> buffer) const {
        return filled(octile_find, start, goal, buffer);
    }

    /** Finds a path from cell to cell: every cell in a buffer. */
    std::optional<Found<Cell>> find_cells_into(Cell start, Cell goal, Span<Cell> buffer) const {
        return try_find_cells_into(start, goal, buffer).value();
    }
    /** The same without exceptions. */
    Result<std::optional<Found<Cell>>> try_find_cells_into(Cell start, Cell goal, Span<Cell> buffer) const {
        return filled(octile_find_cells, start, goal, buffer);
    }

    /** Finds a path in any direction: its points in a buffer. */
    std::optional<Found<Point>> find_points_into(Cell start, Cell goal, Span<Point> buffer) const {
        return try_find_points_into(start, goal, buffer).value();
    }
    /** The same without exceptions. */
    Result<std::optional<Found<Point>>> try_find_points_into(Cell start, Cell goal, Span<Point> buffer) const {
        return filled(octile_find_points, start, goal, buffer);
    }

    /** Finds what a shortest path costs, without the path. */
    std::optional<Cost> find_cost(Cell start, Cell goal) const { return try_find_cost(start, goal).value(); }
    /** The same without exceptions. */
    Result<std::optional<Cost>> try_find_cost(Cell start, Cell goal) const {
        Cost cost{};
        const Status status = octile_find_cost(get(), start, goal, &cost);
        return detail::result(status, cost);
    }

    /** Asks for a path to the nearest of many goals, on terms. */
    Answer ask(Cell start, Span<const Cell> goals, const Terms &terms = {}) const {
        return try_ask(start, goals, terms).value();
    }
    /** Asks for a path to a goal, on terms. */
    Answer ask(Cell start, Cell goal, const Terms &terms = {}) const {
        return ask(start, Span<const Cell>(&goal, 1), terms);
    }
    /** The same without exceptions. */
    Result<Answer> try_ask(Cell start, Span<const Cell> goals, const Terms &terms = {}) const {
        Answer answer;
        Result<Reply> reply = try_ask_into(start, goals, answer.path, terms);
        if (!reply) return reply.error();
        static_cast<Reply &>(answer) = std::move(*reply);
        return answer;
    }

    /** Asks for a path into a path that is used again. */
    Reply ask_into(Cell start, Span<const Cell> goals, Path &path, const Terms &terms = {}) const {
        return try_ask_into(start, goals, path, terms).value();
    }
    /** The same without exceptions. */
    Result<Reply> try_ask_into(Cell start, Span<const Cell> goals, Path &path, const Terms &terms = {}) const {
        const octile_terms c = terms.c();
        octile_reply reply{};
        const Status status = octile_ask(get(), start, goals.data(), goals.size(), &c, path.get(), &reply);
        switch (status) {
            case OCTILE_OK: return told(reply);
            case OCTILE_NO_PATH: return Reply{};
            case OCTILE_LIMIT: return Reply{Outcome::Limit, {}, {}, {}, 0.0, {}, octile_error_message()};
            default: return detail::last_fault(status);
        }
    }

    /** Finds a path for each start and the goal at the same place, on all cores. */
    Routes find_many(Span<const Cell> starts, Span<const Cell> goals, const Terms &terms = {}) const {
        Routes routes;
        find_many_into(starts, goals, routes, terms);
        return routes;
    }

    /** The same into routes that are used again. */
    void find_many_into(Span<const Cell> starts, Span<const Cell> goals, Routes &routes,
                        const Terms &terms = {}) const {
        if (starts.size() != goals.size()) detail::raise({OCTILE_ARGUMENT, "there are not as many goals as starts"});
        const octile_terms c = terms.c();
        detail::check(octile_find_many(get(), starts.data(), goals.data(), starts.size(), &c, routes.get()));
    }

    /** The nearest targets by the cost of the path, at most so many, the nearest first. */
    std::vector<Near> nearest(Cell start, Span<const Cell> targets, std::size_t count = 1) const {
        std::vector<std::size_t> places(count);
        std::vector<Cost> costs(count);
        detail::check(octile_find_nearest(get(), start, targets.data(), targets.size(), places.data(), costs.data(),
                                          count, &count));
        std::vector<Near> nearest;
        for (std::size_t i = 0; i < count; i++) nearest.push_back({places[i], costs[i]});
        return nearest;
    }

    /** The costs from every source to every target, row by row; the length is UNLIMITED where there is no path. */
    std::vector<Cost> matrix(Span<const Cell> sources, Span<const Cell> targets) const {
        std::vector<Cost> costs(sources.size() * targets.size());
        detail::check(octile_find_costs(get(), sources.data(), sources.size(), targets.data(), targets.size(),
                                        costs.data(), costs.size()));
        return costs;
    }

    /** The field of some goals on the map as it is now, up to a cost. */
    Field field(Span<const Cell> goals, double max_cost = UNLIMITED) const {
        return Field(detail::made<octile_field>(
            [&](octile_field **out) { return octile_engine_field(get(), goals.data(), goals.size(), max_cost, out); }));
    }

  private:
    /** A reply of C. */
    static Reply told(const octile_reply &reply) {
        const Outcome outcome = reply.is_nearest ? Outcome::Nearest : Outcome::Found;
        const auto place = reply.place == SIZE_MAX ? std::nullopt : std::optional(reply.place);
        return {outcome, reply.start, reply.goal, place, reply.away, reply.cost, {}};
    }

    template <class T>
    using Find = Status (*)(const octile_engine *, Cell, Cell, T *, std::size_t, std::size_t *, Cost *);

    /** Without room only the count would be asked for: a buffer of 0 is taken for one that is too small. */
    template <class T>
    Result<std::optional<Found<T>>> filled(Find<T> function, Cell start, Cell goal, Span<T> buffer) const {
        std::size_t count = 0;
        Cost cost{};
        const Status status = function(get(), start, goal, buffer.data(), buffer.size(), &count, &cost);
        if (status == OCTILE_OK && buffer.empty()) return Fault{OCTILE_SMALL_BUFFER, "the buffer is empty"};
        return detail::result(status, Found<T>{Span<T>(buffer.data(), count), cost});
    }
};

/* What there is. */

/** A planner by its name. */
struct PlannerInfo {
    /** What Engine takes. */
    std::string name;
    /** What it is. */
    std::string summary;
};

/** Advice which planner to use. */
struct Advice {
    /** What Engine takes. */
    std::string spec;
    /** Why, a line each. */
    std::vector<std::string> reasons;
};

/** The version of octile, such as "0.1.0". */
inline std::string version() { return octile_version(); }

/** The version of the binary interface that the library was built with: it should be OCTILE_ABI_VERSION. */
inline std::uint32_t abi_version() noexcept { return octile_abi_version(); }

/** The planners that there are. */
inline std::vector<PlannerInfo> planners() {
    std::vector<PlannerInfo> planners;
    for (const std::string &line : detail::lines(detail::text(octile_planners))) {
        const std::size_t tab = line.find('\t');
        planners.push_back({line.substr(0, tab), line.substr(tab + 1)});
    }
    return planners;
}

/** Tries planners on a map and says which is the fastest that fits. needs are keys of the planner "auto". */
inline Advice advise(const Grid &grid, const std::string &needs = "") {
    const std::unique_ptr<char, void (*)(char *)> text(
        detail::made<char>([&](char **out) { return octile_advise(grid.get(), detail::or_null(needs), out); }),
        octile_string_free);
    std::vector<std::string> reasons = detail::lines(text.get());
    std::string spec = std::move(reasons.front());
    reasons.erase(reasons.begin());
    return {std::move(spec), std::move(reasons)};
}

} // inline namespace
} // namespace octile

#endif // OCTILE_HPP
