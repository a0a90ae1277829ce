// octile_nav2.hpp on drawn costmaps, and on one of 1772 x 1077 cells, a size that users have.
#include <octile.h>

// All searches of octile.hpp go through this function, so that a test can order events and see how the search ended.
static octile_status observed_ask(const octile_engine *engine, octile_cell start, const octile_cell *goals,
                                  std::size_t goal_count, const octile_terms *terms, octile_path *path,
                                  octile_reply *reply);
#define octile_ask observed_ask
#include <octile_nav2.hpp>
#undef octile_ask

#include "../../c/tests/check.hpp"
#include "drawn.hpp"

#include <atomic>
#include <initializer_list>

using nav2::Pose;

/// What is known of this thread's searches since `begin`.
struct Searches {
    /// Whether a search waits for its cancel flag before it starts.
    bool waits_for_cancel = false;
    int begun = 0;
    octile_status last = OCTILE_OK;
    std::string message;

    void begin(bool waits) {
        waits_for_cancel = waits;
        begun = 0;
        last = OCTILE_OK;
        message.clear();
    }
};

static thread_local Searches searches;

static octile_status observed_ask(const octile_engine *engine, octile_cell start, const octile_cell *goals,
                                  std::size_t goal_count, const octile_terms *terms, octile_path *path,
                                  octile_reply *reply) {
    searches.begun++;
    if (searches.waits_for_cancel) wait_until([&] { return octile_flag_is_set(terms->cancel); });
    const octile_status status = octile_ask(engine, start, goals, goal_count, terms, path, reply);
    searches.last = status;
    if (status != OCTILE_OK) searches.message = octile_error_message();
    return status;
}

static bool is_at(const Pose &pose, double x, double y) { return std::hypot(pose.x - x, pose.y - y) < 1e-9; }

static double length(const std::vector<Pose> &path) {
    double length = 0.0;
    for (std::size_t i = 1; i < path.size(); i++)
        length += std::hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y);
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

static void metres() {
    Drawn drawn({
        ".....",
        ".###.",
        ".###.",
        ".....",
    });
    const std::vector<Pose> path = plan(drawn, {}, {0.04, 0.07, 1.0}, {0.42, 0.33, -2.0});
    CHECK(path.size() == 3 && is_at(path.front(), 0.05, 0.05) && is_at(path.back(), 0.45, 0.35));
    CHECK(path.back().yaw == -2.0 && std::abs(path[0].yaw - std::atan2(path[1].y - 0.05, path[1].x - 0.05)) < 1e-9);

    // y goes upwards: the way round the upper end of a wall is the short one.
    Drawn wall({
        "....",
        ".##.",
        ".##.",
        ".##.",
        "....",
    });
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
    for (std::size_t i = 1; i < path.size(); i++)
        CHECK(std::hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y) <= 0.25);
}

static void refusals() {
    Drawn drawn({"..#?.", "..#?.", "..i#."});
    const Pose inside = middle(0, 0), outside = {-0.01, 0.05, 0.0}, wall = middle(2, 1), beyond = middle(4, 0);
    CHECK(refuses<nav2::StartOutsideMapBounds>(drawn, {}, outside, inside));
    CHECK(refuses<nav2::GoalOutsideMapBounds>(drawn, {}, inside, {0.51, 0.05, 0.0}));
    CHECK(refuses<nav2::GoalOutsideMapBounds>(drawn, {}, inside, {std::nan(""), 0.05, 0.0}));
    CHECK(refuses<nav2::StartOccupied>(drawn, {}, wall, inside) &&
          refuses<nav2::GoalOccupied>(drawn, {}, inside, wall));
    CHECK(refuses<nav2::NoValidPathCouldBeFound>(drawn, {}, inside, beyond));
    nav2::Options misspelt;
    misspelt.planner = "tout-sight";
    CHECK(refuses<octile::SpecError>(drawn, misspelt, inside, beyond));
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
    for (std::size_t i = 0; i < path.size(); i++)
        CHECK(is_at(path[i], middle(cells[i].x, 0).x, middle(0, cells[i].y).y));
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

/// Whether the last search ended because its flag was set, and not because it was done.
static bool was_cancelled() {
    return searches.begun == 1 && searches.last == OCTILE_LIMIT &&
           searches.message.find("cancelled") != std::string::npos;
}

static void cancellation() {
    Drawn drawn(40, 30);
    nav2::Options options;
    options.poll = std::chrono::milliseconds(1);
    const Pose start = middle(0, 0), goal = middle(39, 29);
    nav2::Planner planner(options);
    planner.set_costmap(drawn.map);

    // A request that is cancelled from the start is never searched.
    searches.begin(false);
    CHECK(throws<nav2::PlannerCancelled>([&] { planner.plan(start, goal, [] { return true; }); }, "cancelled"));
    CHECK(searches.begun == 0);

    // The checker is called once before the search and then again and again; the first yes sets the flag of the search.
    searches.begin(true);
    std::atomic<int> asked{0};
    CHECK(
        throws<nav2::PlannerCancelled>([&] { planner.plan(start, goal, [&] { return ++asked == 4; }); }, "cancelled"));
    CHECK(asked == 4 && was_cancelled());

    // What the checker throws ends the search too, and reaches the caller.
    searches.begin(true);
    asked = 0;
    const auto fails = [&] { return ++asked == 3 ? throw std::logic_error("no answer") : false; };
    CHECK(throws<std::logic_error>([&] { planner.plan(start, goal, fails); }, "no answer"));
    CHECK(asked == 3 && was_cancelled());

    // A plan that is not cancelled is found, and does not wait for the next poll.
    searches.begin(false);
    options.poll = std::chrono::hours(1);
    nav2::Planner patient(options);
    patient.set_costmap(drawn.map);
    CHECK(patient.plan(start, goal, [] { return false; }).size() == 2 && searches.last == OCTILE_OK);
}

static void timeouts() {
    Drawn drawn(40, 30);
    const Pose start = middle(0, 0), goal = middle(39, 29);
    for (const char *planner : {"astar", "taut-sight:ends=centres"}) {
        nav2::Options options;
        options.planner = planner;
        options.timeout = std::chrono::hours(1);
        CHECK(is_at(plan(drawn, options, start, goal).back(), goal.x, goal.y));
        options.timeout = std::chrono::seconds(0);
        for (const double tolerance : {0.0, 0.5}) {
            options.tolerance = tolerance;
            CHECK(refuses<nav2::PlannerTimedOut>(drawn, options, start, goal));
        }
        // Any cell is near enough, such as the one the search has reached in no time.
        options.tolerance = 100.0;
        CHECK(is_at(plan(drawn, options, start, goal).front(), start.x, start.y));
    }
}

static void threads() {
    Drawn open(64, 64), closed(64, 64);
    for (std::size_t y = 1; y < 64; y++) closed.at(32, y) = nav2::LETHAL;
    nav2::Planner planner;
    planner.set_costmap(open.map);
    std::vector<std::thread> threads;
    std::atomic<int> planning{0};
    std::atomic<bool> is_changed{false};
    for (int i = 0; i < 2; i++) {
        threads.emplace_back([&] {
            planning++;
            for (int round = 0; round < 200 || !is_changed; round++) {
                CHECK(planner.plan(middle(0, 60), middle(63, 60)).size() >= 2);
            }
        });
    }
    wait_until([&] { return planning == 2; });
    for (int round = 0; round < 100; round++) planner.set_costmap(round % 2 == 0 ? closed.map : open.map);
    is_changed = true;
    for (std::thread &thread : threads) thread.join();
}

/// A large planner that has followed changes plans as a new one does.
static void large(const nav2::Options &options) {
    Drawn drawn(1772, 1077);
    drawn.furnish(120, 12);
    nav2::Planner planner(options);
    planner.set_costmap(drawn.map);
    const Pose start = middle(30, 30), goal = middle(1740, 1050);
    const double before = length(planner.plan(start, goal));
    for (std::size_t round = 0; round < 3; round++) {
        drawn.walk_by(round);
        planner.set_costmap(drawn.map);
    }
    // The door that the path goes through is shut.
    for (std::size_t y = 0; y < 120; y++) drawn.at(120, y) = nav2::LETHAL;
    planner.set_costmap(drawn.map);
    nav2::Planner fresh(options);
    fresh.set_costmap(drawn.map);
    const double after = length(planner.plan(start, goal));
    CHECK(before > 0.0 && after >= before - 1e-6 && std::abs(after - length(fresh.plan(start, goal))) < 1e-6);
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
    cancellation();
    timeouts();
    threads();
    large({});
    large(priced());
}
