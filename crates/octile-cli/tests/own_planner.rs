//! A crate outside the workspace with a planner of its own (`examples/own-planner`) is built and run: all of the command knows it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The folder of the crate.
fn crate_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/own-planner")
}

/// Builds the crate, as a user of octile would, and gives its program. What the workspace has built already serves again.
fn build() -> PathBuf {
    let target = Path::new(env!("CARGO_BIN_EXE_octile")).ancestors().nth(2).expect("programs are in target/PROFILE");
    let ran = Command::new(env!("CARGO"))
        .args(["build", "--locked", "--target-dir"])
        .arg(target)
        .current_dir(crate_folder())
        .output()
        .expect("cargo can be run");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    target.join("debug").join(format!("own-planner{}", std::env::consts::EXE_SUFFIX))
}

/// The program in a folder of its own.
struct Own {
    program: PathBuf,
    place: tempfile::TempDir,
}

impl Own {
    /// Runs it with arguments separated by blanks.
    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(self.place.path()).args(args.split(' '));
        command
    }

    /// What it prints, when all is well.
    fn run(&self, args: &str) -> String {
        let ran = self.command(args).output().unwrap();
        assert!(ran.status.success(), "{args}: {}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    }

    fn json(&self, args: &str) -> Value {
        serde_json::from_str(&self.run(&format!("{args} --json"))).unwrap()
    }
}

#[test]
fn all_commands_know_a_planner_of_another_crate() {
    let own = Own { program: build(), place: tempfile::tempdir().unwrap() };
    own.run("gen rooms --width 50 --height 40 --room 7 -o rooms.map");
    own.run("gen scen rooms.map --per-bucket 1 -o rooms.map.scen");

    let planners = own.run("planners");
    assert!(planners.contains("greedy: goes wherever the goal seems nearest"), "{planners}");
    assert!(planners.contains("estimate=") && planners.contains("hub-labels"), "{planners}");
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
    let picture = std::fs::read_to_string(own.place.path().join("search.svg")).unwrap();
    assert!(picture.contains("<svg") && picture.len() > 1000);

    let wrong = own.command(&format!("solve {ends} --planner greedy:estimat=manhattan")).output().unwrap();
    let message = String::from_utf8(wrong.stderr).unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(message.contains("planner `greedy` has no key `estimat` (did you mean `estimate`?)"), "{message}");

    // The command without it does not know it.
    let mut plain = Command::new(env!("CARGO_BIN_EXE_octile"));
    let plain = plain.current_dir(own.place.path()).args(format!("solve {ends} --planner greedy").split(' ')).output();
    assert_eq!(plain.unwrap().status.code(), Some(2));
}
