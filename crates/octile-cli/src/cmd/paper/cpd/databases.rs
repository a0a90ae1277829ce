//! The databases: how many records they have, how large they are, and how long they take to build.

use std::sync::Arc;

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use octile::Grid;
use octile::algo::cpd::{Builder, Stats};
use octile::artifact::{Artifact, Storage};

use super::super::timing::ProcessorTime;
use super::maps::Map;
use crate::papers::cpd::{FACTORS, Figures, LARGEST, RECORD_BYTES, SMALLER, UNCOMPRESSED_BITS};
use crate::report::cpd::{Built, DatabaseLine, Databases, Statement, Sums};

/// A database and what is told of it.
pub(super) struct Database {
    pub(super) artifact: Arc<Artifact>,
    stats: Stats,
    built: Built,
}

/// The settings of those in the table: the paper's rectangles, squares in the same two ways, and ours.
const PAPERS: &str = "layout=rectangles,ties=diagonal-first";
const SQUARES: &str = "layout=quadtree,ties=diagonal-first";
const SQUARES_MASK: &str = "layout=quadtree,ties=mask";
/// Those that also answer queries.
pub(super) const RECTANGLES: &str = "layout=rectangles,ties=mask";
pub(super) const RUNS: &str = "layout=runs";

/// How many databases a map of the table has, and how many a map has on which queries are answered only.
pub(super) const OF_TABLE: u64 = 5;
pub(super) const OF_QUERIES: u64 = 2;

/// Builds the database of a map.
pub(super) fn build(map: &Map, settings: &str, bar: &ProgressBar) -> Result<Database> {
    of_grid(&map.grid, settings, bar).with_context(|| map.name.clone())
}

fn of_grid(grid: &Grid, settings: &str, bar: &ProgressBar) -> Result<Database> {
    let time = ProcessorTime::start();
    let builder = Builder::new(grid, settings.parse()?)?;
    let bytes = builder.part(0..builder.sources(), &|| bar.inc(1))?.finish();
    let build_seconds = time.seconds();
    let artifact = Arc::new(Artifact::from_bytes(Storage::from(bytes))?);
    let stats = Stats::from_artifact(&artifact)?;
    let built = Built {
        settings: stats.settings.to_string(),
        records: stats.records,
        record_bits: stats.record_bits,
        average_checks: stats.average_checks,
        row_bytes: stats.row_bytes,
        file_bytes: artifact.size_bytes() as u64,
        build_seconds,
    };
    Ok(Database { artifact, stats, built })
}

/// The line of a map, for which those that answer queries have been built.
pub(super) fn line(map: &Map, rectangles: &Database, runs: &Database, bar: &ProgressBar) -> Result<DatabaseLine> {
    let paper = build(map, PAPERS, bar)?;
    let [squares, squares_mask] = [build(map, SQUARES, bar)?.built, build(map, SQUARES_MASK, bar)?.built];
    let over = |squares: &Built, rectangles: &Built| squares.records as f64 / rectangles.records.max(1) as f64;
    let [paper_bytes, paper_small_bytes] = RECORD_BYTES.map(|bytes| bytes * paper.stats.records);
    Ok(DatabaseLine {
        map: map.name.clone(),
        free_cells: map.grid.free_cells(),
        squares_over_rectangles: over(&squares, &paper.built),
        squares_over_rectangles_mask: over(&squares_mask, &rectangles.built),
        compression_factors: FACTORS.map(|c| paper.stats.compression_factor(c)),
        paper_bytes,
        paper_small_bytes,
        rectangles: paper.built,
        rectangles_mask: rectangles.built.clone(),
        squares,
        squares_mask,
        runs: runs.built.clone(),
    })
}

/// The whole table.
pub(super) fn table(lines: Vec<DatabaseLine>, figures: &Figures) -> Databases {
    Databases { sums: sums(&lines), statements: statements(&lines, figures), lines }
}

fn sums(lines: &[DatabaseLine]) -> Sums {
    let sum = |of: fn(&DatabaseLine) -> u64| lines.iter().map(of).sum();
    let mean = |of: fn(&DatabaseLine) -> f64| {
        // A map of one cell has no records.
        let logarithms: Vec<f64> = lines.iter().map(of).filter(|&ratio| ratio > 0.0).map(f64::ln).collect();
        (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp()
    };
    Sums {
        maps: lines.len(),
        free_cells: sum(|line| line.free_cells.into()),
        rectangles: sum(|line| line.rectangles.records),
        rectangles_mask: sum(|line| line.rectangles_mask.records),
        squares: sum(|line| line.squares.records),
        squares_mask: sum(|line| line.squares_mask.records),
        runs: sum(|line| line.runs.records),
        squares_over_rectangles: mean(|line| line.squares_over_rectangles),
        squares_over_rectangles_mask: mean(|line| line.squares_over_rectangles_mask),
        rectangles_file_bytes: sum(|line| line.rectangles.file_bytes),
        runs_file_bytes: sum(|line| line.runs.file_bytes),
        build_seconds: lines.iter().map(|line| line.rectangles.build_seconds).sum(),
    }
}

/// What the text says of two maps, and of all.
fn statements(lines: &[DatabaseLine], figures: &Figures) -> Vec<Statement> {
    let most = |of: &dyn Fn(&&DatabaseLine) -> f64, lines: &[&DatabaseLine]| lines.iter().map(of).reduce(f64::max);
    let all: Vec<&DatabaseLine> = lines.iter().collect();
    let others: Vec<&DatabaseLine> = lines.iter().filter(|line| line.map != LARGEST).collect();
    let [_, _, c] = FACTORS;
    let mut statements = of_map(SMALLER, "below", lines, figures);
    statements.extend(of_map(LARGEST, "", lines, figures));
    statements.push(Statement {
        of: format!("any map but {LARGEST}, minutes to build at most"),
        ours: most(&|line| minutes(line), &others),
        paper: figures.claims.other_minutes,
        says: "below",
        decimals: 2,
    });
    statements.push(Statement {
        of: format!("largest compression factor, c = {c}"),
        ours: most(&|line| line.compression_factors[2], &all),
        paper: figures.claims.compression_factor,
        says: "above",
        decimals: 1,
    });
    statements
}

/// What the text says of a map; `small` is how it means the size with small records.
fn of_map(map: &str, small: &'static str, lines: &[DatabaseLine], figures: &Figures) -> Vec<Statement> {
    let (paper, line) = (figures.of_map(map), lines.iter().find(|line| line.map == map));
    let about = if map == LARGEST { "about" } else { "" };
    let [few_bits, integers] = UNCOMPRESSED_BITS;
    let [bytes, few_bytes] = RECORD_BYTES;
    let mut statements = Vec::new();
    let mut says = |what: &str, says, paper: Option<f64>, decimals, ours: &dyn Fn(&DatabaseLine) -> f64| {
        let of = format!("{map}, {what}");
        let statement = |paper| Statement { of, ours: line.map(ours), paper, says, decimals };
        statements.extend(paper.map(statement));
    };
    says("traversable tiles", "", paper.tiles, 0, &|line| line.free_cells.into());
    says("rectangles", about, paper.rectangles, 0, &|line| line.rectangles.records as f64);
    says("average checks", "", paper.checks, 2, &|line| line.rectangles.average_checks);
    says(&format!("MB at {bytes} bytes a record"), "about", paper.megabytes, 2, &|line| line.paper_bytes as f64 / 1e6);
    says(&format!("MB at {few_bytes} bytes a record"), small, paper.small_megabytes, 2, &|line| {
        line.paper_small_bytes as f64 / 1e6
    });
    says(
        &format!("GB uncompressed, {few_bits} bits a pair"),
        "about",
        paper.uncompressed_small_gigabytes,
        2,
        &|line| gigabytes(line, few_bits),
    );
    says(&format!("GB uncompressed, {integers} bits a pair"), "about", paper.uncompressed_gigabytes, 2, &|line| {
        gigabytes(line, integers)
    });
    says("minutes to build", "about", paper.minutes, 2, &minutes);
    statements
}

/// To build the paper's rectangles.
fn minutes(line: &DatabaseLine) -> f64 {
    line.rectangles.build_seconds / 60.0
}

/// Of a record for every two cells.
fn gigabytes(line: &DatabaseLine, bits: u32) -> f64 {
    f64::from(line.free_cells).powi(2) * f64::from(bits) / 8e9
}
