//! What a search sees, told to probes that want to know: for pictures.

use super::cones::{Cones, View};
use super::search::Arrival;
use super::sector::{Sector, reach, slopes};
use crate::geometry::Point;
use crate::planner::Probe;

/// Tells what an end of a path sees.
pub(super) fn tell_around(view: View<'_>, end: Point, probe: &mut (impl Probe + ?Sized)) {
    if probe.wants_sight() {
        Cones::default().around::<true>(view, end, teller(end, probe));
    }
}

/// Tells what is in sight of a corner where a path that has come to it may go on.
pub(super) fn tell_onward(view: View<'_>, at: Arrival, probe: &mut (impl Probe + ?Sized)) {
    if probe.wants_sight() {
        let Arrival { turn, side, from, .. } = at;
        let (corner, other, mut cones) = (turn.corner(), 1 - side, Cones::default());
        let sector = Sector::of(turn.kind, other);
        let (low, high) = slopes(other, (0, reach(turn, other, from)));
        let mut tell = teller(turn.point(), probe);
        sector.along(&mut cones, view, corner, &mut tell);
        sector.scan::<true>(&mut cones, view, corner, sector.between(low, high), &mut tell);
    }
}

/// What tells of spans of corners in sight of a point, which sees itself.
fn teller(from: Point, probe: &mut (impl Probe + ?Sized)) -> impl FnMut(u32, u32, u32) {
    if let Some(corner) = from.as_corner() {
        probe.sees(from, corner, corner);
    }
    move |y, first, last| probe.sees(from, (first, y).into(), (last, y).into())
}

#[cfg(test)]
mod tests {
    use crate::formats::generate;
    use crate::geometry::{Corner, Endpoints, Point};
    use crate::grid::{Grid, Squeeze, sight};
    use crate::path::Path;
    use crate::planner::{PathQuery, Trace};
    use crate::{Dice, Finder};

    /// What a planner tells of a query, and its path, if there is one that turns.
    fn watch(spec: &str, grid: &Grid, query: PathQuery) -> Option<(Trace, Vec<Point>)> {
        let (mut path, mut trace) = (Path::new(), Trace::default());
        let found = Finder::new(spec, grid).unwrap().plan_probed(query, &mut path, &mut trace).unwrap();
        let points: Vec<Point> = path.vertices().ok()?.collect();
        (found && points.len() > 2).then_some((trace, points))
    }

    fn check(grid: &Grid, squeeze: Squeeze, (trace, path): &(Trace, Vec<Point>)) {
        let sees = |from, to| sight::points_visible(grid, from, to, squeeze);
        let corners = |from: Corner, to: Corner| (from.x..=to.x).map(move |x| Point::corner(Corner::new(x, from.y)));
        // The end of a line may be in sight though no path may end there: between obstacles that touch.
        let is_in_sight = |from, to| from == to || sight::points_visible(grid, from, to, Squeeze::Allowed);
        for &(from, first, last) in &trace.sights {
            assert!(corners(first, last).all(|to| is_in_sight(from, to)), "{from:?} {first} {last} on {grid:?}");
        }
        for end in [path[0], path[path.len() - 1]] {
            let told = trace.sights.iter().filter(|(from, ..)| *from == end);
            let told: Vec<Point> = told.flat_map(|&(_, first, last)| corners(first, last)).collect();
            let all = (0..=grid.height()).flat_map(|y| corners(Corner::new(0, y), Corner::new(grid.width(), y)));
            assert!(all.filter(|&to| to != end && sees(end, to)).all(|to| told.contains(&to)), "{end:?} on {grid:?}");
        }
        assert!(trace.taut_hops.iter().all(|&(from, to)| sees(from, to)));
        assert!(path.windows(2).all(|leg| trace.taut_hops.contains(&(leg[0], leg[1]))), "{path:?} on {grid:?}");
    }

    #[test]
    fn what_is_told_is_in_sight_and_the_path_is_made_of_it() {
        let mut dice = Dice::new(5);
        let mut turning = 0;
        for seed in 0..60 {
            let grid = generate::random(17, 13, 10 + seed as u32 % 30, seed).unwrap();
            let free: Vec<_> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
            let mut any = || free[dice.below(free.len() as u64) as usize];
            let query = PathQuery::new(any(), any());
            for (squeeze, ends) in Squeeze::ALL.into_iter().zip([Endpoints::Corners, Endpoints::Centres]) {
                let told = |planner: &str| watch(&format!("{planner}:squeeze={squeeze},ends={ends}"), &grid, query);
                for told in ["taut-graph", "taut-sight"].into_iter().filter_map(told) {
                    check(&grid, squeeze, &told);
                    turning += 1;
                }
            }
        }
        assert!(turning > 80, "{turning}");
    }
}
