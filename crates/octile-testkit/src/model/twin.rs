//! The naive twin: a plain map of walls and prices, and the oracles' answers for it.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use octile::grid::{Agent, Convention, Room};
use octile::{Cell, Grid, GridBuilder, Movement, Path, Point};

use super::program::{Change, Place};
use crate::oracle::{self, Truth};
use crate::{any_angle, clearance};

/// A map as a list of cells, each with its price and whether it is free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// The number of cells in a row.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// The movement rule.
    pub movement: Movement,
    /// How prices count; `None` if the map has no prices.
    pub convention: Option<Convention>,
    /// All cells, row by row.
    pub cells: Vec<(bool, u8)>,
}

impl Map {
    /// A map without prices from a drawing: `@` is blocked.
    pub fn new(drawing: &str, movement: Movement) -> Self {
        let cells = drawing.bytes().filter(|&letter| letter != b'\n').map(|letter| (letter != b'@', 1));
        let height = drawing.lines().count() as u32;
        Self {
            width: drawing.lines().next().map_or(0, str::len) as u32,
            height,
            movement,
            convention: None,
            cells: cells.collect(),
        }
    }

    /// The same map with prices, row by row.
    #[must_use]
    pub fn priced(mut self, convention: Convention, prices: &[u8]) -> Self {
        self.convention = Some(convention);
        self.cells.iter_mut().zip(prices).for_each(|(cell, &price)| cell.1 = price);
        self
    }

    /// The index of a cell in the list, if it is on the map.
    pub fn index(&self, (x, y): Place) -> Option<usize> {
        (x < self.width && y < self.height).then(|| (y * self.width + x) as usize)
    }

    /// All cells, row by row.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    /// Whether a cell is on the map and free.
    pub fn is_free(&self, place: Place) -> bool {
        self.index(place).is_some_and(|index| self.cells[index].0)
    }

    /// Applies an edit as a whole: returns `false`, without a change, if one of its parts is invalid.
    pub fn edit(&mut self, changes: &[Change]) -> bool {
        let mut after = self.clone();
        let done = changes.iter().all(|&change| after.change(change));
        if done {
            *self = after;
        }
        done
    }

    fn change(&mut self, change: Change) -> bool {
        let free = |free: bool| move |cell: &mut (bool, u8), _: Place| cell.0 = free;
        match change {
            Change::Block(cell) => self.fill(cell, cell, free(false)),
            Change::Free(cell) => self.fill(cell, cell, free(true)),
            Change::BlockRect(a, b) => self.fill(a, b, free(false)),
            Change::FreeRect(a, b) => self.fill(a, b, free(true)),
            Change::Price(cell, price) => self.change(Change::PriceRect(cell, cell, price)),
            Change::PriceRect(a, b, price) => {
                self.convention.is_some() && price > 0 && self.fill(a, b, |cell, _| cell.1 = price)
            }
            Change::Patch(at, (width, height), bits) => {
                let end = (at.0 + width - 1, at.1 + height - 1);
                self.fill(at, end, |cell, (x, y)| cell.0 = bits >> ((y - at.1) * width + (x - at.0)) & 1 == 1)
            }
        }
    }

    /// Changes every cell of a rectangle; returns whether the rectangle is on the map.
    fn fill(&mut self, a: Place, b: Place, set: impl Fn(&mut (bool, u8), Place)) -> bool {
        let (min, max) = ((a.0.min(b.0), a.1.min(b.1)), (a.0.max(b.0), a.1.max(b.1)));
        if self.index(max).is_none() {
            return false;
        }
        for place in (min.1..=max.1).flat_map(|y| (min.0..=max.0).map(move |x| (x, y))) {
            let index = (place.1 * self.width + place.0) as usize;
            set(&mut self.cells[index], place);
        }
        true
    }

    /// The library's map of these cells, built from scratch.
    ///
    /// # Panics
    /// If it has no cells.
    pub fn grid(&self) -> Grid {
        let mut builder = GridBuilder::new(self.width, self.height).expect("a map has cells").movement(self.movement);
        if let Some(convention) = self.convention {
            builder = builder.convention(convention);
        }
        for (place, &(free, price)) in self.places().zip(&self.cells) {
            if self.convention.is_some() {
                builder.set_price(place, price);
            }
            builder.set(place, free);
        }
        builder.build()
    }

    /// The map of the cells where an agent fits.
    fn for_agent(&self, grid: &Grid, agent: Agent, room: Room) -> Self {
        let mut map = self.clone();
        for (place, cell) in self.places().zip(&mut map.cells) {
            cell.0 = clearance::fits(grid, Cell::from(place), agent, room);
        }
        map
    }
}

impl fmt::Display for Map {
    /// As Rust code.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |row: &[(bool, u8)]| row.iter().map(|cell| if cell.0 { '.' } else { '@' }).collect::<String>();
        let rows: Vec<String> = self.cells.chunks(self.width as usize).map(row).collect();
        write!(f, "Map::new({:?}, Movement::{:?})", rows.join("\n"), self.movement)?;
        let Some(convention) = self.convention else { return Ok(()) };
        let prices: Vec<u8> = self.cells.iter().map(|cell| cell.1).collect();
        write!(f, ".priced(Convention::{convention:?}, &{prices:?})")
    }
}

/// The agents that programs use.
///
/// # Panics
/// Never: all of them are agents.
pub fn agents() -> [Agent; 5] {
    let discs = [0.5, 1.0, 1.5].map(|radius| Agent::disc(radius).expect("a radius"));
    [Agent::POINT, Agent::square(2).expect("a side"), discs[0], discs[1], discs[2]]
}

/// A map at one moment, with the oracles' answers for it.
pub struct World {
    /// The plain map.
    pub map: Map,
    /// The same as a map of the library.
    pub grid: Grid,
    /// The truth for every start, computed on first use.
    truths: OnceCell<Vec<Truth>>,
    agents: RefCell<BTreeMap<(usize, bool), Rc<World>>>,
}

impl World {
    /// The world of a map.
    pub fn new(map: Map) -> Rc<Self> {
        let grid = map.grid();
        Rc::new(Self { map, grid, truths: OnceCell::new(), agents: RefCell::default() })
    }

    /// The oracle's truth about paths from a cell.
    ///
    /// # Panics
    /// If the cell is off the map.
    pub fn truth(&self, start: Cell) -> &Truth {
        let truths = self.truths.get_or_init(|| Truth::of_all(&self.grid, self.grid.cells()));
        &truths[self.map.index((start.x, start.y)).expect("a cell of the map")]
    }

    /// The world of one of the [`agents`].
    pub fn for_agent(&self, agent: usize, room: Room) -> Rc<Self> {
        let make = || Self::new(self.map.for_agent(&self.grid, agents()[agent], room));
        Rc::clone(self.agents.borrow_mut().entry((agent, room == Room::Cell)).or_insert_with(make))
    }

    /// Whether a path can be walked: every move and every line of it is legal.
    pub fn can_walk(&self, path: &Path) -> bool {
        if let Ok(cells) = path.cells() {
            let cells: Vec<Cell> = cells.collect();
            let leads = |from: Cell, to: Cell| oracle::neighbours(&self.grid, from).iter().any(|&(cell, _)| cell == to);
            return cells.iter().all(|&cell| self.grid.is_free(cell)) && cells.windows(2).all(|w| leads(w[0], w[1]));
        }
        let (Ok(points), Some(squeeze)) = (path.vertices(), path.squeeze()) else { return false };
        let points: Vec<_> = points.collect();
        let is_free = |point: &Point| self.grid.is_free((point.x() as u32, point.y() as u32));
        [points.first(), points.last()].into_iter().flatten().all(is_free)
            && points.windows(2).all(|line| any_angle::sees(&self.grid, line[0], line[1], squeeze))
    }
}
