//! Detection: from the walls of a map to the paper's blocked areas (section 5).
//!
//! 1. *Segments*: maximal runs of two or more obstacle cells in a row or column.
//! 2. *Corners*: an obstacle cell with obstacles beside and above (or below) it, and a free cell between those two.
//! 3. *Links*: corners that face each other along one side of a segment. A corner has at most one link along its row
//!    and one along its column, so linked corners form chains; the paper's union-find with a sort of each set gives the
//!    same chains.
//! 4. *Polygons*: a chain with the free ends of its first and last corner. The line between these ends is the entrance.
//! 5. *Rejection*: entrances that a segment crosses, small triangles, empty areas, and the smaller of two overlapping
//!    areas.

use super::area::{Area, Strip, line_at};
use crate::geometry::{Cell, order};
use crate::grid::Grid;
use crate::grid::bits::{BitLines, WINDOW};

/// The minimum length of both legs of an area with one corner; shorter ones do not pay.
const SHORTEST_LEG: u32 = 4;

/// The result of detection: the paper's areas, and the numbers of its Table 2.
#[derive(Clone, Debug)]
pub struct Detection {
    /// The number of runs of two or more obstacle cells in a row.
    pub horizontal_segments: usize,
    /// The number of runs of two or more obstacle cells in a column.
    pub vertical_segments: usize,
    /// The number of obstacle cells that are a corner in some direction.
    pub intersections: usize,
    /// The number of corners; an intersection has up to four.
    pub corners: usize,
    /// The blocked areas as the paper defines them. They are safe to prune only under the rules of
    /// [`BlockedAreas::build`](super::BlockedAreas::build).
    pub areas: Vec<Area>,
}

/// A corner at the obstacle cell `at`: its arms go left or right, and up or down.
struct Corner {
    at: Cell,
    right: bool,
    down: bool,
    /// The ends of its arms.
    row_end: Cell,
    column_end: Cell,
    /// The facing corners along its row and column.
    row_link: Option<u32>,
    column_link: Option<u32>,
}

impl Detection {
    /// Detects the areas of a map.
    ///
    /// ```
    /// use octile::algo::blocked_areas::Detection;
    /// use octile::Grid;
    /// let grid: Grid = ".......\n.@@@@@.\n.@...@.\n.@...@.\n.@...@.\n.......".parse()?;
    /// let found = Detection::new(&grid);
    /// assert_eq!((found.horizontal_segments, found.vertical_segments, found.corners), (1, 2, 2));
    /// assert_eq!(found.areas.len(), 1);
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn new(grid: &Grid) -> Self {
        let rows = Segments::new(grid.rows(), grid.height(), grid.width());
        let columns = Segments::new(grid.columns(), grid.width(), grid.height());
        let mut corners = find_corners(grid, &rows, &columns);
        let intersections = corners.chunk_by(|a, b| a.at == b.at).count();
        link(&mut corners, grid.width());
        let candidates = chains(&corners)
            .into_iter()
            .map(|chain| polygon(&corners, &chain))
            .filter(|area| area.joints().len() > 3 || area.shorter_leg() >= SHORTEST_LEG)
            .filter(|area| entrance_is_clear(grid, area))
            .collect();
        Self {
            horizontal_segments: rows.long_runs,
            vertical_segments: columns.long_runs,
            intersections,
            corners: corners.len(),
            areas: without_overlaps(grid, candidates),
        }
    }
}

/// The maximal obstacle runs of all lines, including single cells.
struct Segments {
    /// The first and last position of each run, line by line.
    runs: Vec<(u32, u32)>,
    /// The index of each line's first run.
    first_of_line: Vec<u32>,
    /// The number of runs with two or more cells.
    long_runs: usize,
}

impl Segments {
    fn new(bits: &BitLines, lines: u32, len: u32) -> Self {
        let (mut runs, mut first_of_line) = (Vec::new(), vec![0]);
        let end = len as usize + 1;
        for line in 1..=lines as usize {
            let mut at = 1;
            while at < end {
                let free = bits.next_free(line, at).min(end);
                if free > at {
                    runs.push((at as u32 - 1, free as u32 - 2));
                }
                at = if free < end { bits.run_end(line, free) } else { end };
            }
            first_of_line.push(runs.len() as u32);
        }
        let long_runs = runs.iter().filter(|(first, last)| first < last).count();
        Self { runs, first_of_line, long_runs }
    }

    /// The run of an obstacle cell.
    fn run(&self, line: u32, position: u32) -> (u32, u32) {
        let line = line as usize;
        let runs = &self.runs[self.first_of_line[line] as usize..self.first_of_line[line + 1] as usize];
        runs[runs.partition_point(|&(_, last)| last < position)]
    }
}

/// All corners, row by row.
fn find_corners(grid: &Grid, rows: &Segments, columns: &Segments) -> Vec<Corner> {
    // A window that begins one cell to the left covers all but its first and last cell.
    const STEP: usize = WINDOW - 2;
    let mut corners = Vec::new();
    for y in 0..grid.height() {
        for first in (1..=grid.width() as usize).step_by(STEP) {
            let [above, here, below] = grid.rows().three_windows::<true>(y as usize + 1, first - 1);
            let cells = STEP.min(grid.width() as usize + 1 - first);
            let valid = ((1 << cells) - 1) << 1;
            // Obstacle cells with an obstacle to their left or right, an obstacle above or below, and a free cell
            // between those two. That cell is on the map, so the others are too.
            let quadrants = [(false, false), (false, true), (true, false), (true, true)].map(|(right, down)| {
                let line = if down { below } else { above };
                let beside = |line: u64| if right { line >> 1 } else { line << 1 };
                (right, down, !here & !beside(here) & !line & beside(line) & valid)
            });
            let mut any = quadrants.iter().fold(0, |any, (.., bits)| any | bits);
            while any != 0 {
                let bit = any.trailing_zeros();
                any &= any - 1;
                let at = Cell::new((first - 1) as u32 + bit - 1, y);
                let (row, column) = (rows.run(y, at.x), columns.run(at.x, y));
                for &(right, down, _) in quadrants.iter().filter(|(.., bits)| bits >> bit & 1 == 1) {
                    corners.push(Corner {
                        at,
                        right,
                        down,
                        row_end: Cell::new(if right { row.1 } else { row.0 }, y),
                        column_end: Cell::new(at.x, if down { column.1 } else { column.0 }),
                        row_link: None,
                        column_link: None,
                    });
                }
            }
        }
    }
    corners
}

/// Links corners that face each other: neighbours along one side of a segment whose arms point at each other (the
/// paper's Algorithm 3). Corners come row by row, so the neighbour of a corner on its side of a line is the last one
/// seen there, and no sorting is needed.
fn link(corners: &mut [Corner], width: u32) {
    // Indexed by side: above and below the row, left and right of each column.
    let mut last_of_row = [None; 2];
    let mut last_of_column = vec![[None; 2]; width as usize];
    for i in 0..corners.len() as u32 {
        let b = &corners[i as usize];
        let (cell, right, down) = (b.at, b.right, b.down);
        let in_row = last_of_row[usize::from(down)].replace(i);
        let in_column = last_of_column[cell.x as usize][usize::from(right)].replace(i);
        if let Some(before) = in_row {
            let a = &mut corners[before as usize];
            if a.at.y == cell.y && a.at.x < cell.x && cell.x <= a.row_end.x && a.right && !right {
                a.row_link = Some(i);
                corners[i as usize].row_link = Some(before);
            }
        }
        if let Some(before) = in_column {
            let a = &mut corners[before as usize];
            if a.at.y < cell.y && cell.y <= a.column_end.y && a.down && !down {
                a.column_link = Some(i);
                corners[i as usize].column_link = Some(before);
            }
        }
    }
}

/// The chains of linked corners, each from one free end to the other. Corners linked in a circle enclose their area, so
/// no search can enter it, and they form no chain.
fn chains(corners: &[Corner]) -> Vec<Vec<u32>> {
    let mut seen = vec![false; corners.len()];
    let mut chains = Vec::new();
    for first in 0..corners.len() as u32 {
        let corner = &corners[first as usize];
        if seen[first as usize] || (corner.row_link.is_some() && corner.column_link.is_some()) {
            continue;
        }
        let mut along_row = corner.row_link.is_some();
        let mut chain = vec![first];
        let mut at = first;
        seen[first as usize] = true;
        loop {
            let corner = &corners[at as usize];
            let Some(next) = (if along_row { corner.row_link } else { corner.column_link }) else { break };
            seen[next as usize] = true;
            chain.push(next);
            at = next;
            along_row = !along_row;
        }
        chains.push(chain);
    }
    chains
}

/// The polygon of a chain: the free end of its first corner, its corners, and the free end of its last.
fn polygon(corners: &[Corner], chain: &[u32]) -> Area {
    let corner = |i: usize| &corners[chain[i] as usize];
    let (first, last) = (corner(0), corner(chain.len() - 1));
    // The free arm is the one without a link; a single corner has two.
    let begin = if first.row_link.is_some() { first.column_end } else { first.row_end };
    let end = if last.column_link.is_some() { last.row_end } else { last.column_end };
    let (begin, end) = if chain.len() == 1 { (first.column_end, first.row_end) } else { (begin, end) };
    let middle = (0..chain.len()).map(|i| corner(i).at);
    Area::new(std::iter::once(begin).chain(middle).chain([end]).collect(), Strip::Thin)
}

/// Whether no segment meets the entrance, except those that contain its ends.
fn entrance_is_clear(grid: &Grid, area: &Area) -> bool {
    let (a, b) = area.entrance();
    let blocked = |x: u32, y: u32| !grid.is_free(Cell::new(x, y)) && grid.contains(Cell::new(x, y));
    let in_row = |x: u32, y: u32| blocked(x, y) && (blocked(x.wrapping_sub(1), y) || blocked(x + 1, y));
    let in_column = |x: u32, y: u32| blocked(x, y) && (blocked(x, y.wrapping_sub(1)) || blocked(x, y + 1));
    let (xs, ys) = (a.x.min(b.x) + 1..a.x.max(b.x), a.y.min(b.y) + 1..a.y.max(b.y));
    if a.y == b.y {
        // Along a row: a segment of that row does not count if it reaches an end of the entrance.
        let reaches = |x: u32| {
            let all_blocked = |from: u32, to: u32| (from.min(to)..=from.max(to)).all(|x| blocked(x, a.y));
            all_blocked(a.x, x) || all_blocked(x, b.x)
        };
        return !xs.into_iter().any(|x| in_column(x, a.y) || in_row(x, a.y) && !reaches(x));
    }
    if a.x == b.x {
        let reaches = |y: u32| {
            let all_blocked = |from: u32, to: u32| (from.min(to)..=from.max(to)).all(|y| blocked(a.x, y));
            all_blocked(a.y, y) || all_blocked(y, b.y)
        };
        return !ys.into_iter().any(|y| in_row(a.x, y) || in_column(a.x, y) && !reaches(y));
    }
    // A slanted entrance passes between two cells of a row, or through one: a segment with these cells blocks it.
    let row_is_clear = |y: u32| {
        let (x, between) = line_at((a.y, a.x), (b.y, b.x), y);
        if between { !(blocked(x, y) && blocked(x + 1, y)) } else { !in_row(x, y) }
    };
    let column_is_clear = |x: u32| {
        let (y, between) = line_at((a.x, a.y), (b.x, b.y), x);
        if between { !(blocked(x, y) && blocked(x, y + 1)) } else { !in_column(x, y) }
    };
    ys.into_iter().all(row_is_clear) && xs.into_iter().all(column_is_clear)
}

/// Drops areas without any cells inside, and areas that overlap a larger one.
fn without_overlaps(grid: &Grid, areas: Vec<Area>) -> Vec<Area> {
    let mut order: Vec<usize> = (0..areas.len()).collect();
    order::stable_by_key(&mut order, |&i| std::cmp::Reverse(areas[i].doubled_size()));
    let mut taken = BitLines::new(grid.height() as usize + 2, grid.width() as usize + 2);
    let mut keep = vec![false; areas.len()];
    let mut inside = Vec::new();
    for i in order {
        inside.clear();
        let (mut overlaps, mut is_empty) = (false, true);
        let wide = areas[i].clone().with_strip(Strip::Wide);
        areas[i].cells(|cell| {
            if grid.is_free(cell) {
                overlaps = taken.get(cell.y as usize + 1, cell.x as usize + 1);
                is_empty &= wide.is_entrance(cell);
                inside.push(cell);
            }
            !overlaps
        });
        if !overlaps && !is_empty {
            keep[i] = true;
            for cell in &inside {
                taken.set(cell.y as usize + 1, cell.x as usize + 1, true);
            }
        }
    }
    let mut keep = keep.into_iter();
    areas.into_iter().filter(|_| keep.next() == Some(true)).collect()
}
