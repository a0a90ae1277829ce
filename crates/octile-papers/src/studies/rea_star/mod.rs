//! `octile-papers rea-star`: Tables 5 and 6 and Figures 1 to 8 of Zhang, Li & Bi 2016.

mod account;
mod moving;
mod optimal;
mod pictures;
mod settings;
mod steps;
mod tables;

use anyhow::Result;

use crate::benchmarks::{Archive, Need, Set};
use crate::exhibit::Section;
use crate::exhibit::finding::Account;
use crate::laps::Lap;
use crate::papers::rea_star::Figures;
use crate::plan::{Plan, Work};
use crate::session::Session;
use crate::{Common, Study, races};

pub(crate) const TITLE: &str = "REA*: search over free rectangles";

/// REA*: Tables 5 and 6 and Figures 1 to 8 of Zhang, Li & Bi 2016
///
/// Table 5 is what A* and REA* take for a problem of each type of maps: their open lists, the lengths of their paths,
/// and time; of REA* with and without each enhancement of the paper, and by roots. Table 6 is how many times faster
/// than A* each planner is, with every planner that octile has in its rows. `optimality` compares every answer of the
/// paper's search with the optimal cost, `moving-targets` says what a search after a move could reuse. Figure 8 is the
/// speed-up of REA* by path length; Figures 1 to 7 are pictures of searches, of their steps, and of maps.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile-papers rea-star --maps movingai/
  octile-papers rea-star --only table-5 --full --every 100
  octile-papers rea-star --only optimality --full --every 1    all problems; interrupted, the same command goes on")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What is measured.
pub(crate) struct ReaStar;

/// What needs the race of all planners.
const RACED: [&str; 2] = ["table-6", "figure-8"];

/// What needs maps.
const MEASURED: [&str; 6] = ["table-5", "optimality", "table-6", "figure-8", "figure-7", "moving-targets"];

impl Study for ReaStar {
    fn id(&self) -> &'static str {
        "rea-star"
    }

    fn exhibits(&self) -> &'static [&'static str] {
        &[
            "figure-1",
            "figure-2",
            "figure-3",
            "figure-4",
            "figure-6",
            "table-5",
            "optimality",
            "table-6",
            "figure-8",
            "figure-7",
            "figure-5",
            "moving-targets",
        ]
    }

    fn needs(&self, plan: &Plan) -> Vec<Need> {
        let archives = [Archive::Dao, Archive::Bg512, Archive::Rooms, Archive::Mazes];
        if plan.wants_any(&MEASURED) { archives.map(Need::problems).to_vec() } else { Vec::new() }
    }

    fn steps(&self, plan: &Plan) -> Result<u64> {
        let of_set = |set: &Set| -> Result<u64> {
            let raced = if plan.wants_any(&RACED) { races::steps(plan, set)? } else { 0 };
            let settings = if plan.wants("table-5") { settings::steps(plan, set)? } else { 0 };
            let checked = if plan.wants("optimality") { optimal::steps(plan, set)? } else { 0 };
            let moving = if plan.wants("moving-targets") { moving::steps(plan, set) } else { 0 };
            Ok(raced + settings + checked + moving)
        };
        papers_sets(plan).into_iter().map(of_set).sum()
    }

    fn work(&self, plan: &Plan) -> Vec<Work> {
        let of = |is_wanted: bool, work: fn(&Plan, &Set) -> Work| {
            papers_sets(plan).into_iter().filter(move |_| is_wanted).map(move |set| work(plan, set))
        };
        let settings = of(plan.wants("table-5"), settings::work);
        let checked = of(plan.wants("optimality"), optimal::work);
        settings.chain(checked).chain(of(plan.wants_any(&RACED), races::work)).collect()
    }

    fn account(&self) -> Option<&'static Account> {
        Some(&account::ACCOUNT)
    }

    fn run(&self, plan: &Plan, session: &mut Session) -> Result<Section> {
        session.now("REA*");
        let figures = Figures::load()?;
        let mut section = Section::new("rea-star", TITLE).citation(figures.citation.clone());
        section.say(LEAD);
        let sets = papers_sets(plan);
        if sets.is_empty() && plan.wants_any(&MEASURED) {
            section.say(
                "None of the paper's maps is at hand: it needs dao, bg512, rooms and mazes of the MovingAI benchmarks.",
            );
        }
        let (mut raced, mut compared, mut checked, mut moved) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for set in sets {
            if plan.wants("table-5") {
                compared.push(Raced { set: set.clone(), laps: settings::laps(plan, session, set)? });
            }
            if plan.wants("optimality") {
                checked.push(optimal::check(plan, session, set)?);
            }
            if plan.wants_any(&RACED) {
                raced.push(Raced { set: set.clone(), laps: races::laps(plan, session, set)? });
            }
            if plan.wants("moving-targets") {
                moved.push(moving::measure(plan, session, set)?);
            }
        }
        section.findings = tables::findings(&compared, &checked, &figures);
        if !checked.is_empty() {
            section.findings.extend(optimal::findings(&checked, figures.claims.problems));
        }
        section.improvements = tables::improvements(&compared);
        let mut add = |id: &str, has_data: bool, exhibit: &dyn Fn() -> Result<_>| -> Result<()> {
            if plan.wants(id) && has_data {
                section.exhibits.push(exhibit()?);
            }
            Ok(())
        };
        add("figure-1", true, &|| pictures::figure_1(figures.figure_1))?;
        add("figure-2", true, &steps::figure_2)?;
        add("figure-3", true, &steps::figure_3)?;
        add("figure-4", true, &steps::figure_4)?;
        add("figure-6", true, &steps::figure_6)?;
        add("table-5", !compared.is_empty(), &|| Ok(tables::table_5(plan, &compared, &checked, &figures)))?;
        add("optimality", !checked.is_empty(), &|| Ok(optimal::exhibit(&checked, figures.claims.problems)))?;
        add("table-6", !raced.is_empty(), &|| Ok(tables::table_6(plan, &raced, &figures)))?;
        add("figure-8", !raced.is_empty(), &|| Ok(tables::figure_8(plan, &raced)))?;
        add("figure-7", true, &|| pictures::figure_7(plan))?;
        add("figure-5", true, &|| pictures::figure_5(plan, &figures.figure_5))?;
        add("moving-targets", !moved.is_empty(), &|| Ok(moving::exhibit(&moved)))?;
        Ok(section)
    }
}

const LEAD: &str = "REA* looks at free rectangles instead of cells: its search nodes are the intervals where one rectangle opens to the \
                    next. It needs no preparation, its grid paths are optimal, and the straight lines between its path points are \
                    shorter still. `rea-star:fronts=cells` is the search as the paper has it, with costs on every cell of an interval, and its keys \
                    are the enhancements of the paper's section 6; `rea-star` has costs at the ends of obstacles alone, from which those of all cells follow, and is ours. The paper's A* kept points in a binary heap and took 13 to 110 ms a problem on a 3.2 GHz processor of \
                    2010; ours is several times faster, so that the same work leaves less to gain: compare the list lengths, which \
                    depend on no machine, before the speed-ups.";

/// The laps of a set.
struct Raced {
    set: Set,
    laps: Vec<Lap>,
}

/// The sets that the paper has, in its order.
fn papers_sets(plan: &Plan) -> Vec<&Set> {
    let is_papers = |set: &&Set| matches!(set, Set::Dao | Set::Bg512 | Set::Room(_) | Set::Maze(_));
    races::sets(plan).into_iter().filter(is_papers).collect()
}
