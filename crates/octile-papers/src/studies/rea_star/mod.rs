//! `octile-papers rea-star`: Tables 5 and 6 and Figures 1, 5 and 8 of Zhang, Li & Bi 2016.

mod pictures;
mod tables;

use anyhow::Result;

use crate::benchmarks::{Archive, Need, Set};
use crate::exhibit::Section;
use crate::laps::Lap;
use crate::papers::rea_star::Figures;
use crate::plan::{Plan, Work};
use crate::session::Session;
use crate::{Common, Study, races};

pub(crate) const TITLE: &str = "REA*: search over free rectangles";

/// REA*: Tables 5 and 6 and Figures 1, 5 and 8 of Zhang, Li & Bi 2016
///
/// Table 5 is what A* and REA* take for a problem of each type of maps: their open lists, the lengths of their paths,
/// and time; of REA* as the paper has it, and by roots. Table 6 is how many times faster than A* each planner is, with
/// every planner that octile has in its rows. Figure 8 is the speed-up of REA* by path length, Figures 1 and 5 are
/// pictures of the searches.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile-papers rea-star --maps movingai/
  octile-papers rea-star --only table-5 --full --every 100")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What is measured.
pub(crate) struct ReaStar;

/// What needs the race.
const RACED: [&str; 3] = ["table-5", "table-6", "figure-8"];

impl Study for ReaStar {
    fn id(&self) -> &'static str {
        "rea-star"
    }

    fn exhibits(&self) -> &'static [&'static str] {
        &["figure-1", "table-5", "table-6", "figure-8", "figure-5"]
    }

    fn needs(&self, plan: &Plan) -> Vec<Need> {
        let archives = [Archive::Dao, Archive::Bg512, Archive::Rooms, Archive::Mazes];
        if plan.wants_any(&RACED) { archives.map(Need::problems).to_vec() } else { Vec::new() }
    }

    fn steps(&self, plan: &Plan) -> Result<u64> {
        if !plan.wants_any(&RACED) {
            return Ok(0);
        }
        papers_sets(plan).into_iter().map(|set| races::steps(plan, set)).sum()
    }

    fn work(&self, plan: &Plan) -> Vec<Work> {
        let sets = papers_sets(plan).into_iter().filter(|_| plan.wants_any(&RACED));
        sets.map(|set| races::work(plan, set)).collect()
    }

    fn run(&self, plan: &Plan, session: &mut Session) -> Result<Section> {
        session.now("REA*");
        let figures = Figures::load()?;
        let mut section = Section::new("rea-star", TITLE).citation(figures.citation.clone());
        section.say(LEAD);
        let mut raced = Vec::new();
        for set in papers_sets(plan).into_iter().filter(|_| plan.wants_any(&RACED)) {
            raced.push(Raced { set: set.clone(), laps: races::laps(plan, session, set)? });
        }
        if raced.is_empty() && plan.wants_any(&RACED) {
            section.say(
                "None of the paper's maps is at hand: it needs dao, bg512, rooms and mazes of the MovingAI benchmarks.",
            );
        }
        let has_race = !raced.is_empty();
        if has_race {
            section.findings = tables::findings(&raced, &figures);
            section.improvements = tables::improvements(&raced);
        }
        let mut add = |id: &str, needs_race: bool, exhibit: &dyn Fn() -> Result<_>| -> Result<()> {
            if plan.wants(id) && (has_race || !needs_race) {
                section.exhibits.push(exhibit()?);
            }
            Ok(())
        };
        add("figure-1", false, &pictures::figure_1)?;
        add("table-5", true, &|| Ok(tables::table_5(plan, &raced, &figures)))?;
        add("table-6", true, &|| Ok(tables::table_6(plan, &raced, &figures)))?;
        add("figure-8", true, &|| Ok(tables::figure_8(plan, &raced)))?;
        add("figure-5", false, &|| pictures::figure_5(plan, &figures.figure_5))?;
        Ok(section)
    }
}

const LEAD: &str = "REA* looks at free rectangles instead of cells: its search nodes are the intervals where one rectangle opens to the \
                    next. It needs no preparation, its grid paths are optimal, and the straight lines between its path points are \
                    shorter still. `rea-star:fronts=cells` is the search as the paper has it, with costs on every cell of an interval; `rea-star` \
                    has costs at the ends of obstacles alone, from which those of all cells follow, and is ours. The paper's A* kept points in a binary heap and took 13 to 110 ms a problem on a 3.2 GHz processor of \
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
