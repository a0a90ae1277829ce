//! Shrinks a failing program for as long as it still fails.

use octile::Movement;
use octile::planner::Nearest;

use super::program::{Change, Form, Op, Place, Program, Who};
use super::twin::Map;

/// The maximum number of programs to try.
const MAX_TRIES: u32 = 6000;

/// The smallest program found that still fails; `fails` plays one.
pub fn shrink(mut program: Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut tries = 0;
    let mut still_fails = |candidate: &Program| {
        tries += 1;
        tries <= MAX_TRIES && fails(candidate)
    };
    while let Some(smaller) = candidates(&program).into_iter().find(|candidate| still_fails(candidate)) {
        program = smaller;
    }
    program
}

/// Slightly smaller programs, the largest reduction first.
fn candidates(program: &Program) -> Vec<Program> {
    let with = |ops: Vec<Op>| Program { ops, ..program.clone() };
    let mut found: Vec<Program> = without_chunks(&program.ops).into_iter().map(with).collect();
    found.extend(smaller_maps(program));
    for (nth, op) in program.ops.iter().enumerate() {
        for op in simpler_ops(op) {
            let mut ops = program.ops.clone();
            ops[nth] = op;
            found.push(with(ops));
        }
    }
    found.extend(plainer_maps(&program.map).into_iter().map(|map| Program { map, ..program.clone() }));
    found
}

/// The list without one of its halves, one of its quarters, and so on down to one item.
fn without_chunks<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    let mut size = items.len().div_ceil(2);
    while size > 0 {
        for start in (0..items.len()).step_by(size) {
            let rest = items[..start].iter().chain(items.iter().skip(start + size));
            found.push(rest.cloned().collect());
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    found
}

/// The program without one row or column of its map.
fn smaller_maps(program: &Program) -> Vec<Program> {
    let Map { width, height, .. } = program.map;
    let columns = (0..width).filter(|_| width > 1).map(|x| (true, x));
    let rows = (0..height).filter(|_| height > 1).map(|y| (false, y));
    let without = |(is_column, line): (bool, u32)| {
        let mut smaller = program.clone();
        let keeps = |&(x, y): &Place| if is_column { x != line } else { y != line };
        let kept = program.map.places().zip(&program.map.cells).filter(|(place, _)| keeps(place));
        smaller.map.cells = kept.map(|(_, &cell)| cell).collect();
        *(if is_column { &mut smaller.map.width } else { &mut smaller.map.height }) -= 1;
        let shift = |at: u32, is_there: bool| if is_there && at > line { at - 1 } else { at };
        smaller.ops.iter_mut().for_each(|op| op.move_places(|(x, y)| (shift(x, is_column), shift(y, !is_column))));
        smaller
    };
    columns.chain(rows).map(without).collect()
}

/// The map with one more free cell of price 1, without prices, or under the `octile` rule.
fn plainer_maps(map: &Map) -> Vec<Map> {
    let mut found = Vec::new();
    if map.convention.is_some() {
        let cells = map.cells.iter().map(|&(free, _)| (free, 1)).collect();
        found.push(Map { convention: None, cells, ..map.clone() });
    }
    if map.movement != Movement::Octile {
        found.push(Map { movement: Movement::Octile, ..map.clone() });
    }
    let plainer = map.cells.iter().enumerate().filter(|&(_, &cell)| cell != (true, 1));
    found.extend(plainer.map(|(nth, _)| {
        let mut map = map.clone();
        map.cells[nth] = (true, 1);
        map
    }));
    found
}

fn simpler_ops(op: &Op) -> Vec<Op> {
    let mut found = Vec::new();
    let mut changed = |change: &dyn Fn(&mut Op)| {
        let mut simpler = op.clone();
        change(&mut simpler);
        found.push(simpler);
    };
    let mut own = op.clone();
    for (nth, list) in own.lists().into_iter().enumerate() {
        for shorter in without_chunks(list).into_iter().filter(|list| !list.is_empty()) {
            changed(&|op| op.lists()[nth].clone_from(&shorter));
        }
    }
    if own.who().is_some_and(|who| *who != Who::Engine) {
        changed(&|op| *op.who().expect("it has one") = Who::Engine);
    }
    for changes in own.changes().map(|changes| simpler_changes(changes)).unwrap_or_default() {
        changed(&|op| op.changes().expect("it has some").clone_from(&changes));
    }
    if let Op::Pairs(who, form, starts, goals) = op
        && *form != Form::OneByOne
    {
        found.push(Op::Pairs(*who, Form::OneByOne, starts.clone(), goals.clone()));
    }
    match op {
        // The effect of threads differs from run to run.
        Op::BeginRenewal => found.push(Op::Renew),
        Op::Race(changes, ..) => found.push(Op::Edit(changes.clone())),
        _ => {}
    }
    found.extend(simpler_questions(op));
    found
}

fn simpler_questions(op: &Op) -> Vec<Op> {
    let mut found = Vec::new();
    let Some(question) = op.clone().question().cloned() else { return found };
    let mut push = |is_simpler: bool, change: &dyn Fn(&mut super::program::Question)| {
        let mut simpler = op.clone();
        simpler.question().into_iter().for_each(change);
        found.extend(is_simpler.then_some(simpler));
    };
    push(question.nearest != Nearest::No, &|question| question.nearest = Nearest::No);
    push(question.nearest == Nearest::Both, &|question| question.nearest = Nearest::Goal);
    push(question.max_cost.is_some(), &|question| question.max_cost = None);
    push(question.max_expanded.is_some(), &|question| question.max_expanded = None);
    push(question.cancel.is_some(), &|question| question.cancel = None);
    found
}

/// The list without one change, or with a cell instead of a rectangle.
fn simpler_changes(changes: &[Change]) -> Vec<Vec<Change>> {
    let mut found = without_chunks(changes);
    for (nth, change) in changes.iter().enumerate() {
        let cells = match *change {
            Change::BlockRect(a, b) => vec![Change::Block(a), Change::Block(b)],
            Change::FreeRect(a, b) => vec![Change::Free(a), Change::Free(b)],
            Change::PriceRect(a, b, price) => vec![Change::Price(a, price), Change::Price(b, price)],
            Change::Patch(at, ..) => vec![Change::Block(at), Change::Free(at)],
            _ => Vec::new(),
        };
        found.extend(cells.into_iter().map(|cell| {
            let mut simpler = changes.to_vec();
            simpler[nth] = cell;
            simpler
        }));
    }
    found
}
