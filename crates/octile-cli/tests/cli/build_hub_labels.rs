//! `octile build hub-labels` and `taut-labels`, and the use of such files.

use std::fs;

use serde_json::json;

use crate::{place, place_with_ring};

#[test]
fn an_index_is_built_described_and_used() {
    let place = place();
    place.octile("gen maze --width 90 --height 70 --corridor 3 -o maze.map").exits(0);
    place.octile("gen scen maze.map --per-bucket 1 -o maze.map.scen").exits(0);
    let ran = place.octile("build hub-labels maze.map -o a.octx").exits(0).silent();
    ran.prints("a.octx: hub-labels for maze.map (90 x 70 cells, movement octile), ").prints(" a subgoal");
    let built = place.octile("build hub-labels maze.map -o b.octx --jobs 1 --json").exits(0).silent().json();
    assert_eq!((&built["index"], &built["contents"][0]["name"]), (&json!("hub-labels"), &json!("subgoals")));
    assert_eq!(fs::read(place.path("a.octx")).unwrap(), fs::read(place.path("b.octx")).unwrap());
    place.octile("info a.octx --map maze.map").exits(0).prints("links").prints("bytes of trees");

    let cost = |planner: &str| {
        let ran = place.octile(&format!("solve maze.map --from 1,1 --to 81,61 --json --planner {planner}")).exits(0);
        ran.json()["cost"].clone()
    };
    let best = cost("jps");
    for planner in ["hub-labels", "hub-labels:index=a.octx", "hub-labels --index b.octx"] {
        assert_eq!(cost(planner), best, "{planner}");
    }
    place.octile("run maze.map --planner hub-labels --index a.octx").exits(0);
}

#[test]
fn an_index_with_settings_needs_a_planner_with_the_same_settings() {
    let place = place_with_ring();
    let ran = place.octile("build taut-labels:ends=centres ring.map -o a.octx").exits(0).silent();
    ran.prints("a.octx: taut-labels for ring.map").prints("settings squeeze=allowed,ends=centres");
    let solve = |planner: &str| place.octile(&format!("solve ring.map --from 0,0 --to 3,2 --planner {planner}"));
    solve("taut-labels:ends=centres,index=a.octx").exits(0);
    let refused = solve("taut-labels:index=a.octx").exits(2);
    refused.says("has `squeeze=allowed,ends=centres`, but the spec asks for `squeeze=allowed,ends=corners`");
    let refused = place.octile("build taut-labels:smooth=greedy ring.map -o b.octx").exits(2);
    refused.says("`smooth` is not a setting of index kind `taut-labels`; its settings: squeeze, ends");
}

#[test]
fn an_index_that_cannot_be_built_is_refused_and_nothing_is_written() {
    let place = place_with_ring();
    let refused = |args: &str| place.octile(&format!("build {args} -o a.octx")).exits(2);
    refused("hub-labels ring.map --movement tile").says("ring.map: ").says("does not support movement `tile`");
    let over = refused("hub-labels ring.map --memory 1kB").says("over the limit of 1000");
    over.says("allow more with --steps or --memory, or use planner `jump-graph`");
    refused("hub-labels ring.map --steps 1").says("steps, over the limit of 1");
    refused("cpd ring.map --steps 10")
        .says("ring.map: it has ")
        .says("but 10 steps are enough for only 2: allow more with --steps");
    refused("hub-labels").says("write `octile build hub-labels MAP -o FILE`");
    refused("hub-labels:a=b ring.map").says("has no settings");
    refused("hub-labels ring.map --sources ..3").says("cannot be built in parts");
    assert!(!place.path("a.octx").exists());
    place.octile("build hub-labels ring.map -o ring.octx").exits(0).silent();
    let other = place.octile("solve ring.map --from 0,0 --to 3,2 --planner hub-labels --movement tile").exits(2);
    other.says("it supports octile");
    place
        .octile("solve ring.map --from 0,0 --to 3,2 --planner jps --index ring.octx")
        .exits(2)
        .says("uses no index of kind `hub-labels`");
}
