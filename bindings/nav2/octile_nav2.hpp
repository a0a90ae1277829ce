/*
 * octile for Nav2: from a costmap, a start and a goal in metres to a path of poses. C++17, without ROS: docs/nav2.md
 * has the few lines that make a nav2_core::GlobalPlanner of it.
 *
 * Threads. Any number of threads may call plan() of one Planner at the same time, also while one calls set_costmap():
 * whoever is planning finishes on the map as it was.
 */

#ifndef OCTILE_NAV2_HPP
#define OCTILE_NAV2_HPP

#include <octile.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <locale>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace octile::nav2 {

/* Errors, by the names that Nav2 has for them. */

/** There is no plan. */
struct PlannerException : std::runtime_error { using std::runtime_error::runtime_error; };
/** The robot stands where it does not fit. */
struct StartOccupied : PlannerException { using PlannerException::PlannerException; };
/** The robot does not fit where it is to go. */
struct GoalOccupied : PlannerException { using PlannerException::PlannerException; };
/** The robot is not on the map. */
struct StartOutsideMapBounds : PlannerException { using PlannerException::PlannerException; };
/** The goal is not on the map. */
struct GoalOutsideMapBounds : PlannerException { using PlannerException::PlannerException; };
/** No path leads to the goal, or near enough to it. */
struct NoValidPathCouldBeFound : PlannerException { using PlannerException::PlannerException; };
/** The search took longer than it may. */
struct PlannerTimedOut : PlannerException { using PlannerException::PlannerException; };
/** The cancel checker said so. */
struct PlannerCancelled : PlannerException { using PlannerException::PlannerException; };

/* Costs of Nav2 with a meaning. */

/** The robot's inside touches something if its middle is here. */
inline constexpr std::uint8_t INSCRIBED = 253;
/** There is something. */
inline constexpr std::uint8_t LETHAL = 254;
/** Nobody knows. */
inline constexpr std::uint8_t UNKNOWN = 255;

/** How it is planned. */
struct Options {
    /** The planner: one with paths in any direction, or "terrain-jump" with use_costs. */
    std::string planner = "taut-sight:ends=centres";
    /** Whether costs make cells dear. If not, a cell is free or blocked, and any planner will do. */
    bool use_costs = false;
    /** What a cell of cost 0 costs with use_costs: the higher, the less do other costs count, as in NavFn with 50. */
    double neutral = 1.0;
    /** What is added to that for each cost, as in NavFn with 0.8. The sum is rounded, and 255 at most. */
    double factor = 1.0;
    /** The least cost that is blocked: INSCRIBED or LETHAL. */
    std::uint8_t lethal = INSCRIBED;
    /** Whether ways may lead through unknown cells. */
    bool allow_unknown = true;
    /** How far from the goal a path may end if the goal cannot be reached, in metres. */
    double tolerance = 0.0;
    /** How far from the robot a path may begin if it stands where it does not fit, in metres. */
    double start_tolerance = 0.0;
    /** The distance to keep from blocked cells, in metres, where no inflation layer does that. */
    double radius = 0.0;
    /** How far apart poses are at most, in metres; without it, paths have poses where they turn only. */
    double step = UNLIMITED;
    /** How long a search may take. */
    std::chrono::duration<double> timeout{UNLIMITED};
    /** How often the cancel checker is called. */
    std::chrono::milliseconds poll{5};
};

/** A costmap: row by row from the lowest y, as Nav2 has it. data is somebody else's. */
struct Costmap {
    /** How many cells a row has. */
    std::uint32_t width = 0;
    /** How many rows there are. */
    std::uint32_t height = 0;
    /** The side of a cell, in metres. */
    double resolution = 0.05;
    /** The corner with the least x, in metres. */
    double origin_x = 0.0;
    /** The corner with the least y, in metres. */
    double origin_y = 0.0;
    /** The costs, size() of them. */
    const std::uint8_t *data = nullptr;

    /** How many cells there are. */
    std::size_t size() const noexcept { return std::size_t{width} * height; }
};

/** A place in metres, and where one looks there, in radians. */
struct Pose {
    double x = 0.0;
    double y = 0.0;
    double yaw = 0.0;
};

namespace detail {

/** Where cells lie. Rows are counted upwards here, as in Nav2: paths on a map are those on its mirror image. */
struct Place {
    std::uint32_t width;
    std::uint32_t height;
    double resolution;
    double x;
    double y;

    explicit Place(const Costmap &map)
        : width(map.width), height(map.height), resolution(map.resolution), x(map.origin_x), y(map.origin_y) {}

    /** Whether a map lies there. */
    bool is_of(const Costmap &map) const {
        return width == map.width && height == map.height && resolution == map.resolution && x == map.origin_x &&
               y == map.origin_y;
    }

    /** The cell of a place in metres, if it is on the map. */
    std::optional<Cell> cell(const Pose &pose) const {
        const double column = std::floor((pose.x - x) / resolution), row = std::floor((pose.y - y) / resolution);
        if (!(column >= 0.0 && column < width && row >= 0.0 && row < height)) return std::nullopt;
        return Cell{static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row)};
    }

    /** A point in metres. */
    Pose pose(Point point) const { return {x + point.x * resolution, y + point.y * resolution, 0.0}; }
};

/** Sets a flag when a function says so, which a thread of its own asks again and again; there may be no function. */
class Watch {
  public:
    Watch(const std::function<bool()> &is_cancelled, std::chrono::milliseconds poll) {
        if (is_cancelled) thread_ = std::thread([this, &is_cancelled, poll] { run(is_cancelled, poll); });
    }
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;
    ~Watch() { end(); }

    /** The flag. */
    const Flag &flag() const noexcept { return flag_; }

    /** Asks no more. What the function has thrown goes on. */
    void finish() {
        end();
        if (thrown_) std::rethrow_exception(thrown_);
    }

  private:
    void run(const std::function<bool()> &is_cancelled, std::chrono::milliseconds poll) {
        std::unique_lock lock(mutex_);
        try {
            do {
                if (changed_.wait_for(lock, poll, [this] { return is_over_; })) return;
            } while (!is_cancelled());
        } catch (...) {
            thrown_ = std::current_exception();
        }
        flag_.set();
    }

    void end() {
        if (!thread_.joinable()) return;
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

    Flag flag_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_over_ = false;
    std::exception_ptr thrown_;
    std::thread thread_;
};

} // namespace detail

/** Plans on a costmap that changes. */
class Planner {
  public:
    /** A planner without a map yet. */
    explicit Planner(Options options = {}) : options_(std::move(options)), prices_(price_table(options_)) {}

    /** Takes a costmap. If it lies where the last did, only what has changed is passed on to the engine. */
    void set_costmap(const Costmap &map) {
        if (map.data == nullptr || map.size() == 0 || !(map.resolution > 0.0)) {
            throw PlannerException("the costmap is empty, or its resolution is not positive");
        }
        const std::lock_guard lock(changing_);
        const std::shared_ptr<const World> old = world();
        const bool is_followed = old && old->place.is_of(map) && apply(*old->engine, map);
        if (!is_followed) replace(build(map));
        costs_.assign(map.data, map.data + map.size());
    }

    /** A path from where the robot is to a goal, on the costmap that was set last. */
    std::vector<Pose> plan(const Pose &start, const Pose &goal, const std::function<bool()> &is_cancelled = {}) const {
        const std::shared_ptr<const World> world = this->world();
        if (!world) throw PlannerException("there is no costmap yet");
        const std::optional<Cell> from = world->place.cell(start), to = world->place.cell(goal);
        if (!from) throw StartOutsideMapBounds("the start " + text(start) + " is outside of the map");
        if (!to) throw GoalOutsideMapBounds("the goal " + text(goal) + " is outside of the map");
        const Task task{*world, start, goal, *from, *to};
        const Answer answer = ask(task, is_cancelled);
        if (!is_near(task, answer)) refuse(task);
        return poses(task, answer);
    }

  private:
    /** What is planned on. */
    struct World {
        detail::Place place;
        std::shared_ptr<const Engine> engine;
        /** The same for the size of the robot. */
        std::shared_ptr<const Engine> sized;
    };

    using Prices = std::array<std::uint8_t, 256>;

    /** What cells of each cost are priced at; 0 is blocked. Without costs, all others are 1. */
    static Prices price_table(const Options &options) {
        Prices prices{};
        for (std::size_t cost = 0; cost < std::min(options.lethal, UNKNOWN); cost++) {
            const double price = options.neutral + options.factor * static_cast<double>(cost);
            prices[cost] = options.use_costs ? static_cast<std::uint8_t>(std::clamp(std::round(price), 1.0, 255.0)) : 1;
        }
        prices[UNKNOWN] = options.allow_unknown ? prices[0] : 0;
        return prices;
    }

    std::shared_ptr<const World> world() const {
        const std::lock_guard lock(reading_);
        return world_;
    }

    void replace(std::shared_ptr<const World> world) {
        const std::lock_guard lock(reading_);
        world_ = std::move(world);
    }

    /** An engine for a new map. */
    std::shared_ptr<const World> build(const Costmap &map) const {
        auto engine = std::make_shared<const Engine>(grid(map), options_.planner);
        auto sized = engine;
        if (options_.radius > 0.0) {
            sized = std::make_shared<const Engine>(engine->for_agent("disc:" + text(options_.radius / map.resolution)));
        }
        return std::make_shared<World>(World{detail::Place(map), std::move(engine), std::move(sized)});
    }

    Grid grid(const Costmap &map) const {
        std::vector<std::uint8_t> cells(map.data, map.data + map.size());
        for (std::uint8_t &cell : cells) cell = options_.use_costs ? prices_[cell] : prices_[cell] == 0;
        if (!options_.use_costs) return Grid::from_blocked(map.width, map.height, cells);
        Grid grid = Grid::open(map.width, map.height);
        grid.set_prices(cells);
        return grid;
    }

    /** Makes the differences to the last costmap; false if they are so many that a new engine is sooner built. */
    bool apply(const Engine &engine, const Costmap &map) {
        edits_.clear();
        const std::size_t most = map.size() / 16;
        for (std::uint32_t y = 0; y < map.height && edits_.size() <= most; y++) add_differences(y, map);
        if (edits_.size() > most) return false;
        if (edits_.size() > 0) engine.apply(edits_);
        return true;
    }

    /** Adds those of a row: runs of cells that have changed to the same price. */
    void add_differences(std::uint32_t y, const Costmap &map) {
        const std::uint8_t *const now = map.data + std::size_t{y} * map.width;
        const std::uint8_t *const before = costs_.data() + std::size_t{y} * map.width;
        if (std::equal(now, now + map.width, before)) return;
        const auto is_change = [&](std::uint32_t x, std::uint8_t price) {
            return prices_[now[x]] == price && prices_[before[x]] != price;
        };
        for (std::uint32_t x = 0; x < map.width; x++) {
            const std::uint8_t price = prices_[now[x]];
            if (!is_change(x, price)) continue;
            const std::uint32_t begin = x;
            while (x + 1 < map.width && is_change(x + 1, price)) x++;
            add(Cell{begin, y}, Cell{x, y}, price);
        }
    }

    void add(Cell first, Cell last, std::uint8_t price) {
        if (price == 0) {
            edits_.block(first, last);
        } else {
            edits_.unblock(first, last);
            if (options_.use_costs) edits_.price(first, last, price);
        }
    }

    /** What is to be planned. */
    struct Task {
        const World &world;
        const Pose &start;
        const Pose &goal;
        Cell from;
        Cell to;
    };

    Answer ask(const Task &task, const std::function<bool()> &is_cancelled) const {
        if (is_cancelled && is_cancelled()) throw PlannerCancelled("the plan was cancelled");
        detail::Watch watch(is_cancelled, options_.poll);
        Terms terms;
        terms.nearest = options_.start_tolerance > 0.0 ? Nearest::Both
                        : options_.tolerance > 0.0     ? Nearest::Goal
                                                       : Nearest::No;
        terms.timeout = options_.timeout;
        terms.cancel = &watch.flag();
        const auto begin = std::chrono::steady_clock::now();
        Result<Answer> answer = task.world.sized->try_ask(task.from, Span<const Cell>(&task.to, 1), terms);
        const bool is_late = std::chrono::steady_clock::now() - begin >= options_.timeout;
        watch.finish();
        if (watch.flag().is_set()) throw PlannerCancelled("the plan was cancelled");
        // An end is blocked: who checks looks which.
        if (!answer && answer.error().status == OCTILE_QUERY) return {};
        // Out of time, a search gives what it has come to: that will do if it is near enough.
        if (is_late && !is_near(task, answer.value())) throw PlannerTimedOut("planning took too long");
        return std::move(answer).value();
    }

    /** Whether there is a path that begins and ends near enough. */
    bool is_near(const Task &task, const Answer &answer) const {
        const double cell = task.world.place.resolution;
        return answer && cell * distance(answer.start, task.from) <= options_.start_tolerance &&
               cell * answer.away <= options_.tolerance;
    }

    /** Says why there is no path. */
    [[noreturn]] static void refuse(const Task &task) {
        const auto is_occupied = [&](Cell end) { return !task.world.sized->connected(end, end); };
        const std::string start = text(task.start), goal = text(task.goal);
        if (is_occupied(task.from)) throw StartOccupied("the start " + start + " is occupied");
        if (is_occupied(task.to)) throw GoalOccupied("the goal " + goal + " is occupied");
        throw NoValidPathCouldBeFound("no path leads from " + start + " to " + goal);
    }

    static double distance(Cell a, Cell b) {
        return std::hypot(static_cast<double>(a.x) - b.x, static_cast<double>(a.y) - b.y);
    }

    /** The points of a path in metres, each looking at the next; the last looks where the goal does, if it is there. */
    std::vector<Pose> poses(const Task &task, const Answer &answer) const {
        std::vector<Pose> poses;
        for (const Point point : points(answer.path)) add_pose(poses, task.world.place.pose(point));
        if (answer.away == 0.0) {
            poses.back().yaw = task.goal.yaw;
        } else if (poses.size() > 1) {
            poses.back().yaw = poses[poses.size() - 2].yaw;
        }
        return poses;
    }

    static std::vector<Point> points(const Path &path) {
        if (path.is_any_angle()) return path.points();
        std::vector<Point> points;
        for (const Cell cell : path.waypoints()) points.push_back({cell.x + 0.5, cell.y + 0.5});
        return points;
    }

    /** Adds a pose, and those before it that are to be no farther apart than a step. */
    void add_pose(std::vector<Pose> &poses, const Pose &next) const {
        if (poses.empty()) return poses.push_back(next);
        const Pose last = poses.back();
        const double dx = next.x - last.x, dy = next.y - last.y, yaw = std::atan2(dy, dx);
        const auto pieces = static_cast<std::size_t>(std::max(1.0, std::ceil(std::hypot(dx, dy) / options_.step)));
        poses.back().yaw = yaw;
        for (std::size_t i = 1; i < pieces; i++) {
            const double part = static_cast<double>(i) / static_cast<double>(pieces);
            poses.push_back({last.x + part * dx, last.y + part * dy, yaw});
        }
        poses.push_back(next);
    }

    /** A number with a point, whatever the locale. */
    static std::string text(double number) {
        std::ostringstream text;
        text.imbue(std::locale::classic());
        text << number;
        return text.str();
    }

    static std::string text(const Pose &pose) { return text(pose.x) + ", " + text(pose.y); }

    const Options options_;
    const Prices prices_;
    /** Held while the map changes, with what belongs to that: the costs of all cells as the engine has them. */
    std::mutex changing_;
    std::vector<std::uint8_t> costs_;
    Edits edits_;
    /** Held for a moment only. */
    mutable std::mutex reading_;
    std::shared_ptr<const World> world_;
};

} // namespace octile::nav2

#endif // OCTILE_NAV2_HPP
