//! The maps of the paper that are at hand, or stand-ins in their place.

use crate::benchmarks::{Benchmarks, Set, Source};
use crate::papers::blocked_areas::{Figures, Kind, MapName, MapType};
use crate::plan::{Plan, spread};

/// A map of the paper, or one in its place.
#[derive(Clone, Copy)]
pub(super) struct Map<'a> {
    pub(super) name: MapName,
    pub(super) source: &'a Source,
    is_made_up: bool,
}

impl Map<'_> {
    /// The name in tables.
    pub(super) fn label(&self) -> String {
        if self.is_made_up { format!("{} stand-in", self.name) } else { self.name.to_string() }
    }
}

/// The maps that are at hand and have problems, in the paper's order.
pub(super) fn at_hand<'a>(maps: &'a Benchmarks, figures: &Figures) -> Vec<Map<'a>> {
    found(maps, figures).filter(|map| map.source.has_problems()).collect()
}

/// The maps that cannot be used because they have no problems.
pub(super) fn without_problems(maps: &Benchmarks, figures: &Figures) -> Vec<Source> {
    found(maps, figures).map(|map| map.source).filter(|source| !source.has_problems()).cloned().collect()
}

fn found<'a>(maps: &'a Benchmarks, figures: &Figures) -> impl Iterator<Item = Map<'a>> {
    let stand_in = |name: MapName| maps.of(&set(name.of)).get(name.number as usize);
    let source = move |name: MapName| if maps.is_made_up() { stand_in(name) } else { maps.named(&name.benchmark()) };
    let map = move |&name: &MapName| Some(Map { name, source: source(name)?, is_made_up: maps.is_made_up() });
    figures.table_2.rows.keys().filter_map(map).collect::<Vec<_>>().into_iter()
}

fn set(of: MapType) -> Set {
    match of.kind {
        Kind::Maze => Set::Maze(of.width),
        Kind::Room => Set::Room(of.width),
    }
}

/// Those on which searches run: all, or some of each type.
pub(super) fn chosen<'a>(plan: &Plan, maps: &[Map<'a>]) -> Vec<Map<'a>> {
    let of_type = |maps: &[Map<'a>]| if plan.full { maps.to_vec() } else { spread(maps.to_vec(), QUICK_MAPS) };
    maps.chunk_by(|a, b| a.name.of == b.name.of).flat_map(of_type).collect()
}

pub(super) const QUICK_MAPS: usize = 2;

/// What is to be said of types of which no map is at hand, if there are any of these kinds.
pub(super) fn missing(maps: &[Map], figures: &Figures, kinds: &[Kind]) -> Option<String> {
    let is_missing = |of: &&MapType| kinds.contains(&of.kind) && !maps.iter().any(|map| map.name.of == **of);
    let types: Vec<String> = figures.table_4.rows.keys().filter(is_missing).map(ToString::to_string).collect();
    (!types.is_empty()).then(|| format!("Left out, as none of their maps is at hand: {}.", types.join(", ")))
}
