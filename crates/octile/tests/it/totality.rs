//! Every public function that takes a cell, a direction, a map, a path, edits or a scratch returns an answer or an
//! error for any input: cells that are blocked, off the map or extreme numbers; maps of one row, of one column, of one
//! cell and without a free cell; and scratches, paths and indexes of other maps.
//!
//! [`FUNCTIONS`] calls each of them. A test reads the sources and fails if one is missing, so that every new function
//! is tested. Functions that panic by contract document it (`# Panics`), and are listed in [`PANICS`] and in
//! `docs/trust.md`.

#![expect(clippy::needless_for_each, reason = "a line for each function")]

use std::collections::BTreeSet;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use octile::algo::block_astar::BlockSize;
use octile::algo::blocked_areas::{BaTree, BlockedAreas, Detection};
use octile::algo::cpd::{Builder, CpdPlanner, Settings};
use octile::algo::rea_star::{JumpPoints, ReaStarPlanner};
use octile::artifact::{Artifact, ArtifactWriter};
use octile::catalog::advise;
use octile::formats::draw::{Colour, Picture};
use octile::formats::generate::ChangesConfig;
use octile::formats::movingai::dynamic::{self, DynamicScenario};
use octile::formats::movingai::patch::Patch;
use octile::formats::movingai::{map, scen};
use octile::formats::{ascii, generate};
use octile::geometry::{Corner, Dir, DirSet, Endpoints, Weight};
use octile::grid::sight;
use octile::grid::{Agent, Clearance, Convention, Fit, Prices, Room, Squeeze, Terrain};
use octile::kernels::gates::Gates;
use octile::planner::{BuiltIndex, IndexEffort, NoProbe, Scratch};
use octile::services::distances;
use octile::{
    Build, Catalog, Cell, Config, Cpd, Edits, Engine, Field, Finder, Grid, GridBuilder, GridCost, Movement, Output,
    Path, PathCost, PathQuery, Planner, PlannerSpec, Point, Query, ReaStar,
};
use octile::{planner, services};
use octile_testkit::maps::free_cells;

/// Accepts any answer.
fn tried<T>(answer: T) {
    black_box(answer);
}

/// The inputs of functions.
struct World {
    grid: Grid,
    /// Another map.
    other: Grid,
    cells: Vec<Cell>,
    corners: Vec<Corner>,
    /// Paths that fit the map, and others.
    paths: Vec<Path>,
}

/// Values for sides, coordinates and counts.
const NUMBERS: [u32; 9] = [0, 1, 2, 7, 65_534, 65_535, 65_536, u32::MAX - 1, u32::MAX];

impl World {
    fn new(map: &str) -> Self {
        let grid: Grid = map.parse().unwrap();
        let ends = [0, 1, grid.width() - 1, grid.width(), u32::MAX - 1, u32::MAX];
        let downs = [0, grid.height() - 1, grid.height(), u32::MAX];
        let places = || ends.iter().flat_map(|&x| downs.iter().map(move |&y| (x, y)));
        let through = |points: &[(u32, u32)]| Path::through(points.iter().copied()).unwrap();
        let mut paths = vec![Path::new(), through(&[(0, 0)]), through(&[(0, 0), (3, 3), (9, 3)])];
        paths.extend(Path::through([(0, 0), (u32::MAX, 0)]));
        paths.extend(Path::through([(u32::MAX, 2), (u32::MAX, u32::MAX), (0, u32::MAX)]));
        let mut pulled = through(&[(0, 0), (3, 3), (9, 3)]);
        pulled.smooth(&Grid::open(10, 10).unwrap(), Squeeze::Allowed);
        paths.push(pulled);
        let other = "...\n.@.\n...\n...".parse().unwrap();
        Self {
            grid,
            other,
            cells: places().map(Cell::from).collect(),
            corners: places().map(|(x, y)| Corner::new(x, y)).collect(),
            paths,
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (Cell, Cell)> + '_ {
        self.cells.iter().flat_map(|&a| self.cells.iter().map(move |&b| (a, b)))
    }

    fn corner_pairs(&self) -> impl Iterator<Item = (Corner, Corner)> + '_ {
        self.corners.iter().flat_map(|&a| self.corners.iter().map(move |&b| (a, b)))
    }

    /// The map without prices, for functions that do not support them.
    fn plain(&self) -> Grid {
        self.grid.without_prices()
    }

    /// Every planner on the map.
    fn finders(&self) -> Vec<Finder> {
        octile_testkit::planners::specs(&self.grid).map(|spec| Finder::new(spec, &self.grid).unwrap()).collect()
    }

    fn edits(&self) -> Vec<Edits> {
        let one = |cell: Cell| {
            let price = NUMBERS[(cell.x % 4) as usize] as u8;
            [Edits::new().block(cell).clone(), Edits::new().free(cell).clone(), Edits::new().price(cell, price).clone()]
        };
        self.cells.iter().flat_map(|&cell| one(cell)).chain([Edits::new()]).collect()
    }

    fn picture(&self) -> Picture {
        Picture::new(&self.grid)
    }
}

fn maps() -> Vec<World> {
    [".", "@", ".....", ".\n.\n@\n.", "@@\n@@", "..@.\n.@..\n....", "@.@\n...\n@.@", "19@2\n4@31\n1159"]
        .map(World::new)
        .into()
}

/// A call of a public function with everything in the world.
type Call = fn(&World);

const RED: Colour = Colour(200, 0, 0);

/// All functions, by file and name.
const FUNCTIONS: &[(&str, Call)] = &[
    ("algo/block_astar/size.rs new", |_| {
        sizes(|width, height| tried(BlockSize::new(width as usize, height as usize)));
    }),
    ("algo/cpd/build.rs new", |world| tried(Builder::new(&world.grid, Settings::default()))),
    ("algo/cpd/mod.rs build", |world| tried(CpdPlanner::build(&world.grid, &Cpd::default()))),
    ("algo/cpd/mod.rs first_move", |world| cpd(world, |cpd, a, b| tried(cpd.first_move(a, b)))),
    ("algo/cpd/mod.rs rectangles", |world| cpd(world, |cpd, a, _| tried(cpd.rectangles(a)))),
    ("algo/cpd/mod.rs moves", |world| cpd(world, |cpd, a, b| tried(cpd.moves(a, b).map(Iterator::count)))),
    ("algo/rea_star/jump_points.rs check", |world| {
        for jumps in jump_points(world) {
            world.pairs().for_each(|ends| tried(jumps.check(&world.grid, ends, GridCost::new(u32::MAX, u32::MAX))));
            world.pairs().for_each(|ends| tried(jumps.check(&world.other, ends, GridCost::ZERO)));
        }
    }),
    ("algo/rea_star/mod.rs new", |world| tried(ReaStarPlanner::new(&world.grid, &ReaStar::default()))),
    ("algo/rea_star/mod.rs plan_straight", |world| tried(jump_points(world))),
    ("artifact/mod.rs check", |world| {
        let file = Artifact::from_bytes(ArtifactWriter::new("doors", 1, &world.other).finish()).unwrap();
        tried(file.check("doors", 1, &world.grid));
    }),
    ("artifact/write.rs new", |world| tried(ArtifactWriter::new("doors", u32::MAX, &world.grid).finish())),
    ("catalog/advise/mod.rs advise", |world| {
        for movement in Movement::ALL {
            tried(advise::advise(&world.grid.with_movement(movement), &advise::Needs::default()));
        }
    }),
    ("catalog/mod.rs specs_for", |_| {
        let catalog = Catalog::standard();
        for entry in catalog.planners() {
            tried(Movement::ALL.map(|movement| catalog.specs_for(entry, movement)));
        }
    }),
    ("catalog/spec.rs build", |world| {
        for movement in Movement::ALL {
            for spec in octile_testkit::planners::specs_of_all_rules(&world.grid) {
                tried(spec.parse::<PlannerSpec>().unwrap().build(&world.grid.with_movement(movement)));
            }
        }
    }),
    ("engine/batch.rs find_all", |world| {
        let queries: Vec<Query> = world.pairs().map(|(a, b)| Query::new(a, b)).collect();
        engines(world, |engine| assert_eq!(engine.find_all(&queries).len(), queries.len()));
    }),
    ("engine/batch.rs plan_all", |world| {
        let queries: Vec<Query> = world.pairs().map(|(a, b)| Query::new(a, b).output(Output::Cost)).collect();
        engines(world, |engine| engine.plan_all(&queries, &mut vec![octile::Answer::default(); 3]));
    }),
    ("engine/agents.rs for_agent", |world| {
        engines(world, |engine| {
            for agent in agents() {
                let Ok(engine) = engine.for_agent(agent) else { continue };
                world.pairs().take(9).for_each(|(a, b)| tried(engine.find(a, b)));
                world.edits().iter().take(4).for_each(|edits| tried(engine.apply(edits)));
            }
            tried(engine.agents());
        });
    }),
    ("engine/chase.rs find", |world| {
        engines(world, |engine| {
            let mut chase = octile::engine::Chase::new(engine);
            world.pairs().for_each(|(a, b)| tried(chase.find(a, b).map(|path| path.map(Path::length))));
        });
    }),
    ("engine/slices.rs begin", |world| {
        engines(world, |engine| {
            questions(world, |query| {
                let mut pending = engine.begin(query);
                tried([pending.run(0), pending.run(1), pending.run(u64::MAX)]);
                tried((pending.answer().path().is_ok(), pending.expanded(), pending.into_answer()));
            });
        });
    }),
    ("engine/mod.rs ask", |world| engines(world, |engine| questions(world, |query| tried(engine.ask(query))))),
    ("engine/mod.rs ask_into", |world| {
        engines(world, |engine| questions(world, |query| tried(engine.ask_into(query, &mut octile::Answer::new()))));
    }),
    ("engine/mod.rs field", |world| {
        engines(world, |engine| lists(world, |list| tried(engine.field(list).map(|field| field.size_bytes()))));
    }),
    ("engine/mod.rs still_valid", |world| {
        engines(world, |engine| world.paths.iter().for_each(|path| tried(engine.still_valid(path))));
    }),
    ("engine/finder.rs ask_into", |world| {
        for mut finder in world.finders() {
            let mut answer = octile::Answer::new();
            questions(world, |query| tried(finder.ask_into(query, &mut answer)));
        }
    }),
    ("engine/finder.rs ask_probed", |world| {
        for mut finder in world.finders() {
            questions(world, |query| tried(finder.ask_probed(query, &mut octile::Answer::new(), &mut NoProbe)));
        }
    }),
    ("engine/finder.rs new", |world| tried(world.finders())),
    ("engine/finder.rs find", |world| {
        for mut finder in world.finders() {
            world.pairs().for_each(|(a, b)| tried(finder.find(a, b)));
        }
    }),
    ("engine/finder.rs plan", |world| {
        for mut finder in world.finders() {
            for path in &world.paths {
                world.pairs().for_each(|(a, b)| tried(finder.plan(Query::new(a, b), &mut path.clone())));
            }
        }
    }),
    ("engine/finder.rs plan_probed", |world| {
        for mut finder in world.finders() {
            world
                .pairs()
                .for_each(|(a, b)| tried(finder.plan_probed(Query::new(a, b), &mut Path::new(), &mut NoProbe)));
        }
    }),
    ("engine/finder.rs apply", |world| {
        for mut finder in world.finders() {
            for edits in world.edits() {
                let _ = finder.apply(&edits);
                let _ = finder.find((0, 0), (1, 0));
            }
        }
    }),
    ("engine/finder.rs may_connect", |world| {
        for finder in world.finders() {
            world.pairs().for_each(|(a, b)| tried(finder.may_connect(a, b)));
        }
    }),
    ("engine/matrix.rs matrix", |world| {
        lists(world, |list| {
            engines(world, |engine| tried([engine.matrix(list, &world.cells[..1]), engine.matrix(&[], list)]));
        });
    }),
    ("engine/matrix.rs fill_matrix", |world| {
        for mut finder in world.finders() {
            lists(world, |list| {
                let mut matrix = octile::engine::Matrix::new();
                tried([finder.fill_matrix(list, list, &mut matrix), finder.fill_matrix(list, &[], &mut matrix)]);
                tried(NUMBERS.map(|place| (matrix.cost(place as usize, usize::MAX), matrix.row(usize::MAX).len())));
            });
        }
    }),
    ("engine/nearest.rs k_nearest", |world| {
        engines(world, |engine| {
            lists(world, |list| {
                world
                    .cells
                    .iter()
                    .for_each(|&cell| tried(NUMBERS.map(|count| engine.k_nearest(cell, list, count as usize))));
            });
        });
    }),
    ("engine/nearest.rs find_nearest", |world| {
        for mut finder in world.finders() {
            let mut nearest = octile::engine::KNearest::new();
            lists(world, |list| {
                let mut find = |count| finder.find_nearest((0, 0), list, count, &mut nearest);
                tried([find(0), find(1), find(usize::MAX)]);
            });
        }
    }),
    ("engine/routes.rs find_routes", |world| {
        engines(world, |engine| {
            let (queries, mut routes) =
                (world.pairs().map(|(a, b)| PathQuery::new(a, b)).collect::<Vec<_>>(), octile::engine::Routes::new());
            tried(engine.find_routes(&queries, &mut routes, |_, _| false));
            tried([0, 1, usize::MAX - 1, usize::MAX].map(|query| routes.route(query).len()));
        });
    }),
    ("engine/mod.rs new", |world| engines(world, |_| ())),
    ("engine/mod.rs find", |world| engines(world, |engine| world.pairs().for_each(|(a, b)| tried(engine.find(a, b))))),
    ("engine/mod.rs plan", |world| {
        engines(world, |engine| {
            world.pairs().for_each(|(a, b)| tried(engine.plan(Query::new(a, b), &mut Path::new())));
        });
    }),
    ("engine/mod.rs plan_probed", |world| {
        engines(world, |engine| {
            world
                .pairs()
                .for_each(|(a, b)| tried(engine.plan_probed(Query::new(a, b), &mut Path::new(), &mut NoProbe)));
        });
    }),
    ("engine/mod.rs apply", |world| {
        engines(world, |engine| world.edits().iter().for_each(|edits| tried(engine.apply(edits))));
    }),
    ("engine/mod.rs may_connect", |world| {
        engines(world, |engine| world.pairs().for_each(|(a, b)| tried(engine.may_connect(a, b))));
    }),
    ("formats/posthoc.rs write", |world| {
        for path in &world.paths {
            let mut film = services::Film::default();
            let ends = (world.cells[0], world.cells[world.cells.len() - 1]);
            planner::Probe::started(&mut film, PathQuery::new(ends.0, ends.1));
            world.pairs().for_each(|(a, b)| {
                planner::Probe::expanded(&mut film, a);
                planner::Probe::reached(&mut film, b, true);
                planner::Probe::reached_line(&mut film, a, b);
            });
            tried(octile::formats::posthoc::write(&film, &world.grid, Some(path)));
        }
    }),
    ("formats/ascii.rs write", |world| {
        assert_eq!(ascii::parse(ascii::write(&world.grid).as_bytes()).as_ref(), Ok(&world.grid));
    }),
    ("formats/ascii.rs has_digits", |world| assert!(ascii::has_digits(&world.grid))),
    ("formats/prices.rs to_letters", |world| {
        let (terrain, text) = octile::formats::prices::to_letters(&world.grid).unwrap();
        let prices = octile::formats::PriceFile::parse(text.as_bytes()).unwrap().letters().unwrap();
        let read = terrain.grid(&prices, Convention::Average);
        assert_eq!(if world.grid.convention().is_some() { read } else { read.without_prices() }, world.grid);
    }),
    ("formats/draw/mod.rs new", |world| tried(world.picture().to_svg())),
    ("formats/draw/mod.rs scale", |world| tried(NUMBERS.map(|scale| world.picture().scale(scale)))),
    ("formats/draw/mod.rs without_legend", |world| {
        let priced = world.grid.with_prices(octile::grid::Convention::Enter, |cell| (cell.x % 256) as u8);
        let picture = Picture::new(&priced);
        tried((picture.to_svg(), picture.without_legend().to_svg()));
    }),
    ("formats/draw/mod.rs expanded", |world| tried(world.picture().expanded(&world.cells).to_svg())),
    ("formats/draw/mod.rs seen", |world| tried(world.picture().seen(&world.cells).to_svg())),
    ("formats/draw/mod.rs cells", |world| tried(world.picture().cells(&world.cells, RED).to_svg())),
    ("formats/draw/mod.rs ground", |world| tried(world.picture().ground(&world.cells, RED).to_svg())),
    ("formats/draw/mod.rs sight", |world| {
        let sights = world.corner_pairs().map(|(a, b)| (Point::corner(a), a, b));
        tried(world.picture().sight(sights, RED).to_svg());
    }),
    ("formats/draw/mod.rs discs", |world| {
        for number in [0.0, -1.0, 1e-300, 2.5, 1e18, f64::MAX, f64::NAN, f64::INFINITY] {
            let picture = world.picture().discs([(number, 1.0), (number, number)], number, RED);
            tried((picture.to_svg(), picture.discs([(1.0, 1.0)], number, RED).to_svg()));
        }
    }),
    ("formats/draw/mod.rs hops", |world| {
        let hops: Vec<_> = world.corner_pairs().map(|(a, b)| (Point::corner(a), Point::corner(b))).collect();
        tried(world.picture().hops(&hops).to_svg());
    }),
    ("formats/draw/mod.rs rectangles", |world| {
        tried(world.picture().rectangles(&world.pairs().collect::<Vec<_>>()).to_svg());
    }),
    ("formats/draw/mod.rs outline", |world| tried(world.picture().outline(&world.cells, RED).to_svg())),
    ("formats/draw/mod.rs dashed", |world| tried(world.picture().dashed(&world.cells, RED).to_svg())),
    ("formats/draw/field.rs field", |world| {
        fields(world, |field| tried(world.picture().field(&field).to_svg()));
        tried(world.picture().field(&Field::new(&world.other, &[(0, 0)]).unwrap()).to_svg());
    }),
    ("formats/draw/mod.rs path", |world| {
        world.paths.iter().for_each(|path| tried(world.picture().path(path).to_svg()));
    }),
    ("formats/draw/mod.rs line", |world| tried(world.picture().line(&world.cells, RED).to_svg())),
    ("formats/draw/mod.rs corner_line", |world| tried(world.picture().corner_line(&world.corners, RED).to_svg())),
    ("formats/draw/mod.rs point_line", |world| {
        tried(world.picture().point_line(world.cells.iter().map(|&cell| Point::centre(cell)), RED).to_svg());
    }),
    ("formats/draw/mod.rs ends", |world| world.pairs().for_each(|(a, b)| tried(world.picture().ends(a, b).to_svg()))),
    ("formats/draw/mod.rs corner_ends", |world| {
        world.corner_pairs().for_each(|(a, b)| tried(world.picture().corner_ends(a, b).to_svg()));
    }),
    ("formats/draw/mod.rs point_ends", |world| {
        let points = |(a, b): (Corner, Corner)| {
            [(Point::corner(a), Point::corner(b)), (Point::corner(a), Point::centre(Cell::new(b.x, b.y)))]
        };
        world.corner_pairs().flat_map(points).for_each(|(a, b)| tried(world.picture().point_ends(a, b).to_svg()));
    }),
    ("formats/draw/search.rs search", |world| {
        let (start, goal) = (Point::corner(world.corners[0]), Point::centre(world.cells[0]));
        let mut trace = octile::planner::Trace::default();
        (trace.expanded, trace.seen) = (world.cells.clone(), world.cells.clone());
        tried(world.picture().search(&trace, start, goal).to_svg());
        (trace.areas, trace.lines) = (world.pairs().collect(), world.pairs().collect());
        tried(world.picture().search(&trace, start, goal).to_svg());
        trace.sights = world.corner_pairs().map(|(a, b)| (Point::corner(a), a, b)).collect();
        tried(world.picture().search(&trace, start, goal).to_svg());
    }),
    ("formats/generate/mod.rs open", |_| sizes(|width, height| tried(generate::open(width, height)))),
    ("formats/generate/mod.rs rooms", |_| {
        sizes(|width, height| tried(generate::rooms(width, height, width.min(99), 1)));
    }),
    ("formats/generate/mod.rs maze", |_| {
        sizes(|width, height| tried(generate::maze(width, height, height.min(99), 1)));
    }),
    ("formats/generate/mod.rs random", |_| {
        sizes(|width, height| tried(generate::random(width, height, width.min(101), 1)));
    }),
    ("formats/generate/mod.rs caves", |_| {
        sizes(|width, height| tried(generate::caves(width, height, height.min(101), 1)));
    }),
    ("formats/generate/mod.rs regions", |world| {
        for size in NUMBERS {
            tried(generate::regions(&world.grid, &[1, 255], size, Convention::Average, 1));
            tried(generate::regions(&world.grid, &[], size, Convention::Enter, 1));
        }
    }),
    ("formats/generate/mod.rs noise", |world| {
        tried([&[][..], &[0], &[7, 9]].map(|prices| generate::noise(&world.grid, prices, Convention::Enter, 1)));
    }),
    ("formats/generate/mod.rs roads", |world| {
        for width in NUMBERS {
            tried(generate::roads(&world.grid, (1, 9), width, 7, Convention::Average, 1));
            tried(generate::roads(&world.grid, (0, 9), width, 0, Convention::Average, 1));
        }
    }),
    ("formats/generate/changes.rs changes", |world| {
        for per_million in [0, 100, 100_000, u32::MAX] {
            let config = ChangesConfig { per_million, batches: 5, between: 3, seed: u64::MAX };
            tried(generate::changes(&world.grid, "p", &config).map(|scenario| scenario.steps().count()));
        }
    }),
    ("formats/generate/scenario.rs scenario", |world| {
        for bucket_width in [0, 1, u32::MAX] {
            let config = generate::ScenarioConfig { bucket_width, ..generate::ScenarioConfig::default() };
            tried(generate::scenario(&world.grid, "m", &config));
            for convention in Convention::ALL {
                tried(generate::scenario(&world.grid.with_prices(convention, |_| 255), "m", &config));
            }
        }
    }),
    ("formats/image/mod.rs to_pgm", |world| tried(octile::formats::image::to_pgm(&world.grid))),
    #[cfg(feature = "image")]
    ("formats/image/ros.rs georeference", |world| ros_maps(|map| tried(map.georeference(&world.grid)))),
    ("formats/movingai/dynamic.rs of", |_| {
        dynamics(|scenario, optima, query| tried((scenario.steps().count(), optima.of(query))));
    }),
    ("formats/movingai/dynamic.rs agree", |_| {
        dynamics(|_, optima, query| {
            let counts = [GridCost::ZERO, GridCost::new(u32::MAX, u32::MAX)];
            tried(counts.map(|counts| optima.agree(query, Some(counts.into()))));
            tried([f64::NAN, -1.0].map(|length| optima.agree(query, Some(PathCost::AnyAngle(length)))));
            tried(optima.agree(query, None));
        });
    }),
    ("formats/movingai/map.rs write", |world| {
        let plain = world.plain();
        assert_eq!(map::parse(map::write(&plain).as_bytes()).as_ref(), Ok(&plain));
        tried(map::write(&world.grid));
    }),
    ("formats/movingai/patch.rs from_fn", |_| {
        sizes(|width, height| tried(Patch::from_fn(width, height, |cell| cell.x % 2 == 0)));
    }),
    ("formats/movingai/patch.rs of", |world| world.pairs().for_each(|(a, b)| tried(Patch::of(&world.grid, a, b)))),
    ("formats/movingai/patch.rs is_free", |world| {
        let patch = Patch::from_fn(2, 3, |_| true).unwrap();
        world.cells.iter().for_each(|&cell| assert_eq!(patch.is_free(cell), cell.x < 2 && cell.y < 3));
    }),
    ("formats/movingai/patch.rs edits_at", |world| {
        let patch = Patch::from_fn(2, 3, |cell| cell.x == cell.y).unwrap();
        world.cells.iter().for_each(|&cell| tried(world.grid.clone().apply(&patch.edits_at(cell))));
    }),
    ("formats/movingai/patch.rs edit_at", |world| {
        let (patch, mut edits) = (Patch::from_fn(3, 1, |cell| cell.x == 1).unwrap(), Edits::new());
        world.cells.iter().for_each(|&cell| patch.edit_at(cell, &mut edits));
        tried(world.grid.clone().apply(&edits));
    }),
    ("formats/movingai/scen.rs agrees", |_| {
        problems(|problem| {
            let counts = [GridCost::ZERO, GridCost::new(u32::MAX, u32::MAX)];
            let costs = counts.map(|counts| [PathCost::Grid(counts), PathCost::Priced { counts, parts: 0 }]);
            tried(costs.map(|costs| costs.map(|cost| problem.agrees(Some(cost)))));
            tried([f64::NAN, -1.0].map(|length| problem.agrees(Some(PathCost::AnyAngle(length)))));
            tried(problem.agrees(None));
        });
    }),
    ("formats/movingai/scen.rs check_fits", |world| problems(|problem| tried(problem.check_fits(&world.grid)))),
    ("geometry/cell.rs of", |world| tried(world.cells.iter().map(|&cell| Corner::of(cell)).collect::<Vec<_>>())),
    ("geometry/cell.rs distance", |world| world.corner_pairs().for_each(|(a, b)| assert!(a.distance(b).is_finite()))),
    ("geometry/cost.rs between", |world| {
        world.pairs().for_each(|(a, b)| assert_eq!(GridCost::between(a, b), GridCost::between(b, a)));
    }),
    ("geometry/cost.rs of_steps", |_| {
        steps(|dir, steps| assert_eq!(GridCost::of_steps(dir, steps).moves(), u64::from(steps)));
    }),
    ("geometry/cost.rs checked_add", |_| octiles(|a, b| assert_eq!(a.checked_add(b), b.checked_add(a)))),
    ("geometry/cost.rs is_within", |_| {
        octiles(|a, b| tried([Weight::ONE, Weight::try_from(1000.0).unwrap()].map(|weight| a.is_within(weight, b))));
    }),
    ("geometry/dir.rs towards", |world| world.pairs().for_each(|(a, b)| tried(Dir::towards(a, b)))),
    ("geometry/dir.rs step", |world| {
        steps(|dir, steps| world.cells.iter().for_each(|&cell| tried(dir.step(cell, steps))));
    }),
    ("geometry/dir.rs contains", |_| steps(|dir, _| assert!(DirSet::ALL.contains(dir) && !DirSet::NONE.contains(dir)))),
    ("grid/edits.rs block", |world| tried(world.edits())),
    ("grid/edits.rs free", |world| tried(world.edits())),
    ("grid/edits.rs block_rect", |world| small_rects(world, |edits, a, b| tried(edits.block_rect(a, b)))),
    ("grid/edits.rs free_rect", |world| small_rects(world, |edits, a, b| tried(edits.free_rect(a, b)))),
    ("grid/edits.rs price", |world| tried(world.edits())),
    ("grid/edits.rs price_rect", |world| small_rects(world, |edits, a, b| tried(edits.price_rect(a, b, 255)))),
    ("grid/edits.rs class_rect", |world| {
        let prices = Prices::of_all(0).with(7, 255);
        small_rects(world, |edits, a, b| tried(edits.class_rect(a, b, 7, &prices).class_rect(a, b, 9, &prices)));
    }),
    ("grid/terrain.rs new", |_| {
        sizes(|width, height| tried([0, 1, 4].map(|len| Terrain::new(width, height, vec![b'.'; len]))));
    }),
    ("grid/terrain.rs class", |world| {
        let terrain = Terrain::new(2, 2, *b".~#.").unwrap();
        world.cells.iter().for_each(|&cell| tried(terrain.class(cell)));
    }),
    ("grid/terrain.rs from_prices", |_| {
        let price = |cell: Cell| cell.x as u8;
        sizes(|width, height| tried(Convention::ALL.map(|c| Grid::from_prices(width, height, c, price))));
    }),
    ("grid/terrain.rs with_prices", |world| {
        for convention in Convention::ALL {
            let grid = world.grid.with_prices(convention, |cell| 250 + cell.x as u8);
            assert_eq!(grid.convention(), Some(convention));
            assert_eq!(
                grid.without_prices(),
                world.plain().with_prices(convention, |cell| 250 + cell.x as u8).without_prices()
            );
        }
    }),
    ("grid/terrain.rs price", |world| {
        world.cells.iter().for_each(|&cell| assert_eq!(world.grid.price(cell) > 0, world.grid.is_free(cell)));
    }),
    ("grid/terrain.rs price_when_free", |world| {
        let is_price = |cell: Cell| (world.grid.price_when_free(cell) > 0) == world.grid.contains(cell);
        world.cells.iter().for_each(|&cell| assert!(is_price(cell)));
    }),
    ("grid/terrain.rs move_cost", |world| {
        world.cells.iter().for_each(|&cell| tried(Dir::ALL.map(|dir| world.grid.move_cost(cell, dir))));
    }),
    ("grid/edits.rs check", |world| world.edits().iter().for_each(|edits| tried(edits.check(&world.grid)))),
    ("grid/mod.rs allows", |world| {
        for rule in Movement::ALL {
            steps(|dir, _| world.cells.iter().for_each(|&cell| tried(rule.allows(|_| true, cell, dir))));
        }
    }),
    ("geometry/point.rs corner", |world| {
        let points = world.corners.iter().map(|&corner| Point::corner(corner));
        points.for_each(|point| assert!(point.as_corner().is_some() && point.as_centre().is_none()));
    }),
    ("geometry/point.rs centre", |world| {
        let points = world.cells.iter().map(|&cell| Point::centre(cell));
        points.for_each(|point| assert!(point.as_centre().is_some() && point.as_corner().is_none()));
    }),
    ("geometry/point.rs point", |world| {
        for ends in Endpoints::ALL {
            world.pairs().for_each(|(a, b)| assert!(ends.point(a).distance(ends.point(b)).is_finite()));
        }
    }),
    ("grid/agent.rs fits_everywhere", |_| {
        agents().into_iter().for_each(|agent| tried(Room::ALL.map(|room| agent.fits_everywhere(room))));
    }),
    ("grid/clearance/mod.rs new", |world| tried(Clearance::new(&world.grid))),
    ("grid/clearance/mod.rs recompute", |world| {
        let mut clearance = Clearance::new(&world.other);
        clearance.recompute(&world.grid);
        clearance.recompute(&world.other);
    }),
    ("grid/clearance/mod.rs square", |world| clearances(world, |clearance, cell| tried(clearance.square(cell)))),
    ("grid/clearance/mod.rs disc", |world| {
        clearances(world, |clearance, cell| tried(Room::ALL.map(|room| clearance.disc(cell, room))));
    }),
    ("grid/clearance/mod.rs disc_squared", |world| {
        clearances(world, |clearance, cell| tried(Room::ALL.map(|room| clearance.disc_squared(cell, room))));
    }),
    ("grid/clearance/mod.rs fits", |world| {
        clearances(world, |clearance, cell| {
            fits(|fit| tried(clearance.fits(cell, fit.agent(), fit.room())));
        });
    }),
    ("grid/fit.rs new", |_| fits(|_| ())),
    ("grid/fit.rs grid", |world| fits(|fit| tried((fit.grid(&world.grid), fit.grid(&world.other))))),
    ("grid/fit.rs edits", |world| {
        fits(|fit| {
            for edits in world.edits() {
                // With scratches of this map or of another, before or after an edit.
                for fitting in [&world.grid, &world.other] {
                    tried(fit.edits(&world.grid, &edits, fitting, &mut Edits::new().block((9, 9)).clone()));
                    tried(fit.edits(&world.other, &edits, fitting, &mut Edits::new()));
                }
            }
        });
    }),
    ("grid/georeference.rs new", |world| georeferences(world, |_| ())),
    ("grid/georeference.rs cell_to_world", |world| {
        georeferences(world, |there| world.cells.iter().for_each(|&cell| tried(there.cell_to_world(cell))));
    }),
    ("grid/georeference.rs corner_to_world", |world| {
        georeferences(world, |there| world.corners.iter().for_each(|&corner| tried(there.corner_to_world(corner))));
    }),
    ("grid/georeference.rs point_to_world", |world| {
        georeferences(world, |there| {
            world.cells.iter().for_each(|&cell| tried(there.point_to_world(Point::centre(cell))));
        });
    }),
    ("grid/georeference.rs world_to_corner", |world| {
        const NUMBERS: [f64; 5] = [0.0, -1e300, 3.5, f64::NAN, f64::INFINITY];
        georeferences(world, |there| {
            NUMBERS
                .iter()
                .for_each(|&x| tried(NUMBERS.map(|y| (there.world_to_corner(x, y), there.world_to_cell(x, y)))));
        });
    }),
    ("grid/mod.rs for_agent", |world| fits(|fit| tried(world.grid.for_agent(fit.agent(), fit.room())))),
    ("grid/mod.rs open", |_| sizes(|width, height| tried(Grid::open(width, height)))),
    ("grid/mod.rs from_fn", |_| sizes(|width, height| tried(Grid::from_fn(width, height, |cell| cell.x % 2 == 0)))),
    ("grid/mod.rs with_movement", |world| tried(Movement::ALL.map(|movement| world.grid.with_movement(movement)))),
    ("grid/mod.rs contains", |world| world.cells.iter().for_each(|&cell| tried(world.grid.contains(cell)))),
    ("grid/mod.rs is_free", |world| {
        world.cells.iter().for_each(|&cell| assert!(world.grid.contains(cell) || !world.grid.is_free(cell)));
    }),
    ("grid/mod.rs moves", |world| {
        world
            .cells
            .iter()
            .for_each(|&cell| assert!(world.grid.is_free(cell) || world.grid.moves(cell) == DirSet::NONE));
    }),
    ("grid/mod.rs may_connect", |world| world.pairs().for_each(|(a, b)| tried(world.grid.may_connect(a, b)))),
    ("grid/mod.rs apply", |world| world.edits().iter().for_each(|edits| tried(world.grid.clone().apply(edits)))),
    ("grid/mod.rs new", |_| sizes(|width, height| tried(GridBuilder::new(width, height)))),
    ("grid/mod.rs movement", |_| {
        tried(Movement::ALL.map(|movement| GridBuilder::new(2, 2).unwrap().movement(movement).build()));
    }),
    ("grid/sight.rs corners_visible", |world| {
        for squeeze in Squeeze::ALL {
            world.corner_pairs().for_each(|(a, b)| tried(sight::corners_visible(&world.grid, a, b, squeeze)));
        }
    }),
    ("grid/sight.rs points_visible", |world| {
        for squeeze in Squeeze::ALL {
            let points = world.corner_pairs().zip(world.pairs()).flat_map(|((a, b), (c, d))| {
                let (corners, centres) = ([a, b].map(Point::corner), [c, d].map(Point::centre));
                [(corners[0], centres[0]), (centres[1], corners[1]), (centres[0], centres[1])]
            });
            points.for_each(|(a, b)| tried(sight::points_visible(&world.grid, a, b, squeeze)));
        }
    }),
    ("grid/sight.rs visible", |world| world.pairs().for_each(|(a, b)| tried(sight::visible(&world.grid, a, b)))),
    ("path/check.rs check", |world| {
        for path in &world.paths {
            world.pairs().for_each(|(a, b)| tried(path.check(&world.grid, a, b)));
        }
    }),
    ("path/cut.rs cut", |world| {
        small_paths(world, |path| world.pairs().for_each(|(a, b)| tried(path.clone().cut(&world.grid, a, b))));
    }),
    ("path/cut.rs cost_on", |world| {
        for path in &world.paths {
            [&world.grid, &world.other].into_iter().for_each(|grid| path.clone().cost_on(grid));
        }
    }),
    ("path/cut.rs is_legal", |world| {
        world.paths.iter().for_each(|path| tried((path.is_legal(&world.grid), path.is_legal(&world.other))));
    }),
    ("path/mod.rs through", |world| world.pairs().for_each(|(a, b)| tried(Path::through([a, b, a, b])))),
    ("path/smooth.rs straighten", |world| small_paths(world, |path| tried(path.straighten(&world.grid)))),
    ("path/smooth.rs smooth", |world| {
        for squeeze in Squeeze::ALL {
            world.paths.iter().for_each(|path| path.clone().smooth(&world.grid, squeeze));
        }
    }),
    ("path/smooth.rs is_legal", |world| {
        small_paths(world, |path| tried(path.straighten(&world.other).is_legal(&world.grid)));
    }),
    ("path/world.rs to_world", |world| {
        georeferences(world, |there| {
            world.paths.iter().for_each(|path| tried(path.to_world(there).map(Iterator::count)));
        });
    }),
    ("path/world.rs metres", |world| {
        georeferences(world, |there| world.paths.iter().for_each(|path| tried(path.metres(there))));
    }),
    ("path/write.rs write_grid", |world| {
        outputs(|output| world.pairs().for_each(|(a, b)| tried(Path::new().write_grid(&world.grid, output, [a, b]))));
    }),
    ("path/write.rs write_any_angle", |world| {
        outputs(|output| {
            for squeeze in Squeeze::ALL {
                world
                    .corner_pairs()
                    .for_each(|(a, b)| tried(Path::new().write_any_angle(&world.grid, output, squeeze, [a, b])));
            }
        });
    }),
    ("path/write.rs write_centred", |world| {
        outputs(|output| {
            for (ends, (a, b)) in world.pairs().zip(world.corner_pairs()) {
                tried(Path::new().write_centred(&world.grid, output, Squeeze::Allowed, ends, [a, b]));
                tried(Path::new().write_centred(&world.grid, output, Squeeze::Forbidden, ends, [b; 0]));
            }
        });
    }),
    ("path/write.rs write", |world| {
        outputs(|output| world.cells.iter().for_each(|&cell| tried(Path::new().write(output, cell).finish())));
    }),
    ("path/write.rs write_back", |world| {
        outputs(|output| world.cells.iter().for_each(|&cell| Path::new().write_back(output, cell).finish()));
    }),
    ("path/write.rs go", |world| {
        writes(world, |path, output, cell, dir, steps| {
            let mut writer = path.write(output, cell);
            writer.go(dir, steps);
            writer.go(dir.opposite(), steps);
            writer.finish();
        });
    }),
    ("path/write.rs came", |world| {
        writes(world, |path, output, cell, dir, steps| {
            let mut writer = path.write_back(output, cell);
            writer.came(dir, steps);
            writer.came(dir, steps);
            writer.finish();
        });
    }),
    ("algo/blocked_areas/area.rs contains", |world| {
        for area in BlockedAreas::build(&world.grid).areas() {
            world.cells.iter().for_each(|&cell| tried(area.contains(cell)));
        }
    }),
    ("algo/blocked_areas/detect.rs new", |world| tried(Detection::new(&world.grid))),
    ("algo/blocked_areas/file.rs to_bytes", |world| tried(BlockedAreas::build(&world.other).to_bytes(&world.grid))),
    ("algo/blocked_areas/file.rs from_artifact", |world| {
        let file = Artifact::from_bytes(BlockedAreas::build(&world.other).to_bytes(&world.grid)).unwrap();
        tried([&world.grid, &world.other].map(|grid| BlockedAreas::from_artifact(&file, grid).is_ok()));
    }),
    ("algo/blocked_areas/mod.rs build", |world| tried(BlockedAreas::build(&world.grid))),
    ("algo/blocked_areas/tree.rs find", |world| {
        let areas = BlockedAreas::build(&world.other);
        let tree = BaTree::new(areas.areas());
        world.cells.iter().for_each(|&cell| tried((tree.find(areas.areas(), cell), tree.find(&[], cell))));
    }),
    ("algo/blocked_areas/tree.rs find_counted", |world| {
        let areas = BlockedAreas::build(&world.grid);
        let tree = BaTree::new(areas.areas());
        world.cells.iter().for_each(|&cell| tried(tree.find_counted(areas.areas(), cell, &mut 0)));
    }),
    ("kernels/gates/mod.rs build", |world| tried(Gates::build(&world.grid))),
    ("kernels/gates/mod.rs to_bytes", |world| tried(Gates::build(&world.other).to_bytes(&world.grid))),
    ("kernels/gates/mod.rs from_artifact", |world| {
        let file = Artifact::from_bytes(Gates::build(&world.other).to_bytes(&world.grid)).unwrap();
        tried([&world.grid, &world.other].map(|grid| Gates::from_artifact(&file, grid).is_ok()));
    }),
    ("kernels/gates/mod.rs row_gates", |world| gates(world, |gates, grid| tried(gates.row_gates(grid)))),
    ("kernels/gates/mod.rs column_gates", |world| gates(world, |gates, grid| tried(gates.column_gates(grid)))),
    ("kernels/gates/mod.rs may_enter", |world| {
        gates(world, |gates, grid| {
            for (start, goal) in world.pairs() {
                world.cells.iter().for_each(|&cell| tried(gates.may_enter(grid, start, goal, cell)));
            }
        });
    }),
    ("planner/build.rs new", |world| tried(Build::new(&world.grid))),
    ("planner/config.rs is_within", |world| {
        let efforts = [IndexEffort::None, IndexEffort::Map, IndexEffort::Corners, IndexEffort::AllPairs];
        NUMBERS.iter().for_each(|&searches| tried(efforts.map(|effort| effort.is_within(&world.grid, searches))));
    }),
    ("services/field/mod.rs new", |world| {
        world.cells.iter().for_each(|&cell| {
            assert_eq!(Field::new(&world.grid, &[cell]).is_ok(), world.grid.is_free(cell));
        });
    }),
    ("services/field/mod.rs within", |world| {
        for greatest in [0.0, -1.0, 1.5, 47_321.0, 1e10, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            world.cells.iter().for_each(|&cell| tried(Field::within(&world.grid, &[cell], greatest)));
        }
    }),
    ("services/field/mod.rs set_goals", |world| {
        fields(world, |mut field| world.pairs().for_each(|(a, b)| tried(field.set_goals(&[a, b]))));
    }),
    ("services/field/mod.rs apply", |world| {
        fields(world, |mut field| world.edits().iter().for_each(|edits| tried(field.apply(edits))));
    }),
    ("services/field/mod.rs cost", |world| {
        fields(world, |field| world.cells.iter().for_each(|&cell| tried(field.cost(cell))));
    }),
    ("services/field/mod.rs next", |world| {
        fields(world, |field| world.cells.iter().for_each(|&cell| tried(field.next(cell))));
    }),
    ("services/field/mod.rs goal", |world| {
        fields(world, |field| world.cells.iter().for_each(|&cell| tried(field.goal(cell))));
    }),
    ("services/field/mod.rs path", |world| {
        fields(world, |field| {
            for (&cell, path) in world.cells.iter().flat_map(|cell| world.paths.iter().map(move |path| (cell, path))) {
                outputs(|output| tried(field.path(cell, output, &mut path.clone())));
            }
        });
    }),
    ("services/field/mod.rs path_cost", |world| {
        fields(world, |field| world.cells.iter().for_each(|&cell| tried(field.path_cost(cell))));
    }),
    ("services/field/mod.rs length", |world| {
        fields(world, |field| world.cells.iter().for_each(|&cell| tried(field.length(cell))));
    }),
    ("services/field/distances.rs distances", |world| {
        world.cells.iter().for_each(|&cell| tried(distances(&world.grid, cell).size_bytes()));
    }),
    ("services/field/distances.rs cost", |world| {
        world.pairs().for_each(|(a, b)| tried(distances(&world.grid, a).cost(b)));
    }),
    ("services/field/distances.rs path_cost", |world| {
        world.pairs().for_each(|(a, b)| tried(distances(&world.grid, a).path_cost(b)));
    }),
    ("services/field/distances.rs length", |world| {
        world.pairs().for_each(|(a, b)| tried(distances(&world.grid, a).length(b)));
    }),
    ("services/field/distances.rs path", |world| {
        for ((a, b), path) in world.pairs().zip(world.paths.iter().cycle()) {
            outputs(|output| tried(distances(&world.grid, a).path(b, output, &mut path.clone())));
        }
    }),
    ("planner/index.rs build_for", |world| kinds(world, |kind, grid| tried(kind.build_for(grid)))),
    ("planner/index.rs check", |world| {
        let file = Artifact::from_bytes(Gates::build(&world.other).to_bytes(&world.other)).unwrap();
        kinds(world, |kind, grid| tried(kind.check(&file, grid)));
    }),
    ("planner/index.rs new", |world| {
        let bytes = Gates::build(&world.other).to_bytes(&world.other);
        let file = Artifact::from_bytes(bytes.into()).unwrap();
        tried(BuiltIndex::new(Arc::new(file), world.other.clone()));
    }),
    ("planner/query.rs check", |world| {
        world.pairs().for_each(|(a, b)| {
            assert_eq!(Query::new(a, b).check(&world.grid).is_ok(), world.grid.is_free(a) && world.grid.is_free(b));
        });
    }),
    ("services/ask.rs ask", |world| {
        planners(world, |planner, a, b, scratch| {
            let goals = [a, b];
            tried(planner.ask(scratch, Query::to_any(a, &goals).nearest_ends(), &mut octile::Answer::new(), None));
        });
    }),
    ("services/ask.rs plan", |world| {
        planners(world, |planner, a, b, scratch| tried(planner.plan(scratch, Query::new(a, b), &mut Path::new())));
    }),
    ("services/ask.rs plan_probed", |world| {
        planners(world, |planner, a, b, scratch| {
            tried(planner.plan_probed(scratch, Query::new(a, b).max_cost(2.0), &mut Path::new(), Some(&mut NoProbe)));
        });
    }),
    ("services/field/mod.rs step", |world| {
        fields(world, |field| world.cells.iter().for_each(|&cell| tried(field.step(cell))));
    }),
    ("services/field/mod.rs reset", |world| {
        fields(world, |mut field| {
            for cost in [f64::INFINITY, f64::NAN, -1.0, 2.5] {
                lists(world, |list| {
                    tried((field.reset(&world.grid, list, cost), field.reset(&world.other, list, cost)));
                });
            }
        });
    }),
    ("planner/contract.rs find_path", |world| {
        planners(world, |planner, a, b, scratch| {
            tried(planner.find_path(scratch, PathQuery::new(a, b), &mut Path::new(), None));
        });
    }),
    ("planner/query.rs to_any", |world| {
        lists(world, |list| {
            tried([Query::to_any((0, 0), list).check(&world.grid), Query::to_any((9, 9), &[]).check(&world.grid)]);
        });
    }),
    ("planner/query.rs new", |world| world.pairs().for_each(|(a, b)| tried(Query::new(a, b)))),
    ("services/wrapper.rs smoothed", |world| {
        for squeeze in Squeeze::ALL {
            let planner = octile::ThetaStar::default().planner(&world.plain()).unwrap();
            let mut finder = Finder::of(services::smoothed(planner, squeeze));
            world.pairs().for_each(|(a, b)| tried(finder.find(a, b)));
        }
    }),
    ("services/wrapper.rs centred", |world| {
        let planner = octile::ThetaStar::default().planner(&world.plain()).unwrap();
        let mut finder = Finder::of(services::centred(planner));
        world.pairs().for_each(|(a, b)| tried(finder.find(a, b)));
        tried(services::centred(octile::Jps::default().planner(&world.plain()).unwrap()));
        tried(services::smoothed(octile::Astar::default().planner(&world.grid).unwrap(), Squeeze::Allowed));
    }),
    // Functions of the trait `Planner`, with any scratch.
    ("planner/contract.rs may_connect", |world| planners(world, |planner, a, b, _| tried(planner.may_connect(a, b)))),
    ("planner/scratch.rs is_for", |world| planners(world, |planner, _, _, scratch| tried(scratch.is_for(planner)))),
    ("planner/options.rs apply_to", |world| {
        let options = planner::QueryOptions {
            max_cost: f64::NAN,
            nearest: octile::planner::Nearest::Both,
            ..planner::QueryOptions::default()
        };
        world.pairs().for_each(|(a, b)| tried(options.apply_to(Query::new(a, b)).check(&world.grid)));
    }),
    ("planner/facts.rs optimal", |_| {
        let facts = planner::Facts::optimal("own", &Movement::ALL);
        for squeeze in [octile::grid::Squeeze::Allowed, octile::grid::Squeeze::Forbidden] {
            tried(facts.smoothed(squeeze).centred());
        }
        tried(planner::Facts::optimal("own", &[]).smoothed(octile::grid::Squeeze::Allowed));
    }),
    ("planner/contract.rs rebuilds_for", |world| {
        for finder in world.finders() {
            for edits in world.edits() {
                tried(dyn_clone(&finder).rebuilds_for(&edits));
            }
        }
    }),
    ("planner/contract.rs apply", |world| {
        for finder in world.finders() {
            for edits in world.edits() {
                let mut planner = dyn_clone(&finder);
                let _ = planner.apply(&edits);
            }
        }
    }),
];

/// Functions that panic by contract and document it.
const PANICS: [&str; 3] = ["grid/mod.rs set", "grid/mod.rs set_price", "grid/mod.rs set_row"];

/// Functions of `Planner` that a planner implements: their callers have checked the inputs.
const CHECKED_BEFORE: [&str; 6] = [
    "planner/contract.rs search",
    "planner/contract.rs search_any",
    "planner/contract.rs go_on",
    "planner/contract.rs costs",
    "planner/contract.rs nearest",
    "planner/contract.rs inner_scratch",
];

fn dyn_clone(finder: &Finder) -> Box<dyn Planner> {
    finder.planner().chosen().unwrap_or(finder.name()).parse::<PlannerSpec>().map_or_else(
        |_| octile::Astar::default().build(&Build::new(finder.grid())).unwrap(),
        |spec| spec.build(finder.grid()).unwrap_or_else(|_| octile::Astar::default().planner(finder.grid()).unwrap()),
    )
}

fn cpd(world: &World, call: impl Fn(&CpdPlanner, Cell, Cell)) {
    let mut planner = CpdPlanner::build(&world.plain(), &Cpd::default()).unwrap();
    world.pairs().for_each(|(a, b)| call(&planner, a, b));
    let _ = planner.apply(Edits::new().block((0, 0)));
    world.pairs().for_each(|(a, b)| call(&planner, a, b));
}

fn jump_points(world: &World) -> Vec<JumpPoints> {
    let planner = ReaStarPlanner::new(&world.plain(), &ReaStar::default()).unwrap();
    let foreign = [octile::Jps::default().planner(&world.plain()).unwrap().create_scratch(), planner.create_scratch()];
    let mut found = Vec::new();
    for mut scratch in foreign {
        for (a, b) in world.pairs() {
            let mut jumps = JumpPoints::default();
            let _ = planner.plan_straight(&mut scratch, PathQuery::new(a, b), &mut Path::new(), &mut jumps);
            found.push(jumps);
        }
    }
    found
}

fn engines(world: &World, call: impl Fn(&Engine)) {
    for spec in octile_testkit::planners::specs(&world.grid) {
        call(&Engine::new(spec, &world.grid).unwrap());
    }
}

/// Queries of all kinds.
fn questions(world: &World, mut call: impl FnMut(Query<'_>)) {
    for (place, (a, b)) in world.pairs().enumerate() {
        let goals = [b, a, b];
        let query = if place % 2 == 0 { Query::to_any(a, &goals) } else { Query::new(a, b) };
        let cost = [f64::INFINITY, 0.0, -1.0, f64::NAN, f64::NEG_INFINITY, 2.5, f64::MAX][place % 7];
        let query = [query, query.nearest(), query.nearest_ends()][place % 3].max_cost(cost);
        call(if place % 5 == 0 { query.max_expanded(place as u64 % 3) } else { query });
    }
    call(Query::to_any((0, 0), &[]));
    call(Query::new((0, 0), (1, 1)).within(std::time::Duration::MAX).nearest_ends());
}

/// Lists of cells: all, the free ones, each twice, and a single one.
fn lists(world: &World, mut call: impl FnMut(&[Cell])) {
    let free: Vec<Cell> = world.cells.iter().copied().filter(|&cell| world.grid.is_free(cell)).collect();
    [&world.cells[..], &free, &free.repeat(2), &world.cells[..1]].into_iter().for_each(&mut call);
}

/// Every planner with its own scratch and with another planner's.
fn planners(world: &World, call: impl Fn(&dyn Planner, Cell, Cell, &mut Scratch)) {
    let foreign = octile::Astar::default().planner(&world.other).unwrap();
    for finder in world.finders() {
        let planner = finder.planner();
        for mut scratch in [planner.create_scratch(), foreign.create_scratch()] {
            world.pairs().for_each(|(a, b)| call(planner, a, b, &mut scratch));
        }
    }
}

fn gates(world: &World, call: impl Fn(&Gates, &Grid)) {
    let gates = Gates::build(&world.grid);
    call(&gates, &world.grid);
}

fn kinds(world: &World, call: impl Fn(octile::planner::IndexKind, &Grid)) {
    // Databases for all maps need no map.
    for kind in Catalog::standard().indexes().iter().filter(|kind| !kind.is_for_all_maps()) {
        Movement::ALL.iter().for_each(|&movement| call(*kind, &world.grid.with_movement(movement)));
    }
}

/// Fields under every rule, before and after edits.
fn fields(world: &World, call: impl Fn(Field)) {
    for movement in Movement::ALL {
        let grid = world.grid.with_movement(movement);
        let goals = if grid.is_free((0, 0)) { &[(0, 0)][..] } else { &[] };
        let mut field = Field::new(&grid, goals).unwrap();
        call(field.clone());
        let _ = field.apply(Edits::new().price((0, 0), 255));
        let _ = field.apply(Edits::new().block((0, 0)));
        call(field);
    }
}

fn agents() -> Vec<Agent> {
    let squares = NUMBERS.into_iter().filter_map(|side| Agent::square(side).ok());
    let radii = [0.0, f64::from_bits(1), 1e-9, 0.5, 1.0, 3.5, 65_534.0, 1e18, f64::MAX, -1.0, f64::NAN, f64::INFINITY];
    squares.chain(radii.into_iter().filter_map(|radius| Agent::disc(radius).ok())).collect()
}

fn fits(mut call: impl FnMut(&mut Fit)) {
    for agent in agents() {
        Room::ALL.into_iter().for_each(|room| call(&mut Fit::new(agent, room)));
    }
}

/// The clearance of this map, of another, and an empty one.
fn clearances(world: &World, call: impl Fn(&Clearance, Cell)) {
    for clearance in [Clearance::new(&world.grid), Clearance::new(&world.other), Clearance::default()] {
        world.cells.iter().for_each(|&cell| call(&clearance, cell));
    }
}

fn georeferences(world: &World, call: impl Fn(&octile::grid::Georeference)) {
    for resolution in [0.0, -1.0, 0.05, f64::MAX, f64::NAN, f64::INFINITY] {
        for angle in [0.0, 1.0, f64::NAN] {
            call(&octile::grid::Georeference::new(&world.grid, resolution, [f64::MAX, -3.0, angle]));
        }
    }
}

#[cfg(feature = "image")]
fn ros_maps(call: impl Fn(&octile::formats::image::ros::RosMap)) {
    call(&octile::formats::image::ros::parse(b"image: a.pgm\nresolution: 0.05\norigin: [-3, 1e300, 0.5]\n").unwrap());
}

fn problems(call: impl Fn(&scen::Problem)) {
    let text =
        b"version 1\n0\tm.map\t4294967295\t1\t0\t0\t4294967294\t0\t1.5\n4294967295\tm.map\t1\t1\t0\t0\t0\t0\t0\n";
    scen::parse(text).map(|scenario| scenario.problems.iter().for_each(&call)).unwrap_or_default();
    let small = b"version 1\n0\tm.map\t3\t3\t0\t0\t2\t2\t2.8284271\n";
    scen::parse(small).unwrap().problems.iter().for_each(&call);
}

/// Queries of a scenario whose commands name missing patches and cells, and have no costs.
fn dynamics(call: impl Fn(&DynamicScenario, dynamic::Optima, &dynamic::Query)) {
    let text = b"version 2\nheight 3\nwidth 3\ncost 1 octile\npatch p\ncommands\nQ 0 0 0 2 2 2.8284271\nQ 4294967295 0 0 2 2 -1\n";
    let mut scenario = dynamic::parse(text, Vec::new()).unwrap();
    let at = Cell::new(u32::MAX, u32::MAX);
    scenario.commands.push(dynamic::Command::Patch { line: 0, batch: 0, patch: usize::MAX, at });
    let (start, goal) = (at, Cell::new(0, 0));
    scenario.commands.push(dynamic::Command::Query(dynamic::Query {
        line: 0,
        batch: 0,
        start,
        goal,
        costs: Vec::new(),
    }));
    let optima = scenario.optima().unwrap();
    scenario.queries().for_each(|query| call(&scenario, optima, query));
}

fn sizes(call: impl Fn(u32, u32)) {
    for (width, height) in NUMBERS.iter().flat_map(|&width| NUMBERS.map(move |height| (width, height))) {
        // Valid maps that take a second to fill are left to other tests.
        if u64::from(width) * u64::from(height) < 1_000_000 || width > 65_534 || height > 65_534 {
            call(width, height);
        }
    }
}

fn steps(call: impl Fn(Dir, u32)) {
    Dir::ALL.iter().for_each(|&dir| NUMBERS.iter().for_each(|&steps| call(dir, steps)));
}

fn octiles(call: impl Fn(GridCost, GridCost)) {
    let all: Vec<GridCost> = NUMBERS.iter().flat_map(|&a| NUMBERS.map(|b| GridCost::new(a, b))).collect();
    all.iter().for_each(|&a| all.iter().for_each(|&b| call(a, b)));
}

/// Rectangles that end on the map or next to it, because an edit stores every cell.
fn small_rects(world: &World, call: impl Fn(&mut Edits, Cell, Cell)) {
    for (a, b) in world.pairs().filter(|(a, b)| a.x.abs_diff(b.x) < 100 && a.y.abs_diff(b.y) < 100) {
        call(&mut Edits::new(), a, b);
    }
}

/// Paths with few enough cells to iterate over.
fn small_paths(world: &World, call: impl Fn(&Path)) {
    world.paths.iter().filter(|path| path.length() < 1e4).for_each(call);
}

fn outputs(call: impl Fn(Output)) {
    [Output::Cost, Output::Waypoints, Output::Cells].into_iter().for_each(call);
}

fn writes(world: &World, call: impl Fn(&mut Path, Output, Cell, Dir, u32)) {
    for &cell in &world.cells {
        for dir in Dir::ALL {
            // A path written cell by cell gets as many cells as requested.
            [0, 1, 100].iter().for_each(|&steps| call(&mut Path::new(), Output::Cells, cell, dir, steps));
            for output in [Output::Cost, Output::Waypoints] {
                NUMBERS.iter().for_each(|&steps| call(&mut Path::new(), output, cell, dir, steps));
            }
        }
    }
}

#[test]
fn every_function_answers_or_errs() {
    let worlds = maps();
    let mut faults = Vec::new();
    for (name, call) in FUNCTIONS {
        for world in &worlds {
            if catch_unwind(AssertUnwindSafe(|| call(world))).is_err() {
                faults.push(format!("{name} on {:?}", ascii::write(&world.grid)));
            }
        }
    }
    assert!(faults.is_empty(), "{} panic:\n{}", faults.len(), faults.join("\n"));
}

/// Indexes accept any cell, also ones that are blocked or off the map.
#[test]
fn every_index_answers_or_says_nothing() {
    for world in maps() {
        planners(&world, |planner, a, b, _| {
            let index = planner.index().unwrap_or_default();
            tried(index.first_moves.map(|moves| (moves.first_move(a, b), moves.areas(a))));
            if let Some(labels) = index.labels.filter(|_| world.grid.is_free(a)) {
                labels.ways_to_hubs(a, &mut |way| assert_eq!(way[0], a));
            }
        });
    }
}

/// The public functions with such inputs, by file and name.
fn public_functions() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let file = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                let text = std::fs::read_to_string(&path).unwrap();
                found.extend(functions_of(&text, file == "planner/contract.rs").map(|name| format!("{file} {name}")));
            }
        }
    }
    found
}

/// The public functions in a source that take a cell, a map, a path or the like.
fn functions_of(source: &str, is_trait: bool) -> impl Iterator<Item = &str> {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = source.match_indices('\n').map(|(at, _)| &source[at + 1..]);
    lines.filter_map(move |line| {
        let line = line.trim_start_matches(' ');
        let line = line.strip_prefix("pub ").or(is_trait.then_some(line))?;
        let rest = line.strip_prefix("const ").unwrap_or(line).strip_prefix("fn ")?;
        let name = &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_')?];
        let body = rest.find(" {\n").into_iter().chain(rest.find(";\n")).min()?;
        let signature = rest[name.len()..body].split("->").next()?;
        let takes = |what: &str| {
            signature.match_indices(what).any(|(at, _)| {
                let beside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                !beside(signature[..at].chars().next_back()) && !beside(signature[at + what.len()..].chars().next())
            })
        };
        let things = [
            "Cell",
            "Corner",
            "Point",
            "Query",
            "Edits",
            "Grid",
            "Path",
            "Dir",
            "GridCost",
            "Movement",
            "Scratch",
            "width",
            "Agent",
            "Room",
            "Georeference",
        ];
        things.into_iter().any(takes).then_some(name)
    })
}

/// Files whose `Path` is a file path, and functions that only forward.
const OTHERS: [&str; 24] = [
    "artifact/mod.rs open",
    "artifact/mod.rs read",
    "files/new_file.rs create",
    "files/new_file.rs create_in",
    "files/new_file.rs ensure_possible",
    "files/new_file.rs is_replaced",
    "files/new_file.rs place",
    "files/new_file.rs prepare",
    "files/new_file.rs write",
    "files/new_file.rs write_by",
    "formats/load.rs load",
    "formats/load.rs load_with",
    "formats/load.rs load_scenario",
    "formats/load.rs load_dynamic",
    "formats/load.rs load_terrain",
    "formats/load.rs load_prices",
    "formats/prices.rs named",
    "catalog/spec.rs with_index",
    "planner/config.rs planner",
    "services/parts/mod.rs add_file",
    "services/parts/mod.rs folder_of",
    "services/parts/mod.rs open",
    "services/parts/part.rs write_part",
    "planner/contract.rs fmt",
];

#[test]
fn every_public_function_is_listed() {
    let listed: BTreeSet<String> = FUNCTIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(listed.len(), FUNCTIONS.len(), "one is listed twice");
    let apart = PANICS.iter().chain(&CHECKED_BEFORE).chain(&OTHERS).map(|name| (*name).to_owned());
    let known: BTreeSet<String> = listed.iter().cloned().chain(apart).collect();
    let there = public_functions();
    assert!(there.len() > 80, "{there:?}");
    // Image readers exist only with the feature.
    let is_here = |name: &&String| cfg!(feature = "image") || !name.starts_with("formats/image/");
    let forgotten: Vec<&String> = there.difference(&known).filter(is_here).collect();
    assert!(forgotten.is_empty(), "give FUNCTIONS a call of each of these:\n{forgotten:#?}");
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "a panic ends the program")]
fn documented_panics_happen() {
    for name in PANICS {
        let (file, function) = name.split_once(' ').unwrap();
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
        let text = std::fs::read_to_string(path).unwrap();
        let at = text.find(&format!("pub fn {function}(")).unwrap();
        let docs = text[..at].rsplit("\n\n").next().unwrap();
        assert!(docs.contains("# Panics"), "{name} does not say that it panics");
    }
    let set = || tried(GridBuilder::new(2, 2).unwrap().set((2, 0), true));
    assert!(catch_unwind(set).is_err());
}

/// A scratch stays usable after a probe panicked.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "a panic ends the program")]
fn a_scratch_works_after_a_probe_panicked() {
    struct Panics(u32);

    impl octile::planner::Probe for Panics {
        fn expanded(&mut self, _: Cell) {
            self.0 -= 1;
            assert!(self.0 > 0, "enough");
        }
    }

    let grid = octile::formats::generate::maze(41, 41, 2, 1).unwrap();
    let free = free_cells(&grid);
    let (start, goal) = (free[0], free[free.len() - 1]);
    let mut panicked = 0;
    for spec in octile_testkit::planners::specs(&grid).filter(|spec| !spec.starts_with("auto")) {
        let mut finder = Finder::new(spec, &grid).unwrap();
        let length = finder.find(start, goal).unwrap().unwrap().length();
        for count in [1, 2, 9] {
            let search = std::panic::AssertUnwindSafe(|| {
                let mut path = Path::new();
                finder.plan_probed(Query::new(start, goal), &mut path, &mut Panics(count)).unwrap()
            });
            panicked += usize::from(std::panic::catch_unwind(search).is_err());
            let again = finder.find(start, goal).unwrap();
            assert_eq!(again.map(|path| path.length()), Some(length), "{spec} after {count}");
        }
    }
    assert!(panicked > 50, "{panicked}");
}
