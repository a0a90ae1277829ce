//! The maps of the benchmark that are at hand, by the sets they belong to; or generated ones in their place.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs, io};

use anyhow::{Context, Result, ensure};
use octile::generate::{self, GenerateError, ScenarioConfig};
use octile::{Grid, Movement};
use octile_cli::harness::inputs::{self, Selection, Task};
use octile_cli::harness::output;

/// Where the benchmark's maps are.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct MapsArg {
    /// Look for the benchmark's maps here and in the folders in it [default: what `OCTILE_MOVINGAI` names, or
    /// ../shared/movingai, or generated maps of the same kinds]
    #[arg(long, value_name = "DIR")]
    pub(super) maps: Option<PathBuf>,
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

/// A set of maps of one kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Set {
    /// Dragon Age: Origins.
    Dao,
    /// Baldur's Gate II, scaled to 512 x 512.
    Bg512,
    /// Baldur's Gate II as they are.
    BgMaps,
    /// Starcraft.
    Sc1,
    /// Rooms of so many cells.
    Room(u32),
    /// Mazes with corridors of so many cells.
    Maze(u32),
    /// So many of a hundred cells blocked at random.
    Random(u32),
    /// A folder of that name.
    Other(String),
}

impl Set {
    /// The set of a map, by its name or by that of its folder.
    fn of(map: &Path) -> Option<Self> {
        let name = map.file_name()?.to_str()?;
        let number = |text: &str| text.parse().ok();
        if let Some(rest) = name.strip_prefix("maze512-") {
            return Some(Self::Maze(number(rest.split_once('-')?.0)?));
        }
        if let Some(rest) = name.strip_prefix("random512-") {
            return Some(Self::Random(number(rest.split_once('-')?.0)?));
        }
        if let Some((width, _)) = name.split_once("room_") {
            return Some(Self::Room(number(width)?));
        }
        // The folder `.` has no name of its own.
        let parent = map.parent()?;
        let named = if parent.file_name().is_some() { parent.to_owned() } else { parent.canonicalize().ok()? };
        let folder = named.file_name().map_or_else(|| "maps".to_owned(), |name| name.to_string_lossy().into_owned());
        let game = GAMES.into_iter().find(|(start, _)| folder.starts_with(start)).map(|(_, game)| game);
        Some(game.unwrap_or(Self::Other(folder)))
    }

    /// The name in the papers' tables.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Dao => "DAO".to_owned(),
            Self::Bg512 | Self::BgMaps => "BG2".to_owned(),
            Self::Sc1 => "SC1".to_owned(),
            Self::Room(width) => format!("ROOM{width}"),
            Self::Maze(width) => format!("MAZE{width}"),
            Self::Random(percent) => format!("RANDOM{percent}"),
            Self::Other(folder) => folder.clone(),
        }
    }

    /// The name of the sets that are summed up together.
    pub(super) fn family(&self) -> String {
        match self {
            Self::Room(_) => "ROOMS".to_owned(),
            Self::Maze(_) => "MAZES".to_owned(),
            Self::Random(_) => "RANDOM".to_owned(),
            other => other.name(),
        }
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// How the folders of games begin.
const GAMES: [(&str, Set); 4] = [("dao", Set::Dao), ("bg512", Set::Bg512), ("bgmaps", Set::BgMaps), ("sc1", Set::Sc1)];

/// All maps at hand.
pub(super) struct Benchmarks {
    folder: Option<PathBuf>,
    sets: BTreeMap<Set, Vec<Source>>,
}

/// A map, and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) set: Set,
    /// The file's name without its ending, or what a stand-in is called.
    pub(super) name: String,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    File(PathBuf),
    Made { side: u32, seed: u64 },
}

impl Benchmarks {
    /// Those of the folder, or stand-ins with a part of the sides if there is none.
    pub(super) fn find(arg: &MapsArg, shrink: u32) -> Result<Self> {
        let Some(folder) = arg.named() else { return Ok(Self { folder: None, sets: stand_ins(shrink) }) };
        let mut sets: BTreeMap<Set, Vec<Source>> = BTreeMap::new();
        for path in map_files(&folder)? {
            let Some(set) = Set::of(&path) else { continue };
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            sets.entry(set.clone()).or_default().push(Source { set, name, origin: Origin::File(path) });
        }
        ensure!(
            !sets.is_empty(),
            "{} has no maps: it needs folders such as dao, bg512, sc1, rooms, mazes and random with .map files and their .map.scen \
             files, from the MovingAI benchmarks (movingai.com/benchmarks)",
            folder.display()
        );
        Ok(Self { folder: Some(folder), sets })
    }

    pub(super) fn is_made_up(&self) -> bool {
        self.folder.is_none()
    }

    /// What tells these maps and their problems from others: where they are, how long the files are and when they were changed.
    pub(super) fn state(&self) -> Result<Vec<(PathBuf, u64, Option<SystemTime>)>> {
        let maps = self.sets.values().flatten().filter_map(Source::file);
        let files = maps.flat_map(|map| [map.to_owned(), inputs::scenario_of(map, None)]);
        let state = |file: PathBuf| {
            let cannot = || format!("cannot read {}", file.display());
            let data = fs::metadata(&file).with_context(cannot)?;
            let place = file.canonicalize().with_context(cannot)?;
            Ok((place, data.len(), data.modified().ok()))
        };
        files.filter(|file| file.is_file()).map(state).collect()
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
}

impl Source {
    /// The file that it comes from, if it does.
    fn file(&self) -> Option<&Path> {
        match &self.origin {
            Origin::File(map) => Some(map),
            Origin::Made { .. } => None,
        }
    }

    /// The file of its problems, if it comes from a file.
    fn scenario(&self) -> Option<PathBuf> {
        self.file().map(|map| inputs::scenario_of(map, None))
    }

    /// Whether it comes with problems.
    pub(super) fn has_problems(&self) -> bool {
        self.scenario().is_none_or(|scenario| scenario.is_file())
    }

    /// The map under the benchmark's rule.
    pub(super) fn grid(&self) -> Result<Grid> {
        match &self.origin {
            Origin::File(map) => Ok(inputs::map(map, Movement::Octile)?.grid),
            Origin::Made { side, seed } => {
                made(&self.set, *side, *seed).with_context(|| format!("the stand-in {}", self.name))
            }
        }
    }

    /// The map, and all of its problems.
    pub(super) fn load(&self) -> Result<(Grid, Vec<Task>)> {
        let grid = self.grid()?;
        let tasks = if let Some(scenario) = self.scenario() {
            inputs::tasks(&scenario, &grid, Selection { every: NonZeroUsize::MIN })?
        } else {
            let config = ScenarioConfig { sources: SOURCES, ..ScenarioConfig::default() };
            inputs::number(generate::scenario(&grid, &self.name, &config).problems).collect()
        };
        Ok((grid, tasks))
    }
}

/// Stand-ins have the problems of so many searches.
const SOURCES: usize = 10;

/// Notes maps that cannot be used because they have no problems.
pub(super) fn say_without_problems(sources: &[Source]) {
    let missing: Vec<PathBuf> =
        sources.iter().filter(|source| !source.has_problems()).filter_map(Source::scenario).collect();
    inputs::say_skipped(&missing);
}

/// The map files of a folder and of the folders in it, by name.
fn map_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let is_map = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "map") && path.is_file();
    let (mut files, mut ignored) = (Vec::new(), 0);
    for path in entries(folder)? {
        if path.is_dir() {
            match entries(&path) {
                Ok(inner) => files.extend(inner.into_iter().filter(is_map)),
                Err(_) => ignored += 1,
            }
        } else if is_map(&path) {
            files.push(path);
        }
    }
    if ignored > 0 {
        output::say(format_args!("note: {ignored} of the folders in {} cannot be read", folder.display()));
    }
    Ok(files)
}

/// What a folder holds, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>();
    let mut entries = read().with_context(|| format!("cannot read the directory {}", folder.display()))?;
    entries.sort();
    Ok(entries)
}

/// Two maps for each set of the papers, each with a seed of its own, but for those from which compressed path databases are built: five, of growing sides.
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
    Source { set: set.clone(), name: format!("{set}-stand-in-{seed}"), origin: Origin::Made { side, seed } }
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
    fn maps_belong_to_sets_by_their_names_or_folders() {
        let of = |path: &str| Set::of(Path::new(path));
        assert_eq!(of("x/maze512-16-3.map"), Some(Set::Maze(16)));
        assert_eq!(of("rooms/8room_000.map"), Some(Set::Room(8)));
        assert_eq!(of("a/random512-35-0.map"), Some(Set::Random(35)));
        assert_eq!([of("dao/arena.map"), of("bg512-map/AR0011SR.map")], [Some(Set::Dao), Some(Set::Bg512)]);
        assert_eq!(of("streets/Berlin.map"), Some(Set::Other("streets".to_owned())));
        assert_eq!(of("a/maze512-x.map"), None);
    }

    #[test]
    fn stand_ins_are_maps_with_problems() {
        let arg = MapsArg::default();
        let maps = Benchmarks { folder: None, sets: stand_ins(8) };
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
