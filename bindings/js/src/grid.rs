//! `Grid`: a map.

use js_sys::{Array, Uint8Array};
use octile::algo::blocked_areas::BlockedAreas;
use octile::formats::generate::{self, GenerateError};
use octile::formats::{LoadFault, LoadOptions, PriceFile, Pricing, Unknown, load_bytes_with, load_ros_bytes};
use octile::grid::Convention;
use octile::kernels::gates::Gates;
use octile::{Cell, GridBuilder, Movement};
use wasm_bindgen::prelude::*;

use crate::arrays::{self, flat, flat_pairs, object, table};
use crate::edits::Edits;
use crate::errors::{self, Raise, Result};
use crate::options::{self, Options};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** How one may move: eight neighbours without cutting corners, four neighbours, or eight neighbours with cut corners. */
export type Movement = "octile" | "tile" | "octile-cutting";
/** How prices of cells make the cost of a move: the mean of those that it touches, or the price of the cell entered. */
export type Convention = "average" | "enter";
export interface GridOptions { prices?: Uint8Array; convention?: Convention; movement?: Movement }
export interface LoadOptions { name?: string; yaml?: string; unknown?: "blocked" | "free"; prices?: string; convention?: Convention; movement?: Movement }
/** A blocked area: a part of the map that a search may leave out unless it begins or ends there. */
export interface BlockedArea { outline: Uint32Array; entrance: Uint32Array; cells: Uint32Array }
/** Runs of cells x0, y0, x1, y1, ... that are gates, and the share of cells that they can rule out. */
export interface GateRuns { rows: Uint32Array; columns: Uint32Array; share: number }
"#;

/// A map: which cells are free, how one may move, and what cells cost. An engine takes the map as it is when the engine
/// is made; change it then by the engine.
#[wasm_bindgen]
#[derive(Clone)]
pub struct Grid {
    pub(crate) grid: octile::Grid,
}

impl From<octile::Grid> for Grid {
    fn from(grid: octile::Grid) -> Self {
        Self { grid }
    }
}

/// The sides of a map, as numbers that may be too large for one: the library says so.
fn sides(width: f64, height: f64) -> Result<(u32, u32)> {
    Ok((options::whole(width, "width", u32::MAX)?, options::whole(height, "height", u32::MAX)?))
}

/// A map by chance.
fn generated(
    width: f64,
    height: f64,
    (value, default, what): (Option<f64>, u32, &str),
    seed: Option<f64>,
    make: fn(u32, u32, u32, u64) -> Result<octile::Grid, GenerateError>,
) -> Result<Grid> {
    let (width, height) = sides(width, height)?;
    let value = value.map_or(Ok(default), |value| options::whole(value, what, u32::MAX))?;
    make(width, height, value, options::seed(seed)?).raised().map(Into::into)
}

/// How a file is read.
fn reading(options: &Options<'_>) -> Result<LoadOptions> {
    let reading = LoadOptions::default();
    let reading = reading.unknown(options.named::<Unknown>("unknown")?).convention(options.named("convention")?);
    let Some(prices) = options.text("prices")? else { return Ok(reading) };
    if let Some(pricing) = Pricing::named(&prices) {
        return Ok(reading.prices(pricing));
    }
    let file = PriceFile::parse(prices.as_bytes()).map_err(|error| errors::load(format!("prices: {error}")))?;
    Ok(reading.prices(file))
}

/// Checks that an array has a byte for each cell.
fn check_length(bytes: &[u8], (width, height): (u32, u32), what: &str) -> Result<()> {
    let cells = u64::from(width) * u64::from(height);
    if bytes.len() as u64 == cells {
        return Ok(());
    }
    Err(errors::argument(format!(
        "{what}: expected {cells} bytes, one for each cell of {width} x {height}, found {}",
        bytes.len()
    )))
}

/// The place of a cell in an array of a map of some width.
fn place(cell: Cell, width: u32) -> usize {
    cell.y as usize * width as usize + cell.x as usize
}

#[wasm_bindgen]
impl Grid {
    /// A map from an array with a byte for each cell, row by row: everything but 0 is blocked. `prices`, from 1 to 255,
    /// say what cells cost; 0 blocks one.
    pub fn from(
        width: f64,
        height: f64,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] blocked: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "GridOptions")] options: &JsValue,
    ) -> Result<Grid> {
        let options = Options::new(options, &["prices", "convention", "movement"])?;
        let (movement, convention) =
            (options.named::<Movement>("movement")?, options.named::<Convention>("convention")?);
        let sides @ (width, height) = sides(width, height)?;
        let mut builder = GridBuilder::new(width, height).raised()?.movement(movement);
        let blocked = arrays::bytes(blocked, "blocked")?;
        check_length(&blocked, sides, "blocked")?;
        for (y, row) in (0..height).zip(blocked.chunks_exact(width as usize)) {
            builder.set_row(y, row.iter().map(|&cell| cell == 0));
        }
        let grid = builder.build();
        let Some(prices) = options.get("prices") else { return Ok(grid.into()) };
        let prices = arrays::bytes(&prices, "prices")?;
        check_length(&prices, sides, "prices")?;
        Ok(grid.with_prices(convention, |cell| prices[place(cell, width)]).into())
    }

    /// A map of free cells.
    pub fn open(
        width: f64,
        height: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "{ movement?: Movement }")] options: &JsValue,
    ) -> Result<Grid> {
        let movement = Options::new(options, &["movement"])?.named("movement")?;
        let (width, height) = sides(width, height)?;
        Ok(octile::Grid::open(width, height).raised()?.with_movement(movement).into())
    }

    /// A map from a drawing: `.` is free, `@` blocked, a digit free at that price.
    pub fn parse(drawing: &str) -> Result<Grid> {
        drawing.parse::<octile::Grid>().raised().map(Into::into)
    }

    /// A map from the bytes of a file, which is told from its contents: MovingAI `.map`, a drawing, PNG or PGM. With
    /// `yaml`, the text of a ROS map file, the bytes are its image. `prices` is the text of a price file, `costmap` or
    /// `occupancy`. `name` is the file's, for messages.
    pub fn load(
        #[wasm_bindgen(unchecked_param_type = "Uint8Array | ArrayBuffer")] bytes: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "LoadOptions")] options: &JsValue,
    ) -> Result<Grid> {
        let options = Options::new(options, &["name", "yaml", "unknown", "prices", "convention", "movement"])?;
        let (name, yaml) = (options.text("name")?, options.text("yaml")?);
        let reading = reading(&options)?;
        let movement = options.text("movement")?.map(|name| options::named("movement", &name)).transpose()?;
        let bytes = arrays::bytes(bytes, "bytes")?;
        let map = match yaml {
            Some(yaml) => load_ros_bytes(yaml.as_bytes(), &bytes, &reading),
            None => load_bytes_with(&bytes, &reading),
        };
        let named = |fault: LoadFault| match &name {
            Some(name) => errors::load(format!("{name}: {fault}")),
            None => errors::load(fault),
        };
        let grid = map.map_err(named)?.grid;
        Ok(movement.map_or(grid.clone(), |movement| grid.with_movement(movement)).into())
    }

    /// Square rooms with doors.
    pub fn rooms(width: f64, height: f64, room: Option<f64>, seed: Option<f64>) -> Result<Grid> {
        generated(width, height, (room, 16, "room"), seed, generate::rooms)
    }

    /// A maze with corridors of some width.
    pub fn maze(width: f64, height: f64, corridor: Option<f64>, seed: Option<f64>) -> Result<Grid> {
        generated(width, height, (corridor, 4, "corridor"), seed, generate::maze)
    }

    /// Obstacles by chance, so many per cent of the cells.
    pub fn random(width: f64, height: f64, percent: Option<f64>, seed: Option<f64>) -> Result<Grid> {
        generated(width, height, (percent, 25, "percent"), seed, generate::random)
    }

    /// Caves, with so many per cent of rock to begin with.
    pub fn caves(width: f64, height: f64, percent: Option<f64>, seed: Option<f64>) -> Result<Grid> {
        generated(width, height, (percent, 45, "percent"), seed, generate::caves)
    }

    /// The same map with prices in patches of about some size.
    #[wasm_bindgen(js_name = withRegions)]
    pub fn with_regions(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] prices: &JsValue,
        size: Option<f64>,
        #[wasm_bindgen(unchecked_param_type = "Convention")] convention: Option<String>,
        seed: Option<f64>,
    ) -> Result<Grid> {
        let prices = arrays::bytes(prices, "prices")?;
        let size = size.map_or(Ok(16), |size| options::whole(size, "size", u32::MAX))?;
        let convention = convention.map_or(Ok(Convention::default()), |name| options::named("convention", &name))?;
        generate::regions(&self.grid, &prices, size, convention, options::seed(seed)?).raised().map(Into::into)
    }

    /// The same map under another movement rule.
    #[wasm_bindgen(js_name = withMovement)]
    pub fn with_movement(&self, #[wasm_bindgen(unchecked_param_type = "Movement")] movement: &str) -> Result<Grid> {
        Ok(self.grid.with_movement(options::named("movement", movement)?).into())
    }

    /// The same map without prices.
    #[wasm_bindgen(js_name = withoutPrices)]
    pub fn without_prices(&self) -> Grid {
        self.grid.without_prices().into()
    }

    /// Cells in a row.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.grid.width()
    }

    /// Rows.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.grid.height()
    }

    /// The rule that says which moves are legal.
    #[wasm_bindgen(getter, unchecked_return_type = "Movement")]
    pub fn movement(&self) -> String {
        self.grid.movement().name().to_owned()
    }

    /// How prices make the cost of a move; `undefined` of a map without prices.
    #[wasm_bindgen(getter, unchecked_return_type = "Convention | undefined")]
    pub fn convention(&self) -> Option<String> {
        self.grid.convention().map(|convention| convention.name().to_owned())
    }

    /// How many cells are free.
    #[wasm_bindgen(getter, js_name = freeCells)]
    pub fn free_cells(&self) -> u32 {
        self.grid.free_cells()
    }

    /// How many areas there are between which no path leads.
    #[wasm_bindgen(getter)]
    pub fn components(&self) -> usize {
        self.grid.components()
    }

    /// A number that tells maps apart. Index files know their map by it.
    #[wasm_bindgen(getter)]
    pub fn fingerprint(&self) -> u64 {
        self.grid.fingerprint()
    }

    /// Which cells are blocked, row by row: 1 is blocked. A copy.
    #[wasm_bindgen(getter)]
    pub fn blocked(&self) -> Uint8Array {
        Uint8Array::from(&table(&self.grid, |cell| u8::from(!self.grid.is_free(cell)))[..])
    }

    /// What cells cost when they are free, row by row: 1 everywhere on a map without prices. A copy.
    #[wasm_bindgen(getter)]
    pub fn prices(&self) -> Uint8Array {
        Uint8Array::from(&table(&self.grid, |cell| self.grid.price_when_free(cell))[..])
    }

    /// Whether a cell is free; cells off the map are not.
    #[wasm_bindgen(js_name = isFree)]
    pub fn is_free(&self, x: f64, y: f64) -> bool {
        options::cell(x, y, "cell").is_ok_and(|cell| self.grid.is_free(cell))
    }

    /// Whether a path leads from one cell to another: it takes no search.
    pub fn connected(&self, x0: f64, y0: f64, x1: f64, y1: f64) -> bool {
        let (a, b) = (options::cell(x0, y0, "cell"), options::cell(x1, y1, "cell"));
        a.is_ok_and(|a| b.is_ok_and(|b| self.grid.may_connect(a, b)))
    }

    /// Makes all changes, or none if one of them cannot be made.
    pub fn apply(&mut self, edits: &Edits) -> Result<()> {
        self.grid.apply(&edits.edits).raised().map(|_| ())
    }

    /// The map as a MovingAI `.map` file. Prices are left out.
    #[wasm_bindgen(js_name = toMap)]
    pub fn to_map(&self) -> String {
        octile::formats::movingai::map::write(&self.grid.without_prices())
    }

    /// The map as a drawing; prices up to 9 are its digits.
    #[wasm_bindgen(js_name = toText)]
    pub fn to_text(&self) -> String {
        octile::formats::ascii::write(&self.grid)
    }

    /// The map as a PGM image.
    #[wasm_bindgen(js_name = toPgm)]
    pub fn to_pgm(&self) -> Uint8Array {
        Uint8Array::from(&octile::formats::image::to_pgm(&self.grid)[..])
    }

    /// The blocked areas that are safe to leave out of a search (Jubair & Hawa 2020): points of their walls, their
    /// entrances, and the cells inside.
    #[wasm_bindgen(js_name = blockedAreas, unchecked_return_type = "BlockedArea[]")]
    pub fn blocked_areas(&self) -> Array {
        let areas = BlockedAreas::build(&self.grid);
        let object = |area: &octile::algo::blocked_areas::Area| {
            let (low, high) = area.bounds();
            let inside = (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| Cell::new(x, y)));
            let inside = inside.filter(|&cell| self.grid.is_free(cell) && area.contains(cell));
            object(&[
                ("outline", js_sys::Uint32Array::from(&flat(area.joints().iter().copied())[..]).into()),
                ("entrance", flat_pairs(&[area.entrance()]).into()),
                ("cells", js_sys::Uint32Array::from(&flat(inside)[..]).into()),
            ])
        };
        areas.areas().iter().map(object).collect()
    }

    /// The gates of the map: runs of cells in rows and columns behind which a query need not look unless its goal is
    /// there.
    #[wasm_bindgen(unchecked_return_type = "GateRuns")]
    pub fn gates(&self) -> JsValue {
        let gates = Gates::build(&self.grid);
        object(&[
            ("rows", flat_pairs(&gates.row_gates(&self.grid)).into()),
            ("columns", flat_pairs(&gates.column_gates(&self.grid)).into()),
            ("share", gates.share().into()),
        ])
    }

    /// Which free cells a query need not enter because of gates, row by row: 1 is left out.
    #[wasm_bindgen(js_name = prunedByGates)]
    pub fn pruned_by_gates(&self, x0: f64, y0: f64, x1: f64, y1: f64) -> Result<Uint8Array> {
        let (start, goal) = (options::cell(x0, y0, "start")?, options::cell(x1, y1, "goal")?);
        octile::PathQuery::new(start, goal).check(&self.grid).raised()?;
        let gates = Gates::build(&self.grid);
        let is_pruned = |cell| self.grid.is_free(cell) && !gates.may_enter(&self.grid, start, goal, cell);
        Ok(Uint8Array::from(&table(&self.grid, |cell| u8::from(is_pruned(cell)))[..]))
    }

    /// Another object for the same map.
    #[wasm_bindgen(js_name = _handle, skip_typescript)]
    pub fn handle(&self) -> Grid {
        self.clone()
    }
}
