//! `octile-papers`: the tables and figures of the papers, measured here and put beside the papers' own, as one report.
//!
//! A [`Study`] is what is measured for one section of the report. It measures in units that the [`Session`] keeps, so
//! that an interrupted run goes on where it was, and makes exhibits of them. What races and judges is the harness of
//! the `octile` command.

mod benchmarks;
mod conditions;
mod dice;
mod docs;
mod exhibit;
mod journal;
mod laps;
mod noise;
mod papers;
mod peers;
mod plan;
mod races;
mod session;
mod studies;
mod timing;
mod written;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use octile::Catalog;
use octile_cli::harness::args::at_least_one;
use octile_cli::harness::output::{self, SCHEMA};
use octile_cli::harness::{self, Outcome};

use crate::benchmarks::{Benchmarks, MapsArg, Need};
use crate::conditions::Conditions;
use crate::exhibit::finding::{Account, Verdict};
use crate::exhibit::{Headline, Report, Section, text};
use crate::peers::PEERS;
use crate::plan::{Plan, Work};
use crate::session::Session;
use crate::studies::{block_astar, blocked_areas, cpd, planners, rea_star};

/// Reproduce the tables and figures of the papers
///
/// Each number is printed beside the paper's, and all of it is written as a page with plots and pictures, as CSV and as
/// JSON. The maps are those of the MovingAI benchmarks, as far as they are at hand, or generated ones of the same
/// kinds. A run that is interrupted goes on when the same command is given again.
#[derive(Parser, Debug)]
#[command(
    name = "octile-papers",
    version,
    arg_required_else_help = true,
    after_help = "\
Exit codes: 0 if the report is complete and all answers are right, 1 if maps or exhibits are missing or an answer is wrong, 2 if there is \
no report."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// All of the following in one report, with a guide to which planner to use
    #[command(after_help = "\
Examples:
  octile-papers all --maps movingai/
  octile-papers all --full --out night/              for a night; interrupted, the same command goes on")]
    All(Common),
    Planners(planners::Args),
    ReaStar(rea_star::Args),
    BlockAstar(block_astar::Args),
    Cpd(cpd::Args),
    BlockedAreas(blocked_areas::Args),
    /// Race planners and other projects' crates against each other, as `octile compare` does without those
    Compare(harness::compare::Args),
    Changes(docs::changes::Args),
    Docs(docs::Args),
    Record(docs::record::Args),
}

fn main() -> ExitCode {
    let catalog = Catalog::standard();
    harness::main(&catalog, |cli: Cli| run(&cli.command, &catalog))
}

/// What all of them take.
#[derive(clap::Args, Clone, Debug)]
struct Common {
    #[command(flatten)]
    maps: MapsArg,

    /// Write the report into this folder, as NAME.html, NAME.json and NAME/*.csv, NAME being that of the command
    #[arg(long, value_name = "DIR", default_value = "octile-report")]
    out: PathBuf,

    /// Measure all maps and many of their problems, for hours, instead of a sample that takes minutes
    #[arg(long)]
    full: bool,

    /// Run every Nth problem of the chosen maps, instead of as many as the mode says
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    every: Option<NonZeroUsize>,

    /// With --full: choose every how many-th problem is run so that all of it takes about MINUTES on the machine of the
    /// records. It depends on no clock
    #[arg(long, value_name = "MINUTES", default_value = "120", value_parser = at_least_one)]
    budget: NonZeroUsize,

    /// How often each query is timed; the best time counts [default: 2, with --full 3]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    rounds: Option<NonZeroUsize>,

    /// The seed of the first random map or problem; the others have the numbers after it
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Divide the sides of generated maps by N, for a quick look
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one)]
    shrink: NonZeroUsize,

    /// Make this exhibit only, such as table-5; give one for each [default: all]
    #[arg(long = "only", value_name = "EXHIBIT")]
    only: Vec<String>,

    /// Print the report as one JSON document instead of as text
    #[arg(long)]
    json: bool,
}

impl Common {
    fn plan(&self, catalog: &Catalog) -> Result<Plan> {
        let shrink = u32::try_from(self.shrink.get()).unwrap_or(u32::MAX);
        Ok(Plan {
            maps: Benchmarks::find(&self.maps, shrink)?,
            full: self.full,
            every: self.every,
            budget: self.budget.get() as f64,
            rounds: self.rounds.map_or(if self.full { 3 } else { 2 }, NonZeroUsize::get),
            seed: self.seed,
            shrink,
            only: self.only.clone(),
            catalog: catalog.clone(),
        })
    }
}

/// What is measured for a section of a report.
trait Study {
    /// The id of its section.
    fn id(&self) -> &'static str;

    /// The names of its exhibits, in order.
    fn exhibits(&self) -> &'static [&'static str];

    /// What of the benchmark's maps the exhibits that are asked for need.
    fn needs(&self, plan: &Plan) -> Vec<Need>;

    /// How many steps of progress it takes.
    fn steps(&self, plan: &Plan) -> Result<u64>;

    /// What a full run does, part by part; nothing that takes less than a minute need be told.
    fn work(&self, _plan: &Plan) -> Vec<Work> {
        Vec::new()
    }

    /// What it says of its paper besides what it measures; nothing if it is of no paper.
    fn account(&self) -> Option<&'static Account> {
        None
    }

    /// Measures it.
    fn run(&self, plan: &Plan, session: &mut Session) -> Result<Section>;
}

fn run(command: &Command, catalog: &Catalog) -> Result<Outcome> {
    let (name, title, common, studies) = match command {
        Command::All(common) => ("all", ALL, common, all()),
        Command::Planners(args) => ("planners", planners::TITLE, &args.common, one(planners::Planners)),
        Command::ReaStar(args) => ("rea-star", rea_star::TITLE, &args.common, one(rea_star::ReaStar)),
        Command::BlockAstar(args) => ("block-astar", block_astar::TITLE, &args.common, one(args.study())),
        Command::Cpd(args) => ("cpd", cpd::TITLE, &args.common, one(args.study())),
        Command::BlockedAreas(args) => ("blocked-areas", blocked_areas::TITLE, &args.common, one(args.study())),
        Command::Compare(args) => return harness::compare::race(args, catalog, &PEERS),
        Command::Changes(args) => return docs::changes::run(args),
        Command::Docs(args) => return docs::run(args),
        Command::Record(args) => return docs::record::run(args),
    };
    check_exhibits(&common.only, &studies)?;
    report((name, title), common, &studies, catalog)
}

const ALL: &str = "Four papers on grid pathfinding, reproduced";

fn one(study: impl Study + 'static) -> Vec<Box<dyn Study>> {
    vec![Box::new(study)]
}

fn all() -> Vec<Box<dyn Study>> {
    vec![
        Box::new(planners::Planners),
        Box::new(rea_star::ReaStar),
        Box::new(block_astar::BlockAstar::default()),
        Box::new(cpd::Cpd::default()),
        Box::new(blocked_areas::BlockedAreas::default()),
    ]
}

/// Refuses exhibits that no study has.
fn check_exhibits(only: &[String], studies: &[Box<dyn Study>]) -> Result<()> {
    let known: Vec<&str> = studies.iter().flat_map(|study| study.exhibits()).copied().collect();
    if let Some(unknown) = only.iter().find(|exhibit| !known.contains(&exhibit.as_str())) {
        bail!("there is no exhibit `{unknown}`; there are {}", known.join(", "));
    }
    Ok(())
}

/// Measures, writes and prints a report.
fn report(
    (name, title): (&'static str, &str),
    common: &Common,
    studies: &[Box<dyn Study>],
    catalog: &Catalog,
) -> Result<Outcome> {
    let (plan, clock) = (common.plan(catalog)?, Instant::now());
    let missing = missing(&plan, studies);
    let files = written::Files::new(&common.out, name)?;
    if plan.full {
        announce(studies.iter().flat_map(|study| study.work(&plan)).collect());
    }
    let steps = studies.iter().map(|study| study.steps(&plan)).sum::<Result<u64>>()?;
    let mut session = Session::open(&files.journal(&plan)?, steps)?;
    let sections = sections(&plan, studies, &mut session)?;
    let gaps = gaps(&plan, studies, &sections);
    let mut notes = notes(&plan, &session);
    notes.extend(missing.iter().map(|missing| format!("Missing: {missing}.")));
    notes.extend(incomplete(&gaps, &missing));
    let report = Report {
        schema: SCHEMA,
        title: title.to_owned(),
        notes,
        headlines: headlines(&sections, &session),
        conditions: Conditions::new(&plan, session.noise(), clock.elapsed()),
        sections,
    };
    files.write(&report)?;
    let right = session.wrong() == 0;
    session.finish()?;
    if common.json {
        output::print_json(&report)?;
    } else {
        output::print(&text::report(&report))?;
    }
    output::say(format_args!("the report is {}", files.page().display()));
    let incomplete = incomplete(&gaps, &missing);
    if let Some(sentence) = &incomplete {
        output::say(sentence);
    }
    Ok(if right && incomplete.is_none() { Outcome::Good } else { Outcome::Bad })
}

/// Says what a full run is going to take.
fn announce(mut work: Vec<Work>) {
    let mut known = HashSet::new();
    work.retain(|part| known.insert(part.name.clone()));
    for part in &work {
        output::say(part.sentence());
    }
    let minutes = work.iter().map(|part| part.minutes).sum::<f64>();
    output::say(format_args!(
        "all of it takes about {minutes:.0} min on the machine of the records; interrupted, the same command goes on"
    ));
}

/// What the studies came to, each with what it found of the exhibits that were asked for.
fn sections(plan: &Plan, studies: &[Box<dyn Study>], session: &mut Session) -> Result<Vec<Section>> {
    let mut section = |study: &dyn Study| {
        let mut section = study.run(plan, session)?;
        section.findings.retain(|finding| plan.wants(&finding.exhibit));
        for finding in section.findings.iter_mut().filter(|_| plan.maps.is_made_up()) {
            finding.verdict = Verdict::OtherMaps;
        }
        section.account = study.account();
        section.work = if plan.full { study.work(plan) } else { Vec::new() };
        if let Some(account) = section.account {
            account.explain(&mut section.findings);
        }
        Ok(section)
    };
    studies.iter().map(|study| section(&**study)).collect()
}

/// Says what of the benchmark is needed and not at hand. Stand-ins are all there.
fn missing(plan: &Plan, studies: &[Box<dyn Study>]) -> Vec<String> {
    if plan.maps.is_made_up() {
        return Vec::new();
    }
    let missing = plan.maps.missing(studies.iter().flat_map(|study| study.needs(plan)).collect());
    missing.iter().chain(&plan.maps.untold()).for_each(|sentence| output::say(format_args!("note: {sentence}")));
    missing
}

/// The exhibits that were asked for and have nothing to show, each as `section/exhibit`.
fn gaps(plan: &Plan, studies: &[Box<dyn Study>], sections: &[Section]) -> Vec<String> {
    let of_study = |study: &dyn Study, section: &Section| {
        let is_shown = |id: &str| section.exhibits.iter().any(|exhibit| exhibit.id == id && !exhibit.is_empty());
        let gaps = study.exhibits().iter().filter(|id| plan.wants(id) && !is_shown(id));
        gaps.map(|id| format!("{}/{id}", section.id)).collect::<Vec<_>>()
    };
    studies.iter().zip(sections).flat_map(|(study, section)| of_study(&**study, section)).collect()
}

/// What a report lacks, if it does.
fn incomplete(gaps: &[String], missing: &[String]) -> Option<String> {
    let lacks = match gaps {
        [] if missing.is_empty() => return None,
        [] => "The report is not complete: its tables lack the maps that are missing".to_owned(),
        gaps => format!("The report is not complete: {} could not be made", gaps.join(", ")),
    };
    let why = if missing.is_empty() { String::new() } else { format!(", as {}", missing.join(", and ")) };
    Some(format!("{lacks}{why}."))
}

/// The results of all sections, and that they are right.
fn headlines(sections: &[Section], session: &Session) -> Vec<Headline> {
    let mut headlines: Vec<Headline> = sections.iter().flat_map(|section| section.headlines.clone()).collect();
    if session.checked() > 0 {
        let checked = session.checked();
        headlines.push(Headline::new(
            format!("{} of {checked}", session.wrong()),
            "answers of our planners are wrong; each was checked, move by move and against the optimum.",
        ));
    }
    headlines
}

/// What a reader must know before any number.
fn notes(plan: &Plan, session: &Session) -> Vec<String> {
    let mut notes = Vec::new();
    if plan.maps.is_made_up() {
        notes.push(
            "The MovingAI maps are not at hand: all maps are generated stand-ins of the same kinds, and numbers are beside the papers' for \
             their order of magnitude only. Name the folder of the maps with --maps or in OCTILE_MOVINGAI."
                .to_owned(),
        );
    }
    notes.extend(plan.maps.untold());
    if plan.shrink > 1 {
        notes.push(format!("The sides of generated maps are divided by {}.", plan.shrink));
    }
    if !plan.full {
        notes.push("This is a quick look at a sample of maps and problems; --full measures all of them.".to_owned());
    }
    let noise = session.noise();
    if noise.is_noisy {
        let sentence = noise.sentence();
        notes.push(format!("{}{}.", sentence[..1].to_uppercase(), &sentence[1..]));
    }
    if session.wrong() > 0 {
        notes.push(format!("WRONG ANSWERS: {}. No number below can be trusted.", session.wrong()));
    }
    notes
}
