//! The maps of the game, and random pairs of cells on them.

use std::path::Path;

use anyhow::{Result, ensure};
use octile::{Cell, Grid, Movement};

use super::super::dice::{Dice, seeds};
use crate::inputs;
use crate::papers::cpd::FOLDER;
use crate::report::cpd::LeftOut;

/// A map, with the ends of paths.
pub(super) struct Map {
    pub(super) name: String,
    pub(super) grid: Grid,
    pub(super) pairs: Vec<(Cell, Cell)>,
}

/// Which maps, and which pairs on them.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    /// Maps with more free cells are left out.
    pub(super) most_cells: u32,
    /// On each map.
    pub(super) pairs: usize,
    /// Of the first map by name; the others have the numbers after it, so that what is left out changes no pairs.
    pub(super) seed: u64,
}

/// The maps in the game's folder by size, and those that are left out.
pub(super) fn at_hand(folder: &Path, choice: Choice) -> Result<(Vec<Map>, Vec<LeftOut>)> {
    let Choice { most_cells, pairs, seed } = choice;
    let (mut taken, mut left_out) = (Vec::new(), Vec::new());
    // A folder that was named must be there; whether it has the maps is another matter.
    super::super::entries(folder)?;
    let maps = folder.join(FOLDER);
    ensure!(
        maps.is_dir(),
        "{} has none of the paper's maps: it needs a folder {FOLDER} with maps of Baldur's Gate from the MovingAI benchmarks \
         (movingai.com/benchmarks)",
        folder.display()
    );
    for (seed, file) in seeds(seed).zip(inputs::maps(&maps)?) {
        let grid = inputs::map(&file, Movement::Octile)?.grid;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if grid.free_cells() > most_cells {
            left_out.push(LeftOut { map: name, free_cells: grid.free_cells() });
            continue;
        }
        let pairs = Dice::new(seed).pairs(&grid, pairs, |a, b| grid.may_connect(a, b));
        taken.push(Map { name, grid, pairs });
    }
    taken.sort_by_key(|map| map.grid.free_cells());
    left_out.sort_by_key(|left| left.free_cells);
    if let Some(LeftOut { map, free_cells }) = left_out.first() {
        ensure!(
            !taken.is_empty(),
            "none of the maps in {} has at most {most_cells} free cells: {map}, the smallest, has {free_cells}; see --most-cells",
            maps.display()
        );
    }
    Ok((taken, left_out))
}
