//! `octile build`: builds an index file, for one map or for all maps.

mod parts;
mod sources;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use octile::algo::cpd;
use octile::artifact::Artifact;
use octile::catalog::advise::Size;
use octile::planner::{Budget, IndexBuild};
use octile::{Build, Catalog, Grid, files};
use rayon::ThreadPoolBuilder;

use self::sources::Sources;
use crate::harness::Outcome;
use crate::harness::args::{MovementArg, ReadArgs, jobs};
use crate::harness::kind::{Kind, KindParser};
use crate::harness::{hints, inputs, output};
use crate::report::{json, text};

/// Build an index and write it to a file
///
/// With --index, planners read the index from the file instead of building it. A file is for one map and one movement
/// rule; when the map changes, build it again. The kinds named lddb-... do not depend on a map: they are built without
/// one and work for all maps. An existing file of that name is replaced once the new file is complete.
///
/// A compressed path database (cpd) takes a search from every free cell, its sources: seconds to hours. It is built in
/// chunks of 1024 sources, and each finished chunk is kept in the folder FILE.parts. If the build is interrupted, by
/// Ctrl-C or otherwise, the same command resumes it; at the end the folder is removed. Settings may follow the kind
/// after a colon, as in planner specs; `octile planners cpd` lists the keys. With --sources several machines can share
/// the work, and `octile merge` joins their parts.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile build gates arena.map -o arena.gates.octx
  octile solve arena.map --from 1,12 --to 40,3 --planner jps:prune=gates --index arena.gates.octx
  octile info arena.gates.octx --map arena.map
  octile build lddb-octile -o octile.octx
  octile build hub-labels arena.map -o arena.hubs.octx
  octile build taut-labels:ends=centres arena.map -o arena.taut.octx
  octile build cpd arena.map -o arena.octx
  octile build cpd:layout=rectangles,ties=mask arena.map -o arena.rectangles.octx
  octile build cpd arena.map --sources ..1000 -o one.octx
  octile build cpd arena.map --sources 1000.. -o two.octx
  octile merge one.octx two.octx -o arena.octx")]
pub(crate) struct Args {
    /// The kind of index to build; cpd and taut-labels take settings: cpd:key=value,...
    #[arg(value_parser = KindParser::new(Catalog::standard()))]
    pub(crate) kind: Kind,

    /// The map, or `-` for standard input; no map for an index that is for all maps
    pub(crate) map: Option<PathBuf>,

    /// Write the index here; the name usually ends in .octx
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    movement: MovementArg,

    #[command(flatten)]
    read: ReadArgs,

    /// Build a part with the rows of these sources only: A..B is from A up to but not including B, A.. is from A to the
    /// last, ..B is from the first up to but not including B. Sources are numbered from 0; there are as many as free
    /// cells
    // Let a leading minus reach the range's parser, whose message is clearer.
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    sources: Option<Sources>,

    /// Use this many threads, at most 1024; the result is the same [default: one for each core]
    // Let a leading minus reach the number's parser, whose message is clearer.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = jobs)]
    jobs: Option<NonZeroUsize>,

    /// Refuse a build that takes more memory than this; cpd counts the rows of a chunk [default: 8GiB]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,

    /// Refuse a build that takes more steps than this, each about ten nanoseconds of one core [default: 50 billion;
    /// unlimited for cpd]
    #[arg(long, value_name = "N")]
    steps: Option<u64>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Args {
    /// The budget of the build.
    fn budget(&self) -> Budget {
        let usual = Budget::BEFOREHAND;
        usual.steps(self.steps.unwrap_or(usual.steps)).bytes(self.memory.map_or(usual.bytes, |Size(bytes)| bytes))
    }
}

/// An index that has been written to its file.
struct Made {
    artifact: Artifact,
    time: Duration,
    /// The chunks, if it was built in chunks.
    chunks: Option<json::Chunks>,
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    let made = match args.jobs {
        Some(jobs) => {
            let pool = ThreadPoolBuilder::new().num_threads(jobs.get()).build();
            pool.with_context(|| format!("cannot start {jobs} threads: give a smaller --jobs"))?
                .install(|| build(args, catalog))
        }
        None => build(args, catalog),
    }?;
    let built = json::Built::new(args, &made.artifact, made.time, made.chunks)?;
    if args.json {
        output::print_json(&built)?;
    } else {
        output::print(&text::built(&built))?;
    }
    Ok(Outcome::Good)
}

fn build(args: &Args, catalog: &Catalog) -> Result<Made> {
    let index = &args.kind.index;
    let (kind, command) = (index.kind, || hints::command(index.kind, catalog));
    if args.sources.is_some() {
        let in_parts = matches!(index.build, IndexBuild::InParts(_));
        ensure!(in_parts, "an index of kind `{kind}` cannot be built in parts: leave out --sources");
    }
    match (index.build, &args.map) {
        (IndexBuild::ForAllMaps(build), None) => write(args, || Ok(build())),
        (IndexBuild::ForAllMaps(_), Some(map)) => {
            let (map, command) = (map.display(), command());
            bail!("an index of kind `{kind}` is for all maps: leave out {map}, as in `{command}`")
        }
        (_, None) => bail!("an index of kind `{kind}` is for one map: write `{}`", command()),
        (_, Some(map)) => build_for_map(args, map),
    }
}

fn build_for_map(args: &Args, map: &Path) -> Result<Made> {
    let Kind { index, settings } = &args.kind;
    inputs::ensure_is_not_the_map(&args.output, map, "index")?;
    files::ensure_possible(&args.output)?;
    let grid = inputs::map(map, args.movement.movement, &args.read)?.grid;
    let name = || map.display().to_string();
    let build = Build::new(&grid).within(args.budget());
    if let IndexBuild::InParts(builder) = index.build {
        check_steps(args, &grid).with_context(name)?;
        let builder = builder(&build, settings).with_context(name)?;
        let sources = args.sources.unwrap_or_default().of(builder.sources()).with_context(name)?;
        return parts::build(&parts::Job { builder: builder.into(), map, output: &args.output }, sources);
    }
    let bar = output::progress_of_stages();
    let watch = output::watch(&bar);
    let made = write(args, || index.build_with(&build.watched(&watch), settings).with_context(name));
    bar.finish_and_clear();
    made
}

/// Refuses a database that takes more steps than `--steps`; by default there is no limit.
fn check_steps(args: &Args, grid: &Grid) -> Result<()> {
    let (cells, Some(steps)) = (grid.free_cells(), args.steps) else { return Ok(()) };
    let most = cpd::most_cells(Budget::UNLIMITED.steps(steps));
    ensure!(
        cells <= most,
        "it has {cells} free cells, but {steps} steps are enough for only {most}: allow more with --steps"
    );
    Ok(())
}

/// Builds an index as the bytes of a file, and writes them.
fn write(args: &Args, build: impl FnOnce() -> Result<Vec<u8>>) -> Result<Made> {
    let clock = Instant::now();
    let bytes = build()?;
    let time = clock.elapsed();
    files::write(&args.output, &bytes)?;
    Ok(Made { artifact: Artifact::from_bytes(bytes.into())?, time, chunks: None })
}
