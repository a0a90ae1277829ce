//! `octile-papers planners`: every planner, and peers, on every set of maps: speed against preparation and memory.

mod guide;
mod peers;
mod sets;

use std::collections::BTreeMap;

use anyhow::Result;

use crate::benchmarks::{Archive, Need};
use crate::exhibit::Section;
use crate::laps::Lap;
use crate::plan::{Plan, Work};
use crate::session::Session;
use crate::{Common, Study, races};

pub(crate) const TITLE: &str = "All planners together";

/// All planners together: speed against preparation and memory, beside peers, and which to use
///
/// Every planner that octile has, and other projects' crates, answer the same problems of every set of maps. For each
/// set there are plots and a table of time, preparation, memory and path length; a guide says in plain words which
/// planner to use when, from these numbers. For one map, `octile advise MAP` measures on that.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile-papers planners --maps movingai/
  octile-papers planners --only guide --only dao")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What is measured.
pub(crate) struct Planners;

/// The laps of all sets of a family, by its name.
type Families = BTreeMap<String, Vec<Lap>>;

impl Study for Planners {
    fn id(&self) -> &'static str {
        "planners"
    }

    fn exhibits(&self) -> &'static [&'static str] {
        &["guide", "bg2", "dao", "mazes", "random", "rooms", "sc1", "peers"]
    }

    fn needs(&self, plan: &Plan) -> Vec<Need> {
        let archive = |(_, archive): &(&str, Archive)| Need::problems(*archive);
        if plan.wants_any(&["guide", "peers"]) {
            return SETS.iter().map(archive).collect();
        }
        SETS.iter().filter(|(exhibit, _)| plan.wants(exhibit)).map(archive).collect()
    }

    fn steps(&self, plan: &Plan) -> Result<u64> {
        races::sets(plan).into_iter().map(|set| races::steps(plan, set)).sum()
    }

    fn work(&self, plan: &Plan) -> Vec<Work> {
        races::sets(plan).into_iter().map(|set| races::work(plan, set)).collect()
    }

    fn run(&self, plan: &Plan, session: &mut Session) -> Result<Section> {
        session.now("all planners");
        let mut section = Section::new("planners", TITLE);
        section.say(LEAD);
        let mut families = Families::new();
        for set in races::sets(plan) {
            families.entry(set.family()).or_default().extend(races::laps(plan, session, set)?);
        }
        if families.is_empty() {
            section.say("No map with problems is at hand: every .map file needs its .map.scen file.");
            return Ok(section);
        }
        section.headlines = guide::headlines(plan, &families);
        let shown = |id: &str| plan.wants(id);
        section.exhibits.extend(shown("guide").then(|| guide::exhibit(plan, &families)));
        for (family, laps) in &families {
            let exhibit = sets::exhibit(plan, family, laps);
            section.exhibits.extend(Some(exhibit).filter(|exhibit| shown(&exhibit.id)));
        }
        section.exhibits.extend(shown("peers").then(|| peers::exhibit(plan, &families)));
        Ok(section)
    }
}

/// The exhibits of sets, and where their maps are.
const SETS: [(&str, Archive); 6] = [
    ("bg2", Archive::Bg512),
    ("dao", Archive::Dao),
    ("mazes", Archive::Mazes),
    ("random", Archive::Random),
    ("rooms", Archive::Rooms),
    ("sc1", Archive::Sc1),
];

const LEAD: &str = "Every planner answers the same problems; every answer is checked, move by move, and against the optimum. Times are of one query on \
                    one core, the path as its turning points, with warm working memory. Preparation is the time to make the planner ready \
                    for a map, memory what it then keeps besides the map itself.";
