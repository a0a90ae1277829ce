//! The maps of a race: built-in ones, or files, some of which may turn out to be bad.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use indicatif::ProgressBar;
use octile::formats::generate::{self, ScenarioConfig};
use octile::{Catalog, Grid};

use super::Args;
use crate::harness::args::{ReadArgs, extension};
use crate::harness::indexes::IndexFiles;
use crate::harness::inputs::{self, Selection, Task};
use crate::harness::race::{Course, Race, Retired};
use crate::harness::words::{MOST_LISTED, count};
use crate::harness::{Outcome, hints, output};
use crate::report::json::Skipped;

/// The maps of a race, and those that turned out to be unusable.
#[derive(Default)]
pub(super) struct Field {
    pub(super) sources: Vec<Source>,
    /// Maps of folders that lack a scenario file.
    pub(super) missing: Vec<Skipped>,
    /// Files of folders that cannot be used.
    pub(super) bad: Vec<Skipped>,
}

impl Field {
    pub(super) fn built_in() -> Self {
        Self { sources: BUILT_IN.map(Source::BuiltIn).into(), ..Self::default() }
    }

    /// The maps with scenario files among the arguments.
    pub(super) fn of_files(args: &Args) -> Result<Self> {
        let (mut field, mut missing) = (Self::default(), Vec::new());
        for argument in &args.maps {
            if extension(argument).as_deref() == Some("scen") {
                let map = inputs::map_of(argument)?;
                field.sources.push(Source::Files { map, scen: argument.clone(), is_named: true });
                continue;
            }
            let is_named = !argument.is_dir();
            for map in inputs::maps(argument)? {
                let scen = inputs::scenario_of(&map, args.scen_dir.as_deref());
                if is_named || scen.is_file() {
                    field.sources.push(Source::Files { map, scen, is_named });
                } else {
                    missing.push((map, scen));
                }
            }
        }
        field.note_missing(&missing, &args.read)?;
        Ok(field)
    }

    /// Records the maps of folders whose scenario files are missing; there must be others.
    fn note_missing(&mut self, missing: &[(PathBuf, PathBuf)], read: &ReadArgs) -> Result<()> {
        let Some((map, scen)) = missing.first() else { return Ok(()) };
        ensure!(!self.sources.is_empty(), "no map has a scenario file: {}", inputs::no_scenario(map, scen, read));
        let skipped = |(map, scen): &(PathBuf, PathBuf)| Skipped::new(map, inputs::no_scenario(map, scen, read));
        self.missing = missing.iter().map(skipped).collect();
        inputs::say_skipped(&missing.iter().map(|(_, scen)| scen.clone()).collect::<Vec<_>>());
        Ok(())
    }

    pub(super) fn open_indexes(&self, args: &Args, catalog: &Catalog) -> Result<IndexFiles> {
        let movement = args.movement.movement;
        // A bad file of a folder is reported when its turn comes.
        let maps = self.sources.iter().map(|source| (source, source.map(args)));
        let maps = maps.filter(|(source, map)| source.is_named() || map.is_ok()).map(|(_, map)| map);
        let indexes = IndexFiles::open_for_maps(&args.index, movement, maps, catalog)?;
        // Do not wait long for planners that were not named.
        Ok(if args.planners.is_empty() { indexes.briefly() } else { indexes })
    }

    /// Runs the race on each map in turn. Bad files of a folder are skipped.
    pub(super) fn run(
        &mut self,
        race: &mut Race,
        args: &Args,
        indexes: &IndexFiles,
        catalog: &Catalog,
        bar: &ProgressBar,
    ) -> Result<()> {
        for source in &self.sources {
            // If both planner and map are named, they must fit.
            race.let_retire((!source.is_named() || args.planners.is_empty()).then(|| catalog.clone()));
            let steps = bar.position() + race.steps_per_course();
            match source.course(args, indexes).and_then(|course| race.run(&course, bar)) {
                Ok(()) => {}
                Err(error) if source.is_named() => return Err(error),
                Err(error) => self.bad.push(Skipped::new(source.file(), hints::message(&error, catalog))),
            }
            bar.set_position(steps);
        }
        if let Some(Skipped { reason, .. }) = self.bad.first().filter(|_| race.maps() == 0) {
            bail!("no map can be used: {reason}");
        }
        Ok(())
    }

    /// The outcome of the race. Planners that were not named may retire.
    pub(super) fn outcome(&self, race: &Race, is_default: bool) -> Outcome {
        let is_whole = self.bad.is_empty() && (is_default || race.retired.is_empty());
        if is_whole && race.wrong.is_empty() { Outcome::Good } else { Outcome::Bad }
    }

    /// Reports skipped files and retired planners.
    pub(super) fn complain(&self, race: &Race) {
        for Retirement { planner, maps, first } in retirements(race) {
            let maps = count(maps, "map", "maps");
            output::say(format_args!("note: {planner} did not run on {maps}: {}", first.reason));
        }
        for skipped in self.bad.iter().take(MOST_LISTED) {
            output::say(format_args!("skipped: {}", skipped.reason));
        }
        if self.bad.len() > MOST_LISTED {
            output::say(format_args!("... and {} more files were skipped", self.bad.len() - MOST_LISTED));
        }
    }
}

/// The number of maps that a planner did not run on.
struct Retirement<'a> {
    planner: &'a str,
    maps: usize,
    first: &'a Retired,
}

fn retirements(race: &Race) -> Vec<Retirement<'_>> {
    let mut all: Vec<Retirement<'_>> = Vec::new();
    for retired in &race.retired {
        match all.iter_mut().find(|known| known.planner == retired.planner) {
            Some(known) => known.maps += 1,
            None => all.push(Retirement { planner: &retired.planner, maps: 1, first: retired }),
        }
    }
    all
}

/// The source of a course. Courses are made one at a time, since a thousand maps need not fit in memory.
pub(super) enum Source {
    Files {
        map: PathBuf,
        scen: PathBuf,
        /// Whether the command names the map itself, not only its folder.
        is_named: bool,
    },
    BuiltIn(BuiltIn),
}

impl Source {
    fn is_named(&self) -> bool {
        matches!(self, Self::Files { is_named: true, .. })
    }

    fn file(&self) -> &Path {
        match self {
            Self::Files { map, .. } => map,
            Self::BuiltIn(_) => Path::new("built-in"),
        }
    }

    fn map(&self, args: &Args) -> Result<Grid> {
        let movement = args.movement.movement;
        Ok(match self {
            Self::Files { map, .. } => inputs::map(map, movement, &args.read)?.grid,
            Self::BuiltIn(built_in) => built_in.map()?.1.with_movement(movement),
        })
    }

    fn course(&self, args: &Args, indexes: &IndexFiles) -> Result<Course> {
        let grid = self.map(args)?;
        let (name, mut tasks) = match self {
            Self::Files { map, scen, .. } => {
                ensure!(scen.exists(), inputs::no_scenario(map, scen, &args.read));
                (map.display().to_string(), inputs::tasks(scen, &grid, args.selection)?)
            }
            Self::BuiltIn(built_in) => built_in.tasks(args.selection)?,
        };
        tasks.truncate(args.limit.map_or(usize::MAX, NonZeroUsize::get));
        Ok(Course { name, indexes: indexes.of_map(&grid), grid, tasks, answers_known: true })
    }
}

/// A generated map.
#[derive(Clone, Copy)]
pub(super) enum BuiltIn {
    Open,
    Rooms,
    Maze,
    Random,
}

const BUILT_IN: [BuiltIn; 4] = [BuiltIn::Open, BuiltIn::Rooms, BuiltIn::Maze, BuiltIn::Random];

impl BuiltIn {
    /// With this size and about this number of queries, the race on all of them takes some ten seconds.
    const SIDE: u32 = 256;
    const QUERIES: usize = 100;
    const SEED: u64 = 1;

    /// The name of the map and the problems on it.
    fn tasks(self, selection: Selection) -> Result<(String, Vec<Task>)> {
        let (name, grid) = self.map()?;
        // Few sources: each takes a search over the whole map.
        let config = ScenarioConfig { seed: Self::SEED, sources: 20, ..ScenarioConfig::default() };
        let problems = generate::scenario(&grid, name, &config).problems;
        let every = (problems.len() / Self::QUERIES).max(1) * selection.every.get();
        Ok((format!("built-in map {name}"), inputs::number(problems).step_by(every).collect()))
    }

    /// The name of the map and the map.
    fn map(self) -> Result<(&'static str, Grid)> {
        let (side, seed) = (Self::SIDE, Self::SEED);
        let (name, grid) = match self {
            Self::Open => ("open", generate::open(side, side)),
            Self::Rooms => ("rooms", generate::rooms(side, side, 16, seed)),
            Self::Maze => ("maze", generate::maze(side, side, 4, seed)),
            Self::Random => ("random", generate::random(side, side, 20, seed)),
        };
        Ok((name, grid.context("cannot make the built-in maps")?))
    }
}

#[cfg(test)]
mod tests {
    use octile::Output;

    use super::*;

    #[test]
    fn planners_that_were_not_named_may_retire() {
        let (mut race, mut field) = (Race::new(Vec::new(), Output::Waypoints, 1), Field::built_in());
        assert_eq!(field.outcome(&race, false), Outcome::Good);
        let retired =
            |course: &str| Retired { planner: "jps".into(), course: course.into(), reason: "too large".into() };
        race.retired = vec![retired("one"), retired("two")];
        assert_eq!([true, false].map(|is_default| field.outcome(&race, is_default)), [Outcome::Good, Outcome::Bad]);
        let [Retirement { maps, first, .. }] = &retirements(&race)[..] else { panic!("one planner retired") };
        assert_eq!((*maps, first.course.as_str()), (2, "one"));
        field.bad.push(Skipped::new(Path::new("a.map"), "a.map: empty".to_owned()));
        assert_eq!(field.outcome(&race, true), Outcome::Bad);
    }
}
