//! Many units with one aim: a distance field tells each of them the next step, wherever it stands.

use std::{iter, mem};

use octile::geometry::{Dice, Dir};
use octile::{Cell, Edits, Engine, Field};

use super::Result;

/// The army moves on when so many in a hundred have arrived.
const MOST: usize = 80;

/// Small units that march to one rallying point, one a cell.
pub(crate) struct Army {
    /// The distances to the rallying point.
    pub field: Field,
    /// The rallying points until now.
    pub rallied: Vec<Cell>,
    /// Where the units are.
    pub units: Vec<Cell>,
    /// Who stands on each cell of the map.
    standing: Vec<Standing>,
    dice: Dice,
}

/// Who stands on a cell.
#[derive(Clone, Copy, PartialEq)]
enum Standing {
    Nobody,
    /// Somebody on the way.
    Walker,
    /// Somebody at the rallying point, or in the crowd around it.
    Arrived,
}

impl Army {
    /// An army that gathers around the first camp.
    pub(crate) fn new(engine: &Engine, camp: Cell, strength: usize) -> Result<Self> {
        let field = engine.field(&[camp])?;
        let (grid, mut units) = (field.grid(), Vec::new());
        units.extend(grid.cells().filter(|&cell| field.cost(cell).is_some()));
        units.sort_by_cached_key(|&cell| field.cost(cell));
        units.truncate(strength);
        let standing = vec![Standing::Nobody; grid.width() as usize * grid.height() as usize];
        let mut army = Self { field, rallied: vec![camp], units, standing, dice: Dice::new(0) };
        for unit in 0..army.units.len() {
            army.stand(army.units[unit], Standing::Arrived);
        }
        Ok(army)
    }

    // doc: field
    /// The map has changed: finds again the distances that this changes. When most have arrived, the rallying point
    /// moves.
    pub(crate) fn follow(&mut self, edits: &Edits, camps: &[Cell]) -> Result<()> {
        self.field.apply(edits)?;
        if self.arrived() * 100 >= self.units.len() * MOST
            && let Some(camp) = self.next_camp(camps)
        {
            self.field.set_goals(&[camp])?;
            self.rallied.push(camp);
        }
        Ok(())
    }

    /// Where to go from a cell: where the field says or, if somebody stands there, to the left or right of that.
    fn step(&mut self, at: Cell) -> (Cell, Standing) {
        let Some(ahead) = self.field.next(at) else {
            return (at, if at == self.rally() { Standing::Arrived } else { Standing::Walker });
        };
        let side = if self.dice.hits(1, 2) { 1 } else { -1 };
        let ways = [0, side, -side, 2 * side, -2 * side].map(|eighths| ahead.turn(eighths));
        let legal = self.field.grid().moves(at);
        let is_open = |way: &Dir| legal.contains(*way) && self.standing(way.step(at, 1)) == Standing::Nobody;
        let to = ways.into_iter().find(is_open).map_or(at, |way| way.step(at, 1));
        // Who stands before somebody who has arrived is in the crowd.
        let is_crowd = self.standing(ahead.step(at, 1)) == Standing::Arrived;
        (to, if is_crowd { Standing::Arrived } else { Standing::Walker })
    }
    // doc: end

    /// Lets every unit go one step, those in front first.
    pub(crate) fn march(&mut self) {
        let mut units = mem::take(&mut self.units);
        units.sort_by_cached_key(|&at| self.field.cost(at));
        for at in &mut units {
            self.stand(*at, Standing::Nobody);
            let (to, standing) = self.step(*at);
            self.stand(to, standing);
            *at = to;
        }
        self.units = units;
    }

    /// The nearest camp where they have not been, at least not in this round of all camps.
    fn next_camp(&self, camps: &[Cell]) -> Option<Cell> {
        let round = &self.rallied[self.rallied.len() / camps.len() * camps.len()..];
        let others = camps.iter().filter(|camp| !round.contains(camp) && **camp != self.rally());
        let reachable = others.filter_map(|&camp| Some((self.field.cost(camp)?, camp)));
        reachable.min_by_key(|&(cost, _)| cost).map(|(_, camp)| camp)
    }

    /// Where they are to go.
    pub(crate) fn rally(&self) -> Cell {
        self.field.goals()[0]
    }

    /// How many have arrived.
    pub(crate) fn arrived(&self) -> usize {
        self.units.iter().filter(|&&at| self.standing(at) == Standing::Arrived).count()
    }

    /// The way that one of them has before it.
    pub(crate) fn way(&self, unit: usize) -> impl Iterator<Item = Cell> {
        iter::successors(Some(self.units[unit]), |&at| Some(self.field.next(at)?.step(at, 1)))
    }

    fn standing(&self, cell: Cell) -> Standing {
        self.standing[self.place(cell)]
    }

    fn stand(&mut self, cell: Cell, standing: Standing) {
        let place = self.place(cell);
        self.standing[place] = standing;
    }

    fn place(&self, cell: Cell) -> usize {
        cell.y as usize * self.field.grid().width() as usize + cell.x as usize
    }
}
