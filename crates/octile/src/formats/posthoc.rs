//! Search traces for Posthoc, a visualiser for search researchers.
//!
//! A trace is one JSON object: `version`, `views` (how events are drawn), `pivot` (where the camera looks) and
//! `events`, one per line. Open it in Posthoc together with the `.map` file of the search.
//!
//! | event | meaning | fields |
//! |---|---|---|
//! | `source`, `destination` | an end of the query | `x`, `y` |
//! | `generating`, `updating` | a cell is put on the open list, or its cost there decreases | `pId`, the cell being
//! expanded; `g`, `h`, `f` |
//! | `expanding`, `closing` | a cell is expanded, and finished | the same |
//! | `touching` | a cell is examined in passing | `pId` |
//! | `line`, `area` | a line of cells is opened, or a rectangle is expanded, as one | `width`, `height` |
//! | `sight`, `hop` | a line of sight is tested, or put on the open list | `x1`, `y1` |
//! | `path` | a turning point of the path found | `pId`, the one before |
//!
//! `h` is the octile distance to the goal. `g` is derived from the events: the cost of the expanded cell plus the
//! octile distance from there. That is the search's own cost if it moves by such hops on a map without prices. If this
//! cost differs from the path's own cost at any of its cells, or no cell of the path has one, `g`, `h` and `f` are left
//! out.
//!
//! ```
//! use octile::services::Film;
//! use octile::{Engine, Grid, Path, Query};
//! use octile::formats::posthoc;
//! let grid: Grid = "....\n.@@.\n....".parse()?;
//! let (mut film, mut path) = (Film::default(), Path::new());
//! Engine::new("astar", &grid)?.plan_probed(Query::new((0, 1), (3, 1)), &mut path, &mut film)?;
//! let trace = posthoc::write(&film, &grid, Some(&path));
//! assert!(trace.starts_with("{\"version\": \"1.4.0\""));
//! assert!(trace.contains("{\"type\": \"source\", \"id\": \"0:1\", \"x\": 0, \"y\": 1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashMap;
use std::fmt::Write;

use crate::geometry::{Cell, GridCost, Point};
use crate::grid::{Grid, Movement};
use crate::path::Path;
use crate::services::{Event, Film};

/// How events are drawn: cells, lines and areas as rectangles, lines of sight as lines.
const HEAD: &str = r##"{"version": "1.4.0",
"views": {
  "box": [{"$": "rect", "x": "${{$.x}}", "y": "${{$.y}}", "width": "${{$.width ?? 1}}", "height": "${{$.height ?? 1}}", "fill": "${{$.fill}}", "alpha": "${{$.alpha ?? 1}}", "clear": "${{$.clear}}"}],
  "main": [
    {"$": "box", "$if": "${{$.type == 'source'}}", "fill": "#2a9d4e", "clear": false},
    {"$": "box", "$if": "${{$.type == 'destination'}}", "fill": "#d1373d", "clear": false},
    {"$": "box", "$if": "${{$.type == 'generating' || $.type == 'updating'}}", "fill": "#f2a541", "clear": true},
    {"$": "box", "$if": "${{$.type == 'expanding'}}", "fill": "#2f6fde", "clear": "closing"},
    {"$": "box", "$if": "${{$.type == 'closing'}}", "fill": "#9dbcf2", "clear": false},
    {"$": "box", "$if": "${{$.type == 'touching'}}", "fill": "#e6dcf5", "clear": false},
    {"$": "box", "$if": "${{$.type == 'line'}}", "fill": "#f2a541", "alpha": 0.6, "clear": false},
    {"$": "box", "$if": "${{$.type == 'area'}}", "fill": "#2f6fde", "alpha": 0.3, "clear": false},
    {"$": "path", "$if": "${{$.type == 'sight' || $.type == 'hop'}}", "points": [{"x": "${{$.x}}", "y": "${{$.y}}"}, {"x": "${{$.x1}}", "y": "${{$.y1}}"}], "fill": "#7c5cc4", "alpha": 0.4, "line-width": 0.1, "clear": false},
    {"$": "path", "$if": "${{$.type == 'path' && !!parent}}", "points": [{"x": "${{$.x + 0.5}}", "y": "${{$.y + 0.5}}"}, {"x": "${{parent.x + 0.5}}", "y": "${{parent.y + 0.5}}"}], "fill": "#d1373d", "line-width": 0.3, "clear": false}
  ]
},
"pivot": {"x": "${{$.x + 0.5}}", "y": "${{$.y + 0.5}}", "scale": 1},
"events": [
"##;

/// Writes a search as a trace. `path` is the path found; without it the trace has no path and no costs.
pub fn write(film: &Film, grid: &Grid, path: Option<&Path>) -> String {
    let costs = path.and_then(|path| Costs::of(film, grid, path));
    let mut trace = Trace { text: HEAD.to_owned(), goal: film.trip().map(|trip| trip.goal), costs, expanded: None };
    if let Some(trip) = film.trip() {
        trace.end("source", trip.start);
        trace.end("destination", trip.goal);
    }
    for &event in film.events() {
        trace.event(event);
    }
    trace.close();
    if let Some(path) = path {
        trace.path(path);
    }
    // Removes the comma after the last event.
    if trace.text.ends_with(",\n") {
        trace.text.truncate(trace.text.len() - 2);
    }
    trace.text.push_str("\n]}\n");
    trace.text
}

/// The costs of cells, derived from events.
struct Costs {
    movement: Movement,
    g: HashMap<Cell, GridCost>,
}

impl Costs {
    /// The costs at the start of a film; `None` if costs cannot be derived from its events.
    fn of(film: &Film, grid: &Grid, path: &Path) -> Option<Self> {
        let is_derivable = grid.convention().is_none() && !path.is_any_angle() && path.is_legal(grid) && !film.is_cut();
        let trip = film.trip().filter(|_| is_derivable)?;
        let start = || Self { movement: grid.movement(), g: HashMap::from([(trip.start, GridCost::default())]) };
        let (mut costs, mut expanded) = (start(), None);
        for &event in film.events() {
            costs.follow(event, &mut expanded);
        }
        costs.agree_with(path).then(start)
    }

    /// Whether the derived costs of a path's cells equal the cost of the path up to them, and at least one cell after
    /// the start has such a cost.
    fn agree_with(&self, path: &Path) -> bool {
        let Ok(mut cells) = path.cells() else { return false };
        let Some(mut at) = cells.next() else { return false };
        let (mut so_far, mut known) = (GridCost::default(), 0);
        for cell in cells {
            so_far += self.between(at, cell);
            at = cell;
            match self.g.get(&cell) {
                Some(&g) if g == so_far => known += 1,
                Some(_) => return false,
                None => {}
            }
        }
        known > 0
    }

    fn follow(&mut self, event: Event, expanded: &mut Option<Cell>) {
        match event {
            Event::Expanded(cell) => *expanded = Some(cell),
            Event::Reached(cell) | Event::Improved(cell) => {
                let by = |parent: Cell| self.g.get(&parent)?.checked_add(self.between(parent, cell));
                if let Some(reached) = expanded.and_then(by) {
                    self.g.entry(cell).and_modify(|g| *g = (*g).min(reached)).or_insert(reached);
                }
            }
            _ => {}
        }
    }

    fn between(&self, from: Cell, to: Cell) -> GridCost {
        match self.movement {
            Movement::Tile => GridCost::new(from.x.abs_diff(to.x).saturating_add(from.y.abs_diff(to.y)), 0),
            _ => GridCost::between(from, to),
        }
    }
}

/// A trace being written.
struct Trace {
    text: String,
    goal: Option<Cell>,
    costs: Option<Costs>,
    expanded: Option<Cell>,
}

impl Trace {
    fn event(&mut self, event: Event) {
        match event {
            Event::Expanded(cell) => {
                self.close();
                self.expanded = Some(cell);
                self.cell("expanding", cell, None);
            }
            Event::Reached(cell) | Event::Improved(cell) => {
                if let Some(costs) = &mut self.costs {
                    costs.follow(event, &mut self.expanded);
                }
                let kind = if matches!(event, Event::Reached(_)) { "generating" } else { "updating" };
                self.cell(kind, cell, self.expanded.filter(|&parent| parent != cell));
            }
            Event::Touched(cell) => self.cell("touching", cell, self.expanded),
            Event::Line(a, b) => self.boxed("line", a, b),
            Event::Area(a, b) => self.boxed("area", a, b),
            Event::Sight(a, b) => self.straight("sight", a, b),
            Event::TautHop(a, b) => self.straight("hop", a, b),
            // Lines of sight would hide everything else, and hops are the path itself.
            Event::Sees(..) | Event::Hop(..) => {}
        }
    }

    /// Closes the cell expanded last.
    fn close(&mut self) {
        if let Some(cell) = self.expanded.take() {
            self.cell("closing", cell, None);
        }
    }

    fn end(&mut self, kind: &str, cell: Cell) {
        self.line(format_args!("{}}}", Self::head(kind, cell)));
    }

    fn cell(&mut self, kind: &str, cell: Cell, parent: Option<Cell>) {
        let mut line = Self::head(kind, cell);
        if let Some(parent) = parent {
            _ = write!(line, ", \"pId\": \"{}:{}\"", parent.x, parent.y);
        }
        let g = self.costs.as_ref().and_then(|costs| Some(costs.g.get(&cell)?.length()));
        if let Some((g, goal)) = g.zip(self.goal) {
            let h = self.costs.as_ref().map_or(0.0, |costs| costs.between(cell, goal).length());
            _ = write!(line, ", \"g\": {g}, \"h\": {h}, \"f\": {}", g + h);
        }
        self.line(format_args!("{line}}}"));
    }

    fn boxed(&mut self, kind: &str, a: Cell, b: Cell) {
        let (min, max) = (Cell::new(a.x.min(b.x), a.y.min(b.y)), Cell::new(a.x.max(b.x), a.y.max(b.y)));
        let (width, height) = (u64::from(max.x - min.x) + 1, u64::from(max.y - min.y) + 1);
        self.line(format_args!("{}, \"width\": {width}, \"height\": {height}}}", Self::head(kind, min)));
    }

    fn straight(&mut self, kind: &str, a: Point, b: Point) {
        let (x, y, x1, y1) = (a.x(), a.y(), b.x(), b.y());
        self.line(format_args!(
            "{{\"type\": \"{kind}\", \"id\": \"{x}:{y}\", \"x\": {x}, \"y\": {y}, \"x1\": {x1}, \"y1\": {y1}}}"
        ));
    }

    /// The turning points of a path, each with the one before. The points of an any-angle path are shifted by half a
    /// cell, because cells are drawn from their upper left corner.
    fn path(&mut self, path: &Path) {
        let points: Vec<(f64, f64)> = match (path.waypoints(), path.vertices()) {
            (Ok(cells), _) => cells.map(|cell| (f64::from(cell.x), f64::from(cell.y))).collect(),
            (_, Ok(points)) => points.map(|point| (point.x() - 0.5, point.y() - 0.5)).collect(),
            _ => Vec::new(),
        };
        for (place, (x, y)) in points.into_iter().enumerate() {
            let parent =
                place.checked_sub(1).map_or_else(String::new, |parent| format!(", \"pId\": \"path {parent}\""));
            self.line(format_args!("{{\"type\": \"path\", \"id\": \"path {place}\"{parent}, \"x\": {x}, \"y\": {y}}}"));
        }
    }

    fn head(kind: &str, Cell { x, y }: Cell) -> String {
        format!("{{\"type\": \"{kind}\", \"id\": \"{x}:{y}\", \"x\": {x}, \"y\": {y}")
    }

    fn line(&mut self, event: std::fmt::Arguments<'_>) {
        _ = writeln!(self.text, "{event},");
    }
}
