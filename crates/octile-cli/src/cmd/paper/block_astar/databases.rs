//! The local distance databases: how long they take to build, and how large their files are.

use anyhow::Result;
use octile::algo::block_astar::lddb::Distances;
use octile::index::{self, Build};

use super::super::timing::{best_of, millis};
use crate::papers::block_astar::Claims;
use crate::report::beside::Pair;
use crate::report::block_astar::DatabaseLine;

/// A line for each kind of database.
pub(super) fn lines(rounds: usize, claims: &Claims) -> Result<Vec<DatabaseLine>> {
    Distances::ALL.into_iter().map(|distances| line(distances, rounds, claims)).collect()
}

fn line(distances: Distances, rounds: usize, claims: &Claims) -> Result<DatabaseLine> {
    let entry = index::find(distances.kind())?;
    let build = || match entry.build {
        Build::ForAllMaps(build) => build().len(),
        Build::ForMap(_) | Build::InParts(_) | Build::Watched(_) => 0,
    };
    let (bytes, time) = best_of(rounds, build);
    // The paper's time is that of its any-angle database, its size that of one for cells.
    let seconds = (distances == Distances::AnyAngle).then_some(claims.lddb_seconds);
    Ok(DatabaseLine {
        kind: entry.kind,
        build_ms: Pair::new(millis(time), seconds.map(|seconds| seconds * 1e3)),
        megabytes: Pair::new(bytes as f64 / 1e6, distances.of_cells().then_some(claims.lddb_megabytes)),
    })
}
