// octile.hpp: what works, and what is told where something does not. The argument is a folder with maps.
#include <octile.hpp>

#include "check.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <thread>

using octile::Cell;

static_assert(!std::is_copy_constructible_v<octile::Engine> && std::is_nothrow_move_constructible_v<octile::Engine>);
static_assert(!std::is_copy_constructible_v<octile::Grid> && std::is_nothrow_move_assignable_v<octile::Grid>);

static octile::Grid room() { return octile::Grid::parse("......\n.@@@@.\n......\n"); }

static void grids() {
    octile::Grid grid = octile::Grid::parse("..@\n...\n");
    CHECK(grid.width() == 3 && grid.height() == 2 && grid.free_cells() == 5);
    CHECK(grid.is_free({1, 0}) && !grid.is_free({2, 0}) && !grid.is_free({9, 9}));
    CHECK(grid.price({0, 0}) == 1 && grid.connected({0, 0}, {2, 1}) && !grid.connected({0, 0}, {2, 0}));

    const std::vector<std::uint8_t> blocked = {0, 0, 1, 0, 0, 255};
    CHECK(octile::Grid::from_blocked(3, 2, blocked).free_cells() == 4);
    const std::array<std::uint8_t, 2> bits = {0xff, 0xfe};
    CHECK(octile::Grid::from_free_bits(3, 3, bits).free_cells() == 8);
    CHECK(octile::Grid::open(4, 4).free_cells() == 16);

    octile::Grid copy = grid.clone();
    octile::Edits edits;
    copy.apply(edits.unblock({0, 0}, {2, 1}));
    CHECK(copy.free_cells() == 6 && grid.free_cells() == 5 && edits.size() == 1);
    copy.apply(edits.clear().block({0, 0}).block({1, 0}, {1, 1}).unblock({0, 0}));
    CHECK(copy.free_cells() == 4);
    const std::uint8_t corner = 0b0111;
    copy.apply(edits.clear().patch({1, 0}, 2, 2, octile::Span<const std::uint8_t>(&corner, 1)));
    CHECK(copy.free_cells() == 5 && !copy.is_free({2, 1}));
    copy.set_movement("tile");
    CHECK(octile::Engine(copy, "astar").find({0, 0}, {1, 1})->length() == 2.0);
}

static void files(const std::string &folder) {
    CHECK(octile::Grid::load(folder + "/land.map").free_cells() == 2);
    octile::LoadOptions options;
    options.prices = folder + "/land.prices";
    options.convention = "enter";
    CHECK(octile::Grid::load(folder + "/land.map", options).price({1, 0}) == 7);
    const std::string map = "type octile\nheight 1\nwidth 2\nmap\n.@\n";
    const std::vector<std::uint8_t> bytes(map.begin(), map.end());
    CHECK(octile::Grid::from_memory(bytes).free_cells() == 1);
    const std::string square = "type octile\nheight 2\nwidth 2\nmap\n..\n..\n";
    options = {};
    options.movement = "tile";
    const std::vector<std::uint8_t> squares(square.begin(), square.end());
    CHECK(octile::Engine(octile::Grid::from_memory(squares, options), "astar").find_cost({0, 0}, {1, 1})->length ==
          2.0);
    const std::string header = "P5\n3 1\n255\n";
    std::vector<std::uint8_t> costmap(header.begin(), header.end());
    costmap.insert(costmap.end(), {0, 254, 255});
    options = {};
    options.prices = "costmap";
    CHECK(octile::Grid::from_memory(costmap, options).free_cells() == 1);
    options.unknown = "free";
    CHECK(octile::Grid::from_memory(costmap, options).free_cells() == 2);
    const octile::Result<octile::Grid> none = octile::Grid::try_load("no/such.map");
    CHECK(!none && none.error().status == OCTILE_FILE);
}

static void paths() {
    const octile::Grid grid = room();
    const octile::Engine engine(grid);
    std::optional<octile::Path> path = engine.find({0, 1}, {5, 1});
    CHECK(path && path->length() == 7.0 && octile::to_string(path->cost()) == "7" && !path->is_any_angle());
    CHECK(path->waypoints().size() == 4 && path->cells().size() == 8 && path->cells().back() == (Cell{5, 1}));
    CHECK(path->clone().cost() == path->cost() && engine.still_valid(*path));
    CHECK(!engine.is_any_angle() && engine.connected({0, 0}, {5, 2}) && !engine.is_stale() && engine.chosen().empty());

    Cell buffer[8];
    const auto found = engine.find_into({0, 1}, {5, 1}, buffer);
    CHECK(found && found->items.size() == 4 && found->items[3] == (Cell{5, 1}) && found->cost == path->cost());
    CHECK(engine.find_cells_into({0, 1}, {5, 1}, buffer)->items.size() == 8);
    CHECK(engine.find_cost({0, 1}, {5, 1}) == path->cost() && *engine.find_cost({0, 0}, {1, 0}) < path->cost());
    CHECK(engine.find_into({0, 0}, {0, 0}, *path) && path->length() == 0.0);

    engine.apply(octile::Edits().block({2, 0}, {2, 2}));
    CHECK(!engine.find({0, 1}, {5, 1}) && !engine.find_into({0, 1}, {5, 1}, buffer) &&
          !engine.find_cost({0, 1}, {5, 1}));
    CHECK(!engine.find_into({0, 1}, {5, 1}, *path) && engine.grid().free_cells() == 12 && grid.free_cells() == 14);
}

static void any_angle() {
    const octile::Engine engine(octile::Grid::parse("....\n.@@.\n....\n"), "taut-sight:ends=centres");
    const std::optional<octile::Path> path = engine.find({0, 0}, {3, 2});
    CHECK(engine.is_any_angle() && path->is_any_angle() && path->points().size() == 3 && path->cost().parts == 0);
    octile::Point buffer[8];
    CHECK(engine.find_points_into({0, 0}, {3, 0}, buffer)->items[1] == (octile::Point{3.5, 0.5}));
    CHECK(throws<octile::PointsError>([&] { return path->cells(); }, "any direction"));
}

static void prices() {
    octile::Grid grid = octile::Grid::open(3, 2);
    grid.set_prices(std::vector<std::uint8_t>{1, 9, 1, 1, 1, 0}, "enter");
    const octile::Engine engine(grid, "terrain-jump");
    CHECK(engine.find_cost({0, 0}, {2, 0})->length == 10.0);
    engine.apply(octile::Edits().price({1, 0}, 2));
    CHECK(engine.find_cost({0, 0}, {2, 0})->length == 3.0);
}

static void questions() {
    const octile::Engine engine(octile::Grid::parse("........@.\n........@.\n"));
    const std::vector<Cell> wells = {{7, 0}, {3, 1}, {9, 0}};
    const octile::Answer answer = engine.ask({0, 0}, wells);
    CHECK(answer && answer.outcome == octile::Outcome::Found && answer.place == 1 && answer.goal == wells[1]);
    CHECK(answer.cost == answer.path.cost() && answer.away == 0.0);

    octile::Terms terms;
    CHECK(engine.ask({0, 0}, {9, 0}).outcome == octile::Outcome::NoPath);
    terms.nearest = octile::Nearest::Goal;
    const octile::Answer near = engine.ask({0, 0}, {8, 0}, terms);
    CHECK(near.outcome == octile::Outcome::Nearest && near.goal == (Cell{7, 0}) && near.away == 1.0);
    terms.nearest = octile::Nearest::Both;
    octile::Path path;
    CHECK(engine.ask_into({8, 1}, wells, path, terms).outcome == octile::Outcome::Nearest);

    terms = {};
    terms.max_cost = 2.0;
    const octile::Answer limited = engine.ask({0, 0}, {7, 0}, terms);
    CHECK(!limited && limited.outcome == octile::Outcome::Limit && limited.limit.find("max_cost") != std::string::npos);
    terms = {};
    terms.max_expanded = 0;
    CHECK(engine.ask({0, 0}, {7, 0}, terms).limit.find("max_expanded") != std::string::npos);
    terms = {};
    terms.timeout = std::chrono::seconds(0);
    CHECK(engine.ask({0, 0}, {7, 0}, terms).limit.find("timeout") != std::string::npos);
    const octile::Flag flag;
    terms = {};
    terms.cancel = &flag;
    terms.timeout = std::chrono::hours(1);
    CHECK(engine.ask({0, 0}, {7, 0}, terms));
    flag.set();
    CHECK(flag.is_set() && engine.ask({0, 0}, {7, 0}, terms).limit.find("cancelled") != std::string::npos);

    const std::vector<octile::Near> nearest = engine.nearest({0, 0}, wells, 5);
    CHECK(nearest.size() == 2 && nearest[0].place == 1 && nearest[1].place == 0 && nearest[1].cost.length == 7.0);
    const std::vector<Cell> starts = {{0, 0}, {1, 0}};
    const std::vector<octile::Cost> costs = engine.matrix(starts, wells);
    CHECK(costs.size() == 6 && costs[0].length == 7.0 && costs[3].length == 6.0 && std::isinf(costs[2].length));
}

static void batches() {
    const octile::Engine engine(octile::Grid::parse("....@.\n....@@\n"));
    const std::vector<Cell> starts = {{0, 0}, {0, 0}, {0, 0}}, goals = {{3, 1}, {5, 0}, {4, 0}};
    octile::Routes routes = engine.find_many(starts, goals);
    CHECK(routes.size() == 3 && routes.status(0) == OCTILE_OK && routes.status(1) == OCTILE_NO_PATH);
    CHECK(routes.status(2) == OCTILE_QUERY && routes.message(2).find("blocked") != std::string::npos);
    CHECK(routes.message(0).empty() && routes.cost(0)->diagonal == 1 && !routes.cost(1));
    CHECK(std::isinf(routes.lengths()[1]) && std::isnan(routes.lengths()[2]) && routes.offsets().size() == 4);
    CHECK(routes.cells(0).size() == routes.all_cells().size() && routes.cells(1).empty() && routes.points(0).empty());
    CHECK(routes.cells(0)[0] == starts[0] && routes.all_points().empty());
    CHECK(throws<octile::QueryError>([&] { routes.cost(2); }, "blocked"));
    octile::Terms terms;
    terms.max_cost = 1.0;
    CHECK(engine.find_many(starts, goals, terms).status(0) == OCTILE_LIMIT);

    const octile::Engine taut(octile::Grid::open(8, 8), "taut-sight");
    taut.find_many_into(starts, goals, routes);
    CHECK(routes.points(2).size() == 2 && routes.cells(2).empty() && routes.all_points().size() == 6);
}

static void fields() {
    octile::Engine engine(octile::Grid::parse(".....\n"));
    const std::vector<Cell> goals = {{4, 0}}, others = {{0, 0}};
    octile::Field field = engine.field(goals);
    CHECK(field.length({0, 0}) == 4.0 && field.cost({1, 0})->straight == 3 && field.step({0, 0}) == (Cell{1, 0}));
    CHECK(field.path({0, 0})->cells().size() == 5 && field.lengths().size() == 5 && field.lengths()[3] == 1.0);
    CHECK(field.direction({0.5, 0.5})->x > 0.0);
    field.set_goals(others);
    CHECK(field.length({4, 0}) == 4.0);
    field.apply(octile::Edits().block({2, 0}));
    CHECK(std::isinf(field.length({4, 0})) && !field.step({4, 0}) && !field.cost({4, 0}) && !field.path({4, 0}));
    CHECK(std::isinf(octile::Field(engine.grid(), goals, 2.0).length({0, 0})));
}

static void agents() {
    const octile::Engine engine(octile::Grid::open(8, 8));
    const octile::Engine wagon = engine.for_agent("square:2");
    CHECK(wagon.find({0, 0}, {6, 6}) && throws<octile::QueryError>([&] { wagon.find({0, 0}, {7, 7}); }, ""));
    engine.apply(octile::Edits().block({4, 0}, {4, 6}));
    CHECK(engine.find({0, 0}, {7, 0}) && !wagon.find({0, 0}, {5, 0}));
}

static void indexes(const std::string &folder) {
    const octile::Grid grid = room();
    octile::BuildOptions options;
    std::size_t told = 0;
    options.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t all) {
        CHECK(!stage.empty() && done <= all);
        told++;
    };
    const octile::Index index = octile::Index::build(grid, "hub-labels", options);
    CHECK(told > 0 && index.kind() == "hub-labels" && !index.bytes().empty());
    index.verify();
    index.verify(grid);
    index.save(folder + "/room.octx");
    const octile::Index opened = octile::Index::open(folder + "/room.octx");
    const octile::Index copied = octile::Index::from_memory(opened.bytes());
    CHECK(throws<octile::IndexError>([&] { copied.verify(octile::Grid::open(3, 3)); }, ""));

    options = {};
    options.indexes = {&copied};
    options.budget = "brief";
    const octile::Engine engine(grid, "hub-labels", options);
    CHECK(engine.find({0, 1}, {5, 1})->length() == 7.0 && engine.index_bytes() > 0);
    engine.apply(octile::Edits().unblock({1, 1}, {4, 1}));
    CHECK(engine.is_stale() && engine.find({0, 1}, {5, 1})->length() == 5.0);
    engine.renew();
    CHECK(!engine.is_stale());
    engine.apply(octile::Edits().block({1, 1}, {4, 1}));
    CHECK(engine.is_stale());
    engine.keep_fresh(std::chrono::milliseconds(1));
    wait_until([&] { return !engine.is_stale(); });
    engine.keep_stale();
    engine.apply(octile::Edits().block({0, 0}));
    CHECK(engine.is_stale());

    const octile::Flag flag;
    flag.set();
    options = {};
    options.cancel = &flag;
    const octile::Grid hall = octile::Grid::open(64, 64);
    CHECK(throws<octile::Cancelled>([&] { octile::Index::build(hall, "hub-labels", options); }, ""));
    CHECK(octile::Engine::try_build(hall, "hub-labels", options).error().status == OCTILE_CANCELLED);
    options = {};
    options.progress = [](std::string_view, std::uint64_t, std::uint64_t) { throw std::logic_error("enough"); };
    CHECK(throws<std::logic_error>([&] { octile::Index::build(hall, "cpd", options); }, "enough"));
}

static void errors(const std::string &folder) {
    const octile::Grid grid = octile::Grid::parse("..@.\n");
    const octile::Engine engine(grid);
    CHECK(throws<octile::QueryError>([&] { engine.find({0, 0}, {2, 0}); }, "goal 2,0 is blocked"));
    CHECK(throws<octile::Error>([&] { engine.find({9, 0}, {0, 0}); }, "start 9,0 is off the map"));
    CHECK(throws<octile::SpecError>([&] { octile::Engine(grid, "corner-sweeep"); }, "corner-sweep"));
    CHECK(throws<octile::IndexError>([&] { octile::Engine(grid, "cpd:index=no/such.octx"); }, "no/such.octx"));
    CHECK(throws<octile::EditError>([&] { engine.apply(octile::Edits().block({7, 7})); }, "off the map"));
    CHECK(throws<octile::GridError>([&] { octile::Grid::open(0, 5); }, ""));
    CHECK(throws<octile::FileError>([&] { octile::Grid::load(folder + "/bad.map"); }, "bad.map: line"));
    CHECK(throws<octile::ArgumentError>([&] { octile::Grid::parse(".").set_movement("fly"); }, "movement"));
    octile::Grid priced = grid.clone();
    priced.set_prices(std::vector<std::uint8_t>{1, 2, 3, 4});
    CHECK(throws<octile::BuildError>([&] { octile::Engine(priced, "jps"); }, "price"));
    const std::vector<Cell> one(1), two(2);
    CHECK(throws<octile::ArgumentError>([&] { engine.find_many(one, two); }, "as many goals"));

    Cell cell[1];
    CHECK(throws<octile::BufferError>([&] { engine.find_into({0, 0}, {1, 0}, cell); }, "2 are needed"));
    const octile::Span<Cell> none;
    CHECK(engine.try_find_into({0, 0}, {1, 0}, none).error().status == OCTILE_SMALL_BUFFER);
    octile::Engine moved(grid);
    const octile::Engine taken = std::move(moved);
    CHECK(taken.get() != nullptr &&
          throws<octile::ArgumentError>([&] { moved.find({0, 0}, {1, 0}); }, "engine is NULL"));

    const auto fine = engine.try_find({0, 0}, {1, 0});
    CHECK(fine && fine.value() && (*fine)->length() == 1.0);
    const auto apart = engine.try_find({0, 0}, {3, 0});
    CHECK(apart.has_value() && !apart->has_value());
    const auto wrong = engine.try_find({0, 0}, {2, 0});
    CHECK(!wrong && wrong.error().status == OCTILE_QUERY && !wrong.error().message.empty());
    CHECK(throws<octile::QueryError>([&] { return wrong.value().has_value(); }, "blocked"));
    const octile::Cell wall[1] = {{2, 0}};
    CHECK(engine.try_ask({0, 0}, wall).error().status == OCTILE_QUERY);
}

static void threads() {
    const octile::Engine engine(octile::Grid::open(32, 32));
    std::vector<std::thread> threads;
    std::atomic<int> asking{0};
    std::atomic<bool> is_edited{false};
    for (std::uint32_t row = 0; row < 3; row++) {
        threads.emplace_back([&, row] {
            asking++;
            for (std::uint32_t i = 0; i < 200 || !is_edited; i++) CHECK(engine.find({0, row}, {31, i % 32}));
        });
    }
    wait_until([&] { return asking == 3; });
    octile::Edits walls, doors;
    walls.block({16, 1}, {16, 30});
    doors.unblock({16, 1}, {16, 30});
    for (int i = 0; i < 50; i++) engine.apply(i % 2 == 0 ? walls : doors);
    is_edited = true;
    for (std::thread &thread : threads) thread.join();
}

static void catalog() {
    bool is_there = false;
    for (const octile::PlannerInfo &planner : octile::planners()) {
        is_there |= planner.name == "corner-sweep" && !planner.summary.empty();
    }
    CHECK(is_there && octile::abi_version() == OCTILE_ABI_VERSION);
    CHECK(octile::version().find('.') != std::string::npos);
    const octile::Advice advice = octile::advise(room(), "changes=yes");
    CHECK(!advice.reasons.empty() && octile::Engine(room(), advice.spec).find({0, 0}, {5, 2}));
    CHECK(!octile::Engine(room(), "auto").chosen().empty());
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    const std::string folder = arguments[1];
    grids();
    files(folder);
    paths();
    any_angle();
    prices();
    questions();
    batches();
    fields();
    agents();
    indexes(folder);
    errors(folder);
    threads();
    catalog();
}
