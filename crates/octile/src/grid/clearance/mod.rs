//! [`Clearance`]: the largest agent that fits on each cell of a map, exactly.

mod envelope;
mod near;
pub(super) mod sweep;

use self::sweep::Sweep;
use super::Grid;
use super::agent::{Agent, Need, Room};
use super::area::Area;
use crate::geometry::Cell;

/// The largest agent that fits on each cell of a map. It uses whole numbers and is computed in one pass, in time linear
/// in the number of cells.
///
/// ```
/// use octile::Grid;
/// use octile::grid::{Agent, Clearance, Room};
/// let grid: Grid = "
///     .....
///     .....
///     ....@
/// ".parse()?;
/// let clearance = Clearance::new(&grid);
/// assert_eq!((clearance.square((0, 0)), clearance.square((3, 0)), clearance.square((4, 2))), (3, 2, 0));
/// assert_eq!(clearance.disc((1, 1), Room::Centre), 1.5);
/// assert_eq!(clearance.disc((3, 1), Room::Centre), 0.5_f64.sqrt()); // the corner of the obstacle
/// assert!(clearance.fits((1, 1), Agent::disc(1.5)?, Room::Centre));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Clearance {
    width: u32,
    height: u32,
    /// By cells, row by row. A square on a map has at most 16,382 cells a side.
    sides: Vec<u16>,
    /// The squared distances for each of [`Room::ALL`], in halves of a cell. The shorter side of a map has at most
    /// 16,382 cells, and no cell is farther than half of it from the outside.
    squared: [Vec<u32>; 2],
    sweep: Sweep,
}

impl Clearance {
    /// Computes the clearance of a map.
    pub fn new(grid: &Grid) -> Self {
        let mut clearance = Self::default();
        clearance.recompute(grid);
        clearance
    }

    /// Recomputes the clearance for a map, reusing the memory.
    ///
    /// ```
    /// use octile::{Edits, Grid};
    /// use octile::grid::Clearance;
    /// let mut grid = Grid::open(9, 9)?;
    /// let mut clearance = Clearance::new(&grid);
    /// grid.apply(Edits::new().block((4, 4)))?;
    /// clearance.recompute(&grid);
    /// assert_eq!(clearance.square((0, 0)), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recompute(&mut self, grid: &Grid) {
        (self.width, self.height) = (grid.width(), grid.height());
        let (width, cells) = (self.width as usize, Area::cells(grid));
        let len = cells.len();
        self.sides.resize(len, 0);
        self.sweep.squares(grid.rows(), cells.padded(), |y, sides| {
            if (1..=cells.bottom).contains(&y) {
                self.sides[(y - 1) * width..y * width].copy_from_slice(&sides[1..=width]);
            }
        });
        self.squared.iter_mut().for_each(|squared| squared.resize(len, 0));
        self.sweep.discs(grid.rows(), cells.padded(), &Room::ALL, |y, room, squared| {
            if (1..=cells.bottom).contains(&y) {
                self.squared[room as usize][(y - 1) * width..y * width].copy_from_slice(&squared[1..=width]);
            }
        });
    }

    /// The side of the largest square of cells that fits, in cells. The square has its upper left cell here and extends
    /// to the right and down. 0 if the cell is blocked or off the map.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::grid::Clearance;
    /// let clearance = Clearance::new(&"...\n..@".parse::<Grid>()?);
    /// assert_eq!([(0, 0), (1, 0), (2, 0), (2, 1), (7, 7)].map(|cell| clearance.square(cell)), [2, 1, 1, 0, 0]);
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn square(&self, cell: impl Into<Cell>) -> u32 {
        self.place(cell.into()).map_or(0, |place| self.sides[place].into())
    }

    /// The radius in cells of the largest disc that fits, rounded to the nearest `f64`. 0 if the cell is blocked or off
    /// the map, and with [`Room::Cell`] also if it touches a blocked cell.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::grid::{Clearance, Room};
    /// let clearance = Clearance::new(&Grid::open(9, 5)?);
    /// assert_eq!((clearance.disc((4, 2), Room::Centre), clearance.disc((4, 2), Room::Cell)), (2.5, 2.0));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn disc(&self, cell: impl Into<Cell>, room: Room) -> f64 {
        (self.disc_squared(cell, room) as f64).sqrt() / 2.0
    }

    /// The square of the radius of the largest disc that fits, in halves of a cell, exactly.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::grid::{Clearance, Room};
    /// let clearance = Clearance::new(&"...\n...\n..@".parse::<Grid>()?);
    /// assert_eq!(clearance.disc_squared((1, 1), Room::Centre), 2); // half a cell to the right, and half a cell down
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn disc_squared(&self, cell: impl Into<Cell>, room: Room) -> u64 {
        self.place(cell.into()).map_or(0, |place| self.squared[room as usize][place].into())
    }

    /// Whether an agent fits on a cell.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::grid::{Agent, Clearance, Room};
    /// let clearance = Clearance::new(&Grid::open(9, 5)?);
    /// assert!(clearance.fits((4, 2), Agent::disc(2.5)?, Room::Centre));
    /// assert!(!clearance.fits((4, 2), Agent::disc(2.5)?, Room::Cell));
    /// assert!(clearance.fits((7, 3), Agent::square(2)?, Room::Cell));
    /// assert!(!clearance.fits((8, 3), Agent::square(2)?, Room::Cell));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fits(&self, cell: impl Into<Cell>, agent: Agent, room: Room) -> bool {
        let cell = cell.into();
        match agent.need() {
            Need::Side(side) => self.square(cell) >= side,
            Need::Distance(squared) => self.disc_squared(cell, room) >= squared,
        }
    }

    /// Heap memory in bytes.
    pub fn size_bytes(&self) -> usize {
        let squared: usize = self.squared.iter().map(|squared| squared.capacity() * size_of::<u32>()).sum();
        self.sides.capacity() * size_of::<u16>() + squared + self.sweep.size_bytes()
    }

    /// The index of a cell in the tables, if it is on the map.
    fn place(&self, cell: Cell) -> Option<usize> {
        let is_on_map = cell.x < self.width && cell.y < self.height;
        is_on_map.then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }
}
