//! The input files of commands: maps and scenarios, and how they belong together.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, ensure};
use clap::Args;
use octile::files::FileFault;
use octile::formats::movingai::dynamic;
use octile::formats::movingai::scen::Problem;
use octile::formats::{LoadFault, MapFile};
use octile::geometry::ParseError;
use octile::{Cell, Grid, LoadError, Movement};

use super::args::{ReadArgs, at_least_one, extension};
use super::output;
use super::words::count;

/// The name of standard input in place of a map.
pub const STDIN: &str = "-";

/// The maximum size of standard input: the largest map takes a quarter of it.
const MAX_BYTES: u64 = 1 << 30;

/// Loads a map from a file or, as `-`, from standard input.
pub fn load(path: &Path, read: &ReadArgs) -> Result<MapFile> {
    if path == Path::new(STDIN) {
        return load_bytes(&stdin()?, read);
    }
    let file = octile::formats::load_with(path, &read.options()?).map_err(unread)?;
    read.check(&file.grid, &name(path))?;
    Ok(file)
}

/// Loads a map from the bytes of standard input.
pub fn load_bytes(bytes: &[u8], read: &ReadArgs) -> Result<MapFile> {
    let name = name(Path::new(STDIN));
    let file = octile::formats::load_bytes_with(bytes, &read.options()?).with_context(|| name.clone())?;
    read.check(&file.grid, &name)?;
    Ok(file)
}

/// The path of the image of a ROS map that has been loaded.
pub(crate) fn ros_image(map: &Path) -> Result<PathBuf> {
    let bytes = fs::read(map).with_context(|| format!("cannot read {}", map.display()))?;
    let ros = octile::formats::image::ros::parse(&bytes).with_context(|| name(map))?;
    Ok(map.with_file_name(ros.image))
}

/// The error that a map cannot be loaded. For a file that is not regular, such as the `<(...)` of a shell, it suggests
/// a pipe.
fn unread(error: LoadError) -> Error {
    match error.fault {
        LoadFault::File(FileFault::NotRegular { .. }) => {
            Error::msg(format!("{error}, or pipe it to `-`, as in `octile info - < {}`", error.file.display()))
        }
        LoadFault::UnknownFormat if is_dynamic(&error.file) => {
            let file = error.file.display();
            Error::msg(format!(
                "{file} is a dynamic scenario, not a map: `octile run {file}` plays it, and `octile info {file}` describes it"
            ))
        }
        LoadFault::UnknownFormat if extension(&error.file).as_deref() == Some("scen") => {
            Error::msg(format!("{} is a scenario, not a map: give the map that it is for", error.file.display()))
        }
        _ => error.into(),
    }
}

/// Whether a file is a dynamic scenario, by its first line.
pub fn is_dynamic(path: &Path) -> bool {
    // Enough for blank lines before it. Bytes that do not come from a regular file can be read only once.
    const START: u64 = 4096;
    let start = || {
        let mut bytes = Vec::new();
        fs::File::open(path).ok()?.take(START).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    };
    path.is_file() && start().is_some_and(|bytes| dynamic::is_dynamic(&bytes))
}

/// Reads all of standard input.
pub fn stdin() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_BYTES).read_to_end(&mut bytes).context("standard input cannot be read")?;
    ensure!((bytes.len() as u64) < MAX_BYTES, "standard input is too large: at most {MAX_BYTES} bytes are read");
    Ok(bytes)
}

/// The name of a file in messages.
pub fn name(path: &Path) -> String {
    if path == Path::new(STDIN) { "standard input".to_owned() } else { path.display().to_string() }
}

/// A cell in a file of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The line number, from 1.
    pub line: usize,
    /// The cell.
    pub cell: Cell,
}

/// The cells of a file or of standard input: one `x,y` per line. Blank lines and comments after `#` are ignored.
pub fn cells(path: &Path) -> Result<Vec<Listed>> {
    let bytes = if path == Path::new(STDIN) { stdin()? } else { list(path)? };
    let text = String::from_utf8(bytes).ok().with_context(|| format!("{} is not text", name(path)))?;
    listed(&text).map(|(line, cell)| cell.with_context(|| format!("{}, line {line}", name(path)))).collect()
}

/// Reads all of a file of cells.
fn list(path: &Path) -> Result<Vec<u8>> {
    let cannot = || format!("cannot read {}", path.display());
    let found = fs::metadata(path).with_context(cannot)?;
    ensure!(found.is_file(), "{} is not a regular file: pipe it to `-`", path.display());
    ensure!(found.len() < MAX_BYTES, "{} is too large: at most {MAX_BYTES} bytes are read", path.display());
    fs::read(path).with_context(cannot)
}

/// The lines of a text that are not empty, each with its number and its cell.
fn listed(text: &str) -> impl Iterator<Item = (usize, Result<Listed, ParseError>)> {
    let words = |line| str::split(line, '#').next().unwrap_or_default().trim();
    let lines = (1..).zip(text.lines().map(words)).filter(|(_, word)| !word.is_empty());
    lines.map(|(line, word)| (line, word.parse().map(|cell| Listed { line, cell })))
}

/// Loads a map, as [`load`], and sets its movement rule.
pub fn map(path: &Path, movement: Movement, read: &ReadArgs) -> Result<MapFile> {
    let mut file = load(path, read)?;
    file.grid = file.grid.with_movement(movement);
    Ok(file)
}

/// Fails if writing `file` would replace the map that it was made from.
pub fn ensure_is_not_the_map(file: &Path, map: &Path, what: &str) -> Result<()> {
    let same = |a: &Path, b: &Path| Some(a.canonicalize().ok()? == b.canonicalize().ok()?);
    ensure!(same(file, map) != Some(true), "{} is the map: give the {what} another name", map.display());
    Ok(())
}

/// Which problems of a scenario to take.
#[derive(Args, Clone, Copy, Debug)]
pub struct Selection {
    /// Take every Nth problem only, beginning with the first
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one)]
    pub every: NonZeroUsize,
}

/// A problem of a scenario file.
pub struct Task {
    /// The line number in the file, from 1.
    pub line: usize,
    /// The query, with the answer in the file.
    pub problem: Problem,
}

/// The selected problems of a scenario file, all of which must fit the map.
pub fn tasks(scenario: &Path, grid: &Grid, selection: Selection) -> Result<Vec<Task>> {
    let problems = octile::formats::load_scenario(scenario)?.problems;
    let text = fs::read(scenario).with_context(|| format!("cannot read {}", scenario.display()))?;
    let tasks = problem_lines(&text).zip(problems).step_by(selection.every.get());
    tasks
        .map(|(line, problem)| {
            let place = || format!("{}, line {line}", scenario.display());
            problem.check_fits(grid).with_context(place)?;
            Ok(Task { line, problem })
        })
        .collect()
}

/// The lines of a scenario file that hold a problem: all but blank ones and the header.
fn problem_lines(text: &[u8]) -> impl Iterator<Item = usize> {
    let lines = (1..).zip(text.split(|&byte| byte == b'\n'));
    lines.filter(|(_, line)| !line.trim_ascii().is_empty()).skip(1).map(|(line, _)| line)
}

/// Generated problems, with the line numbers they would have in a file.
pub fn number(problems: Vec<Problem>) -> impl Iterator<Item = Task> {
    (2..).zip(problems).map(|(line, problem)| Task { line, problem })
}

/// The scenario file that belongs to a map: `X.map.scen`, beside `X.map` or in another directory.
pub fn scenario_of(map: &Path, directory: Option<&Path>) -> PathBuf {
    let mut name = OsString::from(map.file_name().unwrap_or_default());
    name.push(".scen");
    directory.map_or_else(|| map.with_file_name(&name), |directory| directory.join(&name))
}

/// The message that the scenario file of a map is missing, with the command that makes it.
pub fn no_scenario(map: &Path, scenario: &Path, read: &ReadArgs) -> String {
    let (map, scenario, read) = (map.display(), scenario.display(), read.written());
    format!("{scenario} is missing: make it with `octile gen scen {map}{read} -o {scenario}`")
}

/// The map that a scenario file belongs to: `X.map` beside `X.map.scen`, or the one that its first problem names, from
/// the folder of the scenario or the one above.
pub fn map_of(scenario: &Path) -> Result<PathBuf> {
    let beside = scenario.with_extension("");
    if is_map_name(&beside) && beside.is_file() {
        return Ok(beside);
    }
    let folder = scenario.parent().unwrap_or(Path::new(""));
    let problems = octile::formats::load_scenario(scenario)?.problems;
    let named = problems.first().map(|problem| PathBuf::from(&problem.map)).unwrap_or_default();
    let alone = PathBuf::from(named.file_name().unwrap_or_default());
    let places =
        [folder.join(&named), folder.join("..").join(&named), folder.join(&alone), folder.join("..").join(&alone)];
    places.into_iter().find(|place| place.is_file()).with_context(|| {
        let (scenario, named) = (scenario.display(), named.display());
        format!(
            "cannot find the map of {scenario}: neither {} nor {named} exists; give the map before the scenario",
            beside.display()
        )
    })
}

/// Reports that maps are skipped because their scenario files are missing.
pub fn say_skipped(missing: &[PathBuf]) {
    if let Some(first) = missing.first().map(|scen| scen.display()) {
        let maps = count(missing.len(), "map without a scenario file is", "maps without a scenario file are");
        output::say(format_args!("note: {maps} skipped: {first} is missing"));
    }
}

/// The maps of an argument: the file itself, or all maps in a directory, by name.
pub fn maps(argument: &Path) -> Result<Vec<PathBuf>> {
    ensure!(argument.exists(), "{}: no such file or directory", argument.display());
    if !argument.is_dir() {
        return Ok(vec![argument.to_owned()]);
    }
    let cannot = || format!("cannot read the directory {}", argument.display());
    let mut maps = Vec::new();
    for entry in fs::read_dir(argument).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if is_map_name(&path) && path.is_file() {
            maps.push(path);
        }
    }
    ensure!(
        !maps.is_empty(),
        "{} contains no map: none of its files ends in {}",
        argument.display(),
        MAP_ENDINGS.join(", ")
    );
    maps.sort();
    Ok(maps)
}

const MAP_ENDINGS: [&str; 6] = ["map", "txt", "png", "pgm", "yaml", "yml"];

fn is_map_name(path: &Path) -> bool {
    extension(path).is_some_and(|ending| MAP_ENDINGS.contains(&ending.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_on_the_nonblank_lines_after_the_header() {
        assert_eq!(problem_lines(b"\r\nversion 1\r\n\r\none\r\n \t\ntwo").collect::<Vec<_>>(), [4, 6]);
    }

    #[test]
    fn each_line_has_one_cell() {
        let text = "# x,y\n1,2\r\n\n  3 , 4 # the door\n5;6";
        let listed: Vec<_> = listed(text).collect();
        let cell = |line, x, y| (line, Ok(Listed { line, cell: Cell::new(x, y) }));
        assert_eq!(listed[..2], [cell(2, 1, 2), cell(4, 3, 4)]);
        assert_eq!((listed.len(), listed[2].0), (3, 5));
        assert!(listed[2].1.as_ref().is_err_and(|error| error.to_string().contains("5;6")));
    }

    #[test]
    fn a_scenario_is_beside_its_map_or_in_the_given_directory() {
        assert_eq!(scenario_of(Path::new("dao/arena.map"), None), Path::new("dao/arena.map.scen"));
        assert_eq!(scenario_of(Path::new("arena.map"), None), Path::new("arena.map.scen"));
        assert_eq!(scenario_of(Path::new("dao/a.png"), Some(Path::new("s"))), Path::new("s/a.png.scen"));
    }

    #[test]
    fn a_scenario_finds_its_map_by_its_own_name_or_the_one_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let write = |name: &str, text: &str| fs::write(place(name), text).unwrap();
        fs::create_dir(place("scens")).unwrap();
        fs::create_dir(place("maps")).unwrap();
        let scenario = "version 1\n0 maps/b.map 1 1 0 0 0 0 0\n";
        for scen in ["a.map.scen", "b.scen", "scens/b.map.scen", "maps/c.scen"] {
            write(scen, scenario);
        }
        assert!(map_of(&place("b.scen")).unwrap_err().to_string().contains("neither "));
        write("a.map", "");
        write("maps/b.map", "");
        assert_eq!(map_of(&place("a.map.scen")).unwrap(), place("a.map"));
        assert_eq!(map_of(&place("b.scen")).unwrap(), place("maps/b.map"));
        assert_eq!(map_of(&place("scens/b.map.scen")).unwrap(), place("scens/../maps/b.map"));
        assert_eq!(map_of(&place("maps/c.scen")).unwrap(), place("maps/../maps/b.map"));
    }
}
