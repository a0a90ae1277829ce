// octile in the classic track. The file that is given has an index of the map: with it, paths need hardly a search. A
// map that no index suits has a note instead, and is searched.

#include "interface/classic.h"
#include "seeker.h"

#include <fstream>
#include <string_view>

namespace {

// The planners with an index, the fastest first.
constexpr const char *INDEXED[] = {"hub-labels", "core-table"};

// The planner where there is no index: it prepares itself in milliseconds.
constexpr const char *SEARCHING = "jump-graph";

constexpr std::string_view NOTE = "octile: no index suits this map\n";

Grid packed(const std::vector<bool> &bits, int width, int height) {
    if (width <= 0 || height <= 0 ||
        bits.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
        fail("the map", "its sides are not those of its bits");
    }
    std::vector<std::uint8_t> bytes(bytes_of(width, height));
    for (std::size_t i = 0; i < bits.size(); i++) {
        if (bits[i]) bytes[i / 8] |= static_cast<std::uint8_t>(1u << (i % 8));
    }
    return grid_of(width, height, bytes.data());
}

// The index of a kind, or none if it does not suit the map.
Index build(const Grid &grid, const char *kind) {
    octile_build_options options = OCTILE_BUILD_OPTIONS;
    options.budget = "beforehand";
    octile_index *index = nullptr;
    octile_status status = octile_index_build(grid.get(), kind, &options, &index);
    if (status != OCTILE_BUILD) must(status, kind);
    return Index(index);
}

void write_note(const std::string &filename) {
    std::ofstream file(filename, std::ios::binary);
    if (!(file << NOTE << std::flush)) fail(filename.c_str(), "the file cannot be written");
}

bool is_note(const std::string &filename) {
    std::ifstream file(filename, std::ios::binary);
    std::string line;
    line.resize(NOTE.size());
    return file.read(line.data(), static_cast<std::streamsize>(line.size())) && line == NOTE;
}

Engine unusable() {
    std::fprintf(stderr, "octile: %s; paths are found without an index\n", octile_error_message());
    return nullptr;
}

// The planner whose index is in the file, or none if it cannot be used for this map.
Engine open(const Grid &grid, const std::string &filename) {
    octile_index *opened = nullptr;
    if (octile_index_open(filename.c_str(), &opened) != OCTILE_OK) return unusable();
    Index index(opened);
    char kind[64];
    std::size_t length;
    must(octile_index_kind(index.get(), kind, sizeof kind, &length), "the kind of the index");

    octile_build_options options = OCTILE_BUILD_OPTIONS;
    options.indexes = &opened;
    options.index_count = 1;
    octile_engine *engine = nullptr;
    if (octile_engine_build(grid.get(), kind, &options, &engine) != OCTILE_OK) return unusable();
    return Engine(engine);
}

Engine engine_for(const Grid &grid, const std::string &filename) {
    Engine engine = is_note(filename) ? nullptr : open(grid, filename);
    return engine ? std::move(engine) : engine_of(grid, SEARCHING);
}

} // namespace

void PreprocessMap(const std::vector<bool> &bits, int width, int height, const std::string &filename) {
    guarded([&] {
        Grid grid = packed(bits, width, height);
        for (const char *kind : INDEXED) {
            Index index = build(grid, kind);
            if (index) return must(octile_index_save(index.get(), filename.c_str()), "the index");
        }
        write_note(filename);
    });
}

void *PrepareForSearch(const std::vector<bool> &bits, int width, int height, const std::string &filename) {
    return guarded([&] { return new Seeker(engine_for(packed(bits, width, height), filename)); });
}

bool GetPath(void *data, GPPC::xyLoc s, GPPC::xyLoc g, std::vector<GPPC::xyLoc> &path) {
    guarded([&] { data_of<Seeker>(data).find(s, g, path); });
    return true;
}

std::string GetName() { return "octile"; }
