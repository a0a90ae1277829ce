//! Reports the points in sight to probes that want them: for pictures.

use super::cones::{Cones, View};
use super::search::Arrival;
use super::sector::{Sector, reach, slopes};
use crate::geometry::Point;
use crate::planner::Probe;

/// Reports the corners in sight of an end of a path.
pub(super) fn report_around(view: View<'_>, end: Point, probe: &mut (impl Probe + ?Sized)) {
    if probe.wants_sight() {
        Cones::default().around::<true>(view, end, reporter(end, probe));
    }
}

/// Reports the corners in sight of a corner where a path that has reached it may continue.
pub(super) fn report_onward(view: View<'_>, at: Arrival, probe: &mut (impl Probe + ?Sized)) {
    if probe.wants_sight() {
        let Arrival { turn, side, from, .. } = at;
        let (corner, other, mut cones) = (turn.corner(), 1 - side, Cones::default());
        let sector = Sector::of(turn.kind, other);
        let (low, high) = slopes(other, (0, reach(turn, other, from)));
        let mut report = reporter(turn.point(), probe);
        sector.along(&mut cones, view, corner, &mut report);
        sector.scan::<true>(&mut cones, view, corner, sector.between(low, high), &mut report);
    }
}

/// A function that reports spans of corners in sight of a point, which sees itself.
fn reporter(from: Point, probe: &mut (impl Probe + ?Sized)) -> impl FnMut(u32, u32, u32) {
    if let Some(corner) = from.as_corner() {
        probe.sees(from, corner, corner);
    }
    move |y, first, last| probe.sees(from, (first, y).into(), (last, y).into())
}

#[cfg(test)]
mod tests {
    use crate::Finder;
    use crate::formats::generate;
    use crate::geometry::Dice;
    use crate::geometry::{Corner, Endpoints, Point};
    use crate::grid::{Grid, Squeeze, sight};
    use crate::path::Path;
    use crate::planner::{PathQuery, Trace};

    /// The trace of a query, and its path, if a path exists and turns.
    fn trace(spec: &str, grid: &Grid, query: PathQuery) -> Option<(Trace, Vec<Point>)> {
        let (mut path, mut trace) = (Path::new(), Trace::default());
        let found = Finder::new(spec, grid).unwrap().plan_probed(query, &mut path, &mut trace).unwrap();
        let points: Vec<Point> = path.vertices().ok()?.collect();
        (found && points.len() > 2).then_some((trace, points))
    }

    fn check(grid: &Grid, squeeze: Squeeze, (trace, path): &(Trace, Vec<Point>)) {
        let sees = |from, to| sight::points_visible(grid, from, to, squeeze);
        let corners = |from: Corner, to: Corner| (from.x..=to.x).map(move |x| Point::corner(Corner::new(x, from.y)));
        // The end of a line may be in sight although no path may end there: between obstacles that touch.
        let is_in_sight = |from, to| from == to || sight::points_visible(grid, from, to, Squeeze::Allowed);
        for &(from, first, last) in &trace.sights {
            assert!(corners(first, last).all(|to| is_in_sight(from, to)), "{from:?} {first} {last} on {grid:?}");
        }
        for end in [path[0], path[path.len() - 1]] {
            let reported = trace.sights.iter().filter(|(from, ..)| *from == end);
            let reported: Vec<Point> = reported.flat_map(|&(_, first, last)| corners(first, last)).collect();
            let all = (0..=grid.height()).flat_map(|y| corners(Corner::new(0, y), Corner::new(grid.width(), y)));
            assert!(
                all.filter(|&to| to != end && sees(end, to)).all(|to| reported.contains(&to)),
                "{end:?} on {grid:?}"
            );
        }
        assert!(trace.taut_hops.iter().all(|&(from, to)| sees(from, to)));
        assert!(path.windows(2).all(|leg| trace.taut_hops.contains(&(leg[0], leg[1]))), "{path:?} on {grid:?}");
    }

    #[test]
    fn reported_points_are_in_sight_and_paths_consist_of_reported_hops() {
        let mut dice = Dice::new(5);
        let mut turning = 0;
        for seed in 0..60 {
            let grid = generate::random(17, 13, 10 + seed as u32 % 30, seed).unwrap();
            let free: Vec<_> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
            let mut any = || free[dice.below(free.len() as u64) as usize];
            let query = PathQuery::new(any(), any());
            for (squeeze, ends) in Squeeze::ALL.into_iter().zip([Endpoints::Corners, Endpoints::Centres]) {
                let traced = |planner: &str| trace(&format!("{planner}:squeeze={squeeze},ends={ends}"), &grid, query);
                for traced in ["taut-graph", "taut-sight"].into_iter().filter_map(traced) {
                    check(&grid, squeeze, &traced);
                    turning += 1;
                }
            }
        }
        assert!(turning > 80, "{turning}");
    }
}
