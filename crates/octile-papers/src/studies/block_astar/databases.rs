//! The local distance databases: how long they take to build, and how large their files are.

use anyhow::Result;
use octile::algo::block_astar::lddb::{Distances, Lddb};
use serde::{Deserialize, Serialize};

use crate::exhibit::finding::{Finding, Says};
use crate::exhibit::{Exhibit, Pair, Row, Table};
use crate::papers::block_astar::Claims;
use crate::session::Session;
use crate::timing::{best_of, millis};

/// What a database took.
#[derive(Deserialize, Serialize)]
struct Measured {
    build_ms: f64,
    bytes: usize,
}

/// How often progress moves on.
pub(super) fn steps() -> u64 {
    Distances::ALL.len() as u64
}

/// A line for each kind of database.
pub(super) fn exhibit(
    rounds: usize,
    claims: &Claims,
    best: &str,
    session: &mut Session,
) -> Result<(Exhibit, Vec<Finding>)> {
    let mut findings = Vec::new();
    let mut table = Table::new().text("kind").beside("build, ms", 1).beside("file, MB", 2);
    for distances in Distances::ALL {
        let kind = distances.kind();
        let Measured { build_ms, bytes } =
            session.unit(&format!("block-astar/databases/{kind}"), 1, |_| Ok(measure(distances, rounds)))?;
        let mut find = |what, says, ours: f64, unit| {
            findings.push(Finding::new((super::DATABASES, kind, what), says, ours).printed(2, unit));
        };
        if distances == Distances::AnyAngle {
            find("time to build", Says::AtMost(claims.lddb_seconds), build_ms / 1e3, " s");
        } else if distances.of_cells() {
            find("size", Says::AtMost(claims.lddb_megabytes), bytes as f64 / 1e6, " MB");
        }
        // The paper's time is that of its any-angle database, its size that of one for cells.
        let paper_ms = (distances == Distances::AnyAngle).then_some(claims.lddb_seconds * 1e3);
        let row = Row::new().text(kind).beside(Pair::new(build_ms, paper_ms));
        let paper_megabytes = distances.of_cells().then_some(claims.lddb_megabytes);
        table.push(row.beside(Pair::new(bytes as f64 / 1e6, paper_megabytes)));
    }
    let exhibit = Exhibit::new("Databases", "The local distance databases").table(table).caption(format!(
        "The distances inside all blocks of 2 x 2, 3 x 3 and 4 x 4 cells, built once for all maps; {best}. The paper's time is that of its database of \
         5 x 5 vertices, which are 4 x 4 cells, and its size, which it says to be below {} MB, that of one of 4 x 4 cells. Blocks of 8 x 8 cells have \
         too many patterns for a database: their tables are made when a pattern is first met.",
        claims.lddb_megabytes
    ));
    Ok((exhibit, findings))
}

fn measure(distances: Distances, rounds: usize) -> Measured {
    let (bytes, time) = best_of(rounds, || Lddb::build(distances).to_bytes().len());
    Measured { build_ms: millis(time), bytes }
}
