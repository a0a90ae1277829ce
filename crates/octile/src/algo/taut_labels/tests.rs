use super::*;
use crate::formats::generate;
use crate::geometry::Corner;
use crate::path::Output;
use crate::planner::{Indexes, Progress};

/// Builds the index for a planner without an index file.
fn build(build: &Build<'_>, settings: Settings) -> Result<Vec<u8>, BuildError> {
    super::build::build(build, settings, false)
}

fn all_settings() -> impl Iterator<Item = Settings> {
    Squeeze::ALL.into_iter().flat_map(|squeeze| Endpoints::ALL.map(|ends| Settings { squeeze, ends }))
}

/// Small maps of all sorts.
fn maps() -> Vec<Grid> {
    let mut maps: Vec<Grid> =
        ["..@.\n....\n.@..", "@", ".", "@@@\n@.@", ".@\n@.", "......\n.@.@..\n......", "...@.\n@@..@\n..@..", ".@\n.@"]
            .into_iter()
            .map(|map| map.parse().unwrap())
            .collect();
    for seed in 0..10 {
        maps.push(generate::random(9, 7, 5 + 5 * seed as u32, seed).unwrap());
        maps.push(generate::random(5, 12, 25, 100 + seed).unwrap());
    }
    maps.push(generate::rooms(13, 13, 3, 1).unwrap());
    maps.push(generate::maze(11, 9, 1, 2).unwrap());
    maps
}

/// The lengths of shortest paths between all points, by brute force: every corner of a cell may be a turn.
struct Truth {
    points: Vec<Point>,
    lengths: Vec<f64>,
}

impl Truth {
    fn new(grid: &Grid, squeeze: Squeeze) -> Self {
        let corners = (0..=grid.height()).flat_map(|y| (0..=grid.width()).map(move |x| Corner::new(x, y)));
        let centres = grid.cells().filter(|&cell| grid.is_free(cell)).map(Point::centre);
        let points: Vec<Point> = corners.map(Point::corner).chain(centres).collect();
        let mut lengths = vec![f64::INFINITY; points.len() * points.len()];
        for (place, length) in lengths.iter_mut().enumerate() {
            let (a, b) = (points[place / points.len()], points[place % points.len()]);
            if sight::points_visible(grid, a, b, squeeze) {
                *length = a.distance(b);
            }
        }
        let mut truth = Self { points, lengths };
        // Paths turn at corners only.
        for turn in 0..truth.points.len().min((grid.width() as usize + 1) * (grid.height() as usize + 1)) {
            truth.allow(turn);
        }
        truth
    }

    fn allow(&mut self, turn: usize) {
        let count = self.points.len();
        let from_turn = self.lengths[turn * count..(turn + 1) * count].to_vec();
        for row in self.lengths.chunks_mut(count) {
            let to_turn = row[turn];
            for (length, more) in row.iter_mut().zip(&from_turn) {
                *length = length.min(to_turn + more);
            }
        }
    }

    fn length(&self, a: Point, b: Point) -> Option<f64> {
        let place = |point| self.points.iter().position(|known| *known == point).unwrap();
        Some(self.lengths[place(a) * self.points.len() + place(b)]).filter(|length| length.is_finite())
    }
}

/// Checks all pairs of cells of a map, and returns how many have a path.
fn check_all_pairs(grid: &Grid, settings: Settings) -> usize {
    let truth = Truth::new(grid, settings.squeeze);
    let planner = TautLabels::from(settings).planner(grid).unwrap();
    let (mut scratch, mut path, mut cost) = (planner.create_scratch(), Path::new(), Path::new());
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let mut found = 0;
    let mut lengths = vec![None; free.len() * free.len()];
    assert!(planner.costs(&mut scratch, &free, &free, &mut lengths));
    check_rows(&*planner, &free, &lengths);
    let pairs = free.iter().flat_map(|start| free.iter().map(move |goal| (start, goal)));
    for ((&start, &goal), length) in pairs.zip(lengths) {
        let query = PathQuery::new(start, goal);
        let is_found = planner.plan(&mut scratch, query, &mut path).unwrap();
        assert_eq!(planner.plan(&mut scratch, query.output(Output::Cost), &mut cost).unwrap(), is_found);
        let expected = truth.length(settings.ends.point(start), settings.ends.point(goal));
        assert_eq!(is_found, expected.is_some(), "{start} {goal} {settings}\n{grid:?}");
        assert_eq!(length.is_some(), expected.is_some(), "{start} {goal} {settings}\n{grid:?}");
        let (Some(expected), Some(length)) = (expected, length) else { continue };
        let straight = settings.ends.point(start).distance(settings.ends.point(goal));
        let is_shortest = (length.length() - expected).abs() <= 1e-9 * expected && length.length() >= straight;
        assert!(is_shortest, "{start} {goal} {settings}: {length} {expected}\n{grid:?}");
        path.check(grid, start, goal).unwrap();
        let is_shortest = (path.length() - expected).abs() <= 1e-9 * expected;
        assert!(is_shortest, "{start} {goal} {settings}: {} {expected}\n{grid:?}", path.length());
        assert_eq!(cost.cost(), path.cost());
        found += 1;
    }
    found
}

/// Costs from one cell equal those between many cells to the last bit, and so do those of the nearest targets.
fn check_rows(planner: &dyn Planner, free: &[Cell], lengths: &[Option<PathCost>]) {
    let (mut scratch, mut row, mut nearest) = (planner.create_scratch(), vec![None; free.len()], Vec::new());
    for (&source, lengths) in free.iter().zip(lengths.chunks(free.len().max(1))) {
        assert!(planner.costs(&mut scratch, &[source], free, &mut row));
        assert_eq!(row, lengths);
        nearest.clear();
        assert!(planner.nearest(&mut scratch, source, free, 5, &mut |place, length| nearest.push((place, length))));
        let mut sorted: Vec<(usize, PathCost)> =
            lengths.iter().enumerate().filter_map(|(place, length)| Some((place, (*length)?))).collect();
        sorted.sort_by(|(_, a), (_, b)| a.length().total_cmp(&b.length()));
        sorted.truncate(5);
        assert_eq!(nearest, sorted);
    }
}

#[test]
fn all_pairs_are_exact() {
    let mut found = 0;
    for grid in maps() {
        for settings in all_settings() {
            found += check_all_pairs(&grid, settings);
        }
    }
    assert!(found > 100_000, "{found}");
}

/// Maps that need many times the budget are refused after a small part of it is spent.
#[test]
fn random_obstacles_are_refused_early() {
    let grid = generate::random(300, 300, 20, 1).unwrap();
    let hubs = std::sync::atomic::AtomicU64::new(0);
    let watch = |progress: Progress| {
        if progress.stage == "hubs" {
            hubs.fetch_max(progress.done, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let refused = build(&Build::new(&grid).watched(&watch), Settings::default());
    let Err(BuildError::TakesLong { planner: "taut-labels", reason, .. }) = refused else { panic!("it takes more") };
    let Some(Unsuited::Budget { over, corners, .. }) = reason.downcast_ref() else { panic!("{reason}") };
    assert!(over.takes > over.most, "{over}");
    assert!(hubs.into_inner() * 10 < *corners as u64, "of {corners} hubs");
}

#[test]
fn paths_beyond_the_limit_are_refused() {
    let grid = Grid::from_fn(60_000, 3, |cell| cell.y != 1 || cell.x % 5000 == 7).unwrap();
    let message = TautLabels::default().planner(&grid).unwrap_err().to_string();
    assert!(message.contains("its paths may be longer than"), "{message}");
}

#[test]
fn an_index_is_for_its_settings() {
    let grid = generate::rooms(20, 20, 5, 1).unwrap();
    for made in all_settings() {
        let bytes = build(&Build::new(&grid), made).unwrap();
        let facts = (INDEX.describe)(&Artifact::from_bytes(bytes.clone().into()).unwrap()).unwrap();
        assert_eq!(facts.last().unwrap(), &("settings", made.to_string()));
        for asked in all_settings() {
            let indexes = Indexes::from([Artifact::from_bytes(bytes.clone().into()).unwrap()]);
            let opened = TautLabels::from(asked).planner(Build::new(&grid).with(indexes));
            match opened {
                Ok(planner) => assert_eq!((asked, planner.ends()), (made, made.ends)),
                Err(BuildError::IndexSettings { found, .. }) => assert!(asked != made && found == made.to_string()),
                Err(error) => panic!("{error}"),
            }
        }
    }
}
