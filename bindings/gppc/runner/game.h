// What is played: a map, its changes and queries, from the files of the benchmarks. A scenario for a map that stays as
// it is is a game without changes.

#ifndef GPPC_RUNNER_GAME_H
#define GPPC_RUNNER_GAME_H

#include "../interface/dynamic.h"

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <vector>

// Something is wrong with a file, an argument or a process: the runner stops.
struct Error : std::runtime_error { using std::runtime_error::runtime_error; };

inline bool is_same(gppc_point a, gppc_point b) { return a.x == b.x && a.y == b.y; }

// A map, or a rectangle to be put on one: a bit for each cell as in gppc_patch, 1 where it is free.
class Bitmap {
  public:
    Bitmap(std::uint32_t width, std::uint32_t height, bool is_free);

    std::uint32_t width() const { return columns; }
    std::uint32_t height() const { return rows; }
    bool is_free(std::int64_t x, std::int64_t y) const; // false off the map
    void set(std::uint32_t x, std::uint32_t y, bool is_free);
    void put(const Bitmap &patch, gppc_point at);

    gppc_patch as_patch(gppc_point at) const; // it looks at this bitmap

  private:
    std::uint32_t columns, rows;
    std::vector<std::uint8_t> bits;
};

// What a file says of a shortest path: its length as printed, and how far from it the true one may lie because it was
// rounded.
struct Optimum {
    bool has_path;
    double length, tolerance;
};

struct Query {
    gppc_point start, goal;
    Optimum optimum;
};

struct Change {
    std::size_t patch;
    gppc_point at;
};

// Changes that are made at once, and what is asked afterwards.
struct Batch {
    std::vector<Change> changes;
    std::vector<Query> queries;
};

struct Game {
    Bitmap map; // at the first query: the changes before it have been made
    std::vector<Bitmap> patches;
    std::vector<Batch> batches;
};

// Reads a scenario: of version 1, with its map NAME.map beside NAME.map.scen, or of version 2, with its patches. Of its
// queries every n-th is kept.
Game load_game(const std::filesystem::path &scenario, std::size_t every);

#endif
