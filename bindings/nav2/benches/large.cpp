// Times octile_nav2.hpp on a costmap of 1772 x 1077 cells: building, following changes, planning. Prints; checks
// nothing.
#include <octile_nav2.hpp>

#include "../tests/drawn.hpp"

#include <chrono>
#include <cstdio>

static void measure(const nav2::Options &options, const char *name) {
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point begin) {
        return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    };
    Drawn drawn(1772, 1077);
    drawn.furnish(120, 12);
    nav2::Planner planner(options);
    auto begin = Clock::now();
    planner.set_costmap(drawn.map);
    const double built = since(begin);

    double updating = 0.0, planning = 0.0;
    std::size_t poses = 0;
    const std::size_t rounds = 20;
    for (std::size_t round = 0; round < rounds; round++) {
        drawn.walk_by(round);
        begin = Clock::now();
        planner.set_costmap(drawn.map);
        updating += since(begin);
        begin = Clock::now();
        poses += planner.plan(middle(30, 30), middle(1740, 1050)).size();
        planning += since(begin);
    }
    std::printf("%s: build %.1f ms, update %.2f ms, plan %.2f ms, %.1f poses\n", name, built, updating / rounds,
                planning / rounds, static_cast<double>(poses) / rounds);
}

int main() {
    measure({}, "taut-sight");
    measure(priced(), "terrain-jump with costs");
}
