//! `octile-papers compare`: other projects' crates in the races.

use octile::formats::generate;

use crate::{place, write_map_and_problems};

#[test]
fn peers_race_too_and_their_wrong_answers_are_a_finding() {
    let place = place();
    write_map_and_problems(&place, "r.map", generate::random(60, 60, 20, 1));
    let ran = place.octile("compare r.map --planner jps --rounds 1 --json").exits(0);
    let ran = ran.says("note: first wrong answer of peer/grid-pathfinding on r.map, line ").says(" is not legal");
    let document = ran.json();
    let names: Vec<_> = document["planners"].as_array().unwrap().iter().map(|line| line["planner"].clone()).collect();
    assert_eq!(names, ["jps", "peer/pathfinding", "peer/pathfinding-moves", "peer/grid-pathfinding"]);
    let line = |i: usize, field: &str| document["planners"][i][field].clone();
    for right in 0..3 {
        assert_eq!((line(right, "wrong"), line(right, "peer")), (0.into(), (right > 0).into()));
        assert!(line(right, "mean_length").is_f64());
    }
    assert!(line(3, "faults")["illegal"].as_u64() > Some(0) && line(3, "mean_length").is_null());
    assert!(line(3, "wrong").as_u64() < document["queries"].as_u64());
    let ran = place.octile("compare r.map --planner jps --rounds 1 --limit 9").exits(0);
    ran.prints("peer/pathfinding: 100.0 % of its answers legal, 100.0 % right (0 illegal, 0 too long, ");
    let ran = place.octile("compare r.map --movement tile").exits(2);
    ran.says("planner `peer/pathfinding` does not support movement `tile`; it supports octile");
}
