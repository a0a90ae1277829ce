//! The sets of maps that the benchmark has, and what tells the set of a map.
//!
//! Mazes, rooms and random maps have their set in their names. A map of a game is told by a folder that it lies in
//! (`dao`, `dao-map`, `maps/dao`), by the map that its scenario file names (`maps/dao/arena.map`), or by what the game
//! calls its maps.

use std::fmt;
use std::path::{Component, Path};

/// A set of maps of one kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Set {
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
    /// None of the benchmark's that is known here: a folder of that name.
    Other(String),
}

/// What is known of a map besides its place.
#[derive(Clone, Debug, Default)]
pub(super) struct Clues {
    /// The map that its scenario file names.
    pub(super) named_as: Option<String>,
    /// Its width and height.
    pub(super) size: Option<(u32, u32)>,
}

impl Set {
    /// The set of a map by where it is, if that tells one.
    pub(super) fn by_place(map: &Path) -> Option<Self> {
        Self::by_name(&stem(map)).or_else(|| folders(map).find_map(|folder| game(&folder)))
    }

    /// The set of a map by what else is known of it.
    pub(super) fn by_clues(map: &Path, clues: &Clues) -> Option<Self> {
        let name = stem(map);
        if is_baldurs_gate(&name) {
            return Some(if clues.size == Some(SCALED) { Self::Bg512 } else { Self::BgMaps });
        }
        let named_as = clues.named_as.as_deref().map(Path::new);
        named_as.and_then(Self::by_place).or_else(|| is_dragon_age(&name).then_some(Self::Dao))
    }

    /// Mazes, rooms and random maps.
    fn by_name(name: &str) -> Option<Self> {
        let first = |rest: &str| rest.split_once('-')?.0.parse().ok();
        let maze = || first(name.strip_prefix("maze512-")?).map(Self::Maze);
        let random = || first(name.strip_prefix("random512-")?).map(Self::Random);
        let room = || name.split_once("room_")?.0.parse().ok().map(Self::Room);
        maze().or_else(random).or_else(room)
    }

    /// The name in the papers' tables.
    pub(crate) fn name(&self) -> String {
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
    pub(crate) fn family(&self) -> String {
        match self {
            Self::Room(_) => "ROOMS".to_owned(),
            Self::Maze(_) => "MAZES".to_owned(),
            Self::Random(_) => "RANDOM".to_owned(),
            other => other.name(),
        }
    }

    /// The archive of the benchmark that has its maps.
    pub(super) fn archive(&self) -> Option<Archive> {
        Some(match self {
            Self::Dao => Archive::Dao,
            Self::Bg512 => Archive::Bg512,
            Self::BgMaps => Archive::BgMaps,
            Self::Sc1 => Archive::Sc1,
            Self::Room(_) => Archive::Rooms,
            Self::Maze(_) => Archive::Mazes,
            Self::Random(_) => Archive::Random,
            Self::Other(_) => return None,
        })
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// What the benchmark packs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Archive {
    Dao,
    Bg512,
    BgMaps,
    Sc1,
    Rooms,
    Mazes,
    Random,
}

impl fmt::Display for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dao => "dao (Dragon Age: Origins)",
            Self::Bg512 => "bg512 (Baldur's Gate II, 512 x 512)",
            Self::BgMaps => "bgmaps (Baldur's Gate II, original sizes)",
            Self::Sc1 => "sc1 (Starcraft)",
            Self::Rooms => "rooms (8room_000 and so on)",
            Self::Mazes => "mazes (maze512-1-0 and so on)",
            Self::Random => "random (random512-10-0 and so on)",
        })
    }
}

/// The size that maps of Baldur's Gate are scaled to.
const SCALED: (u32, u32) = (512, 512);

/// What folders of games are called.
const GAMES: [(&str, Set); 7] = [
    ("dao", Set::Dao),
    ("bg512", Set::Bg512),
    ("bgmaps", Set::BgMaps),
    ("bg", Set::BgMaps),
    ("sc1", Set::Sc1),
    ("starcraft", Set::Sc1),
    ("dragonage", Set::Dao),
];

/// The game whose maps a folder of this name has.
fn game(folder: &str) -> Option<Set> {
    GAMES.into_iter().find(|(name, _)| *name == folder).map(|(_, game)| game)
}

/// The folders of a file, from the innermost on, each by the name of what is in it.
pub(super) fn folders(file: &Path) -> impl Iterator<Item = String> {
    let folders = file.parent().into_iter().flat_map(Path::components).rev();
    folders.filter_map(|part| match part {
        Component::Normal(name) => Some(contents(&name.to_string_lossy())),
        _ => None,
    })
}

/// What a folder holds, by its name: `dao` for `dao-map`, `dao-scen` and `DAO`.
fn contents(folder: &str) -> String {
    let name = folder.to_lowercase();
    let without = |ending: &&str| name.strip_suffix(*ending).filter(|rest| !rest.is_empty());
    ENDINGS.iter().find_map(without).map_or(name.clone(), str::to_owned)
}

const ENDINGS: [&str; 8] = ["-map", "-maps", "_map", "_maps", "-scen", "-scenarios", "_scen", "_scenarios"];

/// Folders whose names say nothing of the maps in them.
pub(super) fn says_nothing(folder: &str) -> bool {
    ["map", "maps", "scen", "scens", "scenario", "scenarios", "benchmark", "benchmarks", "movingai"].contains(&folder)
}

fn stem(map: &Path) -> String {
    map.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// `AR0011SR` and the like.
fn is_baldurs_gate(name: &str) -> bool {
    let digits = name.strip_prefix("AR").map(|rest| rest.chars().take_while(char::is_ascii_digit).count());
    digits == Some(4)
}

/// `arena`, `brc000d`, `lak101d` and the like.
fn is_dragon_age(name: &str) -> bool {
    let place = name.get(..3).is_some_and(|place| PLACES.contains(&place));
    let numbered = name.get(3..6).is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()));
    place && numbered || OTHERS.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit()))
}

const PLACES: [&str; 8] = ["brc", "den", "hrt", "lak", "lgt", "orz", "ost", "oth"];
const OTHERS: [&str; 4] = ["arena", "combat", "isound", "rmtst"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_belong_to_sets_by_their_names_or_folders() {
        let of = |path: &str| Set::by_place(Path::new(path));
        assert_eq!(of("x/maze512-16-3.map"), Some(Set::Maze(16)));
        assert_eq!(of("dao/8room_000.map"), Some(Set::Room(8)));
        assert_eq!(of("a/random512-35-0.map"), Some(Set::Random(35)));
        assert_eq!([of("dao/arena.map"), of("bg512-map/AR0011SR.map")], [Some(Set::Dao), Some(Set::Bg512)]);
        assert_eq!([of("maps/sc1/x.map"), of("sc1-map/sc1/x.map")], [Some(Set::Sc1), Some(Set::Sc1)]);
        assert_eq!(of("dao-map/inner/x.map"), Some(Set::Dao));
        for unknown in ["streets/Berlin.map", "a/maze512-x.map", "daocity/x.map", "flat/arena.map"] {
            assert_eq!(of(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn maps_in_one_folder_are_told_apart_by_their_scenarios_sizes_and_names() {
        let of = |map: &str, named_as: Option<&str>, size| {
            Set::by_clues(Path::new(map), &Clues { named_as: named_as.map(str::to_owned), size })
        };
        assert_eq!(of("flat/Aurora.map", Some("maps/sc1/Aurora.map"), None), Some(Set::Sc1));
        assert_eq!(of("flat/Aurora.map", Some("sc1/Aurora.map"), None), Some(Set::Sc1));
        assert_eq!(of("flat/Aurora.map", Some("Aurora.map"), None), None);
        // The benchmark's own scenarios of the scaled maps name the folder of the others.
        let scenario = Some("maps/bgmaps/AR0011SR.map");
        assert_eq!(of("flat/AR0011SR.map", scenario, Some((512, 512))), Some(Set::Bg512));
        assert_eq!(of("flat/AR0011SR.map", None, Some((148, 139))), Some(Set::BgMaps));
        for dao in ["arena2", "brc000d", "lak101d", "ost000t", "rmtst03"] {
            assert_eq!(of(&format!("flat/{dao}.map"), None, None), Some(Set::Dao), "{dao}");
        }
        assert_eq!(of("flat/ring.map", None, Some((512, 512))), None);
    }
}
