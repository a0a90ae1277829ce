// An entry without octile, which finds shortest paths by the simplest of searches, and is wrong in the way that the
// variable FAKE names: the runner must find that out. It is for the dynamic track, or with -DCLASSIC for the classic
// one.

#include "../interface/classic.h"
#include "../interface/dynamic.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <queue>
#include <sstream>

namespace {

bool is(const char *fault) {
    static const char *const name = std::getenv("FAKE");
    return name != nullptr && std::strcmp(name, fault) == 0;
}

// How many points there are in one of `segments`.
constexpr std::size_t SEGMENT = 8;

struct Search {
    int width, height;
    std::function<bool(int)> bit;
    bool is_backward = false; // which of several shortest paths is found
    std::vector<gppc_point> path;
    std::size_t sent = 0; // points of it

    bool is_free(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height && bit(y * width + x); }

    bool may_move(int x, int y, int dx, int dy) const {
        return is_free(x + dx, y + dy) && (is("cuts") || (is_free(x + dx, y) && is_free(x, y + dy)));
    }

    std::vector<gppc_point> shortest(gppc_point start, gppc_point goal) const;
    std::vector<gppc_point> answer(gppc_point start, gppc_point goal) const;
};

// Every cell of a path, found from the goal backwards.
std::vector<gppc_point> Search::shortest(gppc_point start, gppc_point goal) const {
    using Open = std::pair<double, int>;
    std::vector<double> costs(static_cast<std::size_t>(width * height), 1e9);
    std::vector<int> next(costs.size(), -1);
    std::priority_queue<Open, std::vector<Open>, std::greater<Open>> open;
    int first = start.y * width + start.x, last = goal.y * width + goal.x;
    int order = is_backward ? -1 : 1; // of cells that cost the same
    if (is_free(goal.x, goal.y)) open.push({costs[static_cast<std::size_t>(last)] = 0, order * last});
    while (!open.empty()) {
        double cost = open.top().first;
        int cell = order * open.top().second;
        open.pop();
        if (cost > costs[static_cast<std::size_t>(cell)]) continue;
        for (int move = 0; move < 9; move++) {
            int dx = move % 3 - 1, dy = move / 3 - 1;
            if (!may_move(cell % width, cell / width, dx, dy)) continue;
            auto to = static_cast<std::size_t>(cell + dy * width + dx);
            double sum = cost + (dx != 0 && dy != 0 ? 1.4142135623730951 : 1.0);
            if (sum >= costs[to] - 1e-6) continue;
            costs[to] = sum;
            next[to] = cell;
            open.push({sum, order * static_cast<int>(to)});
        }
    }
    std::vector<gppc_point> path;
    if (costs[static_cast<std::size_t>(first)] > 1e8) return path;
    for (int cell = first; cell != -1; cell = next[static_cast<std::size_t>(cell)]) {
        path.push_back({static_cast<uint16_t>(cell % width), static_cast<uint16_t>(cell / width)});
    }
    return path;
}

// The path as the fault has it.
std::vector<gppc_point> Search::answer(gppc_point start, gppc_point goal) const {
    if (is("crashes")) std::abort();
    if (is("denies")) return {};
    if (is("jumps")) return {start, goal};
    std::vector<gppc_point> path = shortest(start, goal);
    if (is("longer") && path.size() > 1) path.insert(path.begin() + 2, {path[0], path[1]});
    if (is("stops") && path.size() > 1) path.pop_back();
    return path;
}

} // namespace

#ifdef CLASSIC

void PreprocessMap(const std::vector<bool> &, int, int, const std::string &) {}

void *PrepareForSearch(const std::vector<bool> &bits, int width, int height, const std::string &) {
    return new Search{width, height, [&bits](int i) { return bits[static_cast<std::size_t>(i)]; }, false, {}, 0};
}

bool GetPath(void *data, GPPC::xyLoc s, GPPC::xyLoc g, std::vector<GPPC::xyLoc> &path) {
    if (is("endless")) return false;
    std::vector<gppc_point> points = static_cast<Search *>(data)->answer({s.x, s.y}, {g.x, g.y});
    std::size_t from = path.empty() ? 0 : 1; // the start is there already
    std::size_t to = is("segments") ? std::min(from + SEGMENT, points.size()) : points.size();
    for (std::size_t i = from; i < to; i++) path.push_back({points[i].x, points[i].y});
    return to == points.size();
}

std::string GetName() { return "fake"; }

#else

namespace {

// Whether this is the second, fourth, ... search with the file: its length tells.
bool is_second_run(const char *file) {
    std::ofstream(file, std::ios::app) << '.';
    std::stringstream runs;
    runs << std::ifstream(file).rdbuf();
    return runs.str().size() % 2 == 0;
}

} // namespace

void gppc_preprocess_init_map(gppc_patch, const char *) {}

void *gppc_search_init(gppc_patch map, const char *file) {
    const uint8_t *now = map.bitarray;
    std::vector<uint8_t> then(now, now + (map.width * map.height + 7) / 8);
    auto bit = [=](int i) { return ((is("stale") ? then.data() : now)[i / 8] >> (i % 8) & 1) == 1; };
    return new Search{map.width, map.height, bit, is("fickle") && is_second_run(file), {}, 0};
}

void gppc_map_change(void *, const gppc_patch *, uint32_t) {}

gppc_path gppc_get_path(void *data, gppc_point start, gppc_point goal) {
    auto &search = *static_cast<Search *>(data);
    if (is("endless")) return {nullptr, 0, 1};
    if (search.sent == search.path.size()) {
        search.path = search.answer(start, goal);
        search.sent = 0;
    }
    std::size_t left = search.path.size() - search.sent, count = is("segments") ? std::min(left, SEGMENT) : left;
    const gppc_point *points = search.path.data() + search.sent;
    search.sent += count;
    return {points, static_cast<uint32_t>(count), static_cast<uint8_t>(count < left)};
}

void gppc_free_data(void *data) { delete static_cast<Search *>(data); }

const char *gppc_get_name() { return "fake"; }

#endif
