//! Files as maps and scenarios, whatever their format.

use std::fmt;
use std::path::{Path, PathBuf};

use super::ascii::{self, AsciiError};
#[cfg(feature = "image")]
use super::image::{
    self, ImageError,
    ros::{self, RosError},
};
use super::movingai::map::{self, MapError};
use super::movingai::scen::{self, ScenError, Scenario};
use super::unknown::Unknown;
use crate::files::{self, FileFault};
use crate::grid::{Georeference, Grid};

/// A map as loaded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MapFile {
    /// The map.
    pub grid: Grid,
    /// What the file was.
    pub format: MapFormat,
    /// Where the map lies in the world, if the file says so: ROS maps do.
    pub georeference: Option<Georeference>,
}

/// The kinds of map files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MapFormat {
    /// MovingAI `.map`.
    MovingAi,
    /// A drawing with characters, `.txt`.
    Ascii,
    /// A PNG image.
    Png,
    /// A PGM image.
    Pgm,
    /// A ROS `map_server` file, `.yaml` or `.yml`, with its image.
    Ros,
}

impl MapFormat {
    /// The format of a file: what its first bytes say, else its extension.
    fn detect(path: &Path, bytes: &[u8]) -> Option<Self> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let by_name = || match extension.to_str()? {
            "map" => Some(Self::MovingAi),
            "txt" => Some(Self::Ascii),
            "png" => Some(Self::Png),
            "pgm" => Some(Self::Pgm),
            "yaml" | "yml" => Some(Self::Ros),
            _ => None,
        };
        Self::of_bytes(bytes).or_else(by_name)
    }

    /// The format that the first bytes of a map tell.
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [b'P', b'2' | b'5', b'\t' | b'\n' | b'\r' | b' ' | b'#', ..] => Some(Self::Pgm),
            [b't', b'y', b'p', b'e', b' ' | b'\t', ..] => Some(Self::MovingAi),
            _ => None,
        }
    }

    /// Reads a map that is all in these bytes; a ROS map is not.
    fn parse(self, bytes: &[u8]) -> Result<MapFile, LoadFault> {
        let grid = match self {
            Self::MovingAi => map::parse(bytes)?,
            Self::Ascii => ascii::parse(bytes)?,
            #[cfg(feature = "image")]
            Self::Png | Self::Pgm => image::parse(bytes)?,
            #[cfg(feature = "image")]
            Self::Ros => return Err(LoadFault::UnknownFormat),
            #[cfg(not(feature = "image"))]
            Self::Png | Self::Pgm | Self::Ros => return Err(LoadFault::NeedsFeature { format: self }),
        };
        Ok(MapFile { grid, format: self, georeference: None })
    }
}

impl fmt::Display for MapFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MovingAi => "MovingAI map",
            Self::Ascii => "ASCII drawing",
            Self::Png => "PNG image",
            Self::Pgm => "PGM image",
            Self::Ros => "ROS map",
        })
    }
}

/// How a map is loaded: see [`load_with`].
///
/// ```
/// use octile::{LoadOptions, Unknown};
/// assert_eq!(LoadOptions::default().unknown(Unknown::Free).unknown, Unknown::Free);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LoadOptions {
    /// What becomes of unknown cells: by default they are blocked.
    pub unknown: Unknown,
}

impl LoadOptions {
    /// Says what becomes of unknown cells.
    #[must_use]
    pub const fn unknown(mut self, unknown: Unknown) -> Self {
        self.unknown = unknown;
        self
    }
}

/// A file that cannot be loaded: which one, and why. The message says both.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", .file.display())]
pub struct LoadError {
    /// The file.
    pub file: PathBuf,
    /// Why.
    #[source]
    pub fault: LoadFault,
}

/// Why a file cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadFault {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileFault),
    /// Neither its content nor its name tells what it is.
    #[error("unknown map format: expected a .map, .txt, .png, .pgm, .yaml or .yml file")]
    UnknownFormat,
    /// The library was built without what it takes to read it.
    #[error("is a {format}: reading it needs the cargo feature `image`, which this build is without")]
    NeedsFeature {
        /// What the file is.
        format: MapFormat,
    },
    /// It is not a MovingAI map.
    #[error(transparent)]
    Map(#[from] MapError),
    /// It is not a scenario.
    #[error(transparent)]
    Scen(#[from] ScenError),
    /// It is not a drawing of a map.
    #[error(transparent)]
    Ascii(#[from] AsciiError),
    /// It is not an image of a map.
    #[cfg(feature = "image")]
    #[error(transparent)]
    Image(#[from] ImageError),
    /// It is not a ROS map file.
    #[cfg(feature = "image")]
    #[error(transparent)]
    Ros(#[from] RosError),
    /// The image of a ROS map cannot be loaded.
    #[cfg(feature = "image")]
    #[error("its image {0}")]
    RosImage(#[source] Box<LoadError>),
}

/// Loads a map from a file: MovingAI `.map`, ASCII drawing `.txt`, `.png`, `.pgm`, or ROS `.yaml`. The format is told by
/// the first bytes, else by the extension. It must be a regular file, or a link to one: what comes through a pipe or from a device is for
/// [`load_bytes`].
///
/// ```
/// use octile::{MapFormat, load};
/// let file = tempfile::Builder::new().suffix(".txt").tempfile()?;
/// std::fs::write(&file, "..@\n...\n")?;
/// let map = load(file.path())?;
/// assert_eq!((map.format, map.grid.free_cells()), (MapFormat::Ascii, 5));
/// assert!(load("no/such.map").unwrap_err().to_string().starts_with("no/such.map: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file cannot be read or is not a map. The message names the file and, in text files, the line.
pub fn load(path: impl AsRef<Path>) -> Result<MapFile, LoadError> {
    load_with(path, &LoadOptions::default())
}

/// Loads a map as [`load`] does, with what is unknown in it as asked for.
///
/// ```
/// use octile::{LoadOptions, Unknown, load_with};
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("hall.yaml");
/// std::fs::write(&file, "image: hall.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n")?;
/// std::fs::write(folder.path().join("hall.pgm"), b"P5\n3 1\n255\n\xfe\xcd\x00")?; // free, unknown, occupied
/// # if cfg!(feature = "image") {
/// let free = |unknown| load_with(&file, &LoadOptions::default().unknown(unknown)).map(|map| map.grid.free_cells());
/// assert_eq!((free(Unknown::Blocked)?, free(Unknown::Free)?), (1, 2));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`load`].
#[cfg_attr(not(feature = "image"), expect(unused_variables, reason = "only ROS maps have unknown cells"))]
pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<MapFile, LoadError> {
    let path = path.as_ref();
    let bytes = read(path)?;
    match MapFormat::detect(path, &bytes) {
        None => Err(LoadFault::UnknownFormat),
        #[cfg(feature = "image")]
        Some(MapFormat::Ros) => load_ros(path, &bytes, options.unknown),
        Some(format) => format.parse(&bytes),
    }
    .map_err(|fault| LoadError { file: path.to_owned(), fault })
}

/// Reads a map from bytes, such as those of a pipe: MovingAI, PNG or PGM if they begin as one, else an ASCII drawing. (A ROS map is two
/// files: [`load`] reads those.)
///
/// ```
/// use octile::{MapFormat, load_bytes};
/// let map = load_bytes(b"type octile\nheight 1\nwidth 2\nmap\n.@\n")?;
/// assert_eq!((map.format, map.grid.free_cells()), (MapFormat::MovingAi, 1));
/// assert_eq!(load_bytes(b"..@\n")?.format, MapFormat::Ascii);
/// # Ok::<(), octile::LoadFault>(())
/// ```
///
/// # Errors
/// If they are not a map. The message names the line of a text.
pub fn load_bytes(bytes: &[u8]) -> Result<MapFile, LoadFault> {
    MapFormat::of_bytes(bytes).unwrap_or(MapFormat::Ascii).parse(bytes)
}

/// The map of a ROS file, with its image from beside it.
#[cfg(feature = "image")]
fn load_ros(path: &Path, bytes: &[u8], unknown: Unknown) -> Result<MapFile, LoadFault> {
    let map = ros::parse(bytes).map_err(LoadFault::Ros)?;
    let image = path.parent().unwrap_or(Path::new("")).join(&map.image);
    let bytes = read(&image).map_err(|error| LoadFault::RosImage(Box::new(error)))?;
    let grid = map
        .grid_with(&bytes, unknown)
        .map_err(|error| LoadFault::RosImage(Box::new(LoadError { file: image, fault: LoadFault::Image(error) })))?;
    Ok(MapFile { georeference: Some(map.georeference(&grid)), grid, format: MapFormat::Ros })
}

/// Loads a scenario from a MovingAI `.scen` file.
///
/// ```
/// let file = tempfile::NamedTempFile::new()?;
/// std::fs::write(&file, "version 1\n0\tsmall.map\t3\t2\t0\t0\t2\t1\t2.41421\n")?;
/// let scenario = octile::load_scenario(file.path())?;
/// assert_eq!(scenario.problems[0].goal, octile::Cell::new(2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file cannot be read or is not a scenario. The message names the file and the line.
pub fn load_scenario(path: impl AsRef<Path>) -> Result<Scenario, LoadError> {
    let path = path.as_ref();
    scen::parse(&read(path)?).map_err(|error| LoadError { file: path.to_owned(), fault: LoadFault::Scen(error) })
}

/// The bytes of a file of bearable size.
fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    files::read(path, files::MAX_BYTES).map_err(|fault| LoadError { file: path.to_owned(), fault: fault.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_tells_the_format_before_the_name_does() {
        let detect = |name: &str, bytes: &[u8]| MapFormat::detect(Path::new(name), bytes);
        assert_eq!(detect("a.txt", b"type octile\n"), Some(MapFormat::MovingAi));
        assert_eq!(detect("a", b"\x89PNG\r\n"), Some(MapFormat::Png));
        assert_eq!(detect("a.map", b"P5\n2 2\n"), Some(MapFormat::Pgm));
        assert_eq!(detect("A.MAP", b""), Some(MapFormat::MovingAi));
        assert_eq!(detect("a.txt", b"..\n"), Some(MapFormat::Ascii));
        assert_eq!(detect("a.yml", b"image: a.pgm\n"), Some(MapFormat::Ros));
        assert_eq!(detect("a.b", b"..\n"), None);
    }

    #[test]
    fn bytes_are_read_as_what_they_begin_as() {
        let format = |bytes: &[u8]| load_bytes(bytes).map(|map| (map.format, map.grid.free_cells())).ok();
        assert_eq!(format(b"type octile\nheight 1\nwidth 3\nmap\n..@\n"), Some((MapFormat::MovingAi, 2)));
        assert_eq!(format(b".@\n..\n"), Some((MapFormat::Ascii, 3)));
        #[cfg(feature = "image")]
        assert_eq!(format(b"P2\n2 1\n255\n255 0\n"), Some((MapFormat::Pgm, 1)));
        assert!(matches!(load_bytes(b"type octile\n"), Err(LoadFault::Map(_))));
        assert!(matches!(load_bytes(b"image: a.pgm\n"), Err(LoadFault::Ascii(_))));
    }
}
