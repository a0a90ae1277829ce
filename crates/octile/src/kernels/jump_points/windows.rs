//! Scans of the map itself, without any auxiliary data.

use super::{Gate, Scanner};
use crate::geometry::{Cell, Dir};
use crate::grid::bits::Scans;
use crate::grid::{Grid, sight};
use crate::kernels::vectors::Vectors;

/// Scans of the rows and columns of the map itself, three of them at a time.
#[derive(Clone, Copy)]
pub(crate) struct Windows<'a> {
    grid: &'a Grid,
    vectors: Vectors,
}

/// A diagonal walk tests the gate at every step of this many. The jump points it finds are tested anyway, and a test
/// costs as much as a step and a half. Measured from 1 to 8: 4 takes the fewest instructions on mazes, sc1 and dao.
const STEPS_BETWEEN_GATES: u32 = 4;

impl<'a> Windows<'a> {
    pub(crate) fn new(grid: &'a Grid) -> Self {
        Self { grid, vectors: Vectors::detect() }
    }

    /// The diagonal walk itself, in parts, because [`Scans`] take a limited number of steps. Their windows show where a
    /// move is legal as well as the table of moves does, which is eight times as large and elsewhere in memory.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "what is not inlined is not compiled for the processor")]
    fn walk<const EAST: bool, const SOUTH: bool>(
        self,
        cell: Cell,
        gates: &impl Gate,
        mut found: impl FnMut(u32, Option<u32>, Option<u32>),
    ) {
        let (mut x, mut y) = (cell.x as usize + 1, cell.y as usize + 1);
        let mut steps = 0_u32;
        loop {
            let mut in_rows = self.grid.rows().scans::<EAST>(y, x, SOUTH);
            let mut in_columns = self.grid.columns().scans::<SOUTH>(x, y, EAST);
            for _ in 0..Scans::<EAST>::MOST_STEPS {
                if !in_rows.may_step() {
                    return;
                }
                x = if EAST { x + 1 } else { x - 1 };
                y = if SOUTH { y + 1 } else { y - 1 };
                steps += 1;
                let at = Cell::new(x as u32 - 1, y as u32 - 1);
                if steps.is_multiple_of(STEPS_BETWEEN_GATES) && !gates.lets_in(self.grid.id(at)) {
                    return;
                }
                found(steps, in_rows.step(), in_columns.step());
            }
        }
    }
}

impl Scanner for Windows<'_> {
    /// Nodes have the numbers of cells.
    const IS_SPARSE: bool = true;

    #[inline]
    fn row<const EAST: bool>(self, cell: Cell) -> Option<u32> {
        self.grid.rows().jump::<EAST>(cell.y as usize + 1, cell.x as usize + 1)
    }

    #[inline]
    fn column<const SOUTH: bool>(self, cell: Cell) -> Option<u32> {
        self.grid.columns().jump::<SOUTH>(cell.x as usize + 1, cell.y as usize + 1)
    }

    #[inline]
    fn diagonal<const EAST: bool, const SOUTH: bool>(
        self,
        cell: Cell,
        gates: &impl Gate,
        found: impl FnMut(u32, Option<u32>, Option<u32>),
    ) {
        self.vectors.run(
            #[inline(always)]
            move || self.walk::<EAST, SOUTH>(cell, gates, found),
        );
    }

    #[inline]
    fn diagonal_is_free(self, cell: Cell, dir: Dir, steps: u32) -> bool {
        sight::diagonal_is_free(self.grid, cell, dir, steps)
    }

    #[inline]
    fn nodes(self) -> usize {
        self.grid.padded_cells()
    }

    #[inline]
    fn node(self, cell: Cell) -> u32 {
        self.grid.id(cell).0
    }

    #[inline]
    fn start_node(self, cell: Cell) -> u32 {
        self.node(cell)
    }
}
