//! Maps with prices: `--prices` and `--convention` wherever a map is read, and the generators of terrain.

use octile_testkit::process::Place;
use serde_json::json;

use crate::{piped, place};

const SWAMP: &str = "type octile\nheight 3\nwidth 5\nmap\n..S..\n..S..\n..W..\n";
const TANK: &str = "// a tank\n. 1\nS 4\nW 0\n";
const BOAT: &str = ". 9\nS 2\nW 1\n";

fn place_with_swamp() -> Place {
    let place = place();
    place.write("swamp.map", SWAMP);
    place.write("tank.prices", TANK);
    place.write("boat.prices", BOAT);
    place
}

#[test]
fn the_cost_of_a_path_includes_prices() {
    let place = place_with_swamp();
    let ends = "--from 0,0 --to 4,0";
    // 1 + 5/2 + 5/2 + 1, and 1 + 4 + 1 + 1.
    place
        .octile(&format!("solve swamp.map {ends} --prices tank.prices"))
        .exits(0)
        .silent()
        .prints("cost       7 = 7.00000");
    let average = place.octile(&format!("solve swamp.map {ends} --prices tank.prices --json")).exits(0).json();
    assert_eq!((&average["cost"], &average["cost_parts"]), (&json!({"straight": 28, "diagonal": 0}), &json!(4)));
    assert_eq!((&average["length"], &average["convention"]), (&json!(7.0), &json!("average")));
    assert_eq!(average["planner"], "terrain-jump");
    let enter = place.octile(&format!("solve swamp.map {ends} --prices tank.prices --convention enter --json"));
    let enter = enter.exits(0).json();
    assert_eq!((&enter["cost"], &enter["cost_parts"]), (&json!({"straight": 7, "diagonal": 0}), &json!(1)));
    assert_eq!(enter["convention"], "enter");
    let plain = place.octile(&format!("solve swamp.map {ends} --json")).exits(0).json();
    assert_eq!((&plain["cost_parts"], &plain["convention"]), (&json!(null), &json!(null)));
    assert!(plain.get("cost_parts").is_none(), "a map without prices has no such field");
    // For another agent, water is free.
    place
        .octile("solve swamp.map --from 2,2 --to 2,0 --prices boat.prices")
        .exits(0)
        .prints("cost       14/4 = 3.50000");
    place.octile("solve swamp.map --from 2,2 --to 2,0 --prices tank.prices").exits(2).says("2,2");
}

#[test]
fn planners_without_prices_refuse_priced_maps() {
    let place = place_with_swamp();
    let ran = place.octile("solve swamp.map --from 0,0 --to 4,0 --prices tank.prices --planner jps").exits(2);
    ran.says("planner `jps` cannot take a map with prices");
    place.octile("solve swamp.map --from 0,0 --to 4,0 --prices tank.prices --movement tile").exits(0).prints("astar");
}

#[test]
fn drawings_with_digits_contain_prices() {
    let place = place();
    place.write("land.txt", "151\n1@1\n111\n");
    place.octile("solve land.txt --from 0,0 --to 1,0").exits(0).prints("cost       3 = 3.00000").prints("astar");
    place.octile("solve land.txt --from 0,0 --to 1,0 --convention enter").exits(0).prints("cost       5 = 5.00000");
    piped(&place, "solve - --from 0,0 --to 1,0 --convention enter --json", "15\n").exits(0).prints("\"straight\":5");
    piped(&place, "solve - --from 0,0 --to 1,0 --prices p --json", "15\n").exits(2).says("p: ");
}

#[test]
fn info_lists_prices_with_their_number_of_cells() {
    let place = place_with_swamp();
    let ran = place.octile("info swamp.map --prices tank.prices").exits(0);
    ran.prints("prices       1: 12 cells, 4: 2 cells").prints("convention   average");
    let info = place.octile("info swamp.map --prices tank.prices --convention enter --json").exits(0).json();
    assert_eq!(info["prices"], json!([{"price": 1, "cells": 12}, {"price": 4, "cells": 2}]));
    assert_eq!((&info["convention"], &info["free_cells"]), (&json!("enter"), &json!(14)));
    assert!(place.octile("info swamp.map --json").exits(0).json().get("prices").is_none());
    let many: Vec<String> = (0..=255).map(|level| format!("{level} {}", level.max(1))).collect();
    place.write("all.prices", many.join("\n"));
    let pixels: Vec<u8> = (0..=255).collect();
    place.write("all.pgm", [b"P5\n16 16\n255\n", &pixels[..]].concat());
    place
        .octile("info all.pgm --prices all.prices")
        .exits(0)
        .prints("prices       255 from 1 to 255; --json has them all");
}

#[test]
fn scenarios_have_lengths_of_one_convention() {
    let place = place();
    place.octile("gen rooms --width 40 --height 30 --room 8 -o rooms.map").exits(0);
    place.octile("gen regions --map rooms.map --prices 1,3,20 --size 6 -o land.map").exits(0).silent();
    let prices = "--prices land.map.prices";
    for convention in ["average", "enter"] {
        let how = format!("{prices} --convention {convention}");
        place.octile(&format!("gen scen land.map {how} --per-bucket 1 -o land.map.scen")).exits(0);
        let ran = place.octile(&format!("run land.map {how} --json")).exits(0).json();
        assert_eq!(
            (&ran["all_agree"], &ran["convention"], &ran["planner"]),
            (&json!(true), &json!(convention), &json!("terrain-jump"))
        );
        place.octile(&format!("run land.map {how} --planner weighted-astar:weight=1.5")).exits(0).prints("all agree");
        let race = format!("compare land.map {how} --every 9 --rounds 1 --json");
        let race = place.octile(&race).exits(0).json();
        assert_eq!((&race["convention"], &race["retired"]), (&json!(convention), &json!([])));
        assert!(race["planners"].as_array().unwrap().iter().all(|planner| planner["wrong"] == 0), "{race}");
        assert!(race["planners"].as_array().unwrap().len() >= 2, "{race}");
    }
    // Lengths under another convention differ.
    place.octile(&format!("run land.map {prices}")).exits(1).prints("expected length");
}

#[test]
fn every_command_that_reads_a_map_accepts_prices() {
    let place = place_with_swamp();
    place.write("cells.txt", "0,0\n4,0\n");
    for args in [
        "draw swamp.map --prices tank.prices -o a.png",
        "draw swamp.map --prices tank.prices -o a.svg --from 0,0 --to 4,0",
        "field swamp.map --prices tank.prices --to 0,0 -o a.csv",
        "matrix swamp.map --prices tank.prices --sources cells.txt --targets cells.txt -o a.csv",
        "gen scen swamp.map --prices tank.prices -o a.scen",
        "info swamp.map --prices tank.prices",
    ] {
        place.octile(args).exits(0);
        place.octile(&args.replace("tank", "no")).exits(2).says("no.prices");
    }
}

#[test]
fn images_and_ros_maps_have_prices() {
    let place = place();
    place.write("costs.pgm", b"P5\n4 1\n255\n\x00\x0a\x00\xff");
    place.octile("solve costs.pgm --from 0,0 --to 2,0 --prices costmap").exits(0).prints("cost       12 = 12.00000");
    place.octile("solve costs.pgm --from 0,0 --to 3,0 --prices costmap").exits(2).says("3,0");
    let free = "solve costs.pgm --from 0,0 --to 3,0 --prices costmap --unknown free";
    place.octile(free).exits(0).prints("cost       13 = 13.00000");
    place
        .octile("info costs.pgm --prices occupancy")
        .exits(2)
        .says("costs.pgm: the prices `occupancy` are for ROS maps");
    place.write("grey.prices", "0-9 1\n10-254 5\n255 0\n");
    place.octile("info costs.pgm --prices grey.prices").exits(0).prints("1: 2 cells, 5: 1 cell");
    place.write("hall.pgm", b"P5\n4 1\n255\n\x00\x14\x41\x64");
    place.write("hall.yaml", "image: hall.pgm\nresolution: 0.5\norigin: [0, 0, 0]\nmode: raw\n");
    place.octile("info hall.yaml --prices occupancy").exits(0).prints("1: 1 cell, 21: 1 cell, 66: 1 cell");
    let metres = place.octile("solve hall.yaml --from 0,0 --to 2,0 --prices occupancy --json").exits(0).json();
    assert_eq!((&metres["length"], &metres["metres"]["length"]), (&json!(54.5), &json!(1.0)));
}

#[test]
fn wrong_price_files_are_reported_with_the_line() {
    let place = place_with_swamp();
    for (prices, part) in [
        ("", "bad.prices: it has no prices"),
        (". 1\nS four\n", "bad.prices: line 2, column 3: `four` is not a price: expected a whole number from 1 to 255"),
        (". 1\nswamp 4\n", "bad.prices: line 2, column 1: `swamp` is not a key"),
        (". 1\nS 4\n. 2\n", "bad.prices: line 3, column 1: `.` has a price already, in line 1"),
        (". 1\nS\n", "bad.prices: line 2: `S`: expected `KEY PRICE`"),
        (". 1\nS 4\n", "swamp.map: line 7, column 3: `W` has no price in bad.prices: add a line `W PRICE`"),
        (". 1\n0-255 4\n", "swamp.map: its prices in bad.prices: line 2, column 1: `0-255` is not a letter"),
    ] {
        place.write("bad.prices", prices);
        place.octile("solve swamp.map --from 0,0 --to 4,0 --prices bad.prices").exits(2).says(part);
        place.octile("info swamp.map --prices bad.prices").exits(2).says(part);
    }
    place.octile("info swamp.map --prices costmap").exits(2).says("are for images and ROS maps");
    place
        .octile("info swamp.map --convention enter")
        .exits(2)
        .says("swamp.map has no prices, so --convention enter has no effect");
    place.octile("info swamp.map --prices tank.prices --convention mean").exits(2).says("mean");
}

#[test]
fn terrain_is_generated_in_letters_or_digits() {
    let place = place();
    let size = "--width 30 --height 20";
    for kind in ["regions --size 5", "noise", "roads --road 2 --roads 3"] {
        let prices = if kind.starts_with("roads") { "1,5" } else { "1,3,9" };
        place.octile(&format!("gen {kind} {size} --prices {prices} -o a.map")).exits(0).silent();
        place.octile(&format!("gen {kind} {size} --prices {prices} -o a.txt")).exits(0).silent();
        let letters = place.octile("info a.map --prices a.map.prices --json").exits(0).json();
        let digits = place.octile("info a.txt --json").exits(0).json();
        assert_eq!(letters["fingerprint"], digits["fingerprint"], "{kind}");
        assert_eq!(letters["prices"].as_array().unwrap().len(), prices.split(',').count());
        let printed = place.octile(&format!("gen {kind} {size} --prices {prices}")).exits(0).out;
        assert_eq!(printed, place.read("a.txt"), "{kind}");
        // With few prices, the letters stand for free cells in every program.
        place.octile("info a.map").exits(0);
    }
    place.write("walls.txt", "..@\n.@.\n...\n");
    let drawn = place.octile("gen noise --map walls.txt --prices 7").exits(0).out;
    assert_eq!(drawn, "77@\n7@7\n777\n");
    place.octile("gen noise --prices 1,10 -o a.txt").exits(2).says("prices above 9 have no digit");
    place.octile("gen noise --prices 1,10").exits(2).says("write the map to a .map file");
    place.octile("gen noise --prices 1,10 -o a.png").exits(2).says("not as .png");
    place.octile("gen noise --prices 0").exits(2).says("prices from 1 to 255");
    place.octile("gen roads --prices 1,2,3").exits(2).says("roads take two prices");
    place.octile("gen roads --prices 1,2 --road 0").exits(2).says("width must be at least 1");
    place.octile("gen regions --size 0").exits(2).says("patches");
    place.octile("gen regions --map walls.txt --width 9").exits(2).says("--map");
}
