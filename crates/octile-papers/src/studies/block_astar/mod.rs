//! Block A*: Tables 1 and 2 and Figures 2 and 4 of Yap, Burch, Holte & Schaeffer 2011, and what its text says.

mod account;
mod amounts;
mod cells;
mod courses;
mod databases;
mod example;
mod heat;
mod means;
mod optimum;
mod overheads;
mod printed;
mod smoothing;
mod trial;
#[cfg(test)]
mod turning;
mod visibility;
mod words;
mod work;

use anyhow::Result;

use self::amounts::AmountArgs;
use self::work::Work;
use crate::benchmarks::{Archive, Need, Set};
use crate::exhibit::Section;
use crate::exhibit::finding::Account;
use crate::plan::{self, Plan};
use crate::session::Session;
use crate::{Common, Study};

pub(crate) const TITLE: &str = "Block A*";

/// Block A*: Tables 1 and 2 and Figures 2 and 4 of Yap, Burch, Holte & Schaeffer 2011
///
/// Table 1 is the mean length, expansions and time of a query on random maps and on maps of games, Table 2 those on an
/// open map without a heuristic; Figure 2 is the worked example, and Figure 4 shows where the planners do how much.
/// Beside the paper's planners run ours: Block A* with our order of the open list and with larger blocks, and lazy
/// Theta*. What the text says follows: how visibility graphs compare, what smoothing leaves of the difference in
/// length, how far all paths are above the shortest there are, Block A* on cells, and the local distance databases.
/// The maps of games are in folders of the names sc1, bg512 and dao. All answers are judged, none may be
/// longer than the grid path along corners; a wrong one is reported, and makes the exit code 1.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile-papers block-astar --maps movingai/
  octile-papers block-astar --only table-1 --random-maps 50 --problems 100 --every 20
  octile-papers block-astar --only table-2 --pairs 100 --json
  octile-papers block-astar --only optimum --maps movingai/ --full --every 200")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,

    #[command(flatten)]
    amounts: AmountArgs,
}

impl Args {
    pub(crate) fn study(&self) -> BlockAstar {
        BlockAstar { amounts: self.amounts }
    }
}

/// What is measured.
#[derive(Default)]
pub(crate) struct BlockAstar {
    amounts: AmountArgs,
}

const TABLE_1: &str = "table-1";
const TABLE_2: &str = "table-2";
const COMPARISONS: &str = "comparisons";
const EXPANSIONS: &str = "expansions";
const VISIBILITY: &str = "visibility-graphs";
const FIGURE_2: &str = "figure-2";
const FIGURE_4: &str = "figure-4";
const SMOOTHING: &str = "smoothing";
const OPTIMUM: &str = "optimum";
const CELLS: &str = "cells";
const DATABASES: &str = "databases";

impl Study for BlockAstar {
    fn id(&self) -> &'static str {
        "block-astar"
    }

    fn exhibits(&self) -> &'static [&'static str] {
        &[
            TABLE_1,
            TABLE_2,
            COMPARISONS,
            EXPANSIONS,
            VISIBILITY,
            FIGURE_2,
            FIGURE_4,
            SMOOTHING,
            OPTIMUM,
            CELLS,
            DATABASES,
        ]
    }

    fn needs(&self, plan: &Plan) -> Vec<Need> {
        if !plan.wants_any(&[TABLE_1, COMPARISONS, EXPANSIONS, VISIBILITY, SMOOTHING, OPTIMUM, CELLS]) {
            return Vec::new();
        }
        // Problems on maps of Starcraft are random.
        vec![Need::maps(Archive::Sc1), Need::problems(Archive::Bg512), Need::problems(Archive::Dao)]
    }

    fn work(&self, plan: &Plan) -> Vec<plan::Work> {
        let wants_games = plan.wants_any(&[TABLE_1, COMPARISONS, EXPANSIONS, VISIBILITY, SMOOTHING, OPTIMUM, CELLS]);
        let is_asked = |set: &&Set| match set {
            Set::Dao | Set::Bg512 => wants_games,
            Set::Room(_) | Set::Maze(_) | Set::Random(_) => plan.wants(OPTIMUM),
            _ => false,
        };
        let scenarios = plan.maps.sets().filter(is_asked).map(|set| amounts::work(plan, set));
        scenarios.chain([Plan::fixed_work("block-astar/random", 6.0)]).collect()
    }

    fn steps(&self, plan: &Plan) -> Result<u64> {
        Work::new(self.amounts.under(plan), plan)?.steps()
    }

    fn account(&self) -> Option<&'static Account> {
        Some(&account::ACCOUNT)
    }

    fn run(&self, plan: &Plan, session: &mut Session) -> Result<Section> {
        Work::new(self.amounts.under(plan), plan)?.run(session)
    }
}
