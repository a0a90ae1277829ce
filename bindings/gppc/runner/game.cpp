#include "game.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace {

using Words = std::vector<std::string_view>;

// The letters of maps, the free ones first.
constexpr std::string_view TERRAIN = ".GS@OTW";
constexpr std::size_t FREE_TERRAIN = 3;

// A text file, line by line, which knows where it is.
class Lines {
  public:
    explicit Lines(const std::filesystem::path &file) : file(file), stream(file) {
        if (!stream) throw Error(file.string() + ": the file cannot be read");
    }

    [[noreturn]] void fail(const std::string &message) const {
        throw Error(file.string() + ", line " + std::to_string(number) + ": " + message);
    }

    // The next line, without blanks at its end.
    bool next() {
        if (!std::getline(stream, line)) return false;
        number++;
        line.erase(line.find_last_not_of(" \t\r") + 1);
        return true;
    }

    // The words of the next line that has any.
    bool next(Words &words) {
        do {
            if (!next()) return false;
            split(words);
        } while (words.empty());
        return true;
    }

    void must_next(Words &words, const char *expected) {
        if (!next(words)) fail(std::string("the file ends where ") + expected + " was expected");
    }

    const std::string &text() const { return line; }

    std::uint32_t whole(std::string_view word, std::uint32_t below) const {
        std::uint32_t value;
        auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size() || value >= below) {
            fail("expected a whole number below " + std::to_string(below) + ", found `" + std::string(word) + "`");
        }
        return value;
    }

    std::uint32_t side(std::string_view word) const {
        std::uint32_t value = whole(word, 1u << 16);
        if (value == 0) fail("a side of 0 cells");
        return value;
    }

    gppc_point point(std::string_view x, std::string_view y, const Bitmap &map) const {
        return {static_cast<std::uint16_t>(whole(x, map.width())), static_cast<std::uint16_t>(whole(y, map.height()))};
    }

    const std::filesystem::path file;

  private:
    void split(Words &words) const {
        words.clear();
        std::string_view rest = line;
        for (std::size_t begin; (begin = rest.find_first_not_of(" \t")) != rest.npos;) {
            std::size_t end = std::min(rest.find_first_of(" \t", begin), rest.size());
            words.push_back(rest.substr(begin, end - begin));
            rest.remove_prefix(end);
        }
    }

    std::ifstream stream;
    std::string line;
    std::size_t number = 0;
};

// The header of a map or patch from its sides up to `map`, then its rows.
Bitmap read_bitmap(Lines &lines) {
    Words words;
    std::optional<std::uint32_t> width, height;
    for (lines.must_next(words, "`map`"); words[0] != "map"; lines.must_next(words, "`map`")) {
        if (words.size() != 2 || (words[0] != "width" && words[0] != "height"))
            lines.fail("expected `height H`, `width W` or `map`");
        (words[0] == "width" ? width : height) = lines.side(words[1]);
    }
    if (!width || !height) lines.fail("`height H` and `width W` are missing before `map`");

    Bitmap bitmap(*width, *height, false);
    for (std::uint32_t y = 0; y < *height; y++) {
        if (!lines.next() || lines.text().size() != *width)
            lines.fail("expected a row of " + std::to_string(*width) + " cells");
        for (std::uint32_t x = 0; x < *width; x++) {
            char terrain = lines.text()[x];
            if (TERRAIN.find(terrain) == TERRAIN.npos) lines.fail(std::string("unknown terrain `") + terrain + "`");
            bitmap.set(x, y, TERRAIN.find(terrain) < FREE_TERRAIN);
        }
    }
    return bitmap;
}

Bitmap load_map(const std::filesystem::path &file) {
    Lines lines(file);
    Words words;
    lines.must_next(words, "`type octile`");
    if (words != Words{"type", "octile"}) lines.fail("expected `type octile`");
    return read_bitmap(lines);
}

std::vector<Bitmap> load_patches(const std::filesystem::path &file) {
    Lines lines(file);
    Words words;
    lines.must_next(words, "`type patch`");
    if (words != Words{"type", "patch"}) lines.fail("expected `type patch`");
    lines.must_next(words, "`patches N`");
    if (words.size() != 2 || words[0] != "patches") lines.fail("expected `patches N`");
    std::uint32_t count = lines.whole(words[1], UINT32_MAX);

    std::vector<Bitmap> patches;
    while (patches.size() < count) {
        std::string expected = "patch " + std::to_string(patches.size());
        lines.must_next(words, expected.c_str());
        if (lines.text() != expected) lines.fail("expected `" + expected + "`");
        patches.push_back(read_bitmap(lines));
    }
    return patches;
}

// How a file prints its lengths: with so many digits at most, and so many behind the point. Zeros at the end may have
// been dropped, so that one length alone does not tell.
class Precision {
  public:
    void see(std::string_view length) {
        std::size_t point = std::min(length.find('.'), length.size());
        decimals = std::max(decimals, length.size() - std::min(point + 1, length.size()));
        digits = std::max(digits, length.size() - (point < length.size() ? 1 : 0));
    }

    // One in the last digit of a length: it was rounded, often from a sum of floats. And what our own sum in doubles
    // may have cost.
    double tolerance(double length) const {
        auto before_point = static_cast<std::size_t>(length < 10 ? 1 : std::floor(std::log10(length)) + 1);
        std::size_t behind_point = std::min(decimals, digits - std::min(digits, before_point));
        return std::pow(10.0, -static_cast<double>(behind_point)) + 1e-11 * (1 + length);
    }

  private:
    std::size_t decimals = 0, digits = 0;
};

double read_length(const Lines &lines, std::string_view word) {
    try {
        std::size_t end;
        double length = std::stod(std::string(word), &end);
        if (end == word.size() && std::isfinite(length)) return length;
    } catch (const std::logic_error &) {
    }
    lines.fail("expected a length, found `" + std::string(word) + "`");
}

void set_tolerances(Game &game, const Precision &precision) {
    for (Batch &batch : game.batches) {
        for (Query &query : batch.queries) query.optimum.tolerance = precision.tolerance(query.optimum.length);
    }
}

Game load_static(Lines &lines) {
    std::filesystem::path map = std::filesystem::path(lines.file).replace_extension();
    Game game{load_map(map), {}, {Batch{}}};
    Precision precision;
    for (Words words; lines.next(words);) {
        if (words.size() < 9)
            lines.fail("expected 9 columns: bucket, map, width, height, start x and y, goal x and y, length");
        Words last(words.end() - 7, words.end()); // a name of a map may have blanks in it
        if (lines.side(last[0]) != game.map.width() || lines.side(last[1]) != game.map.height())
            lines.fail(map.string() + " has other sides");
        gppc_point start = lines.point(last[2], last[3], game.map), goal = lines.point(last[4], last[5], game.map);
        double length = read_length(lines, last[6]);
        precision.see(last[6]);
        // Length 0 says that there is no path, but from a free cell to itself.
        bool has_path = length > 0 || (is_same(start, goal) && game.map.is_free(start.x, start.y));
        game.batches[0].queries.push_back({start, goal, {has_path, length, 0}});
    }
    set_tolerances(game, precision);
    return game;
}

// What stands before the commands of a dynamic scenario.
struct Header {
    std::optional<std::uint32_t> width, height;
    std::size_t costs = 0, octile = 0; // how many costs a query has, and which of them is ours
    std::string patches;
};

void read_costs(const Lines &lines, const Words &words, Header &header) {
    header.costs = words.size() - 2;
    header.octile = static_cast<std::size_t>(std::find(words.begin() + 2, words.end(), "octile") - words.begin()) - 2;
    if (lines.whole(words[1], UINT32_MAX) != header.costs || header.octile == header.costs) {
        lines.fail("expected `cost N` and N names, one of them `octile`");
    }
}

Header read_header(Lines &lines) {
    Header header;
    Words words;
    for (lines.must_next(words, "`commands`"); words[0] != "commands"; lines.must_next(words, "`commands`")) {
        if (words.size() < 2) lines.fail("expected a word and its value");
        if (words[0] == "width") {
            header.width = lines.side(words[1]);
        } else if (words[0] == "height") {
            header.height = lines.side(words[1]);
        } else if (words[0] == "cost") {
            read_costs(lines, words, header);
        } else if (words[0] == "patch") {
            header.patches.assign(words[1].data(), words.back().data() + words.back().size());
        } else {
            lines.fail("unknown word `" + std::string(words[0]) + "`");
        }
    }
    if (!header.width || !header.height || header.costs == 0 || header.patches.empty()) {
        lines.fail("`height H`, `width W`, `cost N NAME...` and `patch FILE` are needed before `commands`");
    }
    return header;
}

Change read_change(const Lines &lines, const Words &words, const Game &game) {
    if (words.size() != 5) lines.fail("expected `P batch patch x y`");
    Change change{lines.whole(words[2], static_cast<std::uint32_t>(game.patches.size())),
                  lines.point(words[3], words[4], game.map)};
    const Bitmap &patch = game.patches[change.patch];
    if (change.at.x + patch.width() > game.map.width() || change.at.y + patch.height() > game.map.height()) {
        lines.fail("the patch does not lie on the map");
    }
    return change;
}

Query read_query(const Lines &lines, const Words &words, const Game &game, const Header &header, Precision &precision) {
    if (words.size() != 6 + header.costs) lines.fail("expected `Q batch start-x start-y goal-x goal-y COST...`");
    std::string_view cost = words[6 + header.octile];
    double length = read_length(lines, cost);
    if (length >= 0) precision.see(cost);
    return {
        lines.point(words[2], words[3], game.map), lines.point(words[4], words[5], game.map), {length >= 0, length, 0}};
}

// The map starts free. What is changed before the first query belongs to the map that an entry is given.
void carve(Game &game) {
    if (game.batches.empty()) return;
    for (const Change &change : game.batches[0].changes) game.map.put(game.patches[change.patch], change.at);
    game.batches[0].changes.clear();
}

Game load_dynamic(Lines &lines) {
    Header header = read_header(lines);
    Game game{Bitmap(*header.width, *header.height, true),
              load_patches(lines.file.parent_path() / header.patches),
              {Batch{}}};
    Precision precision;
    for (Words words; lines.next(words);) {
        if (words[0] == "P") {
            if (!game.batches.back().queries.empty()) game.batches.emplace_back();
            game.batches.back().changes.push_back(read_change(lines, words, game));
        } else if (words[0] == "Q") {
            game.batches.back().queries.push_back(read_query(lines, words, game, header, precision));
        } else {
            lines.fail("expected `P` or `Q`, found `" + std::string(words[0]) + "`");
        }
    }
    set_tolerances(game, precision);
    carve(game);
    return game;
}

void keep_every(Game &game, std::size_t every) {
    std::size_t number = 0;
    for (Batch &batch : game.batches) {
        auto is_left_out = [&](const Query &) { return number++ % every != 0; };
        batch.queries.erase(std::remove_if(batch.queries.begin(), batch.queries.end(), is_left_out),
                            batch.queries.end());
    }
}

} // namespace

Bitmap::Bitmap(std::uint32_t width, std::uint32_t height, bool is_free)
    : columns(width), rows(height), bits((std::size_t{width} * height + 7) / 8, is_free ? 0xff : 0) {}

bool Bitmap::is_free(std::int64_t x, std::int64_t y) const {
    if (x < 0 || y < 0 || x >= columns || y >= rows) return false;
    auto i = static_cast<std::size_t>(y) * columns + static_cast<std::size_t>(x);
    return bits[i / 8] >> (i % 8) & 1;
}

void Bitmap::set(std::uint32_t x, std::uint32_t y, bool is_free) {
    std::size_t i = std::size_t{y} * columns + x;
    auto bit = static_cast<std::uint8_t>(1u << (i % 8));
    bits[i / 8] = static_cast<std::uint8_t>(is_free ? bits[i / 8] | bit : bits[i / 8] & ~bit);
}

void Bitmap::put(const Bitmap &patch, gppc_point at) {
    for (std::uint32_t y = 0; y < patch.rows; y++) {
        for (std::uint32_t x = 0; x < patch.columns; x++) set(at.x + x, at.y + y, patch.is_free(x, y));
    }
}

gppc_patch Bitmap::as_patch(gppc_point at) const {
    return {bits.data(), static_cast<std::uint16_t>(columns), static_cast<std::uint16_t>(rows), at};
}

Game load_game(const std::filesystem::path &scenario, std::size_t every) {
    Lines lines(scenario);
    Words words;
    lines.must_next(words, "`version`");
    if (words.size() != 2 || words[0] != "version") lines.fail("expected `version 1` or `version 2`");
    double version = read_length(lines, words[1]);
    if (version != 1 && version != 2) lines.fail("expected `version 1` or `version 2`");
    Game game = version == 1 ? load_static(lines) : load_dynamic(lines);
    keep_every(game, every);
    return game;
}
