//! The work of a run: which maps, which races on them, and the exhibits made of those.

use anyhow::Result;
use octile_cli::harness::race::{Course, Race};

use super::amounts::Amounts;
use super::cells::{self, CellsTrial, RULES, Rule};
use super::courses::{self, Site};
use super::optimum::OnKind;
use super::trial::{EUCLIDEAN, Planners, Trial, ZERO};
use super::{
    CELLS, COMPARISONS, DATABASES, EXPANSIONS, FIGURE_2, FIGURE_4, OPTIMUM, SMOOTHING, TABLE_1, TABLE_2, TITLE,
    VISIBILITY,
};
use super::{databases, example, means, optimum, overheads, printed, smoothing, visibility, words};
use crate::benchmarks::say_without_problems;
use crate::exhibit::Section;
use crate::laps::Lap;
use crate::papers::block_astar::{DataSet, Figures, Game};
use crate::plan::Plan;
use crate::session::Session;

/// What is to be done.
pub(super) struct Work<'a> {
    plan: &'a Plan,
    amounts: Amounts,
    figures: Figures,
    /// The data sets of Table 1 with their maps, as far as those are at hand.
    sets: Vec<(DataSet, Vec<Site<'a>>)>,
    /// The games that are not.
    missing: Vec<Game>,
    /// Kinds of maps that the paper has not, with their maps: where paths are compared with the shortest.
    others: Vec<(String, Vec<Site<'a>>)>,
}

impl<'a> Work<'a> {
    pub(super) fn new(amounts: Amounts, plan: &'a Plan) -> Result<Self> {
        let figures = Figures::load()?;
        let all = figures.table_1.rows.keys().map(|&set| (set, courses::sites(set, plan, &amounts)));
        let (sets, without): (Vec<_>, Vec<_>) = all.partition(|(_, sites)| !sites.is_empty());
        let game = |(set, _)| if let DataSet::Game(game) = set { Some(game) } else { None };
        let missing = without.into_iter().filter_map(game).collect();
        let others = if plan.wants(OPTIMUM) { courses::others(plan) } else { Vec::new() };
        Ok(Self { plan, amounts, figures, sets, missing, others })
    }

    /// Rounds in which the planners of Table 1 or 2 are timed; none if only their paths are asked for.
    fn rounds(&self, table: &str) -> usize {
        let is_timed = self.plan.wants_any(&[table, COMPARISONS]) || table == TABLE_1 && self.plan.wants(VISIBILITY);
        if is_timed { self.plan.rounds } else { 0 }
    }

    /// A race of the planners of a table in `rounds` timed rounds. Other planners are not timed, except for the
    /// visibility graph if its time is needed.
    fn race(&self, planners: &Planners, rounds: usize) -> Result<Race> {
        let plan = self.plan;
        let smoothed = planners.smoothed.into_iter().filter(|_| plan.wants_any(&[SMOOTHING, OPTIMUM]));
        let graph = [optimum::SHORTEST].into_iter().filter(|_| plan.wants_any(&[OPTIMUM, VISIBILITY]));
        let beside = optimum::BESIDE.into_iter().filter(|_| plan.wants(OPTIMUM));
        let graph = graph.map(|graph| (graph, if plan.wants(VISIBILITY) { rounds } else { 0 }));
        let others = smoothed.chain(beside).map(|other| (other, 0));
        planners.race(rounds, &others.chain(graph).collect::<Vec<_>>())
    }

    fn wants_trials(&self, table: &str) -> bool {
        let is_of_maps = table == TABLE_1 && self.plan.wants_any(&[EXPANSIONS, VISIBILITY]);
        self.plan.wants_any(&[table, COMPARISONS, SMOOTHING, OPTIMUM]) || is_of_maps
    }

    /// Maps are needed for these.
    fn wants_games(&self) -> bool {
        self.wants_trials(TABLE_1) || self.plan.wants(CELLS)
    }

    fn games(&self) -> impl Iterator<Item = &(DataSet, Vec<Site<'a>>)> {
        self.sets.iter().filter(|(set, _)| matches!(set, DataSet::Game(_)))
    }

    /// How often progress moves on.
    pub(super) fn steps(&self) -> Result<u64> {
        let plan = self.plan;
        let mut steps = 0;
        if self.wants_trials(TABLE_1) {
            let maps: usize = self.sets.iter().map(|(_, sites)| sites.len()).sum();
            steps += maps as u64 * self.race(&EUCLIDEAN, self.rounds(TABLE_1))?.steps_per_course();
            steps += if plan.wants(EXPANSIONS) { maps as u64 } else { 0 };
        }
        if self.wants_trials(TABLE_2) {
            steps += self.race(&ZERO, self.rounds(TABLE_2))?.steps_per_course();
        }
        let others: usize = self.others.iter().map(|(_, sites)| sites.len()).sum();
        steps += others as u64 * self.race(&EUCLIDEAN, 0)?.steps_per_course();
        if plan.wants(FIGURE_4) {
            steps += overheads::steps(plan)?;
        }
        if plan.wants(CELLS) {
            let maps: usize = self.games().map(|(_, sites)| sites.len()).sum();
            for rule in &RULES {
                steps += maps as u64 * rule.race(plan.rounds)?.steps_per_course();
            }
        }
        Ok(steps + if plan.wants(DATABASES) { databases::steps() } else { 0 })
    }

    /// Does it.
    pub(super) fn run(&self, session: &mut Session) -> Result<Section> {
        session.now(TITLE);
        let mut section = Section::new("block-astar", TITLE).citation(&self.figures.citation);
        section.say(words::LEAD);
        self.say_missing(&mut section);
        self.any_angle(&mut section, session)?;
        let (plan, claims, best) = (self.plan, &self.figures.claims, words::best(self.plan));
        if plan.wants(CELLS) && self.games().next().is_some() {
            let trials = self.cells(session)?;
            section.findings.extend(cells::findings(&trials, claims));
            section.exhibits.push(cells::exhibit(&trials, claims, &best));
        }
        if plan.wants(DATABASES) {
            let (exhibit, findings) = databases::exhibit(plan.rounds, claims, &best, session)?;
            section.findings.extend(findings);
            section.exhibits.push(exhibit);
        }
        Ok(section)
    }

    /// The exhibits of any-angle planners.
    fn any_angle(&self, section: &mut Section, session: &mut Session) -> Result<()> {
        let (plan, figures) = (self.plan, &self.figures);
        let on_sets = if self.wants_trials(TABLE_1) { self.trials(session)? } else { Vec::new() };
        let on_open_map = if self.wants_trials(TABLE_2) { self.open_trial(session)? } else { Vec::new() };
        if plan.wants(TABLE_1) {
            section
                .exhibits
                .push(means::exhibit(words::table_1(figures, plan, &self.amounts, &self.missing), &on_sets));
        }
        if plan.wants(TABLE_2) {
            section.exhibits.push(means::exhibit(words::table_2(figures, plan, &self.amounts), &on_open_map));
        }
        section.findings.extend(means::findings(TABLE_1, &on_sets));
        section.findings.extend(means::findings(TABLE_2, &on_open_map));
        let maps_end = on_sets.len();
        let all: Vec<Trial> = on_sets.into_iter().chain(on_open_map).collect();
        if plan.wants(COMPARISONS) {
            section.findings.extend(means::compared_findings(&all, &figures.claims));
            section.improvements.extend(all.iter().filter_map(means::improvement));
            section.exhibits.push(means::comparisons(&all));
        }
        if plan.wants(EXPANSIONS) {
            let (exhibit, findings) = printed::exhibit(&all[..maps_end], &self.printed(session)?);
            section.findings.extend(findings);
            section.exhibits.push(exhibit);
        }
        if plan.wants(VISIBILITY) {
            let on_sets = &all[..maps_end];
            section.findings.extend(visibility::findings(on_sets, &figures.claims));
            section.exhibits.push(visibility::exhibit(on_sets, &figures.claims, &words::best(plan)));
        }
        if plan.wants(FIGURE_2) {
            let (exhibit, findings) = example::exhibit(&figures.claims)?;
            section.findings.extend(findings);
            section.exhibits.push(exhibit);
        }
        if plan.wants(FIGURE_4) {
            section.exhibits.push(overheads::exhibit(plan, &words::best(plan), session)?);
        }
        if plan.wants(SMOOTHING) {
            section.findings.extend(smoothing::findings(&all, &figures.claims));
            section.exhibits.push(smoothing::exhibit(&all, &figures.claims, plan.seed)?);
        }
        if plan.wants(OPTIMUM) {
            let others = self.on_others(session)?;
            section.exhibits.push(optimum::exhibit(&all, &others, &words::optimum(plan, &others)));
        }
        Ok(())
    }

    /// What of the maps is not at hand.
    fn say_missing(&self, section: &mut Section) {
        if !self.wants_games() {
            return;
        }
        for game in [Game::Bg2, Game::Dao] {
            say_without_problems(self.plan.maps.of(&courses::set_of(game)));
        }
        if !self.missing.is_empty() {
            section.say(words::missing(&self.missing));
        }
    }

    /// The any-angle planners on the data sets of Table 1.
    fn trials(&self, session: &mut Session) -> Result<Vec<Trial>> {
        let mut trials = Vec::new();
        for (set, sites) in &self.sets {
            let laps = self.laps_on(&format!("sets/{set}"), sites, self.rounds(TABLE_1), session)?;
            let percent = if let DataSet::Random(percent) = set { Some(*percent) } else { None };
            let paper = self.figures.table_1.rows[set].clone();
            let is_of_game = matches!(set, DataSet::Game(_));
            trials.push(Trial { set: set.to_string(), percent, is_of_game, planners: &EUCLIDEAN, paper, laps });
        }
        trials.retain(|trial| !trial.laps.is_empty());
        Ok(trials)
    }

    /// The same on other kinds of maps.
    fn on_others(&self, session: &mut Session) -> Result<Vec<OnKind>> {
        let mut all = Vec::new();
        for (kind, sites) in &self.others {
            all.push(OnKind { kind: kind.clone(), laps: self.laps_on(&format!("others/{kind}"), sites, 0, session)? });
        }
        all.retain(|on_kind| !on_kind.laps.is_empty());
        Ok(all)
    }

    fn laps_on(&self, key: &str, sites: &[Site], rounds: usize, session: &mut Session) -> Result<Vec<Lap>> {
        laps(key, sites, || self.race(&EUCLIDEAN, rounds), |site| site.course(self.plan), session)
    }

    /// The expansions of the printed algorithms on the data sets of Table 1.
    fn printed(&self, session: &mut Session) -> Result<Vec<(String, printed::Counted)>> {
        let mut all = Vec::new();
        for (set, sites) in &self.sets {
            let count = |(nth, site): (usize, &Site)| {
                let key = format!("block-astar/printed/{set}/{nth}-{}", site.name);
                session.unit(&key, 1, |_| Ok(printed::count(&site.course(self.plan)?)))
            };
            all.push((set.to_string(), printed::sum(sites.iter().enumerate().map(count))?));
        }
        Ok(all)
    }

    /// The same on the open map of Table 2.
    fn open_trial(&self, session: &mut Session) -> Result<Vec<Trial>> {
        let Amounts { open_side, pairs, seed, .. } = self.amounts;
        let Some((set, paper)) = self.figures.table_2.rows.first_key_value() else { return Ok(Vec::new()) };
        let race = self.race(&ZERO, self.rounds(TABLE_2))?;
        let lap = session.unit("block-astar/open", race.steps_per_course(), |bar| {
            Lap::run(race, &courses::open(open_side, seed, pairs)?, bar)
        })?;
        session.count_lap(&lap);
        let (set, paper) = (set.clone(), paper.clone());
        Ok(vec![Trial { set, percent: None, is_of_game: false, planners: &ZERO, paper, laps: vec![lap] }])
    }

    /// The planners on cells.
    fn cells(&self, session: &mut Session) -> Result<Vec<CellsTrial>> {
        let mut trials = Vec::new();
        for (set, sites) in self.games() {
            for rule in &RULES {
                let Rule { movement, .. } = rule;
                let course = |site: &Site| rule.course(site, self.plan);
                let race = || rule.race(self.plan.rounds);
                let laps = laps(&format!("cells/{movement}/{set}"), sites, race, course, session)?;
                trials.push(CellsTrial { set: set.to_string(), rule, laps });
            }
        }
        trials.retain(|trial| !trial.laps.is_empty());
        Ok(trials)
    }
}

/// A race on each of some maps, without those of which the sample has no problem.
fn laps(
    key: &str,
    sites: &[Site],
    race: impl Fn() -> Result<Race>,
    course: impl Fn(&Site) -> Result<Course>,
    session: &mut Session,
) -> Result<Vec<Lap>> {
    let mut laps = Vec::new();
    for (nth, site) in sites.iter().enumerate() {
        let race = race()?;
        // Two maps of a set may have the same name.
        let lap = session.unit(&format!("block-astar/{key}/{nth}-{}", site.name), race.steps_per_course(), |bar| {
            Lap::run(race, &course(site)?, bar)
        })?;
        session.count_lap(&lap);
        laps.push(lap);
    }
    laps.retain(|lap| lap.queries() > 0);
    Ok(laps)
}
