// octile_nav2.hpp on drawn costmaps, and on one of 1772 x 1077 cells as users have them.
#include <octile_nav2.hpp>

#include "../../c/tests/check.hpp"

#include <atomic>
#include <initializer_list>
#include <random>

namespace nav2 = octile::nav2;
using nav2::Pose;

/// Numbers at random, the same on every machine.
class Dice {
  public:
    explicit Dice(std::uint32_t seed) : engine_(seed) {}
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(engine_()) % end; }

  private:
    std::mt19937 engine_;
};

/// A costmap that owns its costs, in cells of 0.1 m.
struct Drawn {
    std::vector<std::uint8_t> costs;
    nav2::Costmap map;

    /// From rows as one sees them, the highest y first: `.` is free, `#` lethal, `i` inscribed, `?` unknown, and digits are costs in steps of 25.
    Drawn(std::initializer_list<std::string> rows) : Drawn(rows.begin()->size(), rows.size()) {
        std::size_t y = rows.size();
        for (const std::string &row : rows) {
            y--;
            for (std::size_t x = 0; x < row.size(); x++) at(x, y) = cost(row[x]);
        }
    }

    Drawn(std::size_t width, std::size_t height) : costs(width * height) {
        map.width = static_cast<std::uint32_t>(width);
        map.height = static_cast<std::uint32_t>(height);
        map.resolution = 0.1;
        map.data = costs.data();
    }
    Drawn(const Drawn &) = delete;

    std::uint8_t &at(std::size_t x, std::size_t y) { return costs[y * map.width + x]; }

    static std::uint8_t cost(char drawn) {
        switch (drawn) {
            case '.': return 0;
            case '#': return nav2::LETHAL;
            case 'i': return nav2::INSCRIBED;
            case '?': return nav2::UNKNOWN;
            default: return static_cast<std::uint8_t>(25 * (drawn - '0'));
        }
    }

    /// Blocks about one cell of so many, and gives the others costs, at random.
    void scatter(std::uint32_t one_of, std::uint32_t seed) {
        Dice dice(seed);
        for (std::uint8_t &cost : costs) {
            cost = dice.below(one_of) == 0 ? nav2::LETHAL : static_cast<std::uint8_t>(60 * dice.below(3));
        }
    }

    /// Rooms with doors and inflated walls.
    void furnish(std::size_t room, std::size_t inflated) {
        const auto is_door = [room](std::size_t along) { return along / 8 == room / 16; };
        for (std::size_t y = 0; y < map.height; y++) {
            for (std::size_t x = 0; x < map.width; x++) {
                const std::size_t u = x % room, v = y % room, from_wall = std::min({u, v, room - u, room - v});
                const bool is_wall = (u == 0 && !is_door(v)) || (v == 0 && !is_door(u));
                if (from_wall < inflated) at(x, y) = static_cast<std::uint8_t>(200 * (inflated - from_wall) / inflated);
                if (is_wall) at(x, y) = nav2::LETHAL;
            }
        }
    }
};

/// The middle of a cell, in metres.
static Pose middle(double x, double y) { return {0.1 * (x + 0.5), 0.1 * (y + 0.5), 0.0}; }

static bool is_at(const Pose &pose, double x, double y) { return std::hypot(pose.x - x, pose.y - y) < 1e-9; }

static double length(const std::vector<Pose> &path) {
    double length = 0.0;
    for (std::size_t i = 1; i < path.size(); i++) length += std::hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y);
    return length;
}

static std::vector<Pose> plan(const Drawn &drawn, nav2::Options options, const Pose &start, const Pose &goal) {
    nav2::Planner planner(std::move(options));
    planner.set_costmap(drawn.map);
    return planner.plan(start, goal);
}

template <class E>
static bool refuses(const Drawn &drawn, nav2::Options options, const Pose &start, const Pose &goal) {
    return throws<E>([&] { plan(drawn, std::move(options), start, goal); }, "");
}

static nav2::Options priced() {
    nav2::Options options;
    options.planner = "terrain-jump";
    options.use_costs = true;
    return options;
}

static void metres() {
    Drawn drawn({".....",
                 ".###.",
                 ".###.",
                 "....."});
    const std::vector<Pose> path = plan(drawn, {}, {0.04, 0.07, 1.0}, {0.42, 0.33, -2.0});
    CHECK(path.size() == 3 && is_at(path.front(), 0.05, 0.05) && is_at(path.back(), 0.45, 0.35));
    CHECK(path.back().yaw == -2.0 && std::abs(path[0].yaw - std::atan2(path[1].y - 0.05, path[1].x - 0.05)) < 1e-9);

    // y goes upwards: the way round the upper end of a wall is the short one.
    Drawn wall({"....",
                ".##.",
                ".##.",
                ".##.",
                "...."});
    double highest = 0.0;
    for (const Pose &pose : plan(wall, {}, middle(0, 3), middle(3, 3))) highest = std::max(highest, pose.y);
    CHECK(std::abs(highest - 0.4) < 1e-9);

    drawn.map.origin_x = -7.0;
    drawn.map.origin_y = 3.0;
    CHECK(is_at(plan(drawn, {}, {-6.95, 3.05, 0.0}, {-6.55, 3.35, 0.0}).front(), -6.95, 3.05));
    CHECK(plan(drawn, {}, {-6.95, 3.05, 0.0}, {-6.94, 3.06, 0.5}).back().yaw == 0.5);
}

static void steps() {
    Drawn drawn({"..........", "..........", ".........."});
    nav2::Options options;
    options.step = 0.25;
    const std::vector<Pose> path = plan(drawn, options, middle(0, 0), middle(9, 1));
    CHECK(path.size() == 5 && path[1].yaw == path[0].yaw && path[0].yaw > 0.0);
    for (std::size_t i = 1; i < path.size(); i++) CHECK(std::hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y) <= 0.25);
}

static void refusals() {
    Drawn drawn({"..#?.", "..#?.", "..i#."});
    const Pose inside = middle(0, 0), outside = {-0.01, 0.05, 0.0}, wall = middle(2, 1), beyond = middle(4, 0);
    CHECK(refuses<nav2::StartOutsideMapBounds>(drawn, {}, outside, inside));
    CHECK(refuses<nav2::GoalOutsideMapBounds>(drawn, {}, inside, {0.51, 0.05, 0.0}));
    CHECK(refuses<nav2::GoalOutsideMapBounds>(drawn, {}, inside, {std::nan(""), 0.05, 0.0}));
    CHECK(refuses<nav2::StartOccupied>(drawn, {}, wall, inside) && refuses<nav2::GoalOccupied>(drawn, {}, inside, wall));
    CHECK(refuses<nav2::NoValidPathCouldBeFound>(drawn, {}, inside, beyond));
    CHECK(refuses<octile::SpecError>(drawn, [] { nav2::Options o; o.planner = "tout-sight"; return o; }(), inside, beyond));
    nav2::Planner planner;
    CHECK(throws<nav2::PlannerException>([&] { planner.plan(inside, beyond); }, "no costmap"));
    CHECK(throws<nav2::PlannerException>([&] { planner.set_costmap({}); }, "empty"));
}

static void tolerances() {
    Drawn drawn({"...#...", "...#...", "...#..."});
    const Pose inside = middle(0, 1), wall = middle(3, 1), beyond = middle(6, 1);
    nav2::Options options;
    options.tolerance = 0.15;
    CHECK(is_at(plan(drawn, options, inside, wall).back(), 0.25, 0.15));
    CHECK(refuses<nav2::NoValidPathCouldBeFound>(drawn, options, inside, beyond));
    options.tolerance = 0.5;
    CHECK(is_at(plan(drawn, options, inside, beyond).back(), 0.25, 0.15));
    CHECK(refuses<nav2::StartOccupied>(drawn, options, wall, inside));
    options.start_tolerance = 0.15;
    CHECK(is_at(plan(drawn, options, wall, inside).front(), 0.25, 0.15));
    options.tolerance = 0.0;
    CHECK(refuses<nav2::GoalOccupied>(drawn, options, inside, wall));
}

static void costs() {
    Drawn unknown({".?."}), inscribed({".i."});
    nav2::Options options;
    CHECK(plan(unknown, options, middle(0, 0), middle(2, 0)).size() == 2);
    options.allow_unknown = false;
    CHECK(refuses<nav2::NoValidPathCouldBeFound>(unknown, options, middle(0, 0), middle(2, 0)));
    CHECK(refuses<nav2::NoValidPathCouldBeFound>(inscribed, options, middle(0, 0), middle(2, 0)));
    options.lethal = nav2::LETHAL;
    CHECK(plan(inscribed, options, middle(0, 0), middle(2, 0)).size() == 2);

    Drawn swamp({".......", ".99999.", ".99999."});
    CHECK(length(plan(swamp, {}, middle(0, 0), middle(6, 0))) < 0.61);
    CHECK(length(plan(swamp, priced(), middle(0, 0), middle(6, 0))) > 0.61);
    nav2::Options hardly = priced();
    hardly.neutral = 250.0;
    hardly.factor = 0.01;
    CHECK(length(plan(swamp, hardly, middle(0, 0), middle(6, 0))) < 0.61);

    Drawn corridor({"#######", ".......", "#######"});
    options = {};
    CHECK(plan(corridor, options, middle(1, 1), middle(5, 1)).size() == 2);
    options.radius = 0.12;
    CHECK(refuses<nav2::StartOccupied>(corridor, options, middle(1, 1), middle(5, 1)));
}

/// Prices are those that the library has for costmaps.
static void prices_of_the_library() {
    Drawn drawn(64, 48);
    drawn.scatter(5, 7);
    drawn.at(0, 0) = drawn.at(63, 47) = 0;
    const std::string header = "P5\n64 48\n255\n";
    std::vector<std::uint8_t> image(header.begin(), header.end());
    image.insert(image.end(), drawn.costs.begin(), drawn.costs.end());
    octile::LoadOptions options;
    options.prices = "costmap";
    options.unknown = "free";
    const octile::Engine engine(octile::Grid::from_memory(image, options), "terrain-jump");
    const std::vector<octile::Cell> cells = engine.find({0, 0}, {63, 47})->waypoints();
    const std::vector<Pose> path = plan(drawn, priced(), middle(0, 0), middle(63, 47));
    CHECK(path.size() == cells.size());
    for (std::size_t i = 0; i < path.size(); i++) CHECK(is_at(path[i], middle(cells[i].x, 0).x, middle(0, cells[i].y).y));
}

/// The length of a path, or -1 if there is none.
static double length_or_none(const nav2::Planner &planner, const Pose &start, const Pose &goal) {
    try {
        return length(planner.plan(start, goal));
    } catch (const nav2::PlannerException &) {
        return -1.0;
    }
}

/// A planner that has followed changes answers as a new one does.
static void changes(const nav2::Options &options, std::uint32_t one_of) {
    Drawn drawn(40, 30);
    drawn.scatter(one_of, 1);
    nav2::Planner planner(options);
    Dice dice(3);
    const auto somewhere = [&dice] { return middle(dice.below(40), dice.below(30)); };
    int found = 0;
    for (std::uint32_t round = 0; round < 60; round++) {
        const std::size_t left = dice.below(30), low = dice.below(20);
        const std::uint8_t cost = Drawn::cost("..#i?149"[dice.below(8)]);
        for (std::size_t i = 0; i < 40; i++) drawn.at(left + i % 8, low + i / 8) = cost;
        if (round % 10 == 9) drawn.scatter(one_of, round); // nearly everything changes
        planner.set_costmap(drawn.map);
        nav2::Planner fresh(options);
        fresh.set_costmap(drawn.map);
        const Pose start = somewhere(), goal = somewhere();
        const double expected = length_or_none(fresh, start, goal);
        CHECK(std::abs(length_or_none(planner, start, goal) - expected) < 1e-6);
        found += expected > 0.0;
    }
    CHECK(found > 10);
    Drawn other(20, 50);
    planner.set_costmap(other.map);
    CHECK(length_or_none(planner, middle(5, 5), middle(5, 40)) > 3.4);
    other.map.origin_x = 100.0;
    planner.set_costmap(other.map);
    CHECK(throws<nav2::StartOutsideMapBounds>([&] { planner.plan(middle(0, 0), middle(0, 49)); }, "outside"));
}

static void limits() {
    Drawn drawn(1772, 1077);
    drawn.scatter(6, 2);
    drawn.at(0, 0) = drawn.at(1771, 1076) = 0;
    nav2::Options options;
    options.planner = "astar";
    options.poll = std::chrono::milliseconds(1);
    const Pose start = middle(0, 0), goal = middle(1771, 1076);
    nav2::Planner planner(options);
    planner.set_costmap(drawn.map);
    std::atomic<int> asked{0};
    CHECK(throws<nav2::PlannerCancelled>([&] { planner.plan(start, goal, [] { return true; }); }, "cancelled"));
    CHECK(throws<nav2::PlannerCancelled>([&] { planner.plan(start, goal, [&] { return ++asked > 2; }); }, "cancelled"));
    const auto fails = [&] { return ++asked > 5 ? throw std::logic_error("no answer") : false; };
    CHECK(throws<std::logic_error>([&] { planner.plan(start, goal, fails); }, "no answer"));
    CHECK(!planner.plan(start, goal, [] { return false; }).empty());

    for (const double tolerance : {0.0, 0.5}) {
        options.timeout = std::chrono::milliseconds(2);
        options.tolerance = tolerance;
        CHECK(refuses<nav2::PlannerTimedOut>(drawn, options, start, goal));
    }
}

static void threads() {
    Drawn open(64, 64), closed(64, 64);
    for (std::size_t y = 1; y < 64; y++) closed.at(32, y) = nav2::LETHAL;
    nav2::Planner planner;
    planner.set_costmap(open.map);
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++) {
        threads.emplace_back([&] {
            for (int round = 0; round < 200; round++) CHECK(planner.plan(middle(0, 60), middle(63, 60)).size() >= 2);
        });
    }
    for (int round = 0; round < 100; round++) planner.set_costmap(round % 2 == 0 ? closed.map : open.map);
    for (std::thread &thread : threads) thread.join();
}

/// How long things take on a map as users have them; `what` is for those who look.
static void large(const nav2::Options &options, const char *what) {
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point begin) { return std::chrono::duration<double, std::milli>(Clock::now() - begin).count(); };
    Drawn drawn(1772, 1077);
    drawn.furnish(120, 12);
    nav2::Planner planner(options);
    auto begin = Clock::now();
    planner.set_costmap(drawn.map);
    const double built = since(begin);

    double updating = 0.0, planning = 0.0;
    const int rounds = 20;
    for (int round = 0; round < rounds; round++) {
        // Somebody walks by, inflated as walls are.
        const std::size_t left = 200 + 40 * static_cast<std::size_t>(round);
        for (std::size_t y = 0; y < 24; y++) {
            for (std::size_t x = 0; x < 24; x++) drawn.at(left + x, 60 + y) = static_cast<std::uint8_t>(10 * std::min(x, y));
        }
        begin = Clock::now();
        planner.set_costmap(drawn.map);
        updating += since(begin);
        begin = Clock::now();
        CHECK(planner.plan(middle(30, 30), middle(1740, 1050)).size() > 2);
        planning += since(begin);
    }
    std::printf("%s: built in %.1f ms, then %.2f ms an update and %.2f ms a plan\n", what, built, updating / rounds, planning / rounds);
}

int main() {
    metres();
    steps();
    refusals();
    tolerances();
    costs();
    prices_of_the_library();
    changes({}, 5);
    changes(priced(), 5);
    nav2::Options wide;
    wide.radius = 0.15;
    changes(wide, 60);
    limits();
    threads();
    large({}, "taut-sight");
    large(priced(), "terrain-jump with costs");
}
