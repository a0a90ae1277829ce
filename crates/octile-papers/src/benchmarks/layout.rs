//! Maps and their scenario files as people have them: beside each other, in two trees, in two folders a set, or all in
//! one.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use octile_cli::harness::inputs::scenario_of;
use octile_cli::harness::output;

use super::set::{Clues, Set, folders, says_nothing};

/// A map that was found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) set: Set,
    pub(super) map: PathBuf,
    pub(super) scenario: Option<PathBuf>,
    /// Whether something says which set it is of.
    pub(super) is_told: bool,
}

/// The maps below a folder, with their scenario files from below the second, if there is one, or from below the same.
/// Of maps of a set that have the same name one counts: the first that has a scenario file.
pub(super) fn find(maps: &Path, scenarios: Option<&Path>) -> Result<Vec<Found>> {
    let tree = Tree::walk(maps)?;
    let named = scenarios.map(Tree::walk).transpose()?.map_or_else(Vec::new, |tree| tree.scenarios);
    let shelf = Shelf { root: maps.to_owned(), named: by_name(named), others: by_name(tree.scenarios) };
    let mut found: Vec<Found> = tree.maps.into_iter().map(|map| shelf.found(map)).collect();
    found.sort_by_key(|found| (found.set.clone(), found.name().to_owned(), found.scenario.is_none()));
    found.dedup_by(|later, first| later.set == first.set && later.name() == first.name());
    Ok(found)
}

impl Found {
    fn name(&self) -> &OsStr {
        self.map.file_name().unwrap_or_default()
    }
}

/// The files below a folder, by name.
#[derive(Default)]
struct Tree {
    maps: Vec<PathBuf>,
    scenarios: Vec<PathBuf>,
    /// Folders that cannot be read.
    closed: usize,
}

/// How many folders deep files are looked for: `benchmarks/maps/dao-map/dao` is the deepest that was seen.
const DEPTH: usize = 4;

impl Tree {
    fn walk(folder: &Path) -> Result<Self> {
        let mut tree = Self::default();
        let entries = entries(folder).with_context(|| format!("cannot read the directory {}", folder.display()))?;
        tree.add(entries, DEPTH);
        if tree.closed > 0 {
            output::say(format_args!("note: {} of the folders in {} cannot be read", tree.closed, folder.display()));
        }
        Ok(tree)
    }

    fn add(&mut self, paths: Vec<PathBuf>, depth: usize) {
        for path in paths {
            let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if path.is_dir() {
                match entries(&path) {
                    Ok(inner) if depth > 0 && !is_hidden => self.add(inner, depth - 1),
                    Ok(_) => {}
                    Err(_) => self.closed += 1,
                }
            } else if has_ending(&path, "map") {
                self.maps.push(path);
            } else if has_ending(&path, "scen") {
                self.scenarios.push(path);
            }
        }
    }
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending) && path.is_file()
}

/// What a folder holds, by name.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    entries.sort();
    Ok(entries)
}

/// Scenario files by their names: those of a folder that was named for them, and those below the folder of the maps.
struct Shelf {
    /// The folder of the maps.
    root: PathBuf,
    named: HashMap<OsString, Vec<PathBuf>>,
    others: HashMap<OsString, Vec<PathBuf>>,
}

impl Shelf {
    fn found(&self, map: PathBuf) -> Found {
        let (scenario, place) = (self.scenario(&map), self.place(&map));
        let set = Set::by_place(&place).or_else(|| Set::by_clues(&map, &clues(&map, scenario.as_deref())));
        let folder = folders(&place).next().unwrap_or_else(|| "maps".to_owned());
        let is_told = set.is_some() || map.parent() != Some(&self.root) && !says_nothing(&folder);
        Found { set: set.unwrap_or(Set::Other(folder)), map, scenario, is_told }
    }

    /// Where a map is, from the folder of the maps on: what that lies in says nothing of them.
    fn place(&self, map: &Path) -> PathBuf {
        let root = self.root.canonicalize().unwrap_or_default();
        Path::new(root.file_name().unwrap_or_default()).join(map.strip_prefix(&self.root).unwrap_or(map))
    }

    /// The scenario file of a map: from the folder that was named for them, beside the map, or from a folder of the
    /// same name that stands for scenarios. Files of that name are of another map if they are about one of another
    /// size.
    fn scenario(&self, map: &Path) -> Option<PathBuf> {
        let beside = scenario_of(map, None);
        let name = beside.file_name()?;
        let of_map = |shelf: &HashMap<OsString, Vec<PathBuf>>| {
            let mut files: Vec<PathBuf> = shelf.get(name)?.iter().filter(|file| fits(map, file)).cloned().collect();
            files.sort_by_key(|file| !folders(file).next().eq(&folders(map).next()));
            files.into_iter().next()
        };
        of_map(&self.named).or_else(|| beside.is_file().then(|| beside.clone())).or_else(|| of_map(&self.others))
    }
}

fn by_name(files: Vec<PathBuf>) -> HashMap<OsString, Vec<PathBuf>> {
    let mut shelf: HashMap<OsString, Vec<PathBuf>> = HashMap::new();
    for file in files {
        shelf.entry(file.file_name().unwrap_or_default().to_owned()).or_default().push(file);
    }
    shelf
}

/// Whether a scenario file is about a map of this size, as far as that can be told.
fn fits(map: &Path, scenario: &Path) -> bool {
    size(map).zip(first_problem(scenario)).is_none_or(|(size, (_, of_problem))| size == of_problem)
}

fn clues(map: &Path, scenario: Option<&Path>) -> Clues {
    Clues { named_as: scenario.and_then(first_problem).map(|(map, _)| map), size: size(map) }
}

/// The map that the first problem of a scenario file names, and its size. What is wrong with a file is told when it is
/// read.
fn first_problem(scenario: &Path) -> Option<(String, (u32, u32))> {
    let text = head(scenario)?;
    let line = text.lines().filter(|line| !line.trim().is_empty()).nth(1)?;
    let fields: Vec<&str> = line.split(if line.contains('\t') { '\t' } else { ' ' }).collect();
    Some((fields.get(1)?.replace('\\', "/"), (fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?)))
}

/// The width and height in the header of a map.
fn size(map: &Path) -> Option<(u32, u32)> {
    let text = head(map)?;
    let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    Some((value("width ")?, value("height ")?))
}

/// The first lines of a file.
fn head(file: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(file).ok()?.take(HEAD_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Longer than any header.
const HEAD_BYTES: u64 = 512;

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a map of a size, or a scenario about a map of that name and size.
    fn write(folder: &Path, file: &str, (width, height): (u32, u32)) {
        let path = folder.join(file);
        let text = match file.strip_suffix(".scen") {
            Some(map) => format!("version 1\n0\tmaps/{map}\t{width}\t{height}\t0\t0\t1\t0\t1\n"),
            None => format!("type octile\nheight {height}\nwidth {width}\nmap\n"),
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// What is found below a folder: sets, maps and scenarios.
    fn found(folder: &Path, scenarios: Option<&Path>) -> Vec<(Set, String, Option<String>, bool)> {
        let below = |path: &Path| path.strip_prefix(folder).unwrap().display().to_string();
        let found = find(folder, scenarios).unwrap().into_iter();
        found.map(|f| (f.set, below(&f.map), f.scenario.as_deref().map(below), f.is_told)).collect()
    }

    #[test]
    fn of_maps_found_twice_one_counts_and_hidden_folders_do_not() {
        let folder = tempfile::tempdir().unwrap();
        for file in
            ["a/dao/arena.map", "dao-map/arena.map", "dao-scen/arena.map.scen", ".old/dao/x.map", "1/2/3/4/5/dao.map"]
        {
            write(folder.path(), file, (9, 9));
        }
        let arena = (Set::Dao, "a/dao/arena.map".to_owned(), Some("dao-scen/arena.map.scen".to_owned()), true);
        assert_eq!(found(folder.path(), None), [arena]);
    }

    #[test]
    fn scenarios_are_of_maps_of_their_size() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "bgmaps/AR0011SR.map", (148, 139));
        write(folder.path(), "bg512/AR0011SR.map", (512, 512));
        write(folder.path(), "scenarios/bg512/AR0011SR.map.scen", (512, 512));
        let scenario = |set: Set| found(folder.path(), None).into_iter().find(|found| found.0 == set).unwrap().2;
        assert_eq!(scenario(Set::Bg512).as_deref(), Some("scenarios/bg512/AR0011SR.map.scen"));
        assert_eq!(scenario(Set::BgMaps), None);
    }

    #[test]
    fn a_folder_named_for_scenarios_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["sc1/x.map", "sc1/x.map.scen", "apart/x.map.scen"] {
            write(folder.path(), file, (9, 9));
        }
        let scenario = |scenarios: Option<&Path>| found(folder.path(), scenarios)[0].2.clone().unwrap();
        assert_eq!(scenario(None), "sc1/x.map.scen");
        assert_eq!(scenario(Some(&folder.path().join("apart"))), "apart/x.map.scen");
        assert!(find(&folder.path().join("nowhere"), None).is_err());
    }

    #[test]
    fn folders_name_sets_that_are_not_the_benchmarks_and_what_lies_loose_is_told_to_be_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("mine");
        for file in ["streets-map/Berlin.map", "maps/y.map", "z.map"] {
            write(&root, file, (9, 9));
        }
        let sets: Vec<_> = found(&root, None).into_iter().map(|(set, _, _, is_told)| (set.name(), is_told)).collect();
        let expected = [("maps", false), ("mine", false), ("streets", true)];
        assert_eq!(sets, expected.map(|(name, is_told)| (name.to_owned(), is_told)));
    }
}
