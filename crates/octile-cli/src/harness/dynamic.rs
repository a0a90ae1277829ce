//! Dynamic scenarios: a map that changes between queries, played by a planner and judged.
//!
//! All that a planner is timed for is to be made ready, to take the changes and to answer. What it answered is judged
//! by the map as it is then, of which the judge has a copy of its own. A planner holds its map alone, as in a game:
//! nobody makes it copy the map at its first change.

use std::path::Path as File;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use octile::movingai::dynamic::{DynamicScenario, Optima, Query};
use octile::{Cell, Edits, Finder, Grid, Movement, OnEdit, Output, Path, PathCost, PathQuery, PlannerSpec, QueryError};

use super::indexes::IndexFiles;
use super::inputs::Selection;
use super::judge::{self, Fault, Promise};

/// A dynamic scenario, as far as it is to be played.
pub struct Game {
    /// What its file is called.
    pub name: String,
    /// The steps of play.
    pub turns: Vec<Turn>,
    /// What they come to.
    pub sums: Sums,
    /// The rule that paths keep.
    pub movement: Movement,
    scenario: DynamicScenario,
    optima: Optima,
}

/// A change of the map, and what is asked until the next.
pub struct Turn {
    /// The change; it may be none.
    pub edits: Edits,
    /// What is asked then.
    pub queries: Vec<Query>,
}

/// What a scenario comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// How often the map changes.
    pub edits: usize,
    /// How many cells do, summed over the changes; patches name many that stay as they are.
    pub cells_changed: usize,
    /// How many queries there are.
    pub queries: usize,
}

impl Sums {
    /// Those of all of a scenario.
    pub fn of(scenario: &DynamicScenario) -> Result<Self> {
        let (mut sums, mut now) = (Self::default(), scenario.start()?);
        for step in scenario.steps() {
            sums.add(&step.edits, step.queries.len(), &mut now)?;
        }
        Ok(sums)
    }

    /// Adds a change of a map, which it makes, and so many queries.
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
    /// Loads a scenario, of which every `selection.every`th query is taken, and the first `limit` of those. All changes
    /// up to the last query are played, and without a limit those behind it too.
    pub fn load(file: &File, selection: Selection, limit: Option<usize>, movement: Movement) -> Result<Self> {
        let (name, scenario) = (file.display().to_string(), octile::load_dynamic(file)?);
        let optima = scenario.optima();
        let optima =
            optima.with_context(|| format!("{name} has no costs named `octile`, by which answers could be judged"))?;
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

    /// The map before the first change, of which nobody else has a copy.
    pub fn start(&self) -> Result<Grid> {
        let start = self.scenario.start().with_context(|| self.name.clone())?;
        Ok(start.with_movement(self.movement))
    }

    /// Width and height of the map.
    pub fn size(&self) -> (u32, u32) {
        (self.scenario.width, self.scenario.height)
    }

    /// Whether the file's lengths belong to the rule in force.
    pub fn has_lengths(&self) -> bool {
        self.movement == Movement::Octile
    }

    /// The length of a shortest path by the file; `None` if that says that there is none.
    pub fn optimum(&self, query: &Query) -> Option<f64> {
        self.optima.of(query)
    }

    /// Judges an answer by the file, as far as its lengths belong to the rule in force.
    pub fn by_file(&self, query: &Query, promise: Promise, cost: Option<PathCost>) -> Result<(), Fault> {
        judge::by_length(self.optima.of(query), self.optima.agree(query, cost), promise, self.has_lengths(), cost)
    }

    /// A planner ready to play, and how long that took.
    pub fn seat(&self, spec: &PlannerSpec, indexes: &IndexFiles) -> Result<(Finder, Duration)> {
        let start = self.start()?;
        let clock = Instant::now();
        let finder = indexes.finder(spec, &start, &self.name)?;
        Ok((finder, clock.elapsed()))
    }

    /// Plays all of it, and gives how long each change and each answer took. What happens is told after the clock has
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
                    // Nobody gets to where a building stands, or away from there.
                    Err(QueryError::Blocked { .. }) => false,
                    found => found.with_context(|| format!("{}, line {}", self.name, query.line))?,
                };
                tell(Event::Answered(query, trip, found.then_some(&path)))?;
            }
        }
        Ok(times)
    }
}

/// What happens in a game.
pub enum Event<'a> {
    /// The map has changed.
    Changed(&'a Edits),
    /// A query was answered, with a path if there is one.
    Answered(&'a Query, PathQuery, Option<&'a Path>),
}

/// Refuses a planner that does not take changes of the map.
pub fn check_takes_edits(spec: &PlannerSpec) -> Result<()> {
    ensure!(
        spec.on_edit() != OnEdit::Refuses,
        "planner `{spec}` refuses edits, and the map of a dynamic scenario changes: choose one that takes them, as `octile planners` tells"
    );
    Ok(())
}

/// How long changes and answers took, in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Each change.
    pub edits: Vec<u64>,
    /// Each answer.
    pub queries: Vec<u64>,
}

impl Times {
    /// Each the better of two times; those of another round of the same game.
    pub fn improve(&mut self, other: &Self) {
        for (best, time) in self.edits.iter_mut().zip(&other.edits).chain(self.queries.iter_mut().zip(&other.queries)) {
            *best = (*best).min(*time);
        }
    }

    /// All changes.
    pub fn edits_total(&self) -> Duration {
        Duration::from_nanos(self.edits.iter().sum())
    }

    /// The first change, which in most scenarios carves the map out of one that is all free.
    pub fn first_edit(&self) -> Duration {
        Duration::from_nanos(self.edits.first().copied().unwrap_or_default())
    }

    /// All answers.
    pub fn queries_total(&self) -> Duration {
        Duration::from_nanos(self.queries.iter().sum())
    }

    /// Changes and answers.
    pub fn total(&self) -> Duration {
        self.edits_total() + self.queries_total()
    }
}

fn nanos(clock: Instant) -> u64 {
    u64::try_from(clock.elapsed().as_nanos()).unwrap_or(u64::MAX).max(1)
}

/// Who judges the moves of a planner on the map as it is then.
pub struct Referee {
    now: Grid,
    /// What was answered to each query, or what is wrong with the moves of that.
    pub answers: Vec<Result<Option<PathCost>, Fault>>,
}

impl Referee {
    /// That of a game, before it begins.
    pub fn new(game: &Game) -> Result<Self> {
        Ok(Self { now: game.start()?, answers: Vec::with_capacity(game.sums.queries) })
    }

    /// Sees what happens.
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

    use octile::generate::{self, ChangesConfig};
    use octile::movingai::{dynamic, patch};
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
    fn cells_that_stay_as_they_are_do_not_count() {
        let text = "version 2\nheight 3\nwidth 5\ncost 1 octile\npatch a.patch\ncommands\nP 0 0 0 0\nP 0 0 1 0\nQ 0 4 0 4 2 2\nP 1 0 0 0\nQ 1 0 0 4 0 -1\n";
        let wall = patch::Patch::from_fn(2, 3, |_| false).unwrap();
        let folder = folder(&dynamic::parse(text.as_bytes(), vec![wall]).unwrap());
        let game = game(&folder, 1, None);
        assert_eq!(game.sums, Sums { edits: 2, cells_changed: 9, queries: 2 });
        // The last query begins where it is blocked: there is no path, and that is no error.
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
