//! Searches in pictures.

use super::{Colour, Picture};
use crate::geometry::{Cell, Point};
use crate::planner::Trace;

impl Picture {
    /// Draws a search of any kind: the cells, lines and areas that it expanded, later ones darker, or the areas visible
    /// from the points of a taut path. `start` and `goal` are the points of the query's start and goal.
    ///
    /// ```
    /// use octile::formats::draw::Picture;
    /// use octile::{Engine, Grid, Path, Point, Query};
    /// use octile::planner::Trace;
    /// let grid: Grid = "....\n.@@.\n....".parse()?;
    /// let (mut path, mut trace) = (Path::new(), Trace::default());
    /// Engine::new("taut-sight", &grid)?.plan_probed(Query::new((0, 1), (3, 2)), &mut path, &mut trace)?;
    /// let (start, goal) = (Point::corner((0, 1).into()), Point::corner((3, 2).into()));
    /// let picture = Picture::new(&grid).search(&trace, start, goal).path(&path).point_ends(start, goal);
    /// assert!(picture.to_svg()?.contains("<circle"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn search(self, trace: &Trace, start: Point, goal: Point) -> Self {
        if !trace.sights.is_empty() {
            return self.sights(trace, [start, goal]);
        }
        // Lines are drawn as all their cells. If there are no lines, areas are drawn that way: the blocks of a search
        // over blocks. Single cells are drawn as such.
        let (right, bottom) = (self.grid.width() - 1, self.grid.height() - 1);
        let along = |&(a, b): &(Cell, Cell)| {
            (a.y..=b.y.min(bottom)).flat_map(move |y| (a.x..=b.x.min(right)).map(move |x| Cell::new(x, y)))
        };
        let wide = if trace.lines.is_empty() { &trace.areas } else { &trace.lines };
        let cells: Vec<Cell> = wide.iter().flat_map(along).filter(|&cell| self.grid.is_free(cell)).collect();
        let expanded = if cells.is_empty() { &trace.expanded } else { &cells };
        self.seen(&trace.seen).expanded(expanded).rectangles(&trace.areas)
    }

    /// Draws what the ends and the expanded corners see, and the lines of sight tested.
    fn sights(self, trace: &Trace, [start, goal]: [Point; 2]) -> Self {
        let sights = |is_from: fn([bool; 2]) -> bool| {
            trace.sights.iter().copied().filter(move |&(from, ..)| is_from([from == start, from == goal]))
        };
        self.sight(sights(|is_end| is_end == [false; 2]), Colour::SIGHT)
            .sight(sights(|[is_start, _]| is_start), Colour::START)
            .sight(sights(|[_, is_goal]| is_goal), Colour::GOAL)
            .hops(&trace.taut_hops)
    }
}
