//! A planner of another crate is known to all of the command.

use octile_testkit::process::Place;
use serde_json::Value;

/// The program in a folder of its own.
struct Own(Place);

impl Own {
    /// What it prints, when all is well.
    fn run(&self, args: &str) -> String {
        self.0.octile(args).exits(0).out
    }

    fn json(&self, args: &str) -> Value {
        serde_json::from_str(&self.run(&format!("{args} --json"))).unwrap()
    }
}

#[test]
fn all_commands_know_a_planner_of_another_crate() {
    let own = Own(Place::new(env!("CARGO_BIN_EXE_own-planner")));
    own.run("gen rooms --width 50 --height 40 --room 7 -o rooms.map");
    own.run("gen scen rooms.map --per-bucket 1 -o rooms.map.scen");

    let planners = own.run("planners");
    assert!(planners.contains("greedy ") && planners.contains("hub-labels "), "{planners}");
    let greedy = own.run("planners greedy");
    assert!(greedy.contains("greedy: goes wherever the goal seems nearest"), "{greedy}");
    assert!(greedy.contains("estimate="), "{greedy}");
    assert!(own.json("planners")["planners"].as_array().unwrap().iter().any(|planner| planner["name"] == "greedy"));

    let ends = "rooms.map --from 1,1 --to 45,36";
    let solved = own.json(&format!("solve {ends} --planner greedy:estimate=manhattan"));
    assert_eq!((&solved["planner"], &solved["found"]), (&"greedy:estimate=manhattan".into(), &true.into()));
    assert!(solved["expanded"].as_u64() > Some(0));
    let smoothed = own.json(&format!("solve {ends} --planner greedy:smooth=greedy"));
    assert!(smoothed["length"].as_f64() > Some(0.0));

    assert_eq!(own.json("run rooms.map --planner greedy")["all_agree"], true);
    let race =
        own.json("compare rooms.map --rounds 1 --planner astar --planner greedy --planner greedy:estimate=manhattan");
    let third = &race["planners"][2];
    assert_eq!((&third["planner"], &third["wrong"]), (&"greedy:estimate=manhattan".into(), &0.into()));

    own.run(&format!("draw {ends} --planner greedy -o search.svg"));
    let picture = own.0.read("search.svg");
    assert!(picture.contains("<svg") && picture.len() > 1000);

    own.0
        .octile(&format!("solve {ends} --planner greedy:estimat=manhattan"))
        .exits(2)
        .says("planner `greedy` has no key `estimat` (did you mean `estimate`?)");
}
