// Costmaps for tests and benchmarks. Include octile_nav2.hpp first.
#ifndef DRAWN_HPP
#define DRAWN_HPP

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace nav2 = octile::nav2;

/// Random numbers, the same on every machine.
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

    /// From rows, the highest y first: `.` is free, `#` lethal, `i` inscribed, `?` unknown, and digits are costs in
    /// steps of 25.
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

    /// Blocks about one in `one_of` cells and gives the others costs, at random.
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

    /// Somebody walks through the first row of rooms, inflated like walls.
    void walk_by(std::size_t round) {
        const std::size_t left = 200 + 40 * round;
        for (std::size_t y = 0; y < 24; y++) {
            for (std::size_t x = 0; x < 24; x++) at(left + x, 60 + y) = static_cast<std::uint8_t>(10 * std::min(x, y));
        }
    }
};

/// The middle of a cell, in metres.
inline nav2::Pose middle(double x, double y) { return {0.1 * (x + 0.5), 0.1 * (y + 0.5), 0.0}; }

inline nav2::Options priced() {
    nav2::Options options;
    options.planner = "terrain-jump";
    options.use_costs = true;
    return options;
}

#endif
