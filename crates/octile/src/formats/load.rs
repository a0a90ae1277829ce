//! Loading maps and scenarios from files of any format.

use std::fmt;
use std::path::{Path, PathBuf};

use super::ascii::{self, AsciiError};
#[cfg(feature = "image")]
use super::image::{
    self, ImageError,
    ros::{self, RosError},
};
use super::movingai::dynamic::{self, DynamicError, DynamicScenario};
use super::movingai::map::{self, MapError};
use super::movingai::patch::{self, PatchError};
use super::movingai::scen::{self, ScenError, Scenario};
#[cfg(feature = "image")]
use super::prices;
use super::prices::{Keys, PriceError, PriceFile, Pricing};
use super::unknown::Unknown;
use crate::files::{self, FileFault};
use crate::geometry::Cell;
use crate::grid::{Convention, Georeference, Grid, Prices, Terrain};

/// A loaded map.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MapFile {
    /// The map.
    pub grid: Grid,
    /// The format of the file.
    pub format: MapFormat,
    /// The position of the map in the world, if the file states it: ROS maps do.
    pub georeference: Option<Georeference>,
    /// The terrain class of each cell, if [prices](LoadOptions::prices) were requested: letters, grey levels, costs or
    /// occupancies. With other [`Prices`] it makes a map for another kind of unit.
    pub terrain: Option<Terrain>,
}

/// The formats of map files.
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
    /// The format of a file: by its first bytes, else by its extension.
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

    /// The format of a map by its first bytes.
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [b'P', b'2' | b'5', b'\t' | b'\n' | b'\r' | b' ' | b'#', ..] => Some(Self::Pgm),
            [b't', b'y', b'p', b'e', b' ' | b'\t', ..] => Some(Self::MovingAi),
            _ => None,
        }
    }

    /// Reads a map that is contained in these bytes; ROS maps are not.
    fn parse(self, bytes: &[u8], options: &LoadOptions) -> Result<MapFile, LoadFault> {
        if let Some(pricing) = &options.prices {
            let (terrain, prices) = self.parse_priced(bytes, pricing, options.unknown)?;
            let grid = terrain.grid(&prices, options.convention);
            return Ok(MapFile { grid, format: self, georeference: None, terrain: Some(terrain) });
        }
        let grid = match self {
            Self::MovingAi => map::parse(bytes)?,
            Self::Ascii => ascii::parse(bytes)?.with_convention(options.convention),
            #[cfg(feature = "image")]
            Self::Png | Self::Pgm => image::parse(bytes)?,
            #[cfg(feature = "image")]
            Self::Ros => return Err(LoadFault::UnknownFormat),
            #[cfg(not(feature = "image"))]
            Self::Png | Self::Pgm | Self::Ros => return Err(LoadFault::NeedsFeature { format: self }),
        };
        Ok(MapFile { grid, format: self, georeference: None, terrain: None })
    }

    /// The terrain classes of a map that is contained in these bytes.
    fn terrain(self, bytes: &[u8]) -> Result<Terrain, LoadFault> {
        Ok(match self {
            Self::MovingAi => map::terrain(bytes)?,
            Self::Ascii => ascii::terrain(bytes)?,
            #[cfg(feature = "image")]
            Self::Png | Self::Pgm => image::terrain(bytes)?,
            #[cfg(feature = "image")]
            Self::Ros => return Err(LoadFault::UnknownFormat),
            #[cfg(not(feature = "image"))]
            Self::Png | Self::Pgm | Self::Ros => return Err(LoadFault::NeedsFeature { format: self }),
        })
    }

    /// The terrain classes of a map that is contained in these bytes, and their prices; every class has one.
    #[cfg_attr(not(feature = "image"), expect(unused_variables, reason = "only images have unknown cells"))]
    fn parse_priced(self, bytes: &[u8], pricing: &Pricing, unknown: Unknown) -> Result<(Terrain, Prices), LoadFault> {
        match (self, pricing) {
            (_, Pricing::File(file)) => {
                let terrain = self.terrain(bytes)?;
                let prices = self.prices(file, &terrain, bytes)?;
                Ok((terrain, prices))
            }
            #[cfg(feature = "image")]
            (Self::Png | Self::Pgm, Pricing::Costmap) => Ok((ros::costs(bytes, false)?, prices::costmap(unknown))),
            #[cfg(not(feature = "image"))]
            (Self::Png | Self::Pgm | Self::Ros, _) => Err(LoadFault::NeedsFeature { format: self }),
            _ => Err(LoadFault::OtherPrices { prices: pricing.clone(), format: self }),
        }
    }

    /// The prices of all terrain classes of a map.
    fn prices(self, file: &PriceFile, terrain: &Terrain, bytes: &[u8]) -> Result<Prices, LoadFault> {
        let keys = if matches!(self, Self::MovingAi | Self::Ascii) { Keys::Letters } else { Keys::Levels };
        let wrong_keys = |fault| LoadError { file: file.name().into(), fault: LoadFault::Prices(fault) };
        let table = file.table(keys).map_err(|fault| LoadFault::PriceFile(Box::new(wrong_keys(fault))))?;
        let Some((cell, class)) = table.first_without(terrain) else { return Ok(table.prices()) };
        let line = match self {
            Self::MovingAi => map::line_of_row(bytes, cell.y),
            Self::Ascii => ascii::line_of_row(bytes, cell.y),
            _ => return Err(LoadFault::LevelWithoutPrice { pixel: cell, level: class, prices: file.name() }),
        };
        let (column, letter) = (cell.x as usize + 1, char::from(class));
        Err(LoadFault::LetterWithoutPrice { line, column, letter, prices: file.name() })
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

/// Options for loading a map; see [`load_with`].
///
/// ```
/// use octile::formats::{LoadOptions, Pricing, Unknown};
/// use octile::grid::Convention;
/// let options = LoadOptions::default().unknown(Unknown::Free).prices(Pricing::Costmap).convention(Convention::Enter);
/// assert_eq!((options.unknown, options.convention), (Unknown::Free, Convention::Enter));
/// assert_eq!(options.prices, Some(Pricing::Costmap));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadOptions {
    /// How to treat unknown cells; by default they are blocked.
    pub unknown: Unknown,
    /// The prices of cells. By default a map has no prices, unless it is a drawing with digits.
    pub prices: Option<Pricing>,
    /// How prices make the cost of a move, by default [`Convention::Average`]. Has no effect on a map without prices.
    pub convention: Convention,
}

impl LoadOptions {
    /// Sets how to treat unknown cells.
    #[must_use]
    pub const fn unknown(mut self, unknown: Unknown) -> Self {
        self.unknown = unknown;
        self
    }

    /// Sets the prices of cells: those of a [`PriceFile`], or a built-in table.
    #[must_use]
    pub fn prices(mut self, prices: impl Into<Pricing>) -> Self {
        self.prices = Some(prices.into());
        self
    }

    /// Sets how prices make the cost of a move.
    #[must_use]
    pub const fn convention(mut self, convention: Convention) -> Self {
        self.convention = convention;
        self
    }
}

/// A file cannot be loaded. The message names the file and the reason.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", .file.display())]
pub struct LoadError {
    /// The file.
    pub file: PathBuf,
    /// The reason.
    #[source]
    pub fault: LoadFault,
}

/// The reason why a file cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadFault {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileFault),
    /// Neither the contents nor the name show the format.
    #[error("unknown map format: expected a .map, .txt, .png, .pgm, .yaml or .yml file")]
    UnknownFormat,
    /// The library was built without the feature that reads this format.
    #[error("is a {format}: reading it needs the cargo feature `image`, which this build does not have")]
    NeedsFeature {
        /// The format of the file.
        format: MapFormat,
    },
    /// It is not a MovingAI map.
    #[error(transparent)]
    Map(#[from] MapError),
    /// It is not a scenario.
    #[error(transparent)]
    Scen(#[from] ScenError),
    /// It is not a dynamic scenario.
    #[error(transparent)]
    Dynamic(#[from] DynamicError),
    /// It is not a patch file.
    #[error(transparent)]
    Patch(#[from] PatchError),
    /// The patches of a dynamic scenario cannot be loaded.
    #[error("its patches {0}")]
    Patches(#[source] Box<LoadError>),
    /// It is not a drawing of a map.
    #[error(transparent)]
    Ascii(#[from] AsciiError),
    /// It is not a price file.
    #[error(transparent)]
    Prices(#[from] PriceError),
    /// The keys of the price file do not suit the map.
    #[error("its prices in {0}")]
    PriceFile(#[source] Box<LoadError>),
    /// A letter of the map has no price.
    #[error(
        "line {line}, column {column}: `{letter}` has no price in {prices}: add a line `{letter} PRICE`, with the price 0 if it is blocked"
    )]
    LetterWithoutPrice {
        /// Line of the map, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The letter.
        letter: char,
        /// The price file.
        prices: String,
    },
    /// A grey level of the image has no price.
    #[error(
        "pixel {pixel} has the grey level {level}, which has no price in {prices}: add a line `{level} PRICE`, or one for a range of levels, with the price 0 if that is blocked"
    )]
    LevelWithoutPrice {
        /// The first pixel with this level.
        pixel: Cell,
        /// The level.
        level: u8,
        /// The price file.
        prices: String,
    },
    /// The requested prices are for maps of another format.
    #[error("the prices `{prices}` are for {}, but this file is another format ({format}): use a price file", if *.prices == Pricing::Occupancy { "ROS maps" } else { "images and ROS maps" })]
    OtherPrices {
        /// The requested prices.
        prices: Pricing,
        /// The format of the file.
        format: MapFormat,
    },
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

/// Loads a map from a file: MovingAI `.map`, ASCII drawing `.txt`, `.png`, `.pgm`, or ROS `.yaml`. The format is
/// detected by the first bytes, else by the extension. The path must be a regular file or a link to one; for pipes and
/// devices use [`load_bytes`].
///
/// ```
/// use octile::load;
/// use octile::formats::MapFormat;
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

/// Loads a map like [`load`], with options for unknown cells and prices.
///
/// ```
/// use octile::formats::{LoadOptions, PriceFile, Unknown, load_with};
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("hall.yaml");
/// std::fs::write(&file, "image: hall.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n")?;
/// std::fs::write(folder.path().join("hall.pgm"), b"P5\n3 1\n255\n\xfe\xcd\x00")?; // free, unknown, occupied
/// # if cfg!(feature = "image") {
/// let free = |unknown| load_with(&file, &LoadOptions::default().unknown(unknown)).map(|map| map.grid.free_cells());
/// assert_eq!((free(Unknown::Blocked)?, free(Unknown::Free)?), (1, 2));
/// # }
///
/// let file = folder.path().join("island.txt");
/// std::fs::write(&file, ".~#\n")?;
/// let boat = LoadOptions::default().prices(PriceFile::parse(b". 9\n~ 1\n# 0\n")?);
/// let map = load_with(&file, &boat)?;
/// assert_eq!([0, 1, 2].map(|x| map.grid.price((x, 0))), [9, 1, 0]);
/// let tank = PriceFile::parse(b". 1\n~ 0\n# 0\n")?;
/// assert_eq!(map.terrain.expect("there are prices").grid(&tank.letters()?, boat.convention).free_cells(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Like [`load`]; also if something on the map has no price, or if the requested prices are for other formats.
pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<MapFile, LoadError> {
    let path = path.as_ref();
    let bytes = read(path)?;
    let map = match MapFormat::detect(path, &bytes) {
        None => Err(LoadFault::UnknownFormat),
        #[cfg(feature = "image")]
        Some(MapFormat::Ros) => of_ros_image(path, &bytes, |map, image| parse_ros(map, image, options)),
        Some(format) => format.parse(&bytes, options),
    };
    of_file(path, map)
}

/// Reads a map from bytes, such as those of a pipe: MovingAI, PNG or PGM if they begin like one, else an ASCII drawing.
/// (A ROS map consists of two files; use [`load`].)
///
/// ```
/// use octile::formats::{MapFormat, load_bytes};
/// let map = load_bytes(b"type octile\nheight 1\nwidth 2\nmap\n.@\n")?;
/// assert_eq!((map.format, map.grid.free_cells()), (MapFormat::MovingAi, 1));
/// assert_eq!(load_bytes(b"..@\n")?.format, MapFormat::Ascii);
/// # Ok::<(), octile::formats::LoadFault>(())
/// ```
///
/// # Errors
/// If they are not a map. The message gives the line for a text.
pub fn load_bytes(bytes: &[u8]) -> Result<MapFile, LoadFault> {
    load_bytes_with(bytes, &LoadOptions::default())
}

/// Reads a map like [`load_bytes`], with options for prices.
///
/// ```
/// use octile::formats::{LoadOptions, load_bytes_with};
/// use octile::grid::Convention;
/// let map = load_bytes_with(b"15\n@2\n", &LoadOptions::default().convention(Convention::Enter))?;
/// assert_eq!((map.grid.price((1, 0)), map.grid.convention()), (5, Some(Convention::Enter)));
/// # Ok::<(), octile::formats::LoadFault>(())
/// ```
///
/// # Errors
/// See [`load_bytes`] and [`load_with`].
pub fn load_bytes_with(bytes: &[u8], options: &LoadOptions) -> Result<MapFile, LoadFault> {
    MapFormat::of_bytes(bytes).unwrap_or(MapFormat::Ascii).parse(bytes, options)
}

/// Loads the terrain class of each cell of a map: the letters of a MovingAI map or a drawing, the grey levels of an
/// image or of the image of a ROS map. With the [`letters`](PriceFile::letters) or [`levels`](PriceFile::levels) of
/// price files it makes one map for each kind of unit.
///
/// ```
/// use octile::formats::{PriceFile, load_terrain};
/// use octile::grid::Convention;
/// let file = tempfile::Builder::new().suffix(".txt").tempfile()?;
/// std::fs::write(&file, ".~#\n")?;
/// let terrain = load_terrain(file.path())?;
/// let swimmer = PriceFile::parse(b". 1\n~ 3\n")?.letters()?;
/// assert_eq!(terrain.grid(&swimmer, Convention::Average).price((1, 0)), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// See [`load`].
pub fn load_terrain(path: impl AsRef<Path>) -> Result<Terrain, LoadError> {
    let path = path.as_ref();
    let bytes = read(path)?;
    let terrain = match MapFormat::detect(path, &bytes) {
        None => Err(LoadFault::UnknownFormat),
        #[cfg(feature = "image")]
        Some(MapFormat::Ros) => of_ros_image(path, &bytes, |_, image| MapFormat::Png.terrain(image)),
        Some(format) => format.terrain(&bytes),
    };
    of_file(path, terrain)
}

/// Loads a price file; messages about it name the file.
///
/// ```
/// let file = tempfile::NamedTempFile::new()?;
/// std::fs::write(&file, ". 1\nS 4 // swamp\n@ 0\n")?;
/// assert_eq!(octile::formats::load_prices(file.path())?.letters()?.of(b'S'), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file cannot be read or is not a price file. The message names the file and the line.
pub fn load_prices(path: impl AsRef<Path>) -> Result<PriceFile, LoadError> {
    let path = path.as_ref();
    of_file(path, PriceFile::parse(&read(path)?).map(|file| file.named(path)))
}

/// Reads a ROS map from the bytes of its two files, like [`load_with`].
///
/// ```
/// use octile::formats::{LoadOptions, Unknown, load_ros_bytes};
/// let yaml = b"image: room.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\n\
///     occupied_thresh: 0.65\nfree_thresh: 0.196\n";
/// let image = b"P5\n3 1\n255\n\xfe\x00\xcd";
/// let map = load_ros_bytes(yaml, image, &LoadOptions::default().unknown(Unknown::Free))?;
/// assert_eq!((map.grid.free_cells(), map.georeference.is_some()), (2, true));
/// # Ok::<(), octile::formats::LoadFault>(())
/// ```
///
/// # Errors
/// If the first is not a ROS map file or the second is not an image; for prices see [`load_with`].
#[cfg(feature = "image")]
pub fn load_ros_bytes(yaml: &[u8], image: &[u8], options: &LoadOptions) -> Result<MapFile, LoadFault> {
    parse_ros(&ros::parse(yaml)?, image, options)
}

/// The map of a ROS file and its image.
#[cfg(feature = "image")]
fn parse_ros(map: &ros::RosMap, image: &[u8], options: &LoadOptions) -> Result<MapFile, LoadFault> {
    let (unknown, format) = (options.unknown, MapFormat::Ros);
    let priced = match &options.prices {
        None => None,
        // The prices are by grey level, so it makes no difference whether the image is PNG or PGM.
        Some(pricing @ Pricing::File(_)) => Some(MapFormat::Png.parse_priced(image, pricing, unknown)?),
        Some(Pricing::Costmap) => Some((map.costs(image)?, prices::costmap(unknown))),
        Some(Pricing::Occupancy) => Some((map.occupancies(image)?, prices::occupancy(unknown))),
    };
    let (grid, terrain) = match priced {
        None => (map.grid_with(image, unknown)?, None),
        Some((terrain, prices)) => (terrain.grid(&prices, options.convention), Some(terrain)),
    };
    Ok(MapFile { georeference: Some(map.georeference(&grid)), grid, format, terrain })
}

/// Reads a ROS file and the image that it names, relative to the file, and passes both to `make`.
#[cfg(feature = "image")]
fn of_ros_image<T>(
    path: &Path,
    yaml: &[u8],
    make: impl FnOnce(&ros::RosMap, &[u8]) -> Result<T, LoadFault>,
) -> Result<T, LoadFault> {
    let map = ros::parse(yaml)?;
    let image = path.parent().unwrap_or(Path::new("")).join(&map.image);
    let made = read(&image).and_then(|bytes| of_file(&image, make(&map, &bytes)));
    made.map_err(|error| LoadFault::RosImage(Box::new(error)))
}

/// Loads a scenario from a MovingAI `.scen` file.
///
/// ```
/// let file = tempfile::NamedTempFile::new()?;
/// std::fs::write(&file, "version 1\n0\tsmall.map\t3\t2\t0\t0\t2\t1\t2.41421\n")?;
/// let scenario = octile::formats::load_scenario(file.path())?;
/// assert_eq!(scenario.problems[0].goal, octile::Cell::new(2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file cannot be read or is not a scenario. The message names the file and the line.
pub fn load_scenario(path: impl AsRef<Path>) -> Result<Scenario, LoadError> {
    let path = path.as_ref();
    of_file(path, scen::parse(&read(path)?))
}

/// Loads a dynamic scenario from a MovingAI `.scen` file of version 2, with the patch file that it names, from the same
/// folder.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("wall.scen");
/// let text = "version 2\nheight 3\nwidth 5\ncost 1 octile\npatch wall.patch\ncommands\n\
///     P 0 0 2 0\nQ 0 0 0 4 0 6.8284271247462\n";
/// std::fs::write(&file, text)?;
/// std::fs::write(folder.path().join("wall.patch"), "type patch\npatches 1\npatch 0\nheight 2\nwidth 1\nmap\n@\n@\n")?;
/// let scenario = octile::formats::load_dynamic(&file)?;
/// assert_eq!((scenario.patches.len(), scenario.queries().count()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a file cannot be read or is invalid. The message names the file and the line.
pub fn load_dynamic(path: impl AsRef<Path>) -> Result<DynamicScenario, LoadError> {
    let path = path.as_ref();
    let bytes = read(path)?;
    let file = path.parent().unwrap_or(Path::new("")).join(of_file(path, dynamic::patch_file(&bytes))?);
    let patches = read(&file).and_then(|bytes| of_file(&file, patch::parse(&bytes)));
    let patches = of_file(path, patches.map_err(|error| LoadFault::Patches(Box::new(error))))?;
    of_file(path, dynamic::parse(&bytes, patches))
}

/// The bytes of a file of at most the maximum size.
fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    of_file(path, files::read(path, files::MAX_BYTES))
}

/// Names the file in an error.
fn of_file<T>(path: &Path, result: Result<T, impl Into<LoadFault>>) -> Result<T, LoadError> {
    result.map_err(|fault| LoadError { file: path.to_owned(), fault: fault.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_decide_the_format_before_the_name() {
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
    fn the_first_bytes_decide_the_format() {
        let format = |bytes: &[u8]| load_bytes(bytes).map(|map| (map.format, map.grid.free_cells())).ok();
        assert_eq!(format(b"type octile\nheight 1\nwidth 3\nmap\n..@\n"), Some((MapFormat::MovingAi, 2)));
        assert_eq!(format(b".@\n..\n"), Some((MapFormat::Ascii, 3)));
        #[cfg(feature = "image")]
        assert_eq!(format(b"P2\n2 1\n255\n255 0\n"), Some((MapFormat::Pgm, 1)));
        assert!(matches!(load_bytes(b"type octile\n"), Err(LoadFault::Map(_))));
        assert!(matches!(load_bytes(b"image: a.pgm\n"), Err(LoadFault::Ascii(_))));
    }

    const MAP: &[u8] = b"type octile\nheight 2\nwidth 3\nmap\n.S@\n..W\n";

    fn priced(bytes: &[u8], prices: &str) -> Result<MapFile, String> {
        let file = PriceFile::parse(prices.as_bytes()).unwrap().named("tank.prices");
        load_bytes_with(bytes, &LoadOptions::default().prices(file)).map_err(|fault| fault.to_string())
    }

    fn prices_of(map: &MapFile) -> Vec<u8> {
        map.grid.cells().map(|cell| map.grid.price(cell)).collect()
    }

    #[test]
    fn letters_have_the_prices_of_the_file() {
        let map = priced(MAP, ". 1\nS 4\n@ 0\nW 9\n").unwrap();
        assert_eq!((prices_of(&map), map.grid.convention()), (vec![1, 4, 0, 1, 1, 9], Some(Convention::Average)));
        assert_eq!(map.terrain.unwrap().classes(), b".S@..W");
        let drawn = priced(b"1~\n\n~#\n", "1 7\n~ 3\n# 0\n").unwrap();
        assert_eq!(prices_of(&drawn), [7, 3, 3, 0]);
        assert!(load_bytes(MAP).unwrap().grid.convention().is_none());
    }

    #[test]
    fn classes_without_a_price_are_reported_with_their_position() {
        let add = |letter: &str| format!("add a line `{letter} PRICE`, with the price 0 if it is blocked");
        assert_eq!(
            priced(MAP, ". 1\nS 4\n@ 0\n").unwrap_err(),
            format!("line 6, column 3: `W` has no price in tank.prices: {}", add("W"))
        );
        assert_eq!(
            priced(b".\n\n  ~\n", ". 1\n").unwrap_err(),
            format!("line 3, column 1: `~` has no price in tank.prices: {}", add("~"))
        );
        let wrong_keys = priced(MAP, ". 1\n0-99 4\n").unwrap_err();
        assert!(
            wrong_keys.starts_with("its prices in tank.prices: line 2, column 1: `0-99` is not a letter"),
            "{wrong_keys}"
        );
    }

    #[test]
    fn conventions_are_as_requested() {
        let options = LoadOptions::default().convention(Convention::Enter);
        let convention = |bytes: &[u8]| load_bytes_with(bytes, &options).unwrap().grid.convention();
        assert_eq!((convention(b"12\n"), convention(b"..\n"), convention(MAP)), (Some(Convention::Enter), None, None));
    }

    #[cfg(feature = "image")]
    #[test]
    fn grey_levels_and_costs_have_prices() {
        let image = b"P2\n4 1\n255\n0 128 253 255\n";
        assert_eq!(prices_of(&priced(image, "0-127 0\n128-252 5\n253-255 1\n").unwrap()), [0, 5, 1, 1]);
        let missing = priced(image, "0-127 0\n253-255 1\n").unwrap_err();
        assert!(
            missing.starts_with("pixel 1,0 has the grey level 128, which has no price in tank.prices: add"),
            "{missing}"
        );
        assert!(
            priced(image, ". 1\n")
                .unwrap_err()
                .starts_with("its prices in tank.prices: line 1, column 1: `.` is not a grey")
        );
        let costs = |unknown| LoadOptions::default().prices(Pricing::Costmap).unknown(unknown);
        let of = |unknown| prices_of(&load_bytes_with(image, &costs(unknown)).unwrap());
        assert_eq!((of(Unknown::Blocked), of(Unknown::Free)), (vec![1, 129, 0, 0], vec![1, 129, 0, 1]));
    }

    #[cfg(feature = "image")]
    #[test]
    fn ros_maps_have_prices_by_level_cost_and_occupancy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hall.yaml");
        std::fs::write(&path, "image: hall.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nmode: scale\n").unwrap();
        std::fs::write(folder.path().join("hall.pgm"), b"P5\n4 1\n255\n\xfe\xc0\x80\x00").unwrap();
        let levels = PriceFile::parse(b"0-199 3\n200-255 1\n").unwrap();
        for (pricing, expected) in
            [(levels.into(), [1, 3, 3, 3]), (Pricing::Costmap, [0, 193, 129, 1]), (Pricing::Occupancy, [1, 12, 66, 0])]
        {
            let map = load_with(&path, &LoadOptions::default().prices(pricing)).unwrap();
            assert_eq!((prices_of(&map), map.format), (expected.to_vec(), MapFormat::Ros));
            assert!(map.georeference.is_some() && map.terrain.is_some());
        }
        assert_eq!(load_terrain(&path).unwrap().classes(), [254, 192, 128, 0]);
        assert!(load(&path).unwrap().grid.convention().is_none());
        let few = LoadOptions::default().prices(PriceFile::parse(b"0-99 1\n").unwrap());
        let message = load_with(&path, &few).unwrap_err().to_string();
        assert!(message.contains("hall.yaml: its image ") && message.contains("hall.pgm: pixel 0,0"), "{message}");
    }

    #[test]
    fn prices_by_name_are_for_some_formats() {
        let refused = |bytes: &[u8], pricing: Pricing| {
            load_bytes_with(bytes, &LoadOptions::default().prices(pricing)).unwrap_err().to_string()
        };
        assert_eq!(
            refused(MAP, Pricing::Costmap),
            "the prices `costmap` are for images and ROS maps, but this file is another format (MovingAI map): use a price file"
        );
        assert!(
            refused(b"..\n", Pricing::Occupancy)
                .contains("for ROS maps, but this file is another format (ASCII drawing)")
        );
        #[cfg(feature = "image")]
        assert!(refused(b"P2\n1 1\n1\n1\n", Pricing::Occupancy).contains("(PGM image)"));
    }
}
