//! Dynamic scenarios: a map that changes between queries, played by a planner and judged.
//!
//! The clock covers building the planner, applying the changes and answering. Answers are judged outside, on the map of
//! that moment, of which the judge has its own copy. A planner holds its map alone, as in a game, so that the first
//! change need not copy the map.

use std::path::Path as File;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use octile::formats::movingai::dynamic::{DynamicScenario, Optima, Query};
use octile::planner::OnEdit;
use octile::{Cell, Edits, Finder, Grid, Movement, Output, Path, PathCost, PathQuery, PlannerSpec, QueryError};

use super::indexes::IndexFiles;
use super::inputs::Selection;
use super::judge::{self, Fault, Promise};

/// A dynamic scenario, with the part of it to play.
pub struct Game {
    /// The name of its file.
    pub name: String,
    /// The steps of play.
    pub turns: Vec<Turn>,
    /// The totals.
    pub sums: Sums,
    /// The movement rule.
    pub movement: Movement,
    scenario: DynamicScenario,
    optima: Optima,
}

/// A change of the map, and the queries until the next change.
pub struct Turn {
    /// The change; it may be empty.
    pub edits: Edits,
    /// The queries after it.
    pub queries: Vec<Query>,
}

/// The totals of a scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// The number of changes.
    pub edits: usize,
    /// The number of changed cells, summed over the changes; patches also name many that do not change.
    pub cells_changed: usize,
    /// The number of queries.
    pub queries: usize,
}

impl Sums {
    /// The totals of a whole scenario.
    pub fn of(scenario: &DynamicScenario) -> Result<Self> {
        let (mut sums, mut now) = (Self::default(), scenario.start()?);
        for step in scenario.steps() {
            sums.add(&step.edits, step.queries.len(), &mut now)?;
        }
        Ok(sums)
    }

    /// Adds a change, applying it to `now`, and a number of queries.
    fn add(&mut self, edits: &Edits, queries: usize, now: &mut Grid) -> Result<()> {
        self.queries += queries;
        if edits.is_empty() {
            return Ok(());
        }
        edits.check(now)?;
        let mut changed: Vec<(Cell, bool)> = edits.iter().map(|(cell, _)| (cell, now.is_free(cell))).collect();
        now.apply(edits)?;
        changed.retain(|&(cell, was_free)| now.is_free(cell) != was_free);
        changed.sort_unstable_by_key(|(cell, _)| (cell.y, cell.x));
        changed.dedup();
        self.edits += 1;
        self.cells_changed += changed.len();
        Ok(())
    }
}

impl Game {
    /// Loads a scenario with every `selection.every`th query, up to `limit` of them. Includes all changes up to the
    /// last query, and without a limit also those after it.
    pub fn load(file: &File, selection: Selection, limit: Option<usize>, movement: Movement) -> Result<Self> {
        let (name, scenario) = (file.display().to_string(), octile::formats::load_dynamic(file)?);
        let optima = scenario.optima();
        let optima = optima.with_context(|| format!("{name} has no costs named `octile` to check answers against"))?;
        let (mut turns, mut sums, mut numbers) = (Vec::new(), Sums::default(), 0..);
        let mut now = scenario.start().context(name.clone())?;
        let mut left = limit.unwrap_or(usize::MAX);
        for step in scenario.steps() {
            if left == 0 {
                break;
            }
            let is_taken =
                |_: &&Query| numbers.next().is_some_and(|number: usize| number.is_multiple_of(selection.every.get()));
            let queries: Vec<Query> = step.queries.into_iter().filter(is_taken).take(left).cloned().collect();
            left -= queries.len();
            sums.add(&step.edits, queries.len(), &mut now).with_context(|| format!("{name}, batch {}", step.batch))?;
            turns.push(Turn { edits: step.edits, queries });
        }
        Ok(Self { name, turns, sums, movement, scenario, optima })
    }

    /// The map before the first change, an unshared copy.
    pub fn start(&self) -> Result<Grid> {
        let start = self.scenario.start().with_context(|| self.name.clone())?;
        Ok(start.with_movement(self.movement))
    }

    /// Width and height of the map.
    pub fn size(&self) -> (u32, u32) {
        (self.scenario.width, self.scenario.height)
    }

    /// Whether the file's lengths apply to the movement rule.
    pub fn has_lengths(&self) -> bool {
        self.movement == Movement::Octile
    }

    /// The length of a shortest path according to the file; `None` if the file says that there is no path.
    pub fn optimum(&self, query: &Query) -> Option<f64> {
        self.optima.of(query)
    }

    /// Judges an answer against the file, whose lengths count only if they apply to the movement rule.
    pub fn by_file(&self, query: &Query, promise: Promise, cost: Option<PathCost>) -> Result<(), Fault> {
        judge::by_length(self.optima.of(query), self.optima.agree(query, cost), promise, self.has_lengths(), cost)
    }

    /// Builds a planner to play, and returns the time that took.
    pub fn seat(&self, spec: &PlannerSpec, indexes: &IndexFiles) -> Result<(Finder, Duration)> {
        let start = self.start()?;
        let clock = Instant::now();
        let finder = indexes.finder(spec, &start, &self.name)?;
        Ok((finder, clock.elapsed()))
    }

    /// Plays the whole game and returns the time of each change and each answer. Events are reported while the clock is
    /// stopped.
    pub fn play(
        &self,
        finder: &mut Finder,
        output: Output,
        mut tell: impl FnMut(Event<'_>) -> Result<()>,
    ) -> Result<Times> {
        let mut times = Times::default();
        let mut path = Path::new();
        for Turn { edits, queries } in &self.turns {
            if !edits.is_empty() {
                let clock = Instant::now();
                let applied = finder.apply(edits);
                times.edits.push(nanos(clock));
                applied.with_context(|| self.name.clone())?;
                tell(Event::Changed(edits))?;
            }
            for query in queries {
                let trip = PathQuery::new(query.start, query.goal).output(output);
                let clock = Instant::now();
                let found = finder.plan(trip, &mut path);
                times.queries.push(nanos(clock));
                let found = match found {
                    // There is no path to or from a cell inside a building.
                    Err(QueryError::Blocked { .. }) => false,
                    found => found.with_context(|| format!("{}, line {}", self.name, query.line))?,
                };
                tell(Event::Answered(query, trip, found.then_some(&path)))?;
            }
        }
        Ok(times)
    }
}

/// An event of a game.
pub enum Event<'a> {
    /// The map has changed.
    Changed(&'a Edits),
    /// A query was answered, with its path if there is one.
    Answered(&'a Query, PathQuery, Option<&'a Path>),
}

/// Fails for a planner that refuses edits.
pub fn check_takes_edits(spec: &PlannerSpec) -> Result<()> {
    ensure!(
        spec.on_edit() != OnEdit::Refuses,
        "planner `{spec}` refuses edits, and the map of a dynamic scenario changes: choose another; `octile planners NAME` says how a planner takes edits"
    );
    Ok(())
}

/// The times of changes and answers, in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Each change.
    pub edits: Vec<u64>,
    /// Each answer.
    pub queries: Vec<u64>,
}

impl Times {
    /// Keeps the better of two times for each, given another round of the same game.
    pub fn improve(&mut self, other: &Self) {
        for (best, time) in self.edits.iter_mut().zip(&other.edits).chain(self.queries.iter_mut().zip(&other.queries)) {
            *best = (*best).min(*time);
        }
    }

    /// The total time of changes.
    pub fn edits_total(&self) -> Duration {
        Duration::from_nanos(self.edits.iter().sum())
    }

    /// The time of the first change, which in most scenarios carves the map out of open ground.
    pub fn first_edit(&self) -> Duration {
        Duration::from_nanos(self.edits.first().copied().unwrap_or_default())
    }

    /// The total time of answers.
    pub fn queries_total(&self) -> Duration {
        Duration::from_nanos(self.queries.iter().sum())
    }

    /// The total time of changes and answers.
    pub fn total(&self) -> Duration {
        self.edits_total() + self.queries_total()
    }
}

fn nanos(clock: Instant) -> u64 {
    u64::try_from(clock.elapsed().as_nanos()).unwrap_or(u64::MAX).max(1)
}

/// The judge of a planner's moves, on the map of that moment.
pub struct Referee {
    now: Grid,
    /// The cost of each answer, or what is wrong with its moves.
    pub answers: Vec<Result<Option<PathCost>, Fault>>,
}

impl Referee {
    /// The referee of a game that has not begun.
    pub fn new(game: &Game) -> Result<Self> {
        Ok(Self { now: game.start()?, answers: Vec::with_capacity(game.sums.queries) })
    }

    /// Records an event.
    pub fn see(&mut self, event: &Event<'_>) -> Result<()> {
        match event {
            Event::Changed(edits) => drop(self.now.apply(edits)?),
            Event::Answered(_, trip, path) => {
                self.answers.push(judge::moves(&self.now, *trip, *path).map(|()| path.map(Path::cost)));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use octile::formats::generate::{self, ChangesConfig};
    use octile::formats::movingai::{dynamic, patch};
    use tempfile::TempDir;

    use super::*;

    fn every(every: usize) -> Selection {
        Selection { every: every.try_into().unwrap() }
    }

    fn folder(scenario: &DynamicScenario) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.scen"), dynamic::write(scenario)).unwrap();
        fs::write(folder.path().join("a.patch"), patch::write(&scenario.patches)).unwrap();
        folder
    }

    fn generated() -> TempDir {
        let config = ChangesConfig { per_million: 20_000, batches: 6, between: 7, seed: 1 };
        folder(&generate::changes(&generate::rooms(40, 30, 8, 1).unwrap(), "a.patch", &config).unwrap())
    }

    fn game(folder: &TempDir, selection: usize, limit: Option<usize>) -> Game {
        Game::load(&folder.path().join("a.scen"), every(selection), limit, Movement::Octile).unwrap()
    }

    #[test]
    fn all_planners_that_take_edits_agree_with_the_file() {
        let folder = generated();
        let game = game(&folder, 1, None);
        for spec in [
            "astar",
            "jps",
            "corner-sweep:cache=on",
            "jump-graph",
            "block-astar",
            "weighted-astar:weight=2",
            "taut-sight",
        ] {
            let spec: PlannerSpec = spec.parse().unwrap();
            check_takes_edits(&spec).unwrap();
            let (mut finder, _) = game.seat(&spec, &IndexFiles::default()).unwrap();
            let mut referee = Referee::new(&game).unwrap();
            let times = game.play(&mut finder, Output::Waypoints, |event| referee.see(&event)).unwrap();
            assert_eq!((times.edits.len(), times.queries.len(), referee.answers.len()), (6, 42, 42), "{spec}");
            let promise = Promise::of(finder.planner());
            let queries = game.turns.iter().flat_map(|turn| &turn.queries);
            for (query, answer) in queries.zip(referee.answers) {
                let judged = answer.and_then(|cost| game.by_file(query, promise, cost));
                assert_eq!(judged, Ok(()), "{spec}, line {}", query.line);
            }
        }
    }

    #[test]
    fn every_nth_query_is_taken_and_all_changes_up_to_the_last() {
        let folder = generated();
        let whole = game(&folder, 1, None);
        let half = game(&folder, 2, None);
        assert_eq!((whole.sums.edits, whole.sums.queries, half.sums.queries), (6, 42, 21));
        assert_eq!(Sums { queries: 42, ..half.sums }, whole.sums);
        let few = game(&folder, 2, Some(5));
        assert_eq!((few.sums.edits, few.sums.queries), (2, 5));
        let lines = |game: &Game| -> Vec<usize> {
            game.turns.iter().flat_map(|turn| turn.queries.iter().map(|query| query.line)).collect()
        };
        assert!(lines(&few).iter().eq(lines(&whole).iter().step_by(2).take(5)));
    }

    #[test]
    fn unchanged_cells_do_not_count() {
        let text = "version 2\nheight 3\nwidth 5\ncost 1 octile\npatch a.patch\ncommands\nP 0 0 0 0\nP 0 0 1 0\nQ 0 4 0 4 2 2\nP 1 0 0 0\nQ 1 0 0 4 0 -1\n";
        let wall = patch::Patch::from_fn(2, 3, |_| false).unwrap();
        let folder = folder(&dynamic::parse(text.as_bytes(), vec![wall]).unwrap());
        let game = game(&folder, 1, None);
        assert_eq!(game.sums, Sums { edits: 2, cells_changed: 9, queries: 2 });
        // The last query begins at a blocked cell: it has no path, which is not an error.
        let (mut finder, _) = game.seat(&"jps".parse().unwrap(), &IndexFiles::default()).unwrap();
        let mut referee = Referee::new(&game).unwrap();
        game.play(&mut finder, Output::Waypoints, |event| referee.see(&event)).unwrap();
        assert_eq!(referee.answers[1], Ok(None));
    }

    #[test]
    fn all_planners_of_the_catalog_take_edits() {
        for entry in octile::Catalog::standard().planners() {
            for spec in octile::Catalog::standard().specs(entry) {
                check_takes_edits(&spec.parse().unwrap()).unwrap();
            }
        }
    }

    #[test]
    fn the_better_time_counts() {
        let mut best = Times { edits: vec![5, 9], queries: vec![4] };
        best.improve(&Times { edits: vec![6, 8], queries: vec![3] });
        assert_eq!(best, Times { edits: vec![5, 8], queries: vec![3] });
        assert_eq!(best.total(), Duration::from_nanos(16));
    }
}
