//! A program that adds a planner of its own to the command, and the test that all of the command knows it.
//!
//! Started with the variable `OWN_PLANNER` it is that command, else the test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path as FilePath;
use std::process::{Command, ExitCode};

use octile::search::IndexEffort;
use octile::{
    About, Build, BuildError, Catalog, Cell, Config, EditError, Edits, Grid, Guarantee, Movement, Octile, Path,
    PathFault, Planner, Probe, Query, Scratch,
};
use serde_json::Value;

octile::config! {
    /// Goes first where the goal seems to be nearest.
    pub struct Greedy {
        /// Looks at the moves in the opposite order.
        backwards: bool ["backwards": "yes or no", "whether moves are tried in the opposite order; default no"],
    }
}

static ABOUT: About = About {
    name: "greedy",
    summary: "goes where the goal seems to be nearest",
    paper: "none",
    index: IndexEffort::None,
    variants: &["greedy:backwards=yes"],
};

impl Config for Greedy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Legal
    }

    fn movements(&self) -> &'static [Movement] {
        &Movement::ALL
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        Ok(Box::new(GreedyPlanner { grid: build.grid().clone(), backwards: self.backwards }))
    }
}

#[derive(Clone)]
struct GreedyPlanner {
    grid: Grid,
    backwards: bool,
}

impl GreedyPlanner {
    /// The cell that each was reached from, as far as the goal.
    fn parents(&self, query: Query, mut probe: Option<&mut dyn Probe>) -> BTreeMap<Cell, Cell> {
        let estimate = |cell: Cell| (Octile::between(cell, query.goal).length() * 1000.0) as u64;
        let mut open = BTreeSet::from([(estimate(query.start), query.start)]);
        let mut parents = BTreeMap::from([(query.start, query.start)]);
        while let Some((_, cell)) = open.pop_first().filter(|(_, cell)| *cell != query.goal) {
            if let Some(probe) = &mut probe {
                probe.expanded(cell);
            }
            let mut moves: Vec<_> = self.grid.moves(cell).into_iter().collect();
            if self.backwards {
                moves.reverse();
            }
            for next in moves.into_iter().map(|dir| dir.step(cell, 1)) {
                if let std::collections::btree_map::Entry::Vacant(place) = parents.entry(next) {
                    place.insert(cell);
                    open.insert((estimate(next), next));
                }
            }
        }
        parents
    }
}

impl Planner for GreedyPlanner {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Legal
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn create_scratch(&self) -> Scratch {
        Scratch::new(())
    }

    fn accepts(&self, scratch: &Scratch) -> bool {
        scratch.holds(|(): &()| true)
    }

    fn search(
        &self,
        _scratch: &mut Scratch,
        query: Query,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let parents = self.parents(query, probe);
        if !parents.contains_key(&query.goal) {
            return Ok(false);
        }
        let before = |cell: &Cell| (*cell != query.start).then(|| parents[cell]);
        let mut cells: Vec<Cell> = std::iter::successors(Some(query.goal), before).collect();
        cells.reverse();
        out.write_grid(&self.grid, query.output, cells)?;
        Ok(true)
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.grid.apply(edits)?;
        Ok(())
    }

    fn refresh(&mut self) {
        self.grid.refresh();
    }
}

fn main() -> ExitCode {
    if std::env::var_os("OWN_PLANNER").is_some() {
        return octile_cli::main_with(Catalog::standard().with(Greedy::ENTRY));
    }
    all_commands_know_it();
    ExitCode::SUCCESS
}

fn all_commands_know_it() {
    let place = tempfile::tempdir().unwrap();
    let run = |args: &str| run(place.path(), args);
    let json = |args: &str| -> Value { serde_json::from_str(&run(&format!("{args} --json"))).unwrap() };
    run("gen rooms --width 50 --height 40 --room 7 -o rooms.map");
    run("gen scen rooms.map --per-bucket 1 -o rooms.map.scen");

    let planners = run("planners");
    assert!(
        planners.contains("greedy: goes where the goal") && planners.contains("  backwards=  whether"),
        "{planners}"
    );
    let ends = "rooms.map --from 1,1 --to 45,36";
    let solved = json(&format!("solve {ends} --planner greedy:backwards=yes"));
    assert_eq!((&solved["planner"], &solved["found"]), (&"greedy:backwards=yes".into(), &true.into()));
    assert!(solved["expanded"].as_u64() > Some(0));
    assert_eq!(json("run rooms.map --planner greedy")["all_agree"], true);
    let smoothed = json(&format!("solve {ends} --planner greedy:smooth=greedy"));
    assert!(smoothed["length"].as_f64() < solved["length"].as_f64());
    let race = json("compare rooms.map --rounds 1 --planner astar --planner greedy --planner greedy:backwards=yes");
    assert_eq!(
        (&race["planners"][2]["planner"], &race["planners"][2]["wrong"]),
        (&"greedy:backwards=yes".into(), &0.into())
    );
    run(&format!("draw {ends} --planner greedy -o search.svg"));
    assert!(place.path().join("search.svg").exists());
    assert!(json("planners")["planners"].as_array().unwrap().iter().any(|planner| planner["name"] == "greedy"));

    let wrong = own(place.path(), &format!("solve {ends} --planner greedy:backward=yes")).output().unwrap();
    let message = String::from_utf8(wrong.stderr).unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(message.contains("planner `greedy` has no key `backward` (did you mean `backwards`?)"), "{message}");
    // The command without it does not know it.
    let mut plain = Command::new(env!("CARGO_BIN_EXE_octile"));
    let plain = plain.current_dir(place.path()).args(format!("solve {ends} --planner greedy").split(' ')).output();
    assert_eq!(plain.unwrap().status.code(), Some(2));
}

/// This program as the command, with arguments separated by blanks.
fn own(place: &FilePath, args: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env("OWN_PLANNER", "yes").current_dir(place).args(args.split(' '));
    command
}

/// What it prints, when all is well.
fn run(place: &FilePath, args: &str) -> String {
    let ran = own(place, args).output().unwrap();
    assert!(ran.status.success(), "{args}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}
