// octile in the dynamic track. Corner sweep prepares next to nothing and follows changes at what they cost, so that
// there is nothing to keep in a file.

#include "interface/dynamic.h"
#include "seeker.h"

namespace {

constexpr const char *PLANNER = "corner-sweep:cache=on";

struct Search {
    Seeker seeker;
    Edits edits;
    std::vector<gppc_point> path;
};

Search *search_on(gppc_patch map) {
    octile_edits *edits = nullptr;
    must(octile_edits_new(&edits), "a list of changes");
    return new Search{Seeker(engine_of(grid_of(map.width, map.height, map.bitarray), PLANNER)), Edits(edits), {}};
}

void add(const Edits &edits, const gppc_patch &patch) {
    if (patch.width == 0 || patch.height == 0) return;
    octile_cell upper_left = {patch.pos.x, patch.pos.y};
    must(octile_edits_patch(edits.get(), upper_left, patch.width, patch.height, patch.bitarray,
                            bytes_of(patch.width, patch.height)),
         "a patch");
}

} // namespace

void gppc_preprocess_init_map(gppc_patch, const char *) {}

void *gppc_search_init(gppc_patch active_map, const char *) {
    return guarded([&] { return search_on(active_map); });
}

void gppc_map_change(void *data, const gppc_patch *changes, uint32_t changes_length) {
    guarded([&] {
        auto &search = data_of<Search>(data);
        if (changes == nullptr && changes_length > 0) fail("a change of the map", "changes is NULL");
        must(octile_edits_clear(search.edits.get()), "a list of changes");
        for (uint32_t i = 0; i < changes_length; i++) add(search.edits, changes[i]);
        search.seeker.apply(search.edits);
    });
}

gppc_path gppc_get_path(void *data, gppc_point start, gppc_point goal) {
    return guarded([&] {
        auto &search = data_of<Search>(data);
        search.seeker.find(start, goal, search.path);
        return gppc_path{search.path.data(), static_cast<uint32_t>(search.path.size()), 0};
    });
}

void gppc_free_data(void *data) { delete static_cast<Search *>(data); }

const char *gppc_get_name() { return "octile"; }
