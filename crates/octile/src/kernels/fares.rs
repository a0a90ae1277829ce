//! Costs of moves: the same everywhere, or by the prices of cells.

use crate::geometry::Dir;
use crate::geometry::units::Units;
use crate::grid::{Convention, Grid, Ground};

/// The costs of a search's moves.
pub(crate) trait Fares<U: Units> {
    /// The cost of a legal move from a cell, given its padded id and the cost of such a move on a map without prices.
    fn price(&self, from: u32, dir: Dir, plain: U::Cost) -> U::Cost;
}

/// Every cell has the price 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

impl<U: Units> Fares<U> for Plain {
    #[inline]
    fn price(&self, _: u32, _: Dir, plain: U::Cost) -> U::Cost {
        plain
    }
}

/// For searches that are too rare to be specialised.
impl<U: Units> Fares<U> for &dyn Fares<U> {
    fn price(&self, from: u32, dir: Dir, plain: U::Cost) -> U::Cost {
        (**self).price(from, dir, plain)
    }
}

/// Prices of cells, and the id offset of one step.
#[derive(Clone, Copy, Debug)]
struct Cells<'a> {
    prices: &'a [u8],
    steps: [u32; 8],
}

impl<'a> Cells<'a> {
    fn new(grid: &Grid, ground: &'a Ground) -> Self {
        Self { prices: ground.prices(), steps: grid.id_steps() }
    }

    #[inline]
    fn price(&self, id: u32) -> u32 {
        self.prices[id as usize].into()
    }

    #[inline]
    fn beside(&self, id: u32, dir: Dir) -> u32 {
        self.price(id.wrapping_add(self.steps[dir as usize]))
    }
}

/// [`Convention::Average`], in quarters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Average<'a>(Cells<'a>);

impl<'a> Average<'a> {
    pub(crate) fn new(grid: &Grid, ground: &'a Ground) -> Self {
        Self(Cells::new(grid, ground))
    }
}

impl<U: Units> Fares<U> for Average<'_> {
    #[inline]
    fn price(&self, from: u32, dir: Dir, plain: U::Cost) -> U::Cost {
        let (here, there) = (self.0.price(from), self.0.beside(from, dir));
        let counts = if dir.is_diagonal() {
            let sides = [-1, 1].map(|turn| self.0.beside(from, dir.turn(turn)));
            Convention::Average.diagonal(here, there, sides)
        } else {
            Convention::Average.straight(here, there)
        };
        plain * counts.into()
    }
}

/// [`Convention::Enter`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enter<'a>(Cells<'a>);

impl<'a> Enter<'a> {
    pub(crate) fn new(grid: &Grid, ground: &'a Ground) -> Self {
        Self(Cells::new(grid, ground))
    }
}

impl<U: Units> Fares<U> for Enter<'_> {
    #[inline]
    fn price(&self, from: u32, dir: Dir, plain: U::Cost) -> U::Cost {
        plain * self.0.beside(from, dir).into()
    }
}

/// [`Convention::Enter`] for a search from the goal, which follows moves backwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EnterBack<'a>(Cells<'a>);

impl<'a> EnterBack<'a> {
    pub(crate) fn new(grid: &Grid, ground: &'a Ground) -> Self {
        Self(Cells::new(grid, ground))
    }
}

impl<U: Units> Fares<U> for EnterBack<'_> {
    #[inline]
    fn price(&self, from: u32, _: Dir, plain: U::Cost) -> U::Cost {
        plain * self.0.price(from).into()
    }
}

impl Ground {
    /// The counts of a move through cells of the lowest price.
    pub(crate) fn least_counts(&self) -> u32 {
        u32::from(self.least()) * self.convention().parts()
    }

    /// The maximum counts of a move.
    pub(crate) fn greatest_counts(&self) -> u32 {
        u32::from(self.greatest()) * self.convention().parts()
    }
}

/// Calls a function with the move costs of a map with prices, for a search from the start.
macro_rules! with_fares {
    ($grid:expr, $ground:expr, $fares:ident => $answer:expr) => {
        match $ground.convention() {
            $crate::grid::Convention::Average => {
                let $fares = $crate::kernels::fares::Average::new($grid, $ground);
                $answer
            }
            $crate::grid::Convention::Enter => {
                let $fares = $crate::kernels::fares::Enter::new($grid, $ground);
                $answer
            }
        }
    };
}

/// As [`with_fares`], for a search along moves or, if `back`, against them.
macro_rules! with_fares_of {
    ($grid:expr, $ground:expr, $back:expr, $fares:ident => $answer:expr) => {
        match ($ground.convention(), $back) {
            ($crate::grid::Convention::Enter, true) => {
                let $fares = $crate::kernels::fares::EnterBack::new($grid, $ground);
                $answer
            }
            _ => $crate::kernels::fares::with_fares!($grid, $ground, $fares => $answer),
        }
    };
}

pub(crate) use {with_fares, with_fares_of};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::units::Wide;
    use crate::grid::{Convention, Movement};

    /// All costs are those of the map, forwards and backwards, times its unit.
    #[test]
    fn fares_are_those_of_the_map() {
        for (movement, convention) in Movement::ALL.into_iter().flat_map(|m| Convention::ALL.map(|c| (m, c))) {
            let grid: Grid = "24@\n6@8\n242".parse().unwrap();
            let grid = grid.with_movement(movement).with_convention(convention);
            let ground = grid.ground().unwrap();
            assert_eq!(ground.unit(), 2);
            let mut moves = 0;
            for (cell, dir) in grid.cells().flat_map(|cell| grid.moves(cell).into_iter().map(move |dir| (cell, dir))) {
                let expected = Wide::encode(grid.move_counts(cell, dir));
                let plain = if dir.is_diagonal() { Wide::DIAGONAL } else { Wide::STRAIGHT };
                let price = |fares: &dyn Fares<Wide>, from, dir| fares.price(grid.id(from).0, dir, plain) * 2;
                let to = dir.step(cell, 1);
                match convention {
                    Convention::Average => {
                        assert_eq!(price(&Average::new(&grid, ground), cell, dir), expected);
                        assert_eq!(price(&Average::new(&grid, ground), to, dir.opposite()), expected);
                    }
                    Convention::Enter => {
                        assert_eq!(price(&Enter::new(&grid, ground), cell, dir), expected);
                        assert_eq!(price(&EnterBack::new(&grid, ground), to, dir.opposite()), expected);
                    }
                }
                moves += 1;
            }
            assert!(moves > 8);
        }
    }
}
