// Makes maps and scenarios of all kinds in a folder: generate DIR. Their lengths are those of the runner's own search.

#include "../runner/judge.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>

namespace {

std::mt19937 dice(7);

std::uint16_t below(std::uint32_t limit) { return static_cast<std::uint16_t>(dice() % limit); }

gppc_point anywhere(const Bitmap &map) { return {below(map.width()), below(map.height())}; }

Bitmap noise(std::uint32_t width, std::uint32_t height, std::uint32_t percent) {
    Bitmap map(width, height, true);
    for (std::uint32_t y = 0; y < height; y++) {
        for (std::uint32_t x = 0; x < width; x++) map.set(x, y, below(100) >= percent);
    }
    return map;
}

// Rooms of 8 x 8 cells, with a door in most walls.
Bitmap rooms(std::uint32_t width, std::uint32_t height) {
    Bitmap map(width, height, true);
    for (std::uint32_t y = 0; y < height; y++) {
        for (std::uint32_t x = 0; x < width; x++) map.set(x, y, x % 8 != 0 && y % 8 != 0);
    }
    for (std::uint32_t y = 0; y + 8 < height; y += 8) {
        for (std::uint32_t x = 0; x + 8 < width; x += 8) {
            map.set(x + 8, y + 1 + below(7), true);
            map.set(x + 1 + below(7), y + 8, below(8) > 0);
        }
    }
    return map;
}

// Corridors one cell wide that go to and fro: a path of very many turns.
Bitmap snake(std::uint32_t width, std::uint32_t height) {
    Bitmap map(width, height, true);
    for (std::uint32_t x = 1; x < width; x += 2) {
        for (std::uint32_t y = 0; y < height; y++) map.set(x, y, y == (x % 4 == 1 ? height - 1 : 0));
    }
    return map;
}

void write_rows(std::ostream &out, const Bitmap &map) {
    out << "height " << map.height() << "\nwidth " << map.width() << "\nmap\n";
    for (std::uint32_t y = 0; y < map.height(); y++) {
        for (std::uint32_t x = 0; x < map.width(); x++) out << (map.is_free(x, y) ? '.' : '@');
        out << '\n';
    }
}

// A length as scenarios have it, with so many digits, or what stands for "no path".
std::string length(const Bitmap &map, gppc_point start, gppc_point goal, int digits, const char *none) {
    auto cost = shortest(map, start, goal);
    if (!cost || !map.is_free(goal.x, goal.y)) return none;
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", digits, cost->length());
    return text;
}

void write_static(const std::string &name, const Bitmap &map, int queries, int digits) {
    std::ofstream file(name + ".map"), scenario(name + ".map.scen");
    file << "type octile\n";
    write_rows(file, map);
    scenario << "version 1\n";
    for (int i = 0; i < queries; i++) {
        gppc_point start = anywhere(map), goal = anywhere(map);
        scenario << i / 10 << "\tmaps/a map.map\t" << map.width() << '\t' << map.height() << '\t' << start.x << '\t'
                 << start.y << '\t' << goal.x << '\t' << goal.y << '\t' << length(map, start, goal, digits, "0")
                 << '\n';
    }
}

void write_dynamic(const std::string &name, const Bitmap &first, bool begins_free, int batches) {
    Bitmap map(first.width(), first.height(), true);
    std::vector<Bitmap> patches{first};
    std::ostringstream commands;
    auto put = [&](int batch, std::size_t patch, gppc_point at) {
        map.put(patches[patch], at);
        commands << "P " << batch << ' ' << patch << ' ' << at.x << ' ' << at.y << '\n';
    };
    for (int batch = 0; batch < batches; batch++) {
        if (batch == (begins_free ? 1 : 0)) put(batch, 0, {0, 0});
        for (int change = 0; change < 3 && batch > 1; change++) {
            gppc_point at = anywhere(map);
            patches.push_back(noise(1 + below(std::min(map.width() - at.x, 12u)),
                                    1 + below(std::min(map.height() - at.y, 12u)), below(101)));
            put(batch, patches.size() - 1, at);
        }
        for (int query = 0; query < 10; query++) {
            gppc_point start = anywhere(map), goal = anywhere(map);
            commands << "Q " << batch << ' ' << start.x << ' ' << start.y << ' ' << goal.x << ' ' << goal.y << " 0.5 "
                     << length(map, start, goal, 14, "-1") << '\n';
        }
    }
    std::ofstream scenario(name + ".scen"), file(name + ".patch");
    scenario << "version 2\nheight " << map.height() << "\nwidth " << map.width() << "\ncost 2 other octile\npatch "
             << name.substr(name.rfind('/') + 1) << ".patch\ncommands\n"
             << commands.str();
    file << "type patch\npatches " << patches.size() << '\n';
    for (std::size_t i = 0; i < patches.size(); i++) {
        file << "patch " << i << '\n';
        write_rows(file, patches[i]);
    }
}

} // namespace

int main(int, char **arguments) {
    std::string folder = std::string(arguments[1]) + "/";
    write_static(folder + "noise", noise(61, 47, 30), 200, 6);
    write_static(folder + "rooms", rooms(97, 64), 200, 8);
    write_static(folder + "snake", snake(211, 90), 40, 9);
    write_static(folder + "cell", noise(1, 1, 0), 2, 6);
    write_static(folder + "wall", noise(3, 2, 100), 2, 6);
    write_static(folder + "row", noise(70, 1, 3), 50, 6);
    write_dynamic(folder + "siege", rooms(65, 49), false, 30);
    write_dynamic(folder + "flood", noise(50, 77, 25), true, 30);
}
