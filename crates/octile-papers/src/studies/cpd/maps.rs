//! The maps of the game, and random pairs of cells on them.

use anyhow::Result;
use octile::geometry::Dice;
use octile::{Cell, Grid};

use crate::benchmarks::{Benchmarks, Set};
use crate::dice::{self, seeds};
use crate::papers::cpd::{LARGEST, SMALLER};
use crate::plan::spread;

/// A map, with the ends of paths.
pub(super) struct Map {
    pub(super) name: String,
    /// Of its pairs; each map has its own.
    pub(super) seed: u64,
    pub(super) grid: Grid,
    pub(super) pairs: Vec<(Cell, Cell)>,
}

impl Map {
    /// The key of what is measured of it.
    pub(super) fn key(&self, what: &str) -> String {
        format!("cpd/{what}/{}-{}", self.name, self.seed)
    }
}

/// Which maps, and which pairs on them.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Maps with more free cells are left out.
    pub(super) most_cells: u32,
    /// On each map.
    pub(super) pairs: usize,
    /// How many maps.
    pub(super) maps: usize,
    /// Of the first map by name; the others have the numbers after it, so that what is left out changes no pairs.
    pub(super) seed: u64,
}

/// A map that is too large.
pub(super) struct LeftOut {
    pub(super) map: String,
    pub(super) free_cells: u32,
}

/// The maps at hand.
#[derive(Default)]
pub(super) struct AtHand {
    /// Those to measure, by free cells.
    pub(super) maps: Vec<Map>,
    /// How many are small enough.
    pub(super) fitting: usize,
    /// By free cells.
    pub(super) left_out: Vec<LeftOut>,
}

impl AtHand {
    pub(super) fn find(benchmarks: &Benchmarks, limits: Limits) -> Result<Self> {
        let (mut fitting, mut left_out) = (Vec::new(), Vec::new());
        for (seed, source) in seeds(limits.seed).zip(benchmarks.of(&Set::BgMaps)) {
            let (name, grid) = (source.name.clone(), source.grid()?);
            if grid.free_cells() > limits.most_cells {
                left_out.push(LeftOut { map: name, free_cells: grid.free_cells() });
            } else {
                fitting.push(Map { name, seed, grid, pairs: Vec::new() });
            }
        }
        fitting.sort_by_key(|map| map.grid.free_cells());
        left_out.sort_by_key(|left| left.free_cells);
        let all = fitting.len();
        let mut maps = choose(fitting, limits.maps);
        for Map { seed, grid, pairs, .. } in &mut maps {
            *pairs = dice::pairs(&mut Dice::new(*seed), grid, limits.pairs, |a, b| grid.may_connect(a, b));
        }
        Ok(Self { maps, fitting: all, left_out })
    }
}

/// So many maps: those of which the paper tells, and others spread over all sizes.
fn choose(maps: Vec<Map>, count: usize) -> Vec<Map> {
    let is_told = |map: &Map| [LARGEST, SMALLER].contains(&map.name.as_str());
    let (mut chosen, others): (Vec<Map>, Vec<Map>) = maps.into_iter().partition(is_told);
    chosen.extend(spread(others, count.saturating_sub(chosen.len())));
    chosen.sort_by_key(|map| map.grid.free_cells());
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_of_all_sizes_are_chosen_and_those_of_which_the_paper_tells() {
        let map = |side: u32| {
            let name = if side == 3 { SMALLER.to_owned() } else { format!("map-{side}") };
            Map { name, seed: side.into(), grid: Grid::open(side, 1).unwrap(), pairs: Vec::new() }
        };
        let sides = |count| choose((1..=9).map(map).collect(), count).iter().map(|map| map.grid.width()).collect();
        let (few, all): (Vec<u32>, Vec<u32>) = (sides(3), sides(99));
        assert_eq!((few, all), (vec![3, 4, 8], (1..=9).collect()));
        assert_eq!(map(3).key("queries"), "cpd/queries/AR0404SR-3");
    }
}
