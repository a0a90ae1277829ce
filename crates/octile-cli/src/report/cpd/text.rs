//! The tables for people.

use std::fmt::Write;

use super::{
    Bin, Built, Conditions, DatabaseLine, Databases, Document, FirstMoveLine, Nodes, NodesLine, Speed, SpeedLine,
    Statement, Sums,
};
use crate::papers::cpd::{FACTORS, RECORD_BYTES};
use crate::report::beside::{Pair, or_dash};
use crate::report::table::table;
use crate::report::text::count;

/// All tables of a document.
pub(crate) fn document(document: &Document) -> String {
    let conditions = &document.conditions;
    let mut text = format!("{}\n", document.citation);
    let maps = count(document.maps, "map", "maps");
    let _ =
        writeln!(text, "{maps} of at most {} free cells; the paper has {}", conditions.most_cells, document.paper_maps);
    if !document.left_out.is_empty() {
        let names: Vec<String> =
            document.left_out.iter().map(|left| format!("{} ({})", left.map, left.free_cells)).collect();
        let _ = writeln!(text, "left out, with more free cells: {}", names.join(", "));
    }
    if let Some(table) = &document.databases {
        let _ = write!(text, "\nDatabases: Figures 4, 5 and 6\n{}\n\n", of_databases(conditions));
        text += &databases(table);
    }
    if let Some(table) = &document.speed {
        let _ = write!(text, "\nSpeed-up over astar: Figure 2\n{}\n\n", of_queries(conditions));
        text += &speed(table);
    }
    if let Some(table) = &document.nodes {
        let _ = write!(text, "\nNodes: Figure 3\n{NODES}\n\n{}", nodes(table));
    }
    if document.speed.is_some() || document.nodes.is_some() {
        let _ = writeln!(text, "\n{}", count(document.wrong, "wrong answer", "wrong answers"));
    }
    text
}

const NODES: &str = "means of a query; lookups: of cpd, which follows lines, and of one for every move";

fn of_databases(conditions: &Conditions) -> String {
    let [large, small] = RECORD_BYTES;
    format!(
        "rectangles and squares have the ties diagonal-first, the paper's, or mask; runs are as cpd has them unless told; checks and \
         factors are those of the paper's rectangles, as are MB with its records of {large} and of {small} bytes; build: {}",
        conditions.build_time
    )
}

fn of_queries(conditions: &Conditions) -> String {
    let Conditions { pairs, seed, rounds, warm_calls, cold_megabytes, .. } = conditions;
    format!(
        "{} on each map, seeds from {seed}; means of a query, the speed-up that of the queries' own; warm: the same query again \
         and again, {warm_calls} times in a row for cpd; cold: once, nothing of the map's having been touched since a walk over \
         {cold_megabytes} MB of other memory; both best of {}, without the clock's own time",
        count(*pairs, "random pair", "random pairs"),
        count(*rounds, "round", "rounds")
    )
}

fn databases(table: &Databases) -> String {
    format!(
        "{}\n{}\n{}\n{}",
        records(&table.lines, &table.sums),
        sizes(&table.lines, &table.sums),
        sums(&table.sums),
        statements(&table.statements)
    )
}

fn records(lines: &[DatabaseLine], sums: &Sums) -> String {
    let header = [
        "map",
        "free cells",
        "rectangles",
        "mask",
        "squares",
        "mask",
        "runs",
        "squares/rectangles",
        "mask",
        "checks",
        "mask",
    ];
    let row = |line: &DatabaseLine| {
        let records = [&line.rectangles, &line.rectangles_mask, &line.squares, &line.squares_mask, &line.runs];
        let mut row = vec![line.map.clone(), line.free_cells.to_string()];
        row.extend(records.map(|built| built.records.to_string()));
        row.extend(
            [line.squares_over_rectangles, line.squares_over_rectangles_mask].map(|ratio| format!("{ratio:.2}")),
        );
        row.extend([&line.rectangles, &line.rectangles_mask].map(|built| format!("{:.2}", built.average_checks)));
        row
    };
    let mut rows: Vec<_> = lines.iter().map(row).collect();
    let all = [sums.rectangles, sums.rectangles_mask, sums.squares, sums.squares_mask, sums.runs];
    let mut last = vec![ALL.to_owned(), sums.free_cells.to_string()];
    last.extend(all.map(|records| records.to_string()));
    last.extend([sums.squares_over_rectangles, sums.squares_over_rectangles_mask].map(|ratio| format!("{ratio:.2}")));
    rows.push(last);
    table(header, &rows, 1)
}

fn sizes(lines: &[DatabaseLine], sums: &Sums) -> String {
    let [one, integers, bits] = FACTORS.map(|c| format!("factor c={c}"));
    let [large, small] = RECORD_BYTES.map(|bytes| format!("MB at {bytes} B"));
    let header = ["map", &one, &integers, &bits, &large, &small, "file MB", "runs file MB", "build s", "runs build s"];
    let (megabytes, seconds) = (|bytes: u64| format!("{:.3}", bytes as f64 / 1e6), |time: f64| format!("{time:.3}"));
    let row = |line: &DatabaseLine| {
        let mut row = vec![line.map.clone()];
        row.extend(line.compression_factors.map(|factor| format!("{factor:.1}")));
        let bytes = [line.paper_bytes, line.paper_small_bytes, line.rectangles.file_bytes, line.runs.file_bytes];
        row.extend(bytes.map(megabytes));
        row.extend([&line.rectangles, &line.runs].map(|built: &Built| seconds(built.build_seconds)));
        row
    };
    let mut rows: Vec<_> = lines.iter().map(row).collect();
    let of_all = |bytes: u64| megabytes(sums.rectangles * bytes);
    let mut last = vec![ALL.to_owned()];
    last.extend(["-"; 3].map(str::to_owned));
    last.extend(RECORD_BYTES.map(of_all));
    last.extend([sums.rectangles_file_bytes, sums.runs_file_bytes].map(megabytes));
    last.push(seconds(sums.build_seconds));
    last.push(seconds(lines.iter().map(|line| line.runs.build_seconds).sum()));
    rows.push(last);
    table(header, &rows, 1)
}

fn sums(sums: &Sums) -> String {
    format!(
        "{}: squares over rectangles, geometric mean {:.2}, with mask {:.2}; with mask {:.2} of the rectangles, runs {:.2} of them\n",
        count(sums.maps, "map", "maps"),
        sums.squares_over_rectangles,
        sums.squares_over_rectangles_mask,
        sums.rectangles_mask as f64 / sums.rectangles as f64,
        sums.runs as f64 / sums.rectangles as f64
    )
}

/// What the paper says, ours beside it.
fn statements(statements: &[Statement]) -> String {
    let row = |statement: &Statement| {
        let Statement { of, ours, paper, says, decimals } = statement;
        let ours_over_paper = ours.map(|ours| ours / paper);
        let paper = Pair::new(0.0, *paper).paper(*decimals);
        let paper = if says.is_empty() { paper } else { format!("{says} {paper}") };
        [of.clone(), or_dash(*ours, *decimals), paper, or_dash(ours_over_paper, 3)]
    };
    table(["the text says", "ours", "paper", "ratio"], &statements.iter().map(row).collect::<Vec<_>>(), 1)
}

/// The name of the line over all maps, or all costs.
const ALL: &str = "all";

fn range(bin: Bin) -> String {
    format!("{}-{}", bin.cost_from, bin.cost_below)
}

fn speed(speed: &Speed) -> String {
    let header = [
        "cost",
        "planner",
        "output",
        "queries",
        "astar us",
        "us",
        "speed-up",
        "paper",
        "ratio",
        "ns a move",
        "cold: astar us",
        "us",
        "speed-up",
    ];
    let row = |(cost, line): (String, &SpeedLine)| {
        let mut row = vec![cost, line.planner.to_owned(), line.output.to_owned()];
        row.extend([line.queries.to_string(), format!("{:.2}", line.warm.astar_us), format!("{:.3}", line.warm.us)]);
        row.extend(line.warm.speedup.columns(1));
        row.push(format!("{:.2}", line.warm_ns_per_move));
        row.extend([format!("{:.2}", line.cold.astar_us), format!("{:.3}", line.cold.us)]);
        row.push(format!("{:.1}", line.cold.speedup.ours));
        row
    };
    let lines = speed.lines.iter().map(|line| (range(line.bin), line));
    let rows: Vec<_> = lines.chain(speed.all.iter().map(|line| (ALL.to_owned(), line))).map(row).collect();
    format!("{}\n{}\n{}", table(header, &rows, 3), first_moves(&speed.first_moves), statements(&speed.statements))
}

fn first_moves(lines: &[FirstMoveLine]) -> String {
    let row = |line: &FirstMoveLine| {
        let [warm, cold] = [line.warm_ns, line.cold_ns].map(|nanos| format!("{nanos:.1}"));
        [line.planner.to_owned(), line.queries.to_string(), warm, cold]
    };
    let header = ["first move alone", "queries", "warm ns", "cold ns"];
    table(header, &lines.iter().map(row).collect::<Vec<_>>(), 1)
}

fn nodes(nodes: &Nodes) -> String {
    let header = [
        "cost",
        "queries",
        "expanded by astar",
        "on the path",
        "lookups",
        "by move",
        "expanded/path",
        "expanded/lookups",
    ];
    let row = |(cost, line): (String, &NodesLine)| {
        let mut row = vec![cost, line.queries.to_string()];
        let means = [line.astar_expanded, line.path_nodes, line.lookups, line.lookups_by_move];
        row.extend(means.map(|mean| format!("{mean:.1}")));
        row.extend([line.expanded_over_nodes, line.expanded_over_lookups].map(|ratio| format!("{ratio:.1}")));
        row
    };
    let lines = nodes.lines.iter().map(|line| (range(line.bin), line));
    let rows: Vec<_> = lines.chain(nodes.all.iter().map(|line| (ALL.to_owned(), line))).map(row).collect();
    format!("{}\n{}", table(header, &rows, 1), statements(&nodes.statements))
}
