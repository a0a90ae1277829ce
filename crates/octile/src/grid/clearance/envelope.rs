//! The nearest of many points along a line, each with an additional distance: the lower envelope of parabolas.
//!
//! After Meijster, Roerdink & Hesselink, "A General Algorithm for Computing Distance Transforms in Linear Time", 2000,
//! and Felzenszwalb & Huttenlocher, "Distance Transforms of Sampled Functions", 2012, in whole numbers.

use crate::grid::agent::Room;

/// Marks an edge that can be skipped.
pub(super) const NONE: u16 = u16::MAX;

/// Working memory for stretches of any length.
#[derive(Clone, Debug, Default)]
pub(super) struct Envelope {
    arcs: Vec<Arc>,
}

/// A range of positions with the same nearest point.
#[derive(Clone, Copy, Debug)]
struct Arc {
    /// The position of the point.
    site: i64,
    /// The square of its additional distance.
    height: i64,
    /// The first position of the range, and the squared distance from there.
    first: usize,
    squared: i64,
}

impl Envelope {
    /// Computes squared distances to the nearest blocked cell, in halves of a cell. For each edge 0, 1, ... between
    /// cells, `edges` has the steps to the nearest blocked cell in the columns beside it. The results are for the
    /// centres of cells, one less than there are edges, or for the edges themselves.
    pub(super) fn distances(&mut self, room: Room, edges: &[u16], squared: &mut [u32]) {
        match room {
            Room::Centre => self.split::<1>(edges, squared),
            Room::Cell => self.split::<0>(edges, squared),
        }
    }

    /// Splits the row at edges that touch a blocked cell: no cell beyond such an edge can be nearer.
    fn split<const ODD: usize>(&mut self, edges: &[u16], squared: &mut [u32]) {
        let touches = |&steps: &u16| steps < 2 - ODD as u16;
        let mut from = 0;
        while from + 1 < edges.len() {
            let to = edges[from + 1..].iter().position(touches).map_or(edges.len() - 1, |at| from + 1 + at);
            let places = &mut squared[from..=to - ODD];
            match to - from {
                1 if touches(&edges[from]) && touches(&edges[to]) => places.fill(ODD as u32),
                _ => self.stretch::<ODD>(&edges[from..=to], places),
            }
            from = to;
        }
    }

    fn stretch<const ODD: usize>(&mut self, edges: &[u16], squared: &mut [u32]) {
        self.arcs.clear();
        for (site, &steps) in edges.iter().enumerate().filter(|(_, steps)| **steps != NONE) {
            let room = if ODD == 1 { Room::Centre } else { Room::Cell };
            self.add::<ODD>(site as i64, room.gap_squared(steps) as i64, squared.len());
        }
        let mut end = squared.len();
        for arc in self.arcs.iter().rev() {
            for (place, squared) in squared[arc.first..end].iter_mut().enumerate() {
                *squared = u32::try_from(arc.at::<ODD>(arc.first + place)).unwrap_or(u32::MAX);
            }
            end = arc.first;
        }
    }

    /// Adds a point to the right of all others.
    #[inline]
    fn add<const ODD: usize>(&mut self, site: i64, height: i64, places: usize) {
        let mut new = Arc { site, height, first: 0, squared: 0 };
        while let Some(last) = self.arcs.last() {
            if new.at::<ODD>(last.first) >= last.squared {
                new.first = last.lost_to::<ODD>(&new);
                break;
            }
            self.arcs.pop();
        }
        if new.first < places {
            new.squared = new.at::<ODD>(new.first);
            self.arcs.push(new);
        }
    }
}

impl Arc {
    /// The squared distance from a position. Positions are one cell apart, and half a cell from points if `ODD`.
    #[inline]
    fn at<const ODD: usize>(&self, place: usize) -> i64 {
        let away = 2 * (place as i64 - self.site) + ODD as i64;
        away * away + self.height
    }

    /// The first position nearer to a point on the right than to this one. At least one position from 0 on is nearer to
    /// this one.
    #[inline]
    fn lost_to<const ODD: usize>(&self, right: &Self) -> usize {
        if self.height == right.height {
            return (right.site + self.site - ODD as i64) as usize / 2 + 1;
        }
        let steps = 4 * (right.site - self.site);
        let twice = (right.site + self.site - ODD as i64) * steps + right.height - self.height;
        // Exact: both are below 2^53, and a quotient that is not whole differs from the next whole number by more than
        // the rounding error.
        (twice as f64 / (2 * steps) as f64) as usize + 1
    }
}
