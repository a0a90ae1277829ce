//! Other projects' crates beside ours, their answers judged by the same rule.

use octile_cli::harness::words::count;

use super::Families;
use super::sets::{Engine, engines};
use crate::exhibit::{Exhibit, Row, Table};
use crate::laps::{Lap, Sum};
use crate::plan::Plan;
use crate::races::BASELINE;

/// Ours that a peer is put beside.
const OURS: [&str; 3] = [BASELINE, "corner-sweep", "jump-graph"];

pub(super) fn exhibit(plan: &Plan, families: &Families) -> Exhibit {
    let mut table = Table::new()
        .text("peer")
        .text("maps")
        .number("queries", 0)
        .number("legal, %", 1)
        .number("optimal, %", 1)
        .number("preparation, ms", 2)
        .number("time, us", 1);
    for ours in OURS {
        table = table.grouped("times as fast as the peer", ours, 1);
    }
    let mut queries = 0;
    for (family, laps) in families {
        for peer in engines(&plan.catalog, laps).into_iter().filter(|engine| engine.sum.is_peer) {
            queries += peer.sum.queries;
            table.push(row(family, laps, &peer));
        }
    }
    let exhibit = Exhibit::new("Peers", "What people use from Rust today, beside octile").caption(format!(
        "The crates `pathfinding` 4.16 (its A*, with the closure that its documentation suggests{}) and `grid_pathfinding` 0.3 (jump point search) on \
         the same problems, {}, best of {} as ours. All answers are judged by the \
         benchmark's rule: eight neighbours, no cutting of corners; optimal means legal and exactly as long as the optimum.",
        if plan.full { "; as `pathfinding-moves` with octile's table of legal moves" } else { "" },
        count(queries, "answer", "answers"),
        count(plan.rounds, "round", "rounds")
    ));
    if table.rows.is_empty() {
        return exhibit.note("No peer took part.");
    }
    exhibit.table(table).note(
        "`grid_pathfinding` follows another rule: its paths cut corners, and pass between two obstacles that touch. That is no mistake of \
         its own, but a user of the benchmark, or of walls, would call it one.",
    )
}

fn row(family: &str, laps: &[Lap], Engine { name, sum }: &Engine) -> Row {
    let faults = sum.faults;
    let percent = |wrong: usize| sum.per_query(100.0 * (sum.queries.saturating_sub(wrong)) as f64);
    let row = Row::new()
        .text(name.trim_start_matches("peer/"))
        .text(family)
        .count(sum.queries)
        .number(percent(faults.illegal))
        .number(percent(faults.total()))
        .number(sum.mean_build_ms())
        .number(sum.mean_us());
    OURS.into_iter().fold(row, |row, ours| {
        let sum = Sum::of(laps, ours, name);
        row.measured(sum.speedup(), sum.is_in_noise())
    })
}
