//! ROS `map_server` files: a YAML file that says how to read its image, and where the map lies in the world.
//!
//! | Field | Meaning |
//! |---|---|
//! | `image` | path of the PNG or PGM image, from the folder of the YAML file |
//! | `resolution` | side of a cell in metres |
//! | `origin` | `[x, y, yaw]` of the lower left corner, in metres and radians |
//! | `negate` | 0 (the default): black is occupied; 1: white is |
//! | `occupied_thresh` | from 0 to 1, default 0.65: darker is occupied |
//! | `free_thresh` | from 0 to 1, default 0.196, below `occupied_thresh`: lighter is free |
//! | `mode` | `trinary` (the default), `scale` or `raw` |
//!
//! Only cells that are certainly free become free, unless unknown cells are treated as free too ([`Unknown`]). Which
//! cells are unknown depends on the mode:
//!
//! | Mode | Free | Unknown | Blocked |
//! |---|---|---|---|
//! | `trinary` | lighter than `free_thresh` | between the thresholds, both included | darker than `occupied_thresh`; transparent |
//! | `scale` | lighter than `free_thresh` | transparent | all others, as they are at least partly occupied |
//! | `raw` | 0 to 100, the occupancy in percent, and below `free_thresh` | above 100 | 0 to 100 and not below `free_thresh`; transparent |
//!
//! A pixel is transparent if its alpha is below one half.
//!
//! With [prices](crate::formats::Pricing), free cells differ in price: by [occupancies](RosMap::occupancies), by the
//! [costs](RosMap::costs) of a Nav2 costmap, or by the grey levels of the image.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::formats::image::read::{ImageError, Pixels, Shade};
use crate::formats::image::yaml::{self, Field, Value};
use crate::formats::prices;
use crate::formats::text::{self, NotText};
use crate::formats::unknown::Unknown;
use crate::grid::{Georeference, Grid, Terrain};

/// The maximum size of a YAML file in bytes.
pub(crate) const MAX_YAML_BYTES: usize = 64 << 10;

/// The fields of a ROS map file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RosMap {
    /// The path of the image, relative to the folder of the YAML file.
    pub image: PathBuf,
    /// The side of a cell in metres.
    pub resolution: f64,
    /// x, y and yaw of the lower left corner, in metres and radians.
    pub origin: [f64; 3],
    /// Whether white is occupied instead of black.
    pub negate: bool,
    /// A pixel above this is occupied.
    pub occupied_thresh: f64,
    /// A pixel below this is free.
    pub free_thresh: f64,
    /// How to interpret pixels.
    pub mode: Mode,
}

/// How to interpret the pixels of a ROS map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Free, occupied, or unknown in between.
    #[default]
    Trinary,
    /// Free, occupied, or half occupied in between.
    Scale,
    /// The pixel is the occupancy in percent.
    Raw,
}

/// The file is not a ROS map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RosError {
    /// It is not text.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// It is larger than any ROS map file.
    #[error("{found} bytes are too many for a ROS map file: at most {MAX_YAML_BYTES} are read")]
    TooLarge {
        /// The number of bytes in the file.
        found: usize,
    },
    /// It is not YAML.
    #[error("not a YAML file: {reason}")]
    Yaml {
        /// The message of the YAML reader.
        reason: String,
    },
    /// It has no fields.
    #[error("not a ROS map file: expected `image`, `resolution`, `origin` and other fields, a line each")]
    NoFields,
    /// A required field is missing.
    #[error("the field `{field}` is missing: expected {expected}")]
    Missing {
        /// The name of the field.
        field: &'static str,
        /// The value expected.
        expected: &'static str,
    },
    /// A field has an invalid value.
    #[error("`{field}: {found}`: expected {expected}")]
    Value {
        /// The name of the field.
        field: &'static str,
        /// The value, shortened.
        found: String,
        /// The value expected.
        expected: &'static str,
    },
    /// The thresholds are in the wrong order.
    #[error("free_thresh {free} must be below occupied_thresh {occupied}")]
    Thresholds {
        /// `free_thresh`.
        free: String,
        /// `occupied_thresh`.
        occupied: String,
    },
}

/// Reads a ROS map file. Its image is a separate file.
///
/// ```
/// use octile::formats::image::ros;
/// let map = ros::parse(b"image: hall.pgm\nresolution: 0.05\norigin: [-10, -5, 0]\n")?;
/// let grid = map.grid(b"P5\n3 1\n255\n\xfe\xcd\x00")?; // free, unknown, occupied
/// assert_eq!(octile::formats::ascii::write(&grid), ".@@\n");
/// assert_eq!(map.georeference(&grid).cell_to_world(octile::Cell::new(0, 0)), (-9.975, -4.975));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a field is missing or has an invalid value.
pub fn parse(bytes: &[u8]) -> Result<RosMap, RosError> {
    if bytes.len() > MAX_YAML_BYTES {
        return Err(RosError::TooLarge { found: bytes.len() });
    }
    let text = yaml::without_tabs(text::from_utf8(bytes)?);
    let fields = Fields::read(&text)?;
    let map = fields.map()?;
    if map.free_thresh >= map.occupied_thresh {
        let free = fields.written("free_thresh", map.free_thresh);
        let occupied = fields.written("occupied_thresh", map.occupied_thresh);
        return Err(RosError::Thresholds { free, occupied });
    }
    Ok(map)
}

impl RosMap {
    /// The map for the bytes of the image.
    ///
    /// ```
    /// use octile::formats::image::ros;
    /// let map = ros::parse(b"image: hall.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 1\n")?;
    /// let grid = map.grid(b"P5\n3 1\n255\n\xfe\xcd\x00")?;
    /// assert_eq!(octile::formats::ascii::write(&grid), "@@.\n"); // here black is free
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the bytes are not a PNG or PGM image, or it is too large.
    pub fn grid(&self, image: &[u8]) -> Result<Grid, ImageError> {
        self.grid_with(image, Unknown::Blocked)
    }

    /// The map for the bytes of the image, with a choice for unknown cells.
    ///
    /// ```
    /// use octile::formats::Unknown;
    /// use octile::formats::image::ros;
    /// let map = ros::parse(b"image: hall.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n")?;
    /// let grid = map.grid_with(b"P5\n3 1\n255\n\xfe\xcd\x00", Unknown::Free)?;
    /// assert_eq!(octile::formats::ascii::write(&grid), "..@\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`RosMap::grid`].
    pub fn grid_with(&self, image: &[u8], unknown: Unknown) -> Result<Grid, ImageError> {
        Pixels::decode(image)?.to_grid(|shade| match self.occupancy(shade) {
            Occupancy::Free => true,
            Occupancy::Unknown => unknown == Unknown::Free,
            Occupancy::Blocked => false,
        })
    }

    /// The probability that each cell is occupied, in percent, as `map_server` computes it: terrain classes for
    /// [`occupancy`](crate::formats::prices::occupancy). 100 is occupied, and 255 unknown.
    ///
    /// | Mode | 0 | 1 to 99 | 100 | Unknown |
    /// |---|---|---|---|---|
    /// | `trinary` | lighter than `free_thresh` | none | darker than `occupied_thresh`; transparent | between the thresholds, both included |
    /// | `scale` | lighter than `free_thresh` | how far it is from the one threshold to the other, times 99, rounded down | darker than `occupied_thresh` | transparent |
    /// | `raw` | a pixel of 0 | a pixel of 1 to 99 | a pixel of 100, or above `occupied_thresh` in percent; transparent | a pixel above 100 |
    ///
    /// ```
    /// use octile::formats::image::ros;
    /// let map = ros::parse(b"image: hall.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nmode: scale\n")?;
    /// let terrain = map.occupancies(b"P5\n4 1\n255\n\xfe\xc0\x80\x00")?;
    /// assert_eq!(terrain.classes(), [0, 11, 65, 100]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`RosMap::grid`].
    pub fn occupancies(&self, image: &[u8]) -> Result<Terrain, ImageError> {
        Pixels::decode(image)?.to_terrain(|shade| self.percent(shade))
    }

    /// The pixels as the costs of a Nav2 costmap, which are terrain classes for
    /// [`costmap`](crate::formats::prices::costmap): unchanged, or inverted if the file says `negate`. Transparent
    /// pixels have the cost 254, which is blocked.
    ///
    /// ```
    /// use octile::formats::image::ros;
    /// let map = ros::parse(b"image: costs.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nmode: raw\n")?;
    /// assert_eq!(map.costs(b"P5\n3 1\n255\n\x00\x80\xfe")?.classes(), [0, 128, 254]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`RosMap::grid`].
    pub fn costs(&self, image: &[u8]) -> Result<Terrain, ImageError> {
        costs(image, self.negate)
    }

    /// The position of the map in the world.
    pub fn georeference(&self, grid: &Grid) -> Georeference {
        Georeference::new(grid, self.resolution, self.origin)
    }

    /// The probability that a pixel is occupied, in percent.
    fn percent(&self, shade: Option<Shade>) -> u8 {
        const OCCUPIED: u8 = 100;
        let occupancy_of_pixel = self.occupancy(shade);
        let Some(shade) = shade.filter(|_| occupancy_of_pixel != Occupancy::Unknown) else {
            return if occupancy_of_pixel == Occupancy::Unknown { prices::UNKNOWN } else { OCCUPIED };
        };
        let (light, dark) = (shade.lightness(), shade.darkness());
        let (occupancy, value) = if self.negate { (light, dark) } else { (dark, light) };
        let raw = (255.0 * value).round();
        match self.mode {
            Mode::Raw if raw / 100.0 > self.occupied_thresh => OCCUPIED,
            Mode::Raw => raw as u8,
            _ if occupancy_of_pixel == Occupancy::Free => 0,
            Mode::Scale if occupancy <= self.occupied_thresh => {
                (99.0 * (occupancy - self.free_thresh) / (self.occupied_thresh - self.free_thresh)) as u8
            }
            _ => OCCUPIED,
        }
    }

    /// The meaning of a pixel, which has no shade if it is transparent.
    fn occupancy(&self, shade: Option<Shade>) -> Occupancy {
        let Some(shade) = shade else {
            return if self.mode == Mode::Scale { Occupancy::Unknown } else { Occupancy::Blocked };
        };
        let (light, dark) = (shade.lightness(), shade.darkness());
        let (occupancy, value) = if self.negate { (light, dark) } else { (dark, light) };
        let percent = (255.0 * value).round();
        match self.mode {
            Mode::Trinary | Mode::Scale if occupancy < self.free_thresh => Occupancy::Free,
            Mode::Trinary if occupancy <= self.occupied_thresh => Occupancy::Unknown,
            Mode::Raw if percent > 100.0 => Occupancy::Unknown,
            Mode::Raw if percent / 100.0 < self.free_thresh => Occupancy::Free,
            _ => Occupancy::Blocked,
        }
    }
}

/// The pixels of an image as costs, unchanged or inverted. Transparent pixels are blocked.
pub(in crate::formats) fn costs(image: &[u8], negate: bool) -> Result<Terrain, ImageError> {
    const LETHAL: u8 = 254;
    let level = |shade: Shade| if negate { 255 - shade.level() } else { shade.level() };
    Pixels::decode(image)?.to_terrain(|shade| shade.map_or(LETHAL, level))
}

/// The meaning of a pixel for its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Occupancy {
    Free,
    Unknown,
    Blocked,
}

const FRACTION: &str = "a number from 0 to 1";

/// The fields of a file, and its text for messages.
struct Fields<'a> {
    text: &'a str,
    fields: BTreeMap<Cow<'a, str>, Field<'a>>,
}

impl<'a> Fields<'a> {
    fn read(text: &'a str) -> Result<Self, RosError> {
        let fields = yaml::fields(text).map_err(|fault| RosError::Yaml { reason: fault.to_string() })?;
        Ok(Self { text, fields: fields.ok_or(RosError::NoFields)? })
    }

    fn map(&self) -> Result<RosMap, RosError> {
        Ok(RosMap {
            image: self.required("image", "the path of an image", path)?,
            resolution: self.required("resolution", "the side of a cell in metres, above 0", positive)?,
            origin: self.required("origin", "three numbers, [x, y, yaw]", origin)?,
            negate: self.optional("negate", "0 or 1", flag)?.unwrap_or(false),
            occupied_thresh: self.optional("occupied_thresh", FRACTION, fraction)?.unwrap_or(0.65),
            free_thresh: self.optional("free_thresh", FRACTION, fraction)?.unwrap_or(0.196),
            mode: self.optional("mode", "trinary, scale or raw", mode)?.unwrap_or_default(),
        })
    }

    /// A number as written in the file, or its default.
    fn written(&self, field: &str, number: f64) -> String {
        let given = self.fields.get(field);
        given.map_or_else(|| number.to_string(), |given| text::excerpt(&given.written(self.text)))
    }

    /// The value of a field, parsed by `read`, or `None` if the file does not have it.
    fn optional<T>(
        &self,
        field: &'static str,
        expected: &'static str,
        read: impl Fn(&Value<'_>) -> Option<T>,
    ) -> Result<Option<T>, RosError> {
        let Some(given) = self.fields.get(field) else { return Ok(None) };
        let found = || text::excerpt(&given.written(self.text));
        read(&given.value).map(Some).ok_or_else(|| RosError::Value { field, found: found(), expected })
    }

    fn required<T>(
        &self,
        field: &'static str,
        expected: &'static str,
        read: impl Fn(&Value<'_>) -> Option<T>,
    ) -> Result<T, RosError> {
        self.optional(field, expected, read)?.ok_or(RosError::Missing { field, expected })
    }
}

fn path(value: &Value<'_>) -> Option<PathBuf> {
    word(value).filter(|path| !path.is_empty() && !path.contains('\0')).map(PathBuf::from)
}

fn finite(value: &Value<'_>) -> Option<f64> {
    // Rust's number parser accepts more than YAML does: `inf`, `nan`.
    let is_number = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let number = word(value).filter(is_number)?.parse().ok();
    number.filter(|number: &f64| number.is_finite())
}

fn positive(value: &Value<'_>) -> Option<f64> {
    finite(value).filter(|&number| number > 0.0)
}

fn fraction(value: &Value<'_>) -> Option<f64> {
    finite(value).filter(|number| (0.0..=1.0).contains(number))
}

fn origin(value: &Value<'_>) -> Option<[f64; 3]> {
    let Value::List(numbers) = value else { return None };
    let numbers: Option<Vec<f64>> = numbers.iter().map(finite).collect();
    numbers?.try_into().ok()
}

fn flag(value: &Value<'_>) -> Option<bool> {
    match word(value)? {
        "0" | "false" | "False" | "FALSE" => Some(false),
        "1" | "true" | "True" | "TRUE" => Some(true),
        _ => None,
    }
}

fn mode(value: &Value<'_>) -> Option<Mode> {
    match word(value)? {
        "trinary" => Some(Mode::Trinary),
        "scale" => Some(Mode::Scale),
        "raw" => Some(Mode::Raw),
        _ => None,
    }
}

/// The text of a value that is a text, with or without quotes, as in `map_server`.
fn word<'a>(value: &'a Value<'_>) -> Option<&'a str> {
    match value {
        Value::Plain(text) if matches!(&**text, "" | "~" | "null" | "Null" | "NULL") => None,
        Value::Plain(text) | Value::Quoted(text) => Some(text),
        Value::List(_) | Value::Mapping => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::ascii;

    const WHOLE: &str = "image: maps/hall.pgm\nresolution: 0.05\norigin: [-10.5, 2, 0.5]\nnegate: 0\n\
                         occupied_thresh: 0.65\nfree_thresh: 0.25\nmode: trinary\n";

    fn message(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    /// The map that pixels make, for a map file with these lines changed.
    fn draw(changes: &[(&str, &str)], pixels: &[u8]) -> String {
        let mut image = format!("P5\n{} 1\n255\n", pixels.len()).into_bytes();
        image.extend(pixels);
        let (map, plain) = (changed(changes), changed(changes).grid(&image).unwrap());
        assert_eq!(map.grid_with(&image, Unknown::Blocked).unwrap(), plain);
        ascii::write(&plain)
    }

    /// Like [`draw`], with unknown cells free.
    fn draw_unknown_as_free(changes: &[(&str, &str)], pixels: &[u8]) -> String {
        let mut image = format!("P5\n{} 1\n255\n", pixels.len()).into_bytes();
        image.extend(pixels);
        ascii::write(&changed(changes).grid_with(&image, Unknown::Free).unwrap())
    }

    fn changed(changes: &[(&str, &str)]) -> RosMap {
        let text = changes.iter().fold(WHOLE.to_owned(), |text, (from, to)| text.replace(from, to));
        parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn all_fields_are_kept() {
        let expected = RosMap {
            image: "maps/hall.pgm".into(),
            resolution: 0.05,
            origin: [-10.5, 2.0, 0.5],
            negate: false,
            occupied_thresh: 0.65,
            free_thresh: 0.25,
            mode: Mode::Trinary,
        };
        assert_eq!(parse(WHOLE.as_bytes()), Ok(expected.clone()));
        let changed = WHOLE.replace("negate: 0", "negate: true\nfuture: [1]").replace("trinary", "raw");
        assert_eq!(parse(changed.as_bytes()), Ok(RosMap { negate: true, mode: Mode::Raw, ..expected }));
    }

    #[test]
    fn missing_fields_have_defaults() {
        let map = parse(b"image: a.png\nresolution: 1\norigin: [0, 0, 0]\n").unwrap();
        assert_eq!((map.negate, map.occupied_thresh, map.free_thresh), (false, 0.65, 0.196));
        assert_eq!(map.mode, Mode::Trinary);
    }

    #[test]
    fn only_cells_that_are_certainly_free_are_free() {
        // Occupancies 0, 0.247, 0.251, 0.498, 1.
        let pixels = [255, 192, 191, 128, 0];
        assert_eq!(draw(&[], &pixels), "..@@@\n");
        assert_eq!(draw(&[("trinary", "scale")], &pixels), "..@@@\n");
        assert_eq!(draw(&[("negate: 0", "negate: 1")], &[0, 63, 64, 127, 255]), "..@@@\n");
        assert_eq!(draw(&[("free_thresh: 0.25", "free_thresh: 0.5")], &pixels), "....@\n");
    }

    #[test]
    fn raw_pixels_are_percent() {
        let raw = ("trinary", "raw");
        assert_eq!(draw(&[raw], &[0, 24, 25, 100, 101, 255]), "..@@@@\n");
        assert_eq!(draw(&[raw, ("negate: 0", "negate: 1")], &[255, 231, 230, 0]), "..@@\n");
    }

    #[test]
    fn unknown_cells_are_free_on_request() {
        // Occupancies 0, 0.247, 0.251, 0.498, 0.647, 0.651, 1.
        let pixels = [255, 192, 191, 128, 90, 89, 0];
        assert_eq!(draw_unknown_as_free(&[], &pixels), ".....@@\n");
        assert_eq!(draw_unknown_as_free(&[("trinary", "scale")], &pixels), "..@@@@@\n");
        let turned = pixels.map(|pixel| 255 - pixel);
        assert_eq!(draw_unknown_as_free(&[("negate: 0", "negate: 1")], &turned), ".....@@\n");
        assert_eq!(draw_unknown_as_free(&[("trinary", "raw")], &[0, 24, 25, 100, 101, 205, 255]), "..@@...\n");
        assert_eq!(
            draw_unknown_as_free(&[("trinary", "raw"), ("negate: 0", "negate: 1")], &[255, 155, 154, 0]),
            ".@..\n"
        );
    }

    #[test]
    fn thresholds_themselves_are_unknown() {
        // Occupancies 0.2 and 0.6, in 8 bits exactly.
        let changes = [("0.65", "0.6"), ("0.25", "0.2")];
        assert_eq!(draw(&changes, &[204, 102]), "@@\n");
        assert_eq!(draw_unknown_as_free(&changes, &[205, 204, 102, 101]), "...@\n");
    }

    #[test]
    fn transparent_pixels_are_unknown_in_some_modes() {
        let mut image = Vec::new();
        let mut encoder = png::Encoder::new(&mut image, 4, 1);
        encoder.set_color(png::ColorType::GrayscaleAlpha);
        encoder.write_header().unwrap().write_image_data(&[255, 255, 255, 0, 0, 0, 0, 255]).unwrap();
        for (mode, expected) in [("trinary", ".@@@\n"), ("scale", "...@\n"), ("raw", ".@@.\n")] {
            let map = changed(&[("trinary", mode)]);
            // In mode raw white is above 100 and black is 0.
            assert_eq!(ascii::write(&map.grid_with(&image, Unknown::Free).unwrap()), expected, "{mode}");
            let blocked = if mode == "raw" { "@@@.\n" } else { ".@@@\n" };
            assert_eq!(ascii::write(&map.grid(&image).unwrap()), blocked, "{mode}");
        }
    }

    #[test]
    fn occupancies_equal_those_of_map_server() {
        let percents = |changes: &[(&str, &str)], pixels: &[u8]| {
            let mut image = format!("P5\n{} 1\n255\n", pixels.len()).into_bytes();
            image.extend(pixels);
            changed(changes).occupancies(&image).unwrap().classes().to_vec()
        };
        // Occupancies 0, 0.247, 0.251, 0.498, 0.647, 0.651, 1.
        let pixels = [255, 192, 191, 128, 90, 89, 0];
        assert_eq!(percents(&[], &pixels), [0, 0, 255, 255, 255, 100, 100]);
        let scale = ("trinary", "scale");
        assert_eq!(percents(&[scale], &pixels), [0, 0, 0, 61, 98, 100, 100]);
        let turned = pixels.map(|pixel| 255 - pixel);
        assert_eq!(percents(&[scale, ("negate: 0", "negate: 1")], &turned), [0, 0, 0, 61, 98, 100, 100]);
        let raw = ("trinary", "raw");
        assert_eq!(percents(&[raw], &[0, 1, 65, 66, 100, 101, 255]), [0, 1, 65, 100, 100, 255, 255]);
        assert_eq!(percents(&[raw, ("0.65", "1")], &[99, 100, 101]), [99, 100, 255]);
        assert_eq!(percents(&[raw, ("negate: 0", "negate: 1")], &[255, 254, 0]), [0, 1, 255]);
    }

    #[test]
    fn cells_that_are_free_or_unknown_have_a_price() {
        // Cells that are free on the map without prices are free on the map with prices, and both treat the same cells
        // as unknown.
        let pixels: Vec<u8> = (0..=255).collect();
        let image = [b"P5\n256 1\n255\n", &pixels[..]].concat();
        for mode in ["trinary", "scale", "raw"] {
            let map = changed(&[("trinary", mode)]);
            for unknown in Unknown::ALL {
                let plain = map.grid_with(&image, unknown).unwrap();
                let terrain = map.occupancies(&image).unwrap();
                let priced = terrain.grid(&prices::occupancy(unknown), crate::grid::Convention::Average);
                assert!(plain.cells().all(|cell| !plain.is_free(cell) || priced.is_free(cell)), "{mode}");
            }
        }
    }

    #[test]
    fn costs_are_pixels() {
        let mut image = Vec::new();
        let mut encoder = png::Encoder::new(&mut image, 3, 1);
        encoder.set_color(png::ColorType::GrayscaleAlpha);
        encoder.write_header().unwrap().write_image_data(&[0, 255, 0, 0, 253, 255]).unwrap();
        assert_eq!(changed(&[]).costs(&image).unwrap().classes(), [0, 254, 253]);
        assert_eq!(changed(&[("negate: 0", "negate: 1")]).costs(&image).unwrap().classes(), [255, 254, 2]);
    }

    #[test]
    fn invalid_values_are_reported() {
        let changed = |from: &str, to: &str| message(&WHOLE.replace(from, to));
        assert_eq!(changed("0.05", "0"), "`resolution: 0`: expected the side of a cell in metres, above 0");
        assert!(changed("0.05", ".nan").starts_with("`resolution: .nan`"));
        assert!(changed("0.05", "-1").starts_with("`resolution: -1`"));
        assert!(changed("0.05", "fine").starts_with("`resolution: fine`"));
        assert!(changed("[-10.5, 2, 0.5]", "[1, 2]").ends_with("expected three numbers, [x, y, yaw]"));
        assert!(changed("[-10.5, 2, 0.5]", "[1, 2, .inf]").ends_with("expected three numbers, [x, y, yaw]"));
        assert_eq!(changed("negate: 0", "negate: 2"), "`negate: 2`: expected 0 or 1");
        assert_eq!(changed("thresh: 0.65", "thresh: 1.5"), "`occupied_thresh: 1.5`: expected a number from 0 to 1");
        assert_eq!(changed("thresh: 0.25", "thresh: -0.1"), "`free_thresh: -0.1`: expected a number from 0 to 1");
        assert_eq!(changed("thresh: 0.25", "thresh: 0.65"), "free_thresh 0.65 must be below occupied_thresh 0.65");
        let close = "free_thresh 0.65000000000000000000001 must be below occupied_thresh 0.65";
        assert_eq!(changed("thresh: 0.25", "thresh: 0.65000000000000000000001"), close);
        assert_eq!(changed("trinary", "binary"), "`mode: binary`: expected trinary, scale or raw");
        assert!(changed("maps/hall.pgm", "''").starts_with("`image: ''`: expected the path"));
        for field in ["image", "resolution", "origin"] {
            let other = format!("other{field}");
            assert!(changed(field, &other).starts_with(&format!("the field `{field}` is missing")));
        }
    }

    #[test]
    fn a_file_that_is_not_a_map_file_is_refused_in_one_sentence() {
        assert!(message("").starts_with("not a ROS map file"));
        assert!(message("- 1\n- 2\n").starts_with("not a ROS map file"));
        assert!(message("image: [a\n").starts_with("not a YAML file"));
        assert!(message(&format!("{WHOLE}negate: 1\n")).starts_with("not a YAML file: duplicate"));
        assert!(parse(b"image: \xff").unwrap_err().to_string().starts_with("line 1, column 8: byte 0xff"));
        assert!(message(&" ".repeat(MAX_YAML_BYTES + 1)).contains("too many"));
        assert!(message(&"[".repeat(20_000)).starts_with("not a YAML file"));
        let doubling = |text, i| format!("{text}a{i}: &a{i} [*a{0}, *a{0}]\n", i - 1);
        assert!(message(&(1..40).fold("a0: &a0 [1]\n".to_owned(), doubling)).starts_with("not a YAML file"));
    }

    #[test]
    fn too_deep_nesting_is_refused() {
        for (text, place) in [
            ("[".repeat(255), "line 1, column 33"),
            (format!("{WHOLE}future: {}", "{a: ".repeat(250)), "line 8, column 133"),
            ("- ".repeat(MAX_YAML_BYTES / 2), "line 1, column 65"),
        ] {
            let expected = format!("not a YAML file: {place}: lists and mappings are nested more than 32 deep");
            assert_eq!(message(&text), expected);
        }
        // The parser itself stops here; one that continued took 4 seconds, because the cost of a bracket grew with its
        // depth.
        assert!(message(&"[".repeat(MAX_YAML_BYTES)).starts_with("not a YAML file: line 1, column 256: "));
        let (open, close) = ("[".repeat(31), "]".repeat(31));
        assert!(parse(format!("{WHOLE}future: {open}{close}").as_bytes()).is_ok());
    }

    #[test]
    fn equivalent_files_read_alike() {
        let plain = parse(WHOLE.as_bytes()).unwrap();
        for text in [
            format!("\u{feff}{WHOLE}"),
            WHOLE.replace('\n', "\r\n"),
            format!("# a hall\n---\n{}...\n", WHOLE.replace('\n', " # a field\n\n")),
            format!("%YAML 1.2\n---\n{WHOLE}"),
            WHOLE.replace(": ", ":\t"),
            WHOLE.replace(": ", ":   ").replace("[-10.5, 2, 0.5]", "[ -10.50,2.0 ,\n  +5.e-1, ]"),
            WHOLE.replace("[-10.5, 2, 0.5]", "\n- -10.5\n- 2\n- 0.5"),
            WHOLE.replace("[-10.5, 2, 0.5]", "# x, y, yaw\n    -   -10.5\n    -   2\n    -   .5"),
            WHOLE.replace("maps/hall.pgm", "\"maps/hall.pgm\"").replace("trinary", "'trinary'"),
            WHOLE.replace("image: ", "\"image\" : ").replace("negate: 0", "negate: False"),
            WHOLE.replace("maps/hall.pgm", ">-\n  maps/hall.pgm"),
            format!("{{{}}}", WHOLE.trim_end().replace('\n', ", ")),
            format!("{WHOLE}future: {{a: [1, {{b: c}}], ? [d] : e}}\n? [f]\n: g\n"),
        ] {
            assert_eq!(parse(text.as_bytes()).as_ref(), Ok(&plain), "{text}");
        }
        let named = parse(WHOLE.replace("maps/hall.pgm", "a b#c's.pgm # d").as_bytes()).unwrap();
        assert_eq!(named.image, PathBuf::from("a b#c's.pgm"));
    }

    #[test]
    fn faults_of_yaml_are_reported_with_their_line() {
        let fault = |text: &str| message(text).strip_prefix("not a YAML file: ").unwrap().to_owned();
        assert_eq!(
            fault(&format!("{WHOLE}negate: 1\n")),
            "duplicate field `negate`: remove it from line 8 or from line 4"
        );
        assert_eq!(
            fault("{\"a\\nb\": 1,\n\"a\\nb\": 2}"),
            "duplicate field `a\\nb`: remove it from line 2 or from line 1",
            "a message is one line, whatever a field is called"
        );
        assert_eq!(
            fault(&WHOLE.replace("[-10.5, 2, 0.5]", "*o")),
            "line 3, column 9: while parsing node, found unknown anchor"
        );
        assert_eq!(
            fault(&format!("a: &a 1\n{}", WHOLE.replace("0.05", "*a"))),
            "line 3, column 13: aliases are not read: write the value out"
        );
        assert_eq!(
            fault(&format!("{WHOLE}---\n{WHOLE}")),
            "line 8, column 1: a second document begins here: expected one"
        );
        assert!(fault(&WHOLE.replace("0.5]", "0.5")).starts_with("line "));
        assert!(fault(&WHOLE.replace("maps/", "'maps/")).starts_with("line "));
    }

    /// Pieces of YAML that cost a reader the most when there are thousands of them.
    const PIECES: [&str; 43] = [
        "[", "{", "- ", "? ", "[]: ", "{a: [", "a: {", "[a, ", "\"", "'", "\"\\n", "#", "# \n", "&a ", "*a ", "!a ",
        "!<a>", "%T ! a\n", "%\n", "---\n", "...\n", "|\n", "a: |\n", "a: >\n\n", "a\n", "a: b\n", " ", "\t", "\n",
        "\r", "a ", "a:", ":", ",", "-", "- a\n", "\u{feff}", "é", "&a [", "!!a {", "? - ", "\n ", ": ",
    ];

    /// Reading them all takes a third of a second without optimisation. A reader in quadratic time takes half an hour:
    /// it meets the watchdog.
    #[test]
    fn no_file_takes_long_to_read_or_refuse() {
        let read = |piece: &str| {
            let whole = piece.repeat(MAX_YAML_BYTES / piece.len());
            let lines: Vec<String> = (0..4000).map(|i| format!("{}{piece}{i}\n", " ".repeat(i % 9))).collect();
            for text in [format!("a: {whole}"), format!("a: [{whole}"), lines.concat(), whole] {
                let _ = parse(&text.as_bytes()[..text.len().min(MAX_YAML_BYTES)]);
            }
        };
        if cfg!(target_os = "wasi") {
            // There are no threads.
            return PIECES.into_iter().for_each(read);
        }
        let (done, is_done) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for piece in PIECES {
                read(piece);
                let _ = done.send(piece);
            }
        });
        let end = std::time::Instant::now() + std::time::Duration::from_mins(2);
        for piece in PIECES {
            let left = end.saturating_duration_since(std::time::Instant::now());
            assert_eq!(is_done.recv_timeout(left), Ok(piece), "it hangs or panics at the piece on the right");
        }
    }
}
