//! Scans of the map itself, without anything kept beside it.

use super::{Gate, Scanner};
use crate::geometry::{Cell, CellId, Dir};
use crate::grid::{Grid, sight};

/// Scans of the rows and columns of the map itself, three of them at a time.
#[derive(Clone, Copy)]
pub(in crate::algo) struct Windows<'a>(pub(in crate::algo) &'a Grid);

/// A diagonal walk is asked about at every step of this many: what it finds is asked about anyway, and a question costs as
/// much as a step and a half. Measured from 1 to 8: 4 takes the fewest instructions on mazes, sc1 and dao.
const STEPS_BETWEEN_GATES: u32 = 4;

impl Scanner for Windows<'_> {
    /// Nodes have the numbers of cells.
    const IS_SPARSE: bool = true;

    #[inline]
    fn row<const EAST: bool>(self, cell: Cell) -> Option<u32> {
        self.0.rows().jump::<EAST>(cell.y as usize + 1, cell.x as usize + 1)
    }

    #[inline]
    fn column<const SOUTH: bool>(self, cell: Cell) -> Option<u32> {
        self.0.columns().jump::<SOUTH>(cell.x as usize + 1, cell.y as usize + 1)
    }

    #[inline]
    fn diagonal<const EAST: bool, const SOUTH: bool>(
        self,
        mut cell: Cell,
        gates: &impl Gate,
        mut found: impl FnMut(u32, Option<u32>, Option<u32>),
    ) {
        let dir = const { Dir::diagonal(EAST, SOUTH) };
        let id_step = self.0.id_steps()[dir as usize];
        let mut id = self.0.id(cell);
        let mut step = 0_u32;
        while self.0.moves_of(id).contains(dir) {
            step += 1;
            cell = dir.step(cell, 1);
            id = CellId(id.0.wrapping_add(id_step));
            if step.is_multiple_of(STEPS_BETWEEN_GATES) && !gates.lets_in(id) {
                break;
            }
            found(step, self.row::<EAST>(cell), self.column::<SOUTH>(cell));
        }
    }

    #[inline]
    fn diagonal_is_free(self, cell: Cell, dir: Dir, steps: u32) -> bool {
        sight::diagonal_is_free(self.0, cell, dir, steps)
    }

    #[inline]
    fn nodes(self) -> usize {
        self.0.padded_cells()
    }

    #[inline]
    fn node(self, cell: Cell) -> u32 {
        self.0.id(cell).0
    }

    #[inline]
    fn start_node(self, cell: Cell) -> u32 {
        self.node(cell)
    }
}
