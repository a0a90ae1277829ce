// What both entries need of octile: handles that free themselves, and an engine that is asked for paths. What cannot go
// wrong in a competition and does so all the same ends the program, with the library's message: a wrong answer would be
// worse.

#ifndef GPPC_SEEKER_H
#define GPPC_SEEKER_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <octile.h>
#include <utility>
#include <vector>

[[noreturn]] inline void fail(const char *doing, const char *message) {
    std::fprintf(stderr, "octile: %s: %s\n", doing, message);
    std::abort();
}

inline void must(octile_status status, const char *doing) {
    if (status != OCTILE_OK) fail(doing, octile_error_message());
}

// Runs what an interface asks for. No exception leaves it: one, such as that there is no memory, ends the program.
template <typename Body>
auto guarded(Body body) noexcept {
    return body();
}

// What an interface was given out before, and gives back.
template <typename Data>
Data &data_of(void *data) {
    if (data == nullptr) fail("a call", "data is NULL");
    return *static_cast<Data *>(data);
}

template <auto Free>
struct Freed {
    template <typename Handle>
    void operator()(Handle *handle) const {
        Free(handle);
    }
};

using Grid = std::unique_ptr<octile_grid, Freed<octile_grid_free>>;
using Engine = std::unique_ptr<octile_engine, Freed<octile_engine_free>>;
using Edits = std::unique_ptr<octile_edits, Freed<octile_edits_free>>;
using Index = std::unique_ptr<octile_index, Freed<octile_index_free>>;

// How many bytes hold the bits of a rectangle.
inline std::size_t bytes_of(std::size_t width, std::size_t height) { return (width * height + 7) / 8; }

inline Grid grid_of(std::uint32_t width, std::uint32_t height, const std::uint8_t *free_bits) {
    octile_grid *grid = nullptr;
    must(octile_grid_from_free_bits(width, height, free_bits, bytes_of(width, height), &grid), "the map");
    return Grid(grid);
}

inline Engine engine_of(const Grid &grid, const char *planner) {
    octile_engine *engine = nullptr;
    must(octile_engine_new(grid.get(), planner, &engine), planner);
    return Engine(engine);
}

// An engine, and the turning points of the path that it was asked for last.
class Seeker {
  public:
    explicit Seeker(Engine engine) : engine(std::move(engine)), cells(1024) {}

    // Finds a path between two points of the interface, and puts points of that kind in place of those that were there:
    // none where there is no path, as when an end is blocked.
    template <typename Point>
    void find(Point start, Point goal, std::vector<Point> &points) {
        std::size_t count = 0;
        octile_status status = find({start.x, start.y}, {goal.x, goal.y}, &count);
        if (status == OCTILE_SMALL_BUFFER) {
            cells.resize(2 * count);
            status = find({start.x, start.y}, {goal.x, goal.y}, &count);
        }
        points.clear();
        if (status == OCTILE_NO_PATH || status == OCTILE_QUERY) return;
        must(status, "a path");
        points.reserve(count);
        for (std::size_t i = 0; i < count; i++) {
            points.push_back({static_cast<std::uint16_t>(cells[i].x), static_cast<std::uint16_t>(cells[i].y)});
        }
    }

    void apply(const Edits &edits) { must(octile_engine_apply(engine.get(), edits.get()), "a change of the map"); }

  private:
    octile_status find(octile_cell start, octile_cell goal, std::size_t *count) {
        return octile_find(engine.get(), start, goal, cells.data(), cells.size(), count, nullptr);
    }

    Engine engine;
    std::vector<octile_cell> cells;
};

#endif
