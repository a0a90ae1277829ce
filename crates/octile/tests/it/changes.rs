//! Walls that come and go between queries: every planner that takes edits, compared with the oracle, on maps of all
//! textures.

use octile::geometry::Dice;
use octile::planner::OnEdit;
use octile::{Cell, Edits, Finder, Grid, Path, PathQuery, PlannerSpec};
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::Truth;
use octile_testkit::setting;
use octile_testkit::{judge, maps, planners};

/// The specs to test on a map: all that take edits.
fn specs(grid: &Grid) -> Vec<&'static str> {
    let takes_edits = |spec: &&str| spec.parse::<PlannerSpec>().unwrap().on_edit() != OnEdit::Refuses;
    // The planners that `auto` chooses are in the list themselves.
    planners::specs(grid).filter(|spec| !spec.starts_with("auto")).filter(takes_edits).collect()
}

fn any_cell(grid: &Grid, dice: &mut Dice) -> Cell {
    Cell::new(dice.below(grid.width().into()) as u32, dice.below(grid.height().into()) as u32)
}

/// A building put up or torn down, some flipped cells, or an earlier edit undone.
fn any_edit(grid: &Grid, undo: &[Edits], dice: &mut Dice) -> Edits {
    let mut edits = Edits::new();
    match dice.below(8) {
        0 | 1 if !undo.is_empty() => return undo[dice.below(undo.len() as u64) as usize].clone(),
        0..=3 => {
            let (a, side) = (any_cell(grid, dice), 1 + dice.below(6) as u32);
            let b =
                Cell::new((a.x + side - 1).min(grid.width() - 1), (a.y + dice.below(6) as u32).min(grid.height() - 1));
            if dice.hits(1, 2) {
                edits.block_rect(a, b)
            } else {
                edits.free_rect(a, b)
            };
        }
        kind => {
            for _ in 0..=dice.below(if kind == 7 { 12 } else { 2 }) {
                let cell = any_cell(grid, dice);
                edits.extend([(cell, !grid.is_free(cell))]);
            }
        }
    }
    edits
}

/// The edit that undoes another.
fn undone(edits: &Edits, grid: &Grid) -> Edits {
    edits.iter().map(|(cell, _)| (cell, grid.is_free(cell))).collect()
}

#[test]
fn walls_come_and_go_between_queries() {
    let (mut dice, mut edits_left) =
        (Dice::new(23), setting("OCTILE_EDITS", if cfg!(target_family = "wasm") { 30 } else { 240 }));
    let (mut path, mut answers, mut none) = (Path::new(), 0_u64, 0_u64);
    while edits_left > 0 {
        let most = [12, 24, 47][dice.below(3) as usize];
        let mut grid = maps::textured(&mut dice, most);
        let movement = octile::Movement::ALL[[0, 0, 0, 1, 2][dice.below(5) as usize]];
        grid = grid.with_movement(movement);
        let mut finders: Vec<Finder> = specs(&grid).into_iter().map(|spec| Finder::new(spec, &grid).unwrap()).collect();
        let mut undo = Vec::new();
        for _ in 0..edits_left.min(24) {
            edits_left -= 1;
            let edits = any_edit(&grid, &undo, &mut dice);
            undo.push(undone(&edits, &grid));
            grid.apply(&edits).unwrap();
            for finder in &mut finders {
                finder.apply(&edits).unwrap();
            }
            let free = free_cells(&grid);
            if free.is_empty() {
                continue;
            }
            let mut any_free = || free[dice.below(free.len() as u64) as usize];
            let start = any_free();
            let truth = Truth::new(&grid, start);
            for goal in [(); 6].map(|()| any_free()) {
                let is_connected = truth.on_cells(goal).is_some();
                none += u64::from(!is_connected);
                assert_eq!(grid.may_connect(start, goal), is_connected, "{start} {goal}\nafter {edits:?}\n{grid:?}");
                for finder in &mut finders {
                    answers += 1;
                    if let Err(fault) = judge::ask(finder, PathQuery::new(start, goal), &mut path, &truth) {
                        panic!("{fault}\nafter {edits:?}\n{grid:?}");
                    }
                }
            }
        }
    }
    println!("{answers} answers, {none} queries without a path");
    assert!(answers > 1000 && none > 0, "{answers} answers, {none} without a path");
}
