//! Blocked areas: Tables 2, 3, 4 and A1 and Figures 1 to 7 of Jubair & Hawa 2020

mod account;
mod counts;
mod curves;
mod detection;
mod maps;
mod pictures;
mod ratios;
mod tree;
mod trial;

use anyhow::Result;

use self::account::ACCOUNT;
use self::maps::Map;
use self::trial::{Search, Setting, Trial};
use crate::benchmarks::{Archive, Need, say_without_problems};
use crate::exhibit::finding::Account;
use crate::exhibit::{Exhibit, Section};
use crate::papers::blocked_areas::{Figures, Kind};
use crate::plan::{Plan, Work};
use crate::session::Session;
use crate::{Common, Study};

pub(crate) const TITLE: &str = "Blocked areas";

/// Blocked areas: Tables 2, 3, 4 and A1 and Figures 1 to 7 of Jubair & Hawa 2020
///
/// Tables 2 and 3 are about the maps, and are counted. Table 4 is the average of the ratio, query by query, of the time
/// and of the visited nodes of a search that prunes blocked areas to those of the same search without; Figures 6 and 7
/// are the same by path cost, and Table A1 is the mean time a query. The paper exchanged x and y of the scenarios and
/// let diagonal moves cut corners; Table 4 is made in that setting and in the benchmark's own, the others in the
/// paper's. Figures 1 to 5 are pictures. A wrong answer is reported, and makes the exit code 1.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile-papers blocked-areas --maps movingai/
  octile-papers blocked-areas --only table-2 --only table-3
  octile-papers blocked-areas --only table-4 --every 20 --lookup tree --lookup moves --json")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,

    /// How the search asks which area a cell is in, a value of the planners' key `lookup`; give one for each, the first
    /// is that of the figures [default: tree, as the paper does; Tables 4 and A1 have our other ways too]
    #[arg(long = "lookup", value_name = "LOOKUP")]
    lookups: Vec<String>,
}

impl Args {
    pub(crate) fn study(&self) -> BlockedAreas {
        BlockedAreas { lookups: self.lookups.clone() }
    }
}

/// What is measured.
#[derive(Default)]
pub(crate) struct BlockedAreas {
    lookups: Vec<String>,
}

impl Study for BlockedAreas {
    fn id(&self) -> &'static str {
        "blocked-areas"
    }

    fn exhibits(&self) -> &'static [&'static str] {
        &[
            "figure-1", "figure-2", "figure-3", "figure-4", "figure-5", "table-2", "table-3", "table-4", "figure-6",
            "figure-7", "table-a1",
        ]
    }

    fn needs(&self, plan: &Plan) -> Vec<Need> {
        let of_both = plan.wants_any(&["table-2", "table-3", "table-4", "table-a1"]);
        let mazes = (of_both || plan.wants("figure-6")).then_some(Archive::Mazes);
        let rooms = (of_both || plan.wants("figure-7")).then_some(Archive::Rooms);
        mazes.into_iter().chain(rooms).map(Need::problems).collect()
    }

    fn work(&self, plan: &Plan) -> Vec<Work> {
        let wanted: [(Setting, &[&str]); 2] =
            [(Setting::Benchmark, &["table-4"]), (Setting::Paper, &["table-4", "figure-6", "figure-7", "table-a1"])];
        let settings = wanted.into_iter().filter(|(_, exhibits)| plan.wants_any(exhibits));
        let sets =
            |setting: Setting| plan.maps.sets().filter(|set| trial::is_papers(set)).map(move |set| (setting, set));
        settings.flat_map(|(setting, _)| sets(setting)).map(|(setting, set)| setting.work(plan, set)).collect()
    }

    fn steps(&self, plan: &Plan) -> Result<u64> {
        let (figures, searches) = (Figures::load()?, Search::both(&self.lookups)?);
        let maps = maps::at_hand(&plan.maps, &figures);
        let counted = ["table-2", "table-3"].into_iter().filter(|table| plan.wants(table)).count() * maps.len();
        let raced: usize = trials(plan, &maps).iter().map(|(_, maps)| maps.len()).sum();
        Ok(counted as u64 + raced as u64 * trial::steps_per_map(&searches, plan))
    }

    fn account(&self) -> Option<&'static Account> {
        Some(&ACCOUNT)
    }

    fn run(&self, plan: &Plan, session: &mut Session) -> Result<Section> {
        let (figures, searches) = (Figures::load()?, Search::both(&self.lookups)?);
        let without_problems = maps::without_problems(&plan.maps, &figures);
        say_without_problems(&without_problems);
        let maps = maps::at_hand(&plan.maps, &figures);
        let mut section = Section::new("blocked-areas", TITLE).citation(figures.citation.clone());
        section.say(lead(plan, &maps, &figures));
        section.exhibits = drawn(plan, &searches, &figures)?;
        if !maps.is_empty() {
            let study = Measured { plan, figures: &figures, maps: &maps, searches: &searches };
            study.count(session, &mut section)?;
            study.race(session, &mut section)?;
        }
        Ok(section)
    }
}

/// What is at hand, and what to do if nothing is.
fn lead(plan: &Plan, maps: &[Map], figures: &Figures) -> String {
    let all = figures.table_2.rows.len();
    match maps.len() {
        0 => format!(
            "None of the paper's {all} maps is at hand with its scenario file, so that only pictures can be made. The rest needs \
             maze512-W-N.map and Wroom_00N.map, W being 8, 16 or 32, with the scenario file .map.scen beside each, from the MovingAI \
             benchmarks (movingai.com/benchmarks)."
        ),
        made if plan.maps.is_made_up() => format!("{made} generated maps stand in for the paper's {all}."),
        found => format!("{found} of the paper's {all} maps are at hand."),
    }
}

/// Figures 1 to 5.
fn drawn(plan: &Plan, searches: &[Search; 2], figures: &Figures) -> Result<Vec<Exhibit>> {
    let mut exhibits = Vec::new();
    if plan.wants_any(&["figure-1", "figure-2"]) {
        let example = pictures::Example::new(searches)?;
        if plan.wants("figure-1") {
            exhibits.push(example.figure_1()?);
        }
        if plan.wants("figure-2") {
            exhibits.push(example.figure_2()?);
        }
    }
    if plan.wants("figure-3") {
        exhibits.push(pictures::figure_3(&figures.figure_3)?);
    }
    if plan.wants("figure-4") {
        exhibits.push(tree::figure_4()?);
    }
    if plan.wants("figure-5") {
        exhibits.push(tree::figure_5()?);
    }
    Ok(exhibits)
}

/// The settings that the exhibits asked for need, with the maps of each.
fn trials<'a>(plan: &Plan, maps: &[Map<'a>]) -> Vec<(Setting, Vec<Map<'a>>)> {
    let chosen = maps::chosen(plan, maps);
    let mut trials = Vec::new();
    if plan.wants("table-4") {
        trials.push((Setting::Benchmark, chosen.clone()));
    }
    let is_wanted = |map: &Map| {
        let figure = match map.name.of.kind {
            Kind::Maze => "figure-6",
            Kind::Room => "figure-7",
        };
        plan.wants_any(&["table-4", "table-a1", figure])
    };
    trials.push((Setting::Paper, chosen.into_iter().filter(is_wanted).collect()));
    trials
}

/// What is measured on which maps.
struct Measured<'a> {
    plan: &'a Plan,
    figures: &'a Figures,
    maps: &'a [Map<'a>],
    searches: &'a [Search; 2],
}

const BOTH: [Kind; 2] = [Kind::Maze, Kind::Room];

impl Measured<'_> {
    /// Tables 2 and 3.
    fn count(&self, session: &mut Session, section: &mut Section) -> Result<()> {
        let (mut walls, mut areas) = (Vec::new(), Vec::new());
        session.now("counting walls and areas");
        for &map in self.maps {
            if self.plan.wants("table-2") {
                let key = format!("blocked-areas/walls/{}", map.label());
                let unit =
                    session.unit(&key, 1, |_| map.source.load().map(|(grid, tasks)| detection::walls(&grid, &tasks)));
                walls.push((map, unit?));
            }
            if self.plan.wants("table-3") {
                let key = format!("blocked-areas/areas/{}", map.label());
                let unit = session.unit(&key, 1, |_| Ok(detection::areas(&map.source.grid()?, self.plan.rounds)));
                areas.push((map, unit?));
            }
        }
        if self.plan.wants("table-2") {
            section.exhibits.push(self.noted(counts::table_2(&walls, self.figures), &BOTH));
        }
        if self.plan.wants("table-3") {
            section.exhibits.push(self.noted(counts::table_3(&areas, self.figures, self.plan.rounds), &BOTH));
        }
        section.findings.extend(counts::findings(&walls, &areas, self.figures));
        Ok(())
    }

    /// Tables 4 and A1, and Figures 6 and 7.
    fn race(&self, session: &mut Session, section: &mut Section) -> Result<()> {
        session.now("searching with and without blocked areas");
        let mut ran = Vec::new();
        for (setting, maps) in trials(self.plan, self.maps) {
            ran.push(Trial::run(setting, &maps, self.searches, self.plan, session)?);
        }
        let Self { plan, figures, searches, .. } = *self;
        let exhibits = &mut section.exhibits;
        if plan.wants("table-4") {
            exhibits.push(self.noted(ratios::table_4(&ran, searches, plan, figures), &BOTH));
        }
        let Some(trial) = ran.iter().find(|trial| trial.setting == Setting::Paper) else { return Ok(()) };
        for (label, id, paper, kind) in [
            ("Figure 6", "figure-6", &figures.figure_6, Kind::Maze),
            ("Figure 7", "figure-7", &figures.figure_7, Kind::Room),
        ] {
            if plan.wants(id) {
                exhibits.push(self.noted(curves::figure(label, trial, searches, plan, paper), &[kind]));
            }
        }
        if plan.wants("table-a1") {
            exhibits.push(self.noted(ratios::table_a1(trial, searches, plan, figures), &BOTH));
        }
        section.findings.extend(ratios::findings(trial, searches, figures));
        section.improvements.extend(ratios::improvements(trial, searches, figures));
        Ok(())
    }

    /// With a note on maps of some kinds that are not at hand.
    fn noted(&self, exhibit: Exhibit, kinds: &[Kind]) -> Exhibit {
        maps::missing(self.maps, self.figures, kinds).into_iter().fold(exhibit, Exhibit::note)
    }
}
