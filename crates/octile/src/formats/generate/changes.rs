//! Maps that change: buildings, doors and walls, with queries between the changes.

use std::collections::HashMap;

use super::GenerateError;
use crate::engine::Finder;
use crate::formats::movingai::dynamic::{Command, DynamicScenario, Query};
use crate::formats::movingai::patch::Patch;
use crate::geometry::{Cell, Dice};
use crate::grid::{Edits, Grid, Movement};
use crate::path::{Output, Path};
use crate::planner::PathQuery;

/// Options for [`changes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangesConfig {
    /// The number of cells per million that change before each batch except the first, from 100 (0.01 %) to 100,000 (10
    /// %); at least one cell changes.
    pub per_million: u32,
    /// The number of batches. The first uses the map unchanged.
    pub batches: u32,
    /// The number of queries of each batch.
    pub between: u32,
    /// Equal seeds give equal scenarios.
    pub seed: u64,
}

impl Default for ChangesConfig {
    /// 0.1 % before each of 100 batches of 20 queries.
    fn default() -> Self {
        Self { per_million: 1000, batches: 100, between: 20, seed: 0 }
    }
}

/// Makes a dynamic scenario on a map that changes like those of games, with the exact lengths of shortest paths under
/// the rule [`Movement::Octile`].
///
/// The first patch carves the map out of a free one. Before each further batch, buildings of 2 to 8 cells a side are
/// put up and torn down, doors (free cells between two blocked ones) close and open, and walls one cell thick collapse,
/// until the configured share of cells has changed. Buildings cover about twice that share, as far as there is room. No
/// cell changes twice in a batch, and tearing down a building restores the cells.
///
/// Queries go from one free cell to another that is connected with it on the original map; for a while there may be no
/// path. A map with fewer than two connected cells has no queries. Prices and the map's own movement rule are ignored,
/// because the format has none. `patch_file` is the name of the patch file stated in the scenario.
/// ```
/// use octile::formats::generate::{self, ChangesConfig};
/// let grid = generate::rooms(64, 64, 16, 1)?;
/// let scenario = generate::changes(&grid, "rooms.patch", &ChangesConfig { batches: 5, ..ChangesConfig::default() })?;
/// assert_eq!((scenario.steps().count(), scenario.queries().count()), (5, 100));
/// let mut start = scenario.start()?;
/// start.apply(&scenario.steps().next().expect("the first step").edits)?;
/// assert_eq!(start, grid);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the share of cells is below 0.01 % or over 10 %.
pub fn changes(grid: &Grid, patch_file: &str, config: &ChangesConfig) -> Result<DynamicScenario, GenerateError> {
    let ChangesConfig { per_million, batches, between, seed } = *config;
    if !(100..=100_000).contains(&per_million) {
        return Err(GenerateError::Changes { per_million });
    }
    let grid = grid.without_prices().with_movement(Movement::Octile);
    let mut dice = Dice::new(seed);
    let mut site = Site::new(&grid, per_million);
    let mut lengths = Lengths::new(&grid);
    let mut writer = Writer::new(&grid)?;
    for batch in 0..batches {
        if batch > 0 {
            let mut edits = Edits::new();
            for change in site.change(&mut dice) {
                change.add_to(&mut edits);
                writer.put(batch, change)?;
            }
            lengths.apply(&edits);
        }
        for (start, goal) in site.queries(between, &mut dice) {
            writer.ask(batch, start, goal, lengths.between(start, goal));
        }
    }
    Ok(DynamicScenario {
        width: grid.width(),
        height: grid.height(),
        cost_names: vec![Movement::Octile.name().to_owned()],
        patch_file: patch_file.to_owned(),
        patches: writer.patches,
        commands: writer.commands,
    })
}

/// The side lengths of buildings.
const SIDES: std::ops::RangeInclusive<u32> = 2..=8;

/// The number of cells of the smallest building.
const SMALLEST: u64 = (*SIDES.start() as u64).pow(2);

/// A rectangle of cells that all become free, or all blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    min: Cell,
    max: Cell,
    free: bool,
}

impl Change {
    fn of_cell(cell: Cell, free: bool) -> Self {
        Self { min: cell, max: cell, free }
    }

    fn width(self) -> u32 {
        self.max.x - self.min.x + 1
    }

    fn height(self) -> u32 {
        self.max.y - self.min.y + 1
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        let Self { min, max, .. } = self;
        (min.y..=max.y).flat_map(move |y| (min.x..=max.x).map(move |x| Cell::new(x, y)))
    }

    fn len(self) -> u64 {
        u64::from(self.width()) * u64::from(self.height())
    }

    fn add_to(self, edits: &mut Edits) {
        if self.free {
            edits.free_rect(self.min, self.max)
        } else {
            edits.block_rect(self.min, self.max)
        };
    }
}

/// A map under construction.
struct Site {
    /// The map before any change.
    first: Grid,
    now: Grid,
    /// The free cells of the original map.
    free: Vec<Cell>,
    /// Free cells between two blocked ones.
    doors: Vec<Cell>,
    /// Closed doors.
    closed: Vec<Cell>,
    /// Blocked cells between two free ones that have not collapsed.
    walls: Vec<Cell>,
    /// The buildings, and their total number of cells.
    standing: Vec<Change>,
    standing_cells: u64,
    /// The cells that have changed in this batch, row by row.
    touched: Vec<bool>,
    /// The number of cells to change per batch.
    target: u64,
}

impl Site {
    fn new(grid: &Grid, per_million: u32) -> Self {
        let cells = u64::from(grid.width()) * u64::from(grid.height());
        let is_free = |cell: Cell, dx: i32, dy: i32| {
            let (x, y) = (cell.x.checked_add_signed(dx), cell.y.checked_add_signed(dy));
            x.zip(y).is_some_and(|place| grid.is_free(place))
        };
        let both =
            |cell, [a, b]: [(i32, i32); 2], free| is_free(cell, a.0, a.1) == free && is_free(cell, b.0, b.1) == free;
        let (beside, above) = ([(-1, 0), (1, 0)], [(0, -1), (0, 1)]);
        let is_door = |&cell: &Cell| {
            both(cell, beside, false) && both(cell, above, true) || both(cell, beside, true) && both(cell, above, false)
        };
        let is_wall = |&cell: &Cell| both(cell, beside, true) || both(cell, above, true);
        let (free, blocked): (Vec<Cell>, Vec<Cell>) = grid.cells().partition(|&cell| grid.is_free(cell));
        Self {
            first: grid.clone(),
            now: grid.clone(),
            doors: free.iter().copied().filter(is_door).collect(),
            free,
            closed: Vec::new(),
            walls: blocked.into_iter().filter(is_wall).collect(),
            standing: Vec::new(),
            standing_cells: 0,
            touched: vec![false; cells as usize],
            target: (cells * u64::from(per_million) / 1_000_000).max(1),
        }
    }

    /// Makes the changes before the next batch, as far as possible.
    fn change(&mut self, dice: &mut Dice) -> Vec<Change> {
        self.touched.fill(false);
        let (mut made, mut put_up): (Vec<Change>, Vec<Change>) = (Vec::new(), Vec::new());
        let mut left = self.target;
        let mut tries = 10 * self.target + 100;
        while left > 0 && tries > 0 {
            tries -= 1;
            let change = match dice.below(10) {
                0 => self.door(dice),
                1 => self.wall(dice),
                _ if self.standing_cells > dice.below(4 * self.target) => self.tear_down(left, dice),
                _ => {
                    let building = self.put_up(left, dice);
                    put_up.extend(building);
                    building
                }
            };
            let Some(change) = change else { continue };
            let mut edits = Edits::new();
            change.add_to(&mut edits);
            let changed = self.now.apply(&edits);
            debug_assert_eq!(changed, Ok(true));
            for cell in change.cells() {
                let place = self.place(cell);
                self.touched[place] = true;
            }
            left = left.saturating_sub(change.len());
            made.push(change);
        }
        // A building is not torn down in the batch in which it is put up.
        self.standing_cells += put_up.iter().map(|building| building.len()).sum::<u64>();
        self.standing.append(&mut put_up);
        made
    }

    fn place(&self, cell: Cell) -> usize {
        cell.y as usize * self.now.width() as usize + cell.x as usize
    }

    /// Whether no cell of the change has changed in this batch, and all have the other state.
    fn is_possible(&self, change: Change) -> bool {
        change.cells().all(|cell| !self.touched[self.place(cell)] && self.now.is_free(cell) != change.free)
    }

    /// A door that closes or opens.
    fn door(&mut self, dice: &mut Dice) -> Option<Change> {
        let opens = dice.hits(1, 2);
        let place = pick(if opens { &self.closed } else { &self.doors }, dice)?;
        let door = Change::of_cell(if opens { self.closed[place] } else { self.doors[place] }, opens);
        if !self.is_possible(door) {
            return None;
        }
        if opens {
            self.closed.swap_remove(place);
        } else {
            self.closed.push(door.min);
        }
        Some(door)
    }

    /// A piece of a wall that collapses, which is rare.
    fn wall(&mut self, dice: &mut Dice) -> Option<Change> {
        let place = pick(&self.walls, dice).filter(|_| dice.hits(1, 3))?;
        Some(Change::of_cell(self.walls.swap_remove(place), true))
    }

    /// Tears down a building of at most `most` cells, or the smallest.
    fn tear_down(&mut self, most: u64, dice: &mut Dice) -> Option<Change> {
        let place = pick(&self.standing, dice).filter(|&place| self.standing[place].len() <= most.max(SMALLEST))?;
        let building = self.standing.swap_remove(place);
        self.standing_cells -= building.len();
        Some(Change { free: true, ..building })
    }

    /// Puts up a building of at most `most` cells, or the smallest, if there is room for it.
    fn put_up(&self, most: u64, dice: &mut Dice) -> Option<Change> {
        // Tearing down always succeeds. With a single try at putting up, buildings would become fewer and fewer.
        const PLACES: usize = 30;
        (0..PLACES).find_map(|_| {
            let min = self.free[pick(&self.free, dice)?];
            let mut side = || *SIDES.start() + dice.below(SIDES.count() as u64) as u32;
            let building = Change { min, max: Cell::new(min.x + side() - 1, min.y + side() - 1), free: false };
            let is_small = building.len() <= most.max(SMALLEST);
            (is_small && self.now.contains(building.max) && self.is_possible(building)).then_some(building)
        })
    }

    /// Pairs of free cells that are connected on the original map.
    fn queries(&self, count: u32, dice: &mut Dice) -> Vec<(Cell, Cell)> {
        // A map of isolated cells may have no pairs.
        const TRIES: u32 = 1000;
        let mut queries = Vec::new();
        for _ in 0..count {
            let pair = (0..TRIES).find_map(|_| {
                let (start, goal) = (self.free[pick(&self.free, dice)?], self.free[pick(&self.free, dice)?]);
                let is_valid = start != goal
                    && self.now.is_free(start)
                    && self.now.is_free(goal)
                    && self.first.may_connect(start, goal);
                is_valid.then_some((start, goal))
            });
            match pair {
                Some(pair) => queries.push(pair),
                None => break,
            }
        }
        queries
    }
}

/// The index of a random item, all equally likely.
fn pick<T>(items: &[T], dice: &mut Dice) -> Option<usize> {
    (!items.is_empty()).then(|| dice.below(items.len() as u64) as usize)
}

/// The lengths of shortest paths on a map that changes.
struct Lengths {
    finder: Finder,
    path: Path,
}

impl Lengths {
    fn new(grid: &Grid) -> Self {
        // Any planner that follows edits would do; all give the same lengths.
        let finder =
            Finder::new("corner-sweep", grid).expect("it supports all maps without prices under the rule octile");
        Self { finder, path: Path::new() }
    }

    fn apply(&mut self, edits: &Edits) {
        self.finder.apply(edits).expect("all changes lie on the map");
    }

    /// The length of a shortest path between two free cells.
    fn between(&mut self, start: Cell, goal: Cell) -> Option<f64> {
        let query = PathQuery::new(start, goal).output(Output::Cost);
        let found = self.finder.plan(query, &mut self.path).expect("both ends are free");
        found.then(|| self.path.length())
    }
}

/// A scenario being written.
struct Writer {
    patches: Vec<Patch>,
    /// The index of the patch of this width and height that is all free or all blocked.
    plain: HashMap<(u32, u32, bool), usize>,
    commands: Vec<Command>,
}

impl Writer {
    /// Starts with a first patch that is the whole map.
    fn new(grid: &Grid) -> Result<Self, GenerateError> {
        let map = Patch::of(grid, (0, 0), (grid.width() - 1, grid.height() - 1))?;
        let mut writer = Self { patches: vec![map], plain: HashMap::new(), commands: Vec::new() };
        writer.commands.push(Command::Patch { line: writer.line(), batch: 0, patch: 0, at: Cell::new(0, 0) });
        Ok(writer)
    }

    /// The line of the next command in the file, after six lines of header.
    fn line(&self) -> usize {
        self.commands.len() + 7
    }

    fn put(&mut self, batch: u32, change: Change) -> Result<(), GenerateError> {
        let shape = (change.width(), change.height(), change.free);
        let patch = *self.plain.entry(shape).or_insert(self.patches.len());
        if patch == self.patches.len() {
            self.patches.push(Patch::from_fn(shape.0, shape.1, |_| shape.2)?);
        }
        self.commands.push(Command::Patch { line: self.line(), batch, patch, at: change.min });
        Ok(())
    }

    fn ask(&mut self, batch: u32, start: Cell, goal: Cell, length: Option<f64>) {
        self.commands.push(Command::Query(Query { line: self.line(), batch, start, goal, costs: vec![length] }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::generate;
    use crate::formats::movingai::{dynamic, patch};
    use crate::geometry::GridCost;
    use crate::grid::Convention;

    fn config(per_million: u32) -> ChangesConfig {
        ChangesConfig { per_million, batches: 12, between: 15, seed: 5 }
    }

    /// Plays a scenario, and checks all lengths and the number of changed cells.
    fn check(grid: &Grid, config: &ChangesConfig) -> DynamicScenario {
        let scenario = changes(grid, "a.patch", config).unwrap();
        let optima = scenario.optima().unwrap();
        let target =
            (u64::from(grid.width()) * u64::from(grid.height()) * u64::from(config.per_million) / 1_000_000).max(1);
        let mut now = scenario.start().unwrap();
        for (number, step) in scenario.steps().enumerate() {
            let before = now.clone();
            now.apply(&step.edits).unwrap();
            assert_eq!(step.queries.len(), config.between as usize);
            if number == 0 {
                assert_eq!(now, *grid);
            } else {
                let changed = grid.cells().filter(|&cell| now.is_free(cell) != before.is_free(cell)).count() as u64;
                assert_eq!(changed, step.edits.iter().count() as u64, "no cell twice");
                assert!((target..target + SMALLEST).contains(&changed), "{changed} of {target}");
            }
            for query in step.queries {
                assert!(now.is_free(query.start) && now.is_free(query.goal) && query.start != query.goal);
                let cost = crate::services::distances(&now, query.start).cost(query.goal);
                assert_eq!(optima.of(query), cost.map(GridCost::length), "{query:?}");
            }
        }
        scenario
    }

    #[test]
    fn lengths_and_numbers_of_changes_are_right() {
        let maps = [generate::rooms(60, 50, 8, 1), generate::caves(60, 50, 40, 1), generate::maze(60, 50, 2, 1)];
        for (grid, per_million) in maps.into_iter().zip([1_000, 10_000, 5_000]) {
            let scenario = check(&grid.unwrap(), &config(per_million));
            assert_eq!(scenario.steps().count(), 12);
        }
        let scenario = check(&generate::open(60, 50).unwrap(), &config(100_000));
        let closes = scenario.patches.iter().skip(1).filter(|patch| !patch.is_free((0, 0))).count();
        assert!(closes > 3 && scenario.patches.len() > closes + 4, "buildings of many shapes come and go");
    }

    #[test]
    fn tearing_down_restores_the_cells() {
        let grid = generate::rooms(60, 50, 8, 1).unwrap();
        let scenario = changes(&grid, "a", &ChangesConfig { batches: 60, between: 0, ..config(20_000) }).unwrap();
        let mut now = scenario.start().unwrap();
        for step in scenario.steps() {
            now.apply(&step.edits).unwrap();
        }
        let lost = grid.cells().filter(|&cell| grid.is_free(cell) && !now.is_free(cell)).count();
        let won = grid.cells().filter(|&cell| !grid.is_free(cell) && now.is_free(cell)).count();
        // 60 is 2 % of the cells: about twice that is built on, and some walls have collapsed.
        assert!((60..300).contains(&lost) && (1..200).contains(&won), "{lost} {won}");
    }

    #[test]
    fn doors_and_walls_are_found() {
        let grid: Grid = "..@..\n.....\n..@..".parse().unwrap();
        let site = Site::new(&grid, 1000);
        assert_eq!(
            (site.doors.as_slice(), site.walls.as_slice()),
            (&[Cell::new(2, 1)][..], &[Cell::new(2, 0), Cell::new(2, 2)][..])
        );
    }

    #[test]
    fn generated_scenarios_survive_writing_and_reading() {
        let scenario = changes(&generate::rooms(40, 30, 8, 1).unwrap(), "a.patch", &config(10_000)).unwrap();
        let patches = patch::parse(patch::write(&scenario.patches).as_bytes()).unwrap();
        assert_eq!(dynamic::parse(dynamic::write(&scenario).as_bytes(), patches), Ok(scenario));
    }

    #[test]
    fn equal_seeds_give_equal_scenarios_and_others_do_not() {
        let grid = generate::rooms(40, 30, 8, 1).unwrap();
        let of_seed = |seed| changes(&grid, "a", &ChangesConfig { seed, ..config(10_000) }).unwrap();
        assert_eq!(of_seed(1), of_seed(1));
        assert_ne!(of_seed(1), of_seed(2));
    }

    #[test]
    fn the_scenario_of_a_seed_never_changes() {
        let grid = generate::rooms(17, 17, 8, 0).unwrap();
        let config = ChangesConfig { per_million: 50_000, batches: 3, between: 2, seed: 0 };
        let text = dynamic::write(&changes(&grid, "a", &config).unwrap());
        let commands: Vec<&str> = text.lines().skip(7).collect();
        let expected = [
            "Q 0 11 13 12 10 3.414213562373095",
            "Q 0 5 4 11 2 21.071067811865476",
            "P 1 1 2 1",
            "P 1 2 9 10",
            "Q 1 4 11 9 9 5.82842712474619",
            "Q 1 12 13 15 11 3.8284271247461903",
            "P 2 3 6 10",
            "P 2 2 6 3",
            "P 2 4 9 10",
            "Q 2 12 13 5 4 19.071067811865476",
            "Q 2 6 5 13 3 21.48528137423857",
        ];
        assert_eq!(commands, expected);
    }

    #[test]
    fn prices_and_other_rules_are_ignored() {
        let grid = generate::rooms(40, 30, 8, 1).unwrap();
        let other = grid.with_prices(Convention::Enter, |cell| cell.x as u8 + 1).with_movement(Movement::Tile);
        assert_eq!(changes(&other, "a", &config(1000)), changes(&grid, "a", &config(1000)));
    }

    #[test]
    fn maps_without_room_change_and_query_what_they_can() {
        for map in [".", "@", "@@\n@@", ".@\n@.", "@.@", ".."] {
            let grid: Grid = map.parse().unwrap();
            let scenario = changes(&grid, "a", &config(100_000)).unwrap();
            assert_eq!(scenario.queries().count(), if map == ".." { 12 * 15 } else { 0 }, "{map}");
        }
        let refused = |per_million| changes(&Grid::open(3, 3).unwrap(), "a", &config(per_million)).unwrap_err();
        assert!(refused(99).to_string().starts_with("cannot change 0.0099 % of the cells"), "{}", refused(99));
        assert!(refused(100_001).to_string().contains("from 0.01 % to 10 %"));
    }
}
