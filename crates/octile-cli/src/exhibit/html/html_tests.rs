//! A page of everything a report may hold.

use octile::draw::Picture as Drawing;
use octile::grid::generate;
use octile::{Cell, Finder, Path, Query, Trace};

use super::super::{Axis, Pair, Picture, Row, Style, Table, Value};
use super::*;

const PLANNERS: [(&str, f64, f64); 14] = [
    ("astar", 812.0, 0.9),
    ("astar-bucket", 430.0, 0.92),
    ("jps", 61.0, 0.9),
    ("jps-plus", 12.5, 9.8),
    ("jps-bits", 55.0, 0.95),
    ("corner-sweep", 9.1, 3.1),
    ("jump-graph", 3.9, 6.4),
    ("hub-labels", 0.21, 88.0),
    ("cpd", 1.9, 240.0),
    ("cpd-rows", 2.0, 236.0),
    ("rea-star", 43.0, 0.91),
    ("block-astar", 120.0, 16.0),
    ("theta-star", 1900.0, 0.9),
    ("lazy-theta-star", 1210.0, 0.9),
];

fn picture(planner: &str, seed: u64) -> Picture {
    let grid = generate::rooms(96, 72, 12, seed).unwrap();
    let (start, goal) = (Cell::new(1, 1), Cell::new(94, 70));
    let (mut path, mut trace) = (Path::new(), Trace::default());
    let mut finder = Finder::new(planner, &grid).unwrap();
    let _ = finder.plan_probed(Query::new(start, goal), &mut path, &mut trace);
    let drawing = Drawing::new(&grid).seen(&trace.seen).expanded(&trace.expanded).path(&path).ends(start, goal);
    let caption = format!("`{planner}` on rooms of 12 x 12 cells: {} expanded.", trace.expanded.len());
    Picture::new(caption, drawing.to_svg().unwrap())
}

fn table() -> Table {
    let table = Table::new().text("maps").text("planner").number("problems", 0);
    let mut table =
        table.beside("time, µs", 1).beside("expanded nodes", 0).grouped("cost", "mean", 3).number("index, KiB", 1);
    for (block, maps) in ["dao", "baldur <scaled>", "street & town", "rooms"].into_iter().enumerate() {
        for (nth, (planner, time, _)) in PLANNERS[..5].iter().enumerate() {
            let scale = (block + 1) as f64;
            let paper = (nth != 3).then_some(time * scale * 2.7);
            table.push(
                Row::new()
                    .text(maps)
                    .text(*planner)
                    .count(15_928 * (block + 1))
                    .beside(Pair::new(time * scale, paper))
                    .beside(Pair::new(time * 61.7 * scale, (nth > 1).then_some(time * 55.0)))
                    .number(1.0 + nth as f64 / 700.0)
                    .number((nth == 3).then_some(9.8)),
            );
        }
    }
    let all = Row::new().text("all").text("jps").count(63_712).beside(Pair::new(88.8, 92.1));
    table.push(all.beside(Pair::new(4801.0, 4950.0)).number(1.0).number(None).strong());
    table
}

fn lines(title: &str, shift: f64) -> Plot {
    let axes = (Axis::linear("length of the path, cells"), Axis::log("time of a search, µs"));
    let points = |speed: f64| {
        (1..12).map(|nth| f64::from(nth) * 60.0).map(|x| (x, speed * x.powf(1.0 + shift) / 90.0)).collect()
    };
    PLANNERS[..6]
        .iter()
        .fold(Plot::new(title, axes.0, axes.1), |plot, (name, time, _)| plot.series(*name, Style::Line, points(*time)))
}

fn scatter() -> Plot {
    let axes = (Axis::log("memory, MiB"), Axis::log("mean time of a search, µs"));
    PLANNERS.iter().fold(Plot::new("Time and memory", axes.0, axes.1), |plot, (name, time, memory)| {
        plot.series(*name, Style::Named, vec![(*memory, *time)])
    })
}

fn sample() -> Report<()> {
    let long = "Mean time of a search on all problems of the four largest maps, each solved five times, of which the \
        least counts. What the paper says is from its Table 3; its machine is about 2.7 times as slow as ours, and it \
        does not say how `open` lists break ties, so that a ratio between 0.3 and 0.5 is what to expect.";
    let mut first = Section::new("rea-star", "Rectangle Expansion A* Pathfinding for Grid Maps")
        .citation("Zhang, Li & Bi, Chinese Journal of Aeronautics 29(5), 2016");
    first.say("The paper compares `rea-star` with A* and `jps` on grids of `<rooms>` & mazes. We do the same on the same maps, and put both numbers beside each other wherever the paper has one.");
    first.say("Everything here is single-threaded.");
    let note = "A dash means that the paper has no such number.";
    first.exhibits.push(
        Exhibit::new("Table 5", "Time and nodes by data set")
            .caption(long)
            .table(table())
            .note(note)
            .note("All maps are of `MovingAI`."),
    );
    let mut few = Table::new().text("room").number("jps", 2).number("astar", 2);
    few.push(Row::new().text("8 x 8").number(1.25).number(7.5));
    let figure = Exhibit::new("Figure 8", "Time over the length of the path").caption(long);
    first.exhibits.push(figure.plot(lines("rooms", 0.2)).plot(lines("mazes", 0.6)).table(few).folded());
    let paper = lines("with the paper's", 0.4).series(
        "jps (paper)",
        Style::Paper,
        vec![(60.0, 100.0), (300.0, 900.0), (600.0, 2200.0)],
    );
    let dots = Plot::new("Dots", Axis::linear("expanded nodes"), Axis::linear("time, µs"))
        .series(
            "jps",
            Style::Dots,
            (0..60).map(|nth| (f64::from(nth) * 317.0, f64::from(nth * nth % 47) * 3.0 + f64::from(nth))).collect(),
        )
        .series("one in the paper", Style::Paper, vec![(9000.0, 120.0)]);
    first.exhibits.push(Exhibit::new("Figure 9", "Beside the paper").plot(paper).plot(dots));
    let mut second = Section::new("all", "All planners");
    second.exhibits.push(Exhibit::new("Time and memory", "What an index buys").caption(long).plot(scatter()));
    let many = (0..14).fold(Plot::new("", Axis::log("cells"), Axis::linear("speed")), |plot, nth| {
        plot.series(
            PLANNERS[nth].0,
            Style::Line,
            (1..7).map(|k| (10_f64.powi(k), f64::from(k * k) * (nth as f64 + 2.0) * 1000.0)).collect(),
        )
    });
    second.exhibits.push(Exhibit::new("Many", "Fourteen lines").plot(many));
    let pictures = Exhibit::new("Pictures", "What searches look at").caption(long);
    second.exhibits.push(pictures.picture(picture("jps", 3)).picture(picture("astar", 3)).picture(picture("jps", 4)));
    second.exhibits.push(
        Exhibit::new("Empty", "Nothing at all")
            .plot(Plot::new("none", Axis::log("x"), Axis::log("y")))
            .table(Table::new().text("a")),
    );
    let notes = vec![
        "Times are medians of five runs; see below for the machine. Numbers of papers are theirs, as printed."
            .to_owned(),
    ];
    Report {
        schema: 1,
        title: "octile beside the papers".to_owned(),
        conditions: (),
        notes,
        sections: vec![first, second],
    }
}

fn facts() -> Vec<(String, String)> {
    [
        ("machine", "AMD EPYC 7B13, 2 cores, 8 GiB"),
        ("compiler", "rustc 1.95.0 (59807616e 2026-04-14), release, lto"),
        ("commit", "ca113e9d"),
        ("date", "2026-05-02 12:04 UTC"),
        ("command", "`octile paper all --maps maps --runs 5`"),
        ("noise", "2.1 % between runs of the same search"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}

#[test]
#[ignore = "to look at"]
fn look() {
    std::fs::create_dir_all("/tmp/html-sample").unwrap();
    std::fs::write("/tmp/html-sample/index.html", page(&sample(), &facts()).unwrap()).unwrap();
}
