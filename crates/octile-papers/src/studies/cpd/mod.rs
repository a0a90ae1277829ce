//! `octile-papers cpd`: Figures 1 to 6 of Botea 2011, and what its text says.

mod account;
mod bins;
mod by_cost;
mod by_size;
mod databases;
mod future;
mod maps;
mod memory;
mod queries;
mod toy;

use std::num::NonZeroUsize;

use anyhow::Result;
use octile_cli::harness::args::at_least_one;
use octile_cli::harness::words::count;

use self::databases::{Line, Shelf};
use self::future::Renewals;
use self::maps::{AtHand, Limits};
use self::queries::{Answer, Answers, Cold, ColdTimes, Field};
use crate::benchmarks::{Archive, Need};
use crate::exhibit::finding::{Account, Finding};
use crate::exhibit::{Exhibit, Section};
use crate::papers::cpd::{FOLDER, Figures};
use crate::plan::{Plan, Work};
use crate::session::Session;
use crate::timing::{Clock, Elsewhere, ProcessorTime};
use crate::{Common, Study};

pub(crate) const TITLE: &str = "Compressed path databases";

/// Compressed path databases: Figures 1 to 6 of Botea 2011
///
/// The first figure is a move table on a toy map, the next two how many times faster than A* paths are read off
/// databases, by path cost, with warm and with cold memory, and what A* expands against what is looked up. The others
/// are about the databases of the maps: how far they are compressed, their rectangles, beside the squares of a
/// quad-tree and our runs, and how long they take to build. The paper's figures are plots: beside ours stand the
/// numbers in its text. The maps, those of Baldur's Gate, are the benchmark's set bgmaps; the pairs of cells on them
/// are random, as the paper's. All answers are judged, none may be longer than that of A*; a wrong one is reported, and
/// makes the exit code 1.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile-papers cpd --maps movingai/
  octile-papers cpd --only figure-5 --only memory --most-cells 60000
  octile-papers cpd --only figure-2 --only figure-3 --pairs 20 --json
  octile-papers cpd --full --out night/")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,

    /// Leave out maps with more free cells: the time to build a database grows with their square. 60000 takes all of
    /// the paper's maps [default: 10000, with --full 60000]
    #[arg(long, value_name = "N")]
    most_cells: Option<u32>,

    /// How many random pairs of cells to find paths between on each map (the paper: 100) [default: 30, with --full 100]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pairs: Option<NonZeroUsize>,
}

impl Args {
    pub(crate) fn study(&self) -> Cpd {
        Cpd { most_cells: self.most_cells, pairs: self.pairs }
    }
}

/// What is measured.
#[derive(Default)]
pub(crate) struct Cpd {
    most_cells: Option<u32>,
    pairs: Option<NonZeroUsize>,
}

/// A map of a quick look is one of so many.
const QUICK_MAPS: usize = 12;
/// Of the databases of maps, of queries, and of how long those take.
const OF_DATABASES: [&str; 5] = ["figure-4", "figure-5", "figure-6", "memory", "shared-rows"];
const OF_QUERIES: [&str; 3] = ["figure-2", "figure-3", "first-moves"];
const TIMED: [&str; 2] = ["figure-2", "first-moves"];
/// The exhibit on databases after edits.
const OF_EDITS: &str = "renewal";
/// Pairs that are timed with cold memory in one unit.
const BLOCK: usize = 10;

impl Study for Cpd {
    fn id(&self) -> &'static str {
        "cpd"
    }

    fn exhibits(&self) -> &'static [&'static str] {
        &[
            "figure-1",
            "figure-2",
            "figure-3",
            "first-moves",
            "figure-4",
            "figure-5",
            "figure-6",
            "memory",
            "shared-rows",
            "renewal",
        ]
    }

    fn account(&self) -> Option<&'static Account> {
        Some(&account::ACCOUNT)
    }

    fn needs(&self, plan: &Plan) -> Vec<Need> {
        if is_measured(plan) { vec![Need::maps(Archive::BgMaps)] } else { Vec::new() }
    }

    fn work(&self, plan: &Plan) -> Vec<Work> {
        let built = plan.wants_any(&OF_DATABASES) || plan.wants_any(&OF_QUERIES);
        let databases = built.then(|| Plan::fixed_work("cpd/databases", 22.0));
        let edits = plan.wants(OF_EDITS).then(|| Plan::fixed_work("cpd/renewal", 5.0));
        databases.into_iter().chain(edits).collect()
    }

    fn steps(&self, plan: &Plan) -> Result<u64> {
        let (at_hand, limits) = self.at_hand(plan)?;
        let rows: u64 = at_hand.maps.iter().map(|map| u64::from(map.grid.free_cells())).sum();
        let databases = if plan.wants_any(&OF_DATABASES) { databases::KINDS * rows } else { 0 };
        let queries = if plan.wants_any(&OF_QUERIES) { databases::OF_QUERIES * rows } else { 0 };
        let blocks = if plan.wants_any(&TIMED) && rows > 0 { limits.pairs } else { 0 };
        let edits = if plan.wants(OF_EDITS) { future::maps(&at_hand).map(future::steps).sum() } else { 0 };
        Ok(databases + queries + edits + Cold::steps(blocks, plan.rounds))
    }

    fn run(&self, plan: &Plan, session: &mut Session) -> Result<Section> {
        let (at_hand, limits) = self.at_hand(plan)?;
        let figures = Figures::load()?;
        let mut section = Section::new("cpd", TITLE).citation(&*figures.citation);
        if at_hand.maps.is_empty() && is_measured(plan) {
            section.say(nothing(&at_hand, limits));
            // The toy map needs none.
            section.exhibits.extend(plan.wants("figure-1").then(toy::figure_1).transpose()?);
            return Ok(section);
        }
        session.now("compressed path databases");
        let mut shelf = Shelf::default();
        let lines = databases(plan, &at_hand, &mut shelf, session)?;
        let (answers, wrong) = answers(plan, &at_hand, limits, &mut shelf, session)?;
        session.count_checked(answers.len() * queries::WAYS.len());
        session.complain(&wrong);
        let renewals = renewals(plan, &at_hand, session)?;
        let told = Told { at_hand: &at_hand, limits, plan, figures: &figures };
        section.findings = told.findings(&lines, &answers);
        section.improvements = by_cost::improvements(&answers);
        section.improvements.extend(future::improvement(&lines));
        section.lead = told.lead(&answers, wrong.len());
        section.exhibits = told.exhibits(&lines, &answers, &renewals)?;
        Ok(section)
    }
}

impl Cpd {
    fn at_hand(&self, plan: &Plan) -> Result<(AtHand, Limits)> {
        // Of generated maps that are made smaller, less is measured.
        let shrink = if plan.maps.is_made_up() { plan.shrink } else { 1 };
        let limits = Limits {
            most_cells: self.most_cells.unwrap_or_else(|| plan.quick_or_full(10_000, 60_000) / shrink),
            pairs: self
                .pairs
                .map_or_else(|| (plan.quick_or_full(30, 100) / shrink as usize).max(LEAST_PAIRS), NonZeroUsize::get),
            maps: plan.quick_or_full(QUICK_MAPS, usize::MAX),
            seed: plan.seed,
        };
        let at_hand = if is_measured(plan) { AtHand::find(&plan.maps, limits)? } else { AtHand::default() };
        Ok((at_hand, limits))
    }
}

const LEAST_PAIRS: usize = 4;

/// Whether anything is asked for that takes a map: a toy map is always at hand.
fn is_measured(plan: &Plan) -> bool {
    plan.wants_any(&OF_DATABASES) || plan.wants_any(&OF_QUERIES) || plan.wants(OF_EDITS)
}

/// What is said if there is no map to measure.
fn nothing(at_hand: &AtHand, limits: Limits) -> String {
    match at_hand.left_out.first() {
        Some(left) => format!(
            "Nothing was measured: none of the maps has at most {} free cells. {}, the smallest, has {}; see --most-cells.",
            limits.most_cells, left.map, left.free_cells
        ),
        None => format!(
            "Nothing was measured: none of the paper's maps is at hand. It needs those of Baldur's Gate in their original sizes, the set \
             {FOLDER} of the MovingAI benchmarks (movingai.com/benchmarks)."
        ),
    }
}

/// The databases of all maps, by free cells; none if they are not asked for.
fn databases(plan: &Plan, at_hand: &AtHand, shelf: &mut Shelf, session: &mut Session) -> Result<Vec<Line>> {
    if !plan.wants_any(&OF_DATABASES) {
        return Ok(Vec::new());
    }
    let keep = plan.wants_any(&OF_QUERIES);
    let mut lines = Vec::new();
    for map in &at_hand.maps {
        let steps = databases::KINDS * u64::from(map.grid.free_cells());
        let line = session.unit(&map.key("databases"), steps, |bar| {
            let (line, queried) = databases::line(map, bar)?;
            if keep {
                shelf.put(map, queried);
            }
            Ok(line)
        })?;
        lines.push(line);
    }
    Ok(lines)
}

/// Databases that are renewed after edits, by map.
fn renewals(plan: &Plan, at_hand: &AtHand, session: &mut Session) -> Result<Vec<Renewals>> {
    let mut all = Vec::new();
    for map in future::maps(at_hand).filter(|_| plan.wants(OF_EDITS)) {
        let of: Renewals = session.unit(&map.key("renewal"), future::steps(map), |bar| future::measure(map, bar))?;
        session.count_checked(of.checked);
        session.complain(&of.wrong);
        all.push(of);
    }
    Ok(all)
}

/// All queries on all maps, judged, and timed if that is asked for; and what is wrong.
fn answers(
    plan: &Plan,
    at_hand: &AtHand,
    limits: Limits,
    shelf: &mut Shelf,
    session: &mut Session,
) -> Result<(Vec<Answer>, Vec<String>)> {
    if !plan.wants_any(&OF_QUERIES) {
        return Ok(Default::default());
    }
    let is_timed = plan.wants_any(&TIMED);
    let (clock, rounds) = (Clock::new(), if is_timed { plan.rounds } else { 0 });
    let mut all = Vec::new();
    for map in &at_hand.maps {
        let steps = databases::OF_QUERIES * u64::from(map.grid.free_cells());
        all.push(session.unit(&map.key("queries"), steps, |bar| {
            let queried = shelf.take_or_build(map, bar)?;
            Field::new(map, &queried)?.answers(&map.pairs, rounds, &clock)
        })?);
    }
    if is_timed {
        cold(plan, at_hand, limits, shelf, session, &mut all)?;
    }
    let wrong = all.iter_mut().flat_map(|answers| std::mem::take(&mut answers.wrong)).collect();
    Ok((all.into_iter().flat_map(|answers| answers.list).collect(), wrong))
}

/// Adds the times with cold memory. One query of every map shares a walk over other memory, so that all maps are in
/// every unit, with some of their pairs.
fn cold(
    plan: &Plan,
    at_hand: &AtHand,
    limits: Limits,
    shelf: &mut Shelf,
    session: &mut Session,
    all: &mut [Answers],
) -> Result<()> {
    let mut trial: Option<Cold> = None;
    for first in (0..limits.pairs).step_by(BLOCK) {
        let block = first..(first + BLOCK).min(limits.pairs);
        let times: ColdTimes =
            session.unit(&format!("cpd/cold/{first}"), Cold::steps(block.len(), plan.rounds), |bar| {
                let mut opened = match trial.take() {
                    Some(opened) => opened,
                    None => Cold::open(&at_hand.maps, shelf, bar)?,
                };
                let times = opened.time(all, block.clone(), plan.rounds, bar)?;
                trial = Some(opened);
                Ok(times)
            })?;
        times.add_to(all, first);
    }
    Ok(())
}

/// What exhibits tell about how they were measured.
struct Told<'a> {
    at_hand: &'a AtHand,
    limits: Limits,
    plan: &'a Plan,
    figures: &'a Figures,
}

impl Told<'_> {
    /// All that are asked for.
    fn exhibits(&self, lines: &[Line], answers: &[Answer], renewals: &[Renewals]) -> Result<Vec<Exhibit>> {
        let exhibits = [
            self.wants("figure-1", || toy::figure_1().map(Some))?,
            self.wants("figure-2", || Ok(by_cost::figure_2(self, answers)))?,
            self.wants("figure-3", || Ok(by_cost::figure_3(self, answers)))?,
            self.wants("first-moves", || Ok(by_cost::first_moves(self, answers)))?,
            self.wants("figure-4", || Ok(Some(by_size::figure_4(self, lines))))?,
            self.wants("figure-5", || Ok(Some(by_size::figure_5(self, lines))))?,
            self.wants("figure-6", || Ok(Some(by_size::figure_6(self, lines))))?,
            self.wants("memory", || Ok(Some(memory::memory(self, lines))))?,
            self.wants("shared-rows", || Ok(Some(future::shared_rows(self, lines))))?,
            self.wants(OF_EDITS, || Ok(Some(future::renewal(renewals))))?,
        ];
        Ok(exhibits.into_iter().flatten().collect())
    }

    /// Of what was measured.
    fn findings(&self, lines: &[Line], answers: &[Answer]) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !answers.is_empty() {
            findings.extend(by_cost::findings(self, answers));
        }
        if !lines.is_empty() {
            findings.extend(memory::findings(self, lines));
        }
        findings
    }

    /// An exhibit, if it is asked for.
    fn wants(&self, id: &str, make: impl FnOnce() -> Result<Option<Exhibit>>) -> Result<Option<Exhibit>> {
        if self.plan.wants(id) { make() } else { Ok(None) }
    }

    /// Which maps, for captions.
    fn maps(&self) -> String {
        let (maps, fitting, most) = (self.at_hand.maps.len(), self.at_hand.fitting, self.limits.most_cells);
        if maps < fitting {
            return format!("{maps} of {fitting} maps of at most {most} free cells, spread over all sizes");
        }
        format!("{} of at most {most} free cells", count(maps, "map", "maps"))
    }

    /// Which queries, for captions.
    fn queries(&self) -> String {
        let Limits { pairs, seed, .. } = self.limits;
        let pairs = count(pairs, "random connected pair", "random connected pairs");
        format!("{}, {pairs} of cells on each (seeds from {seed}; the paper: 100)", self.maps())
    }

    fn lead(&self, answers: &[Answer], wrong: usize) -> Vec<String> {
        if self.at_hand.maps.is_empty() {
            return Vec::new();
        }
        let mut lead = vec![format!(
            "{}; the paper has {} maps of Baldur's Gate. Its figures are plots: beside ours stand the numbers of its text.",
            self.maps(),
            self.figures.claims.maps
        )];
        if !self.at_hand.left_out.is_empty() {
            let left_out = &self.at_hand.left_out;
            let names: Vec<String> =
                left_out.iter().map(|left| format!("{} ({})", left.map, left.free_cells)).collect();
            lead.push(format!("Left out, with more free cells: {}.", names.join(", ")));
        }
        if !answers.is_empty() {
            let queries = count(answers.len(), "query", "queries");
            lead.push(format!("{queries}, {}.", count(wrong, "wrong answer", "wrong answers")));
        }
        lead
    }
}
