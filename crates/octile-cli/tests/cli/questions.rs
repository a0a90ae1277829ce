//! `octile solve` beyond one path: many goals, the nearest cell, limits, agents, metres.

use serde_json::{Value, json};

use crate::place;

/// Two rooms with a door of one cell, and a closed one.
const ROOMS: &str = "\
......@......
......@......
.............
......@......
@@@@@@@@@@@@@
.............
";

fn solve(args: &str) -> (Option<i32>, Value) {
    let place = place();
    place.write("rooms.txt", ROOMS);
    let ran = place.octile(&format!("solve rooms.txt {args} --json"));
    (ran.code, ran.json())
}

#[test]
fn the_nearest_of_many_goals_is_reached() {
    let (code, answer) = solve("--from 1,1 --to 12,0 --to 4,3 --to 1,4 --nearest");
    assert_eq!((code, &answer["status"], &answer["goal"]), (Some(0), &json!("found"), &json!([4, 3])));
    assert_eq!((&answer["to"], &answer["goals"]), (&json!([12, 0]), &json!([[12, 0], [4, 3], [1, 4]])));
    assert_eq!(answer["cost"], json!({"straight": 1, "diagonal": 2}));
    // The first of two equally near goals is chosen.
    let (_, answer) = solve("--from 1,1 --to 3,1 --to 1,3");
    assert_eq!((&answer["goal"], &answer["away"]), (&json!([3, 1]), &json!(0.0)));
    let place = place();
    place.write("rooms.txt", ROOMS);
    place.octile("solve rooms.txt --from 1,1 --to 12,0 --to 4,3").exits(0).prints("goal       4,3\n");
    place.octile("solve rooms.txt --from 1,1 --to 4,3 --to 1,4").exits(2).says("goal 1,4 is blocked");
}

#[test]
fn an_unreachable_goal_gives_the_nearest_cell() {
    // The goal is in the closed room: two cells are equally near to a cell below a wall, and one is nearer by the path.
    for (goal, end) in [("3,5", [3, 3]), ("6,0", [5, 0]), ("6,5", [5, 3])] {
        let (code, answer) = solve(&format!("--from 1,1 --to {goal} --nearest"));
        assert_eq!((code, &answer["status"], &answer["found"]), (Some(0), &json!("nearest"), &json!(true)), "{goal}");
        assert_eq!(answer["goal"], json!(end), "{goal}");
        assert_eq!(answer["path"].as_array().unwrap().last(), Some(&json!(end)), "{goal}");
    }
    assert_eq!(solve("--from 1,1 --to 3,5 --nearest").1["away"], json!(2.0));
    assert_eq!(solve("--from 1,1 --to 3,5").0, Some(1));
    assert_eq!(solve("--from 1,1 --to 3,5").1["status"], json!("no-path"));
    let (_, answer) = solve("--from 6,4 --to 1,1 --nearest");
    assert_eq!(
        (&answer["from"], &answer["start"], &answer["status"]),
        (&json!([6, 4]), &json!([5, 3]), &json!("nearest"))
    );
    let place = place();
    place.write("rooms.txt", ROOMS);
    place.octile("solve rooms.txt --from 1,1 --to 3,5 --nearest").exits(0).prints("3,3, the nearest: 2.00000 away");
    place.octile("solve rooms.txt --from 6,4 --to 1,1 --nearest").exits(0).prints("5,3, the nearest to 6,4");
    place.octile("solve rooms.txt --from 6,4 --to 1,1").exits(2).says("start 6,4 is blocked");
}

#[test]
fn limits_are_kept_and_named() {
    let limited = |args: &str| {
        let (code, answer) = solve(&format!("--from 1,1 --to 11,1 {args}"));
        (code, answer["status"].clone(), answer["limit"].clone(), answer["goal"].clone())
    };
    // The path has 8 straight moves and 2 diagonal ones, a length of 10.83.
    let end = json!([11, 1]);
    assert_eq!(limited("--max-cost 10.9"), (Some(0), json!("found"), Value::Null, end.clone()));
    assert_eq!(limited("--max-cost 10.5"), (Some(1), json!("limit"), json!("cost"), Value::Null));
    assert_eq!(limited("--max-cost 4 --nearest"), (Some(0), json!("nearest"), json!("cost"), json!([5, 1])));
    assert_eq!(limited("--max-expanded 0"), (Some(1), json!("limit"), json!("expanded"), Value::Null));
    assert_eq!(limited("--max-expanded 999").1, json!("found"));
    assert_eq!(limited("--max-ms 0"), (Some(1), json!("limit"), json!("deadline"), Value::Null));
    let place = place();
    place.write("rooms.txt", ROOMS);
    place.octile("solve rooms.txt --from 1,1 --to 11,1 --max-cost 5").exits(1).prints("is at most 5 long");
    place
        .octile("solve rooms.txt --from 1,1 --to 11,1 --max-expanded 0")
        .exits(1)
        .prints("0 expansions are not enough");
    for wrong in ["--max-cost -1", "--max-cost nan", "--max-cost far", "--max-expanded -1", "--max-expanded 1.5"] {
        place.octile(&format!("solve rooms.txt --from 1,1 --to 11,1 {wrong}")).exits(2);
    }
}

#[test]
fn larger_agents_need_more_room() {
    let (code, answer) = solve("--from 1,1 --to 4,2 --size 2");
    assert_eq!((code, &answer["agent"], &answer["status"]), (Some(0), &json!("square:2"), &json!("found")));
    assert_eq!(solve("--from 1,1 --to 11,1 --size 2").1["status"], json!("no-path"), "the door is one cell wide");
    let (_, answer) = solve("--from 1,1 --to 11,1 --size 2 --nearest");
    assert_eq!(answer["goal"], json!([4, 1]));
    let (_, answer) = solve("--from 1,1 --to 4,2 --radius 1.5");
    assert_eq!((&answer["agent"], &answer["goal"]), (&json!("disc:1.5"), &json!([4, 2])));
    let place = place();
    place.write("rooms.txt", ROOMS);
    place
        .octile("solve rooms.txt --from 1,1 --to 5,3 --size 2")
        .exits(2)
        .says("too close to blocked cells for a square of 2 x 2");
    place.octile("solve rooms.txt --from 1,1 --to 0,0 --radius 1.5").exits(2).says("a disc with a radius of 1.5 cells");
    place.octile("solve rooms.txt --from 1,1 --to 4,2 --radius 0.3m").exits(2).says("give --radius in cells");
    place.octile("field rooms.txt --to 5,3 --size 2 -o f.csv").exits(2).says("too close to blocked cells");
    place.octile("field rooms.txt --to 4,2 --size 2 -o f.csv").exits(0);
    let rows = std::fs::read_to_string(place.path("f.csv")).unwrap();
    assert!(rows.lines().nth(2).unwrap().starts_with("4,3,2,1,0,,"), "{rows}");
}

/// A ROS map of 4 x 3 cells of half a metre, with its lower left corner at 10, 20.
fn hall() -> octile_testkit::process::Place {
    let place = place();
    place.write("hall.yaml", "image: hall.pgm\nresolution: 0.5\norigin: [10, 20, 0]\n");
    std::fs::write(place.path("hall.pgm"), b"P5\n4 3\n255\n\xfe\xfe\xfe\xfe\xfe\xcd\xfe\xfe\xfe\xfe\xfe\xfe").unwrap();
    place
}

#[test]
fn ros_maps_answer_in_metres() {
    let place = hall();
    let answer = place.octile("solve hall.yaml --metres --from 10.2,20.2 --to 11.9,21.4 --json").exits(0).json();
    assert_eq!((&answer["from"], &answer["goal"]), (&json!([0, 2]), &json!([3, 0])));
    let metres = &answer["metres"];
    assert_eq!((&metres["from"], &metres["goal"]), (&json!([10.25, 20.25]), &json!([11.75, 21.25])));
    assert_eq!(metres["length"], json!(answer["length"].as_f64().unwrap() * 0.5));
    assert_eq!(metres["path"][0], json!([10.25, 20.25]));
    // Queries in cells are answered in cells and in metres.
    let cells = place.octile("solve hall.yaml --from 0,2 --to 3,0 --json").exits(0).json();
    assert_eq!((&cells["metres"], &cells["path"]), (metres, &answer["path"]));
    place
        .octile("solve hall.yaml --metres --from 10.2,20.2 --to 11.9,21.4")
        .exits(0)
        .prints(" m\n")
        .prints("10.250,20.250");
    let corner = place.octile("solve hall.yaml --from 0,2 --to 3,0 --planner theta-star --json").exits(0).json();
    assert_eq!(corner["metres"]["from"], json!([10.0, 20.5]), "the upper left corner");
    place.octile("solve hall.yaml --metres --from 9,20 --to 11,21").exits(2).says("9,20 in metres is off hall.yaml");
    // The half metre around the middle is one cell.
    let wide = place.octile("solve hall.yaml --from 0,2 --to 3,2 --radius 0.25m --json").exits(0).json();
    assert_eq!(wide["agent"], json!("disc:0.5"));
    // Unknown cells are blocked, unless `--unknown free` is given.
    place.octile("solve hall.yaml --from 0,1 --to 1,1").exits(2).says("goal 1,1 is blocked");
    place.octile("solve hall.yaml --from 0,1 --to 1,1 --unknown free").exits(0);
}
