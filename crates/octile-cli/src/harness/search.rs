//! Answers one query with a trace: `solve` reports it and `draw` paints it.

use std::path::Path as FilePath;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use octile::files;
use octile::formats::draw::{Colour, Picture};
use octile::geometry::Endpoints;
use octile::grid::{Convention, Squeeze};
use octile::planner::QueryOptions;
use octile::planner::{AnswerSummary, Counts, ProbePair, Trace};
use octile::{Answer, Cell, Finder, Grid, Output, Path, PathQuery, PlannerSpec, Point, Query, Status};

use super::args::{PictureFile, PictureFormat};
use super::inputs;
use super::watch::Hops;

/// A question: the start, the goals, and further options.
#[derive(Clone, Debug)]
pub struct Question {
    /// The start.
    pub from: Cell,
    /// The goals; at least one.
    pub to: Vec<Cell>,
    /// The options; every cell of the path is always asked for.
    pub options: QueryOptions,
}

impl Question {
    /// The path between two cells.
    #[must_use]
    pub fn between((from, to): (Cell, Cell)) -> Self {
        Self { from, to: vec![to], options: QueryOptions::default() }
    }

    /// The query; time limits count from now.
    #[must_use]
    pub fn query(&self) -> Query<'_> {
        self.options.apply_to(Query::to_any(self.from, &self.to)).output(Output::Cells)
    }
}

/// The answer to one query, with the work it took.
pub struct Search {
    /// The question.
    pub question: Question,
    /// The result.
    pub reply: AnswerSummary,
    /// Start and end of the path; the start and the first goal if there is none.
    pub query: PathQuery,
    grid: Grid,
    /// Whether there is a path.
    pub found: bool,
    /// The path, if there is one.
    pub path: Path,
    /// Expansions.
    pub expanded: u64,
    /// Lines of sight checked.
    pub sights: u64,
    /// The hops of a grid path, if the planner reports them.
    pub hops: Hops,
    /// The rule of any-angle paths, if the planner makes those.
    pub squeeze: Option<Squeeze>,
    /// Where any-angle paths begin and end.
    pub ends: Endpoints,
    /// The time, measured without a probe.
    pub time: Duration,
    /// The planner that `auto` chose.
    pub chosen: Option<String>,
    /// The cells of the search, if requested.
    pub trace: Option<Trace>,
}

impl Search {
    /// Searches for the path between two cells, as [`ask`](Search::ask).
    pub fn run(spec: &PlannerSpec, finder: Finder, ends: (Cell, Cell), traced: bool) -> Result<Self> {
        Self::ask(spec, finder, Question::between(ends), traced)
    }

    /// Searches with a probe, then timed, and judges the path.
    pub fn ask(spec: &PlannerSpec, mut finder: Finder, question: Question, traced: bool) -> Result<Self> {
        let (mut answer, mut counts) = (Answer::new(), Counts::default());
        let (mut hops, mut trace) = (Hops::default(), traced.then(Trace::default));
        match &mut trace {
            Some(trace) => {
                let probe = &mut ProbePair(&mut counts, &mut ProbePair(&mut hops, trace));
                finder.ask_probed(question.query(), &mut answer, probe)?
            }
            None => finder.ask_probed(question.query(), &mut answer, &mut ProbePair(&mut counts, &mut hops))?,
        };
        if let Some(trace) = &mut trace {
            // Cells that stand for corners may be walls, which must stay visible.
            let is_drawn = |cell: &Cell| finder.squeeze().is_none() || finder.grid().is_free(*cell);
            trace.expanded.retain(is_drawn);
            trace.seen.retain(is_drawn);
        }
        let clock = Instant::now();
        let reply = finder.ask_into(question.query(), &mut answer)?;
        let time = clock.elapsed();
        let (found, (start, goal)) = (reply.ends.is_some(), reply.ends.unwrap_or((question.from, question.to[0])));
        let path = answer.into_path()?.unwrap_or_default();
        if found {
            path.check(finder.grid(), start, goal)
                .with_context(|| format!("planner `{spec}` returned a wrong path"))?;
        }
        // The hops are those of the last search, which found the path only if it leads to a goal.
        if reply.status != Status::Found || path.is_any_angle() {
            hops = Hops::default();
        }
        let Counts { expanded, sights, .. } = counts;
        let (squeeze, ends, chosen) = (finder.squeeze(), finder.ends(), finder.planner().chosen().map(str::to_owned));
        let (grid, query) = (finder.grid().clone(), PathQuery::new(start, goal));
        Ok(Self {
            question,
            reply,
            query,
            grid,
            found,
            path,
            expanded,
            sights,
            hops,
            squeeze,
            ends,
            time,
            chosen,
            trace,
        })
    }

    /// The convention of prices on its map, if it has prices.
    #[must_use]
    pub fn convention(&self) -> Option<Convention> {
        self.grid.convention()
    }

    /// The point that a cell stands for at the end of a path.
    #[must_use]
    pub fn end_of(&self, cell: Cell) -> Point {
        if self.squeeze.is_some() { self.ends.point(cell) } else { Point::centre(cell) }
    }

    /// Adds the search to a picture of its map.
    pub fn paint(&self, picture: Picture) -> Picture {
        let [start, goal] = [self.query.start, self.query.goal].map(|cell| self.end_of(cell));
        let mut picture = picture.point_ends(start, goal);
        if let Some(trace) = &self.trace {
            picture = picture.search(trace, start, goal);
        }
        match &self.hops.points[..] {
            _ if !self.found => picture,
            [] => picture.path(&self.path),
            points => picture.line(points, Colour::PATH),
        }
    }
}

/// Writes a picture to a file, which must not be its map.
pub fn save(picture: &Picture, file: &PictureFile, map: &FilePath) -> Result<()> {
    inputs::ensure_is_not_the_map(&file.path, map, "picture")?;
    let cannot = || format!("cannot draw {}", file.path.display());
    let bytes = match file.format {
        PictureFormat::Png => picture.to_png().with_context(cannot)?,
        PictureFormat::Svg => picture.to_svg().with_context(cannot)?.into_bytes(),
    };
    Ok(files::write(&file.path, &bytes)?)
}
