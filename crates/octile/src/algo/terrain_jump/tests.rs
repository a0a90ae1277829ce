//! Compares with a naive Dijkstra search in exact counts.

use super::cache::Forget;
use super::follow::sides;
use super::search::{AnyOf, Memory, One, Search};
use super::tables::{Land, Tables};
use crate::geometry::units::{Narrow, Units, Wide};
use crate::geometry::{Cell, Dice, Dir, GridCost};
use crate::grid::Convention;
use crate::grid::area::Area;
use crate::kernels::pause::Pause;
use crate::planner::NoProbe;

/// A map of prices.
#[derive(Clone, Debug)]
struct Map {
    width: u32,
    height: u32,
    prices: Vec<u8>,
    convention: Convention,
    cuts: bool,
}

impl Map {
    fn new(width: u32, height: u32, mut price: impl FnMut(u32, u32) -> u8) -> Self {
        let mut prices = vec![0; (width as usize + 2) * (height as usize + 2)];
        for y in 0..height {
            for x in 0..width {
                prices[(y as usize + 1) * (width as usize + 2) + x as usize + 1] = price(x, y);
            }
        }
        Self { width, height, prices, convention: Convention::Average, cuts: false }
    }

    fn land(&self) -> Land<'_> {
        let stride = self.width as usize + 2;
        Land { prices: &self.prices, stride, convention: self.convention, cuts: self.cuts }
    }

    fn index(&self, cell: Cell) -> usize {
        (cell.y as usize + 1) * (self.width as usize + 2) + cell.x as usize + 1
    }

    fn price(&self, cell: Cell) -> u32 {
        self.prices[self.index(cell)].into()
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    fn free(&self) -> Vec<Cell> {
        self.cells().filter(|&cell| self.price(cell) != 0).collect()
    }

    fn least(&self) -> u32 {
        self.free().iter().map(|&cell| self.price(cell)).min().unwrap_or(1)
    }

    /// The cost of a move, if it is legal.
    fn step(&self, from: Cell, dir: Dir) -> Option<GridCost> {
        let step = |dir: Dir| Cell::new(from.x.wrapping_add(dir.dx() as u32), from.y.wrapping_add(dir.dy() as u32));
        let to = step(dir);
        let at = |cell: Cell| if cell.x < self.width && cell.y < self.height { self.price(cell) } else { 0 };
        if at(to) == 0 {
            return None;
        }
        let count = if dir.is_diagonal() {
            let sides = sides(at(step(dir.turn(1))), at(step(dir.turn(-1))), self.cuts)?;
            self.convention.diagonal(at(from), at(to), sides)
        } else {
            self.convention.straight(at(from), at(to))
        };
        Some(GridCost::of_steps(dir, count))
    }

    /// The cost to reach every cell.
    fn costs(&self, start: Cell) -> Vec<Option<GridCost>> {
        let mut costs = vec![None; self.prices.len()];
        let mut open = std::collections::BTreeSet::from([(GridCost::new(0, 0), start)]);
        costs[self.index(start)] = Some(GridCost::new(0, 0));
        while let Some((cost, cell)) = open.pop_first() {
            for dir in Dir::ALL {
                let Some(step) = self.step(cell, dir) else { continue };
                let next = dir.step(cell, 1);
                let total = GridCost::new(cost.straight + step.straight, cost.diagonal + step.diagonal);
                let known = &mut costs[(next.y as usize + 1) * (self.width as usize + 2) + next.x as usize + 1];
                if known.is_none_or(|known| total < known) {
                    if let Some(known) = known {
                        open.remove(&(*known, next));
                    }
                    *known = Some(total);
                    open.insert((total, next));
                }
            }
        }
        costs
    }

    /// The cost of a path over hops, move by move.
    fn walk(&self, hops: &[Cell]) -> GridCost {
        let mut total = GridCost::new(0, 0);
        for hop in hops.windows(2) {
            let mut at = hop[0];
            while at != hop[1] {
                let sign = |from: u32, to: u32| (i64::from(to) - i64::from(from)).signum() as i32;
                let towards = (sign(at.x, hop[1].x), sign(at.y, hop[1].y));
                let dir = Dir::ALL.into_iter().find(|dir| (dir.dx(), dir.dy()) == towards).unwrap();
                let step = self.step(at, dir).expect("a legal move");
                total = GridCost::new(total.straight + step.straight, total.diagonal + step.diagonal);
                at = dir.step(at, 1);
            }
        }
        total
    }

    /// The cost that the search finds.
    fn find<U: Units>(&self, tables: &Tables, memory: &mut Memory<U>, start: Cell, goal: Cell) -> Option<GridCost> {
        let mut search = Search {
            land: self.land(),
            tables,
            least: self.least(),
            start,
            target: One(goal),
            unit: 1.0,
            pause: &mut Pause::default(),
            probe: &mut NoProbe,
        };
        let found = search.run(memory, &mut Forget).unwrap()?;
        let mut hops = Vec::new();
        Search::<One, NoProbe>::trace(memory, goal, found.from, &mut hops);
        let cost = U::decode(found.cost);
        assert_eq!(self.walk(&hops), cost, "{self:?} {start} {goal} {hops:?}");
        Some(cost)
    }

    fn find_any(
        &self,
        tables: &Tables,
        memory: &mut Memory<Narrow>,
        start: Cell,
        goals: &[Cell],
    ) -> Option<(usize, GridCost)> {
        let mut search = Search {
            land: self.land(),
            tables,
            least: self.least(),
            start,
            target: AnyOf(goals),
            unit: 1.0,
            pause: &mut Pause::default(),
            probe: &mut NoProbe,
        };
        let found = search.run(memory, &mut Forget);
        found.unwrap().map(|found| (found.goal as usize, Narrow::decode(found.cost)))
    }

    /// The map under both conventions and both movement rules.
    fn kinds(&self) -> [Self; 4] {
        use Convention::{Average, Enter};
        [(Average, false), (Average, true), (Enter, false), (Enter, true)].map(|(convention, cuts)| Self {
            convention,
            cuts,
            ..self.clone()
        })
    }

    /// Compares the answers from `starts` starts to all cells.
    fn check(&self, dice: &mut Dice, starts: usize) {
        let tables = Tables::build(&self.land());
        let (mut narrow, mut wide) = (Memory::<Narrow>::new(0), Memory::<Wide>::new(0));
        let free = self.free();
        for _ in 0..starts.min(free.len()) {
            let start = free[dice.below(free.len() as u64) as usize];
            let costs = self.costs(start);
            for (i, &goal) in free.iter().enumerate().filter(|&(_, &goal)| goal != start) {
                let expected = costs[self.index(goal)];
                assert_eq!(self.find(&tables, &mut narrow, start, goal), expected, "{self:?} {start} {goal}");
                if i % 8 == 0 {
                    assert_eq!(self.find(&tables, &mut wide, start, goal), expected, "{self:?} {start} {goal}");
                    let mut goals = vec![goal];
                    goals.extend((0..3).map(|_| free[dice.below(free.len() as u64) as usize]));
                    goals.retain(|&goal| goal != start);
                    let all = goals.iter().enumerate().filter_map(|(i, &goal)| Some((costs[self.index(goal)]?, i)));
                    let expected = all.min().map(|(cost, i)| (i, cost));
                    let found = self.find_any(&tables, &mut narrow, start, &goals);
                    assert_eq!(found, expected, "{self:?} {start} {goals:?}");
                }
            }
        }
    }
}

/// Maps of all kinds: noise, patches and roads, with and without walls.
fn random(dice: &mut Dice, most: u64) -> Map {
    let mut roll = |below: u64| dice.below(below);
    let sets: [&[u8]; 8] =
        [&[1], &[1, 2], &[1, 2, 3], &[1, 5], &[1, 255], &[3, 4, 200], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], &[7]];
    let set = sets[roll(8) as usize];
    let (width, height) = (1 + roll(most) as u32, 1 + roll(most) as u32);
    let walls = [0, 5, 15, 30, 40][roll(5) as usize];
    let kind = roll(4);
    let (size, phase) = (2 + roll(6) as u32, roll(5) as u32);
    let lattice: Vec<u8> = (0..400).map(|_| set[roll(set.len() as u64) as usize]).collect();
    Map::new(width, height, |x, y| match kind {
        _ if roll(100) < walls => 0,
        0 => set[roll(set.len() as u64) as usize],
        1 => lattice[((y + phase) / size * 19 + (x + phase) / size) as usize % 400],
        2 if (x + phase) % 5 < 2 || (x + y + phase) % 7 == 0 => set[0],
        2 => set[set.len() - 1],
        _ => 1 + roll(255) as u8,
    })
}

#[test]
fn costs_are_those_of_dijkstra() {
    let dice = &mut Dice::new(1);
    for _ in 0..rounds(60) {
        for map in random(dice, 17).kinds() {
            map.check(dice, 2);
        }
    }
}

/// There are 4^9 = 262,144 maps of 3x3 cells with three prices and walls. Tests all of 3x2, and a share of those of
/// 4x3.
#[test]
fn small_maps_one_and_all() {
    let dice = &mut Dice::new(2);
    let prices = [0, 1, 2, 5];
    for number in 0..4096_u64 {
        let map = Map::new(3, 2, |x, y| prices[(number >> (2 * (y * 3 + x)) & 3) as usize]);
        for map in map.kinds() {
            map.check(dice, usize::MAX);
        }
    }
    for _ in 0..rounds(300) {
        let number = dice.below(1 << 24);
        let map = Map::new(4, 3, |x, y| prices[(number >> (2 * (y * 4 + x)) & 3) as usize]);
        for map in map.kinds() {
            map.check(dice, 4);
        }
    }
}

/// Lines longer than a word, in both directions.
#[test]
fn long_maps() {
    let dice = &mut Dice::new(3);
    for (width, height) in [(150, 9), (9, 150), (70, 70), (64, 62), (62, 64)] {
        for walls in [0, 2] {
            let (size, seed) = (5 + dice.below(20) as u32, dice.below(1000));
            let mut rows = Dice::new(seed);
            let lattice: Vec<u8> = (0..1024).map(|_| 1 + rows.below(2) as u8).collect();
            let map = Map::new(width, height, |x, y| {
                if dice.hits(walls, 100) { 0 } else { lattice[(y / size * 31 + x / size) as usize % 1024] }
            });
            for map in map.kinds() {
                map.check(&mut rows, 1);
            }
        }
    }
}

#[test]
fn tables_after_edits_are_those_built_anew() {
    let dice = &mut Dice::new(4);
    for _ in 0..rounds(60) {
        for mut map in random(dice, 140).kinds() {
            let mut tables = Tables::build(&map.land());
            for _ in 0..6 {
                let (x, y) = (dice.below(map.width.into()) as u32, dice.below(map.height.into()) as u32);
                let right = (x + dice.below(5) as u32).min(map.width - 1);
                let bottom = (y + dice.below(5) as u32).min(map.height - 1);
                for y in y..=bottom {
                    for x in x..=right {
                        let index = map.index(Cell::new(x, y));
                        map.prices[index] = [0, 1, 2, 9][dice.below(4) as usize];
                    }
                }
                let padded = |place: u32| place as usize + 1;
                let part = Area { left: padded(x), right: padded(right), top: padded(y), bottom: padded(bottom) };
                tables.apply(&map.land(), part);
                assert!(tables == Tables::build(&map.land()), "{map:?}");
            }
        }
    }
}

/// The number of rounds: more if `OCTILE_ROUNDS` asks for them.
fn rounds(few: u32) -> u32 {
    few * std::env::var("OCTILE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}
