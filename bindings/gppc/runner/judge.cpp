#include "judge.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <queue>

namespace {

std::string text(gppc_point point) { return std::to_string(point.x) + "," + std::to_string(point.y); }

int sign(int value) { return (value > 0) - (value < 0); }

// Whether one may move from a free cell to the neighbour that lies there.
bool may_move(const Bitmap &map, std::int64_t x, std::int64_t y, int dx, int dy) {
    return map.is_free(x + dx, y + dy) && map.is_free(x + dx, y) && map.is_free(x, y + dy);
}

// Walks from one point of a path to the next and adds what that costs; false if one cannot go there.
bool walk(const Bitmap &map, gppc_point from, gppc_point to, Cost &cost) {
    int across = to.x - from.x, down = to.y - from.y, dx = sign(across), dy = sign(down);
    if (dx != 0 && dy != 0 && std::abs(across) != std::abs(down)) return false;
    for (std::int64_t x = from.x, y = from.y; x != to.x || y != to.y; x += dx, y += dy) {
        if (!may_move(map, x, y, dx, dy)) return false;
        (dx != 0 && dy != 0 ? cost.diagonal : cost.straight)++;
    }
    return true;
}

// Why a path that is not empty is none, or "".
std::string flaw(const Bitmap &map, const Query &query, const Points &path, Cost &cost) {
    if (!is_same(path.front(), query.start)) return "it begins at " + text(path.front());
    if (!is_same(path.back(), query.goal)) return "it ends at " + text(path.back());
    if (!map.is_free(query.start.x, query.start.y)) return "its start is blocked";
    for (std::size_t i = 1; i < path.size(); i++) {
        if (!walk(map, path[i - 1], path[i], cost))
            return "one cannot go from " + text(path[i - 1]) + " to " + text(path[i]);
    }
    return "";
}

Judgement by_file(const Optimum &optimum, const Points &path, Cost cost) {
    if (path.empty()) return {optimum.has_path ? Verdict::NotFound : Verdict::Right, "no path was found"};
    if (!optimum.has_path)
        return {Verdict::NotThere, "a path of " + cost.text() + ", and the file says that there is none"};
    double more = cost.length() - optimum.length;
    if (std::abs(more) <= optimum.tolerance) return {Verdict::Right, ""};
    char expected[64];
    std::snprintf(expected, sizeof expected, "%.12g", optimum.length);
    return {more > 0 ? Verdict::Longer : Verdict::Shorter, "a path of " + cost.text() + " instead of " + expected};
}

Judgement by_oracle(std::optional<Cost> best, const Points &path, Cost cost) {
    if (path.empty()) return {best ? Verdict::NotFound : Verdict::Right, "no path was found"};
    if (best && cost == *best) return {Verdict::Right, ""};
    // A legal path that is shorter than the shortest cannot be.
    return {Verdict::Longer, "a path of " + cost.text() + " instead of " + (best ? best->text() : "none")};
}

} // namespace

double Cost::length() const { return static_cast<double>(straight) + static_cast<double>(diagonal) * std::sqrt(2.0); }

std::string Cost::text() const {
    char text[96];
    std::snprintf(text, sizeof text, "%lld+%lld√2 (%.4f)", static_cast<long long>(straight),
                  static_cast<long long>(diagonal), length());
    return text;
}

// a + b√2 < c + d√2 if a - c < (d - b)√2, which whole numbers decide by their squares.
bool Cost::operator<(Cost other) const {
    std::int64_t less = straight - other.straight, more = other.diagonal - diagonal;
    if (less < 0 && more >= 0) return true;
    if (less >= 0 && more <= 0) return false;
    return less < 0 ? less * less > 2 * more * more : less * less < 2 * more * more;
}

Cost operator+(Cost a, Cost b) { return {a.straight + b.straight, a.diagonal + b.diagonal}; }

Judgement judge(const Bitmap &map, const Query &query, const Points &path, bool oracle) {
    Cost cost;
    if (!path.empty()) {
        std::string reason = flaw(map, query, path, cost);
        if (!reason.empty()) return {Verdict::Illegal, reason};
    }
    Judgement judgement = by_file(query.optimum, path, cost);
    if (judgement.verdict != Verdict::Right || !oracle) return judgement;
    return by_oracle(shortest(map, query.start, query.goal), path, cost);
}

std::optional<Cost> shortest(const Bitmap &map, gppc_point start, gppc_point goal) {
    struct Open {
        Cost cost;
        gppc_point at;
        bool operator<(const Open &other) const { return other.cost < cost; } // the cheapest comes first
    };
    if (!map.is_free(start.x, start.y)) return {};
    auto index = [&](gppc_point at) { return std::size_t{at.y} * map.width() + at.x; };
    std::vector<std::optional<Cost>> costs(std::size_t{map.width()} * map.height());
    std::priority_queue<Open> open;
    costs[index(start)] = Cost{};
    for (open.push({{}, start}); !open.empty();) {
        Open next = open.top();
        open.pop();
        if (is_same(next.at, goal)) return next.cost;
        if (*costs[index(next.at)] < next.cost) continue;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                if ((dx == 0 && dy == 0) || !may_move(map, next.at.x, next.at.y, dx, dy)) continue;
                gppc_point to{static_cast<std::uint16_t>(next.at.x + dx), static_cast<std::uint16_t>(next.at.y + dy)};
                Cost cost = next.cost + (dx != 0 && dy != 0 ? Cost{0, 1} : Cost{1, 0});
                std::optional<Cost> &best = costs[index(to)];
                if (best && !(cost < *best)) continue;
                best = cost;
                open.push({cost, to});
            }
        }
    }
    return {};
}
