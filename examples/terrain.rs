//! Terrain: one land, a walker and a cart who pay other prices for the same ground, and rain that changes their ways.
//!
//! ```text
//! cargo run --release -p octile --example terrain --features image
//! cargo run --release -p octile --example terrain --features image -- --png terrain.png
//! ```
//!
//! - `terrain/land.rs`: the land, as a drawing of classes of ground.
//! - `terrain/picture.rs`: what the ground costs the cart, and the ways of both.

#[path = "terrain/land.rs"]
mod land;
#[path = "terrain/picture.rs"]
pub(crate) mod picture;

use std::error::Error;
use std::io::{self, Write};
use std::{env, fs};

use octile::grid::{Convention, Prices, Terrain};
use octile::{Cell, Edits, Engine, Path};

use self::land::{FOREST, GRASS, MUD, NAMES, PAVED, TRACK, WATER};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// One that takes maps with prices.
const PLANNER: &str = "terrain-jump";

// doc: prices
/// What each kind of ground costs; all other kinds are blocked.
const WALKER: Prices =
    Prices::blocked().with(PAVED, 2).with(TRACK, 2).with(MUD, 3).with(GRASS, 2).with(FOREST, 3).with(WATER, 4);
const CART: Prices = Prices::blocked().with(PAVED, 1).with(TRACK, 1).with(MUD, 6).with(GRASS, 4).with(FOREST, 9);
// doc: end

/// From one end of the track to the other.
const FROM: Cell = Cell::new(3, 19);
const TO: Cell = Cell::new(40, 19);

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => travel(&mut io::stdout()).map(drop),
        ["--png", file] => Ok(fs::write(file, picture::draw(&travel(&mut io::sink())?)?)?),
        _ => Err("usage: terrain [--png FILE]".into()),
    }
}

/// Who travels, and on which ways.
pub(crate) struct Traveller {
    name: &'static str,
    prices: Prices,
    engine: Engine,
    /// In dry weather, and in rain.
    ways: Vec<Path>,
}

impl Traveller {
    // doc: engine
    /// The land as this one sees it.
    fn new(name: &'static str, prices: Prices, land: &Terrain) -> Result<Self> {
        let grid = land.grid(&prices, Convention::Average);
        Ok(Self { name, engine: Engine::new(PLANNER, &grid)?, prices, ways: Vec::new() })
    }
    // doc: end

    // doc: change
    /// Takes cells for ground of another class: at its price for this one, or blocked.
    fn change(&self, cells: &[(Cell, u8)]) -> Result<()> {
        let mut edits = Edits::new();
        for &(cell, class) in cells {
            edits.class_rect(cell, cell, class, &self.prices);
        }
        Ok(self.engine.apply(&edits)?)
    }
    // doc: end

    /// Finds the way, and tells what it costs and how many cells of each kind of ground it has.
    fn go(&mut self, weather: &str, land: &Terrain, out: &mut impl Write) -> Result<()> {
        let way = self.engine.find(FROM, TO)?.ok_or("there is no way")?;
        write!(out, "{:<8}{weather:<7}{:>14} = {:<8.2}", self.name, way.cost().to_string(), way.length())?;
        for (class, name) in NAMES {
            let count = way.cells()?.filter(|&cell| land.class(cell) == Some(class)).count();
            write!(
                out,
                "{:>width$}",
                if count > 0 { count.to_string() } else { "-".to_owned() },
                width = name.len() + 2
            )?;
        }
        self.ways.push(way);
        Ok(writeln!(out)?)
    }
}

/// Sends a walker and a cart from one end of the track to the other, in dry weather and in rain.
pub(crate) fn travel(out: &mut impl Write) -> Result<[Traveller; 2]> {
    let land = land::land()?;
    let mut travellers = [Traveller::new("walker", WALKER, &land)?, Traveller::new("cart", CART, &land)?];
    write!(out, "{:<8}{:<7}{:>14}   {:<8}", "", "", "cost", "")?;
    NAMES.iter().try_for_each(|(_, name)| write!(out, "  {name}"))?;
    writeln!(out)?;
    travellers.iter_mut().try_for_each(|traveller| traveller.go("dry", &land, out))?;

    let (wet, changed) = rain(&land)?;
    travellers.iter().try_for_each(|traveller| traveller.change(&changed))?;
    travellers.iter_mut().try_for_each(|traveller| traveller.go("rain", &wet, out))?;
    Ok(travellers)
}

/// The land in rain, and the cells that are not as they were.
fn rain(land: &Terrain) -> Result<(Terrain, Vec<(Cell, u8)>)> {
    let classes: Vec<u8> = land.classes().iter().map(|&class| land::in_rain(class)).collect();
    let wet = Terrain::new(land.width(), land.height(), classes)?;
    let cells = (0..land.height()).flat_map(|y| (0..land.width()).map(move |x| Cell::new(x, y)));
    let is_changed = |cell: &Cell| land.class(*cell) != wet.class(*cell);
    let changed = cells.filter(is_changed).filter_map(|cell| Some((cell, wet.class(cell)?))).collect();
    Ok((wet, changed))
}
