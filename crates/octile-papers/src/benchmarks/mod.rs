//! The maps of the benchmark that are at hand, by the sets they belong to; or generated ones in their place.

mod layout;
mod set;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::SystemTime;
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use octile::formats::generate::{self, GenerateError, ScenarioConfig};
use octile::{Grid, Movement};
use octile_cli::harness::args::ReadArgs;
use octile_cli::harness::inputs::{self, Selection, Task};
use octile_cli::harness::words::count;

use self::layout::Found;

pub(super) use self::set::{Archive, Set};

/// Where the benchmark's maps are.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct MapsArg {
    /// Look for the benchmark's maps and their scenario files below this folder, in whatever folders they are: dao/,
    /// dao-map/ and dao-scen/, maps/dao/ and scenarios/dao/, or all in one [default: what `OCTILE_MOVINGAI` names, or
    /// ../shared/movingai, or generated maps of the same kinds]
    #[arg(long, value_name = "DIR")]
    pub(super) maps: Option<PathBuf>,

    /// Look for scenario files below this folder first
    #[arg(long, value_name = "DIR")]
    pub(super) scen_dir: Option<PathBuf>,
}

const VARIABLE: &str = "OCTILE_MOVINGAI";
const BESIDE: &str = "../shared/movingai";

impl MapsArg {
    /// The folder with the maps, if one was named or is where it is looked for.
    fn named(&self) -> Option<PathBuf> {
        let beside = || Some(PathBuf::from(BESIDE)).filter(|folder| folder.is_dir());
        self.maps.clone().or_else(|| env::var_os(VARIABLE).map(PathBuf::from)).or_else(beside)
    }
}

/// All maps at hand.
pub(super) struct Benchmarks {
    folder: Option<PathBuf>,
    sets: BTreeMap<Set, Vec<Source>>,
    /// Files of which nothing says which of the benchmark's sets they are of.
    untold: Vec<PathBuf>,
}

/// A map, and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) set: Set,
    /// The file's name without its ending, or what a stand-in is called.
    pub(super) name: String,
    origin: Origin,
    /// How many problems it has, once they were counted.
    problems: OnceCell<usize>,
}

#[derive(Clone, Debug)]
enum Origin {
    File { map: PathBuf, scenario: Option<PathBuf> },
    Made { side: u32, seed: u64 },
}

/// What a report needs of an archive of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Need {
    pub(super) archive: Archive,
    /// Whether maps are of use only with a scenario file.
    pub(super) problems: bool,
}

impl Need {
    pub(super) fn maps(archive: Archive) -> Self {
        Self { archive, problems: false }
    }

    pub(super) fn problems(archive: Archive) -> Self {
        Self { archive, problems: true }
    }
}

impl Benchmarks {
    /// Those of the folder, or stand-ins with a part of the sides if there is none.
    pub(super) fn find(arg: &MapsArg, shrink: u32) -> Result<Self> {
        let Some(folder) = arg.named() else {
            ensure!(
                arg.scen_dir.is_none(),
                "--scen-dir has the problems only: name the folder of the maps with --maps"
            );
            return Ok(Self { folder: None, sets: stand_ins(shrink), untold: Vec::new() });
        };
        let found = layout::find(&folder, arg.scen_dir.as_deref())?;
        if found.is_empty() {
            bail!(
                "{} has no maps: it needs .map files and their .map.scen files of the MovingAI benchmarks (movingai.com/benchmarks), in \
                 folders such as dao, bg512, sc1, rooms, mazes and random, or as the archives have them",
                folder.display()
            );
        }
        let untold = found.iter().filter(|found| !found.is_told).map(|found| found.map.clone()).collect();
        let mut sets: BTreeMap<Set, Vec<Source>> = BTreeMap::new();
        for source in found.into_iter().map(Source::from) {
            sets.entry(source.set.clone()).or_default().push(source);
        }
        Ok(Self { folder: Some(folder), sets, untold })
    }

    pub(super) fn is_made_up(&self) -> bool {
        self.folder.is_none()
    }

    /// What tells these maps and their problems from others: where they are, how long the files are and when they were
    /// changed.
    pub(super) fn state(&self) -> Result<Vec<(PathBuf, u64, Option<SystemTime>)>> {
        let files = self.sets.values().flatten().flat_map(Source::files);
        let state = |file: PathBuf| {
            let cannot = || format!("cannot read {}", file.display());
            let data = fs::metadata(&file).with_context(cannot)?;
            let place = file.canonicalize().with_context(cannot)?;
            Ok((place, data.len(), data.modified().ok()))
        };
        files.map(state).collect()
    }

    /// In words, for a report.
    pub(super) fn described(&self) -> String {
        match &self.folder {
            Some(folder) => format!("the MovingAI maps in {}", folder.display()),
            None => "generated stand-ins of the same kinds: the MovingAI maps are not at hand".to_owned(),
        }
    }

    pub(super) fn sets(&self) -> impl Iterator<Item = &Set> {
        self.sets.keys()
    }

    /// The maps of a set, by name.
    pub(super) fn of(&self, set: &Set) -> &[Source] {
        self.sets.get(set).map_or(&[], Vec::as_slice)
    }

    /// A map by its name.
    pub(super) fn named(&self, name: &str) -> Option<&Source> {
        self.sets.values().flatten().find(|source| source.name == name)
    }

    /// What is missing of what is needed, in words.
    pub(super) fn missing(&self, mut needs: Vec<Need>) -> Vec<String> {
        needs.sort_unstable();
        needs.dedup();
        let folder = self.folder.as_deref().map(|folder| folder.display().to_string()).unwrap_or_default();
        let missing = |Need { archive, problems }: Need| {
            let maps = || self.sets.values().flatten().filter(|source| source.set.archive() == Some(archive));
            match maps().count() {
                0 => Some(format!("{folder} has no map of {archive}")),
                found if problems && !maps().any(Source::has_problems) => {
                    Some(format!("{folder} has {} of {archive} without a scenario file", count(found, "map", "maps")))
                }
                _ => None,
            }
        };
        let mut sentences: Vec<String> = needs.into_iter().filter_map(missing).collect();
        sentences.dedup();
        sentences
    }

    /// What is said of maps whose set is not known, if there are any.
    pub(super) fn untold(&self) -> Option<String> {
        let first = self.untold.first()?.file_name()?.to_string_lossy();
        let maps = count(self.untold.len(), "map is", "maps are");
        Some(format!(
            "{maps} of no set that is known, {first} the first: no folder, no scenario file and no name says which of the benchmark's sets. They \
             count as a set with the name of their folder."
        ))
    }
}

impl From<Found> for Source {
    fn from(Found { set, map, scenario, .. }: Found) -> Self {
        let name = map.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self { set, name, origin: Origin::File { map, scenario }, problems: OnceCell::new() }
    }
}

impl Source {
    /// The files that it comes from, if it does.
    fn files(&self) -> Vec<PathBuf> {
        match &self.origin {
            Origin::File { map, scenario } => std::iter::once(map).chain(scenario).cloned().collect(),
            Origin::Made { .. } => Vec::new(),
        }
    }

    /// How many problems it comes with.
    pub(super) fn problems(&self) -> usize {
        let count = || match &self.origin {
            Origin::File { scenario: Some(scenario), .. } => {
                let text = fs::read(scenario).unwrap_or_default();
                // All but the line of the version begin with a number.
                text.split(|&byte| byte == b'\n').filter(|line| line.first().is_some_and(u8::is_ascii_digit)).count()
            }
            Origin::File { scenario: None, .. } => 0,
            Origin::Made { .. } => self.load().map_or(0, |(_, problems)| problems.len()),
        };
        *self.problems.get_or_init(count)
    }

    /// Whether it comes with problems.
    pub(super) fn has_problems(&self) -> bool {
        !matches!(self.origin, Origin::File { scenario: None, .. })
    }

    /// The map under the benchmark's rule.
    pub(super) fn grid(&self) -> Result<Grid> {
        match &self.origin {
            Origin::File { map, .. } => Ok(inputs::map(map, Movement::Octile, &ReadArgs::default())?.grid),
            Origin::Made { side, seed } => {
                made(&self.set, *side, *seed).with_context(|| format!("the stand-in {}", self.name))
            }
        }
    }

    /// The map, and all of its problems.
    pub(super) fn load(&self) -> Result<(Grid, Vec<Task>)> {
        let grid = self.grid()?;
        let tasks = match &self.origin {
            Origin::File { scenario: Some(scenario), .. } => {
                inputs::tasks(scenario, &grid, Selection { every: NonZeroUsize::MIN })?
            }
            Origin::File { map, scenario: None } => bail!("{} has no scenario file", map.display()),
            Origin::Made { .. } => {
                let config = ScenarioConfig { sources: SOURCES, ..ScenarioConfig::default() };
                inputs::number(generate::scenario(&grid, &self.name, &config).problems).collect()
            }
        };
        Ok((grid, tasks))
    }
}

/// Stand-ins have the problems of so many searches.
const SOURCES: usize = 10;

/// Notes maps that cannot be used because they have no problems.
pub(super) fn say_without_problems(sources: &[Source]) {
    let without = sources.iter().filter(|source| !source.has_problems());
    let missing: Vec<PathBuf> = without.flat_map(Source::files).map(|map| inputs::scenario_of(&map, None)).collect();
    inputs::say_skipped(&missing);
}

/// Two maps for each set of the papers, each with a seed of its own, but for those from which compressed path databases
/// are built: five, of growing sides.
fn stand_ins(shrink: u32) -> BTreeMap<Set, Vec<Source>> {
    let rooms = [8, 16, 32, 64].map(Set::Room);
    let mazes = [1, 2, 4, 8, 16, 32].map(Set::Maze);
    let random = [10, 20, 30, 40].map(Set::Random);
    let games = [Set::Dao, Set::Bg512, Set::Sc1];
    let mut sets = BTreeMap::new();
    for (set, seed) in games.into_iter().chain(rooms).chain(mazes).chain(random).zip((0..).step_by(2)) {
        let sources = (seed..seed + 2).map(|seed| stand_in(&set, SIDE, shrink, seed)).collect();
        sets.insert(set, sources);
    }
    let sides = (1..=5).map(|nth| stand_in(&Set::BgMaps, 30 * nth as u32, shrink.min(2), nth));
    sets.insert(Set::BgMaps, sides.collect());
    sets
}

/// The side of the benchmark's maps.
const SIDE: u32 = 512;
/// Less is no map.
const LEAST_SIDE: u32 = 24;

fn stand_in(set: &Set, side: u32, shrink: u32, seed: u64) -> Source {
    let side = (side / shrink).max(LEAST_SIDE);
    let (name, origin) = (format!("{set}-stand-in-{seed}"), Origin::Made { side, seed });
    Source { set: set.clone(), name, origin, problems: OnceCell::new() }
}

/// A map of the kind of a set. Rooms and corridors are never wider than the map allows.
fn made(set: &Set, side: u32, seed: u64) -> Result<Grid, GenerateError> {
    match *set {
        Set::Room(width) => generate::rooms(side, side, width.min(side / 2), seed),
        Set::Maze(width) => generate::maze(side, side, width.min(side / 4), seed),
        Set::Random(percent) => generate::random(side, side, percent, seed),
        _ => generate::caves(side, side, CAVES_PERCENT, seed),
    }
}

/// About what leaves half of a map free.
const CAVES_PERCENT: u32 = 40;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_are_maps_with_problems() {
        let arg = MapsArg::default();
        let maps = Benchmarks { folder: None, sets: stand_ins(8), untold: Vec::new() };
        assert!(arg.maps.is_none() && maps.is_made_up() && maps.described().contains("stand-ins"));
        assert_eq!(maps.sets().count(), 18);
        for set in maps.sets() {
            for source in maps.of(set) {
                let (grid, tasks) = source.load().unwrap();
                assert!(source.has_problems() && tasks.len() > 5, "{} has {} problems", source.name, tasks.len());
                assert!(tasks.iter().all(|task| grid.is_free(task.problem.start)), "{}", source.name);
            }
        }
        assert!(maps.named("DAO-stand-in-1").is_some() && maps.named("DAO").is_none());
    }
}
