//! A query.

use super::cache::Cache;
use super::{Scene, TautSightPlanner};
use crate::geometry::Point;
use crate::grid::sight;
use crate::kernels::ds::table::Table;
use crate::kernels::taut::cones::{Cones, View};
use crate::kernels::taut::{Arrival, Hop, Hops, Memory, Search, seen};
use crate::path::Path;
use crate::planner::{PathQuery, Probe, size_bytes};

/// Scratch memory of [`TautSightPlanner`].
#[derive(Debug)]
pub(super) struct TautSightScratch {
    memory: Memory,
    cache: Cache,
    cones: Cones,
    goal_sees: Table<u32, 0>,
}

size_bytes!(TautSightScratch: memory, cache, cones, goal_sees);

impl TautSightScratch {
    pub(super) fn new(scene: &Scene) -> Self {
        let corners = scene.corners.len();
        Self {
            memory: Memory::new(corners),
            cache: Cache::new(&scene.corners, &scene.changes),
            cones: Cones::default(),
            goal_sees: Table::new(corners),
        }
    }

    /// Lets the next search continue where the last one stopped.
    pub(super) fn go_on(&mut self) {
        self.memory.go_on();
    }
}

/// After this many tests of single corners, the view of the goal is scanned once instead.
const MOST_TESTED: u32 = 40;

/// The hops of a map, found when they are needed.
struct OnDemand<'a> {
    scene: &'a Scene,
    view: View<'a>,
    cones: &'a mut Cones,
    cache: &'a mut Cache,
    goal_sees: &'a mut Table<u32, 0>,
    mark: u32,
    tested: u32,
    start: Point,
    goal: Point,
}

impl OnDemand<'_> {
    /// Whether the goal sees a corner.
    fn sees(&mut self, corner: u32, point: Point) -> bool {
        self.tested += 1;
        if self.tested < MOST_TESTED {
            return sight::points_on_map_visible(self.view.grid, point, self.goal, self.view.squeeze);
        }
        if self.tested == MOST_TESTED {
            let Self { scene, view, cones, goal_sees, mark, goal, .. } = self;
            seen(cones, *view, &scene.corners, *goal, |corner, _, _, _| goal_sees[corner as usize] = *mark);
        }
        self.goal_sees[corner as usize] == self.mark
    }
}

impl Hops for OnDemand<'_> {
    #[inline]
    fn leave_start(&mut self, mut visit: impl FnMut(Arrival)) {
        let Self { scene, view, cones, start, .. } = self;
        seen(cones, *view, &scene.corners, *start, |corner, turn, side, from| {
            visit(Arrival { corner, turn, side, from });
        });
    }

    #[inline]
    fn reaches_goal(&mut self, Arrival { corner, turn, side, from }: Arrival) -> bool {
        let to = turn.to(self.goal);
        turn.kind.side(to) == Some(1 - side) && turn.kind.turns(side, from, to) && self.sees(corner, turn.point())
    }

    #[inline]
    fn onward(&mut self, arrival: Arrival, visit: impl FnMut(Hop)) {
        let Self { scene, view, cones, cache, .. } = self;
        cache.onward(cones, *view, scene, arrival, visit);
    }
}

impl TautSightPlanner {
    pub(super) fn run<P: Probe + ?Sized>(
        &self,
        scratch: &mut TautSightScratch,
        query: PathQuery,
        out: &mut Path,
        probe: &mut P,
    ) -> bool {
        let (grid, squeeze, output) = (self.map.grid(), self.map.squeeze(), query.output);
        let [start, goal] = [query.start, query.goal].map(|cell| self.ends.point(cell));
        if sight::points_on_map_visible(grid, start, goal, squeeze) {
            out.set_any_angle_points(output, squeeze, [start, goal].into_iter());
            return true;
        }
        let Scene { bands, corners, changes } = &*self.scene;
        let TautSightScratch { memory, cache, cones, goal_sees, .. } = scratch;
        memory.fit(corners.len());
        goal_sees.extend(corners.len().saturating_sub(goal_sees.len()));
        cache.follow(corners, changes, self.memory);
        let (view, mark) = (View { grid, bands, squeeze }, goal_sees.begin());
        let mut hops = OnDemand { scene: &self.scene, view, cones, cache, goal_sees, mark, tested: 0, start, goal };
        Search { view, corners, start, goal, memory, probe }.run(&mut hops, output, out)
    }
}
