//! The nearest of many, found by looking at few of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::planner::size_bytes;

/// Chooses the nearest of many things. What each costs takes a while to find out; that it costs no less than some bound
/// is known.
///
/// They are looked at in the order of their bounds, until the next cannot be among the nearest whatever it costs. Costs
/// are numbers that order as costs do; those at the same cost are ordered by their places.
#[derive(Debug, Default)]
pub(crate) struct Ranking {
    /// Bounds and places of those that have not been looked at.
    rest: BinaryHeap<Reverse<(u64, usize)>>,
    /// Costs and places of the nearest so far, the farthest of these on top.
    nearest: BinaryHeap<(u64, usize)>,
    count: usize,
}

size_bytes!(Ranking: rest, nearest);

impl Ranking {
    /// Begins anew: to choose `count` of the things with these bounds.
    pub(crate) fn begin(&mut self, count: usize, bounds: impl Iterator<Item = u64>) {
        let mut rest = std::mem::take(&mut self.rest).into_vec();
        rest.clear();
        rest.extend(bounds.zip(0..).map(Reverse));
        self.rest = rest.into();
        self.nearest.clear();
        self.count = count;
    }

    /// Looks at up to `most` of them, each of which costs what `cost` says of its place. Tells whether all are known
    /// that matter.
    pub(crate) fn look(&mut self, most: usize, mut cost: impl FnMut(usize) -> Option<u64>) -> bool {
        for _ in 0..most {
            let Some(Reverse((bound, place))) = self.rest.pop() else { return true };
            if !self.admits((bound, place)) {
                return true;
            }
            if let Some(cost) = cost(place) {
                self.add(cost, place);
            }
        }
        self.rest.peek().is_none_or(|Reverse(next)| !self.admits(*next))
    }

    /// Whether one at this cost would be among the nearest.
    fn admits(&self, thing: (u64, usize)) -> bool {
        self.nearest.len() < self.count || self.nearest.peek().is_some_and(|farthest| thing < *farthest)
    }

    /// Takes one, if it is among the nearest so far.
    pub(crate) fn add(&mut self, cost: u64, place: usize) {
        if self.admits((cost, place)) {
            self.nearest.push((cost, place));
        }
        if self.nearest.len() > self.count {
            self.nearest.pop();
        }
    }

    /// Forgets those that were chosen; all can be added again.
    pub(crate) fn forget(&mut self) {
        self.nearest.clear();
    }

    /// The cost of the last of those chosen, if they are as many as there should be.
    pub(crate) fn farthest(&self) -> Option<u64> {
        self.nearest.peek().filter(|_| self.nearest.len() == self.count).map(|&(cost, _)| cost)
    }

    /// Tells the places and costs of those chosen, the nearest first, and forgets them.
    pub(crate) fn tell(&mut self, mut found: impl FnMut(usize, u64)) {
        let mut sorted = std::mem::take(&mut self.nearest).into_sorted_vec();
        sorted.drain(..).for_each(|(cost, place)| found(place, cost));
        self.nearest = sorted.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Dice;

    #[test]
    fn the_nearest_are_chosen_and_few_are_looked_at() {
        let (mut ranking, mut dice, mut out) = (Ranking::default(), Dice::new(3), Vec::new());
        let mut looks = 0;
        for round in 0..2000 {
            let costs: Vec<Option<u64>> =
                (0..dice.below(40)).map(|_| dice.hits(4, 5).then(|| dice.below(30))).collect();
            let bounds: Vec<u64> =
                costs.iter().map(|cost| cost.map_or(7, |cost| cost - dice.below(1 + cost.min(4)))).collect();
            let count = dice.below(12) as usize;
            ranking.begin(count, bounds.iter().copied());
            // In one go, or a few at a time.
            let most = if round % 2 == 0 { usize::MAX } else { 3 };
            while !ranking.look(most, |place| {
                looks += 1;
                costs[place]
            }) {}
            let mut all: Vec<(u64, usize)> =
                costs.iter().zip(0..).filter_map(|(cost, place)| Some(((*cost)?, place))).collect();
            all.sort_unstable();
            all.truncate(count);
            assert_eq!(ranking.farthest(), all.last().filter(|_| all.len() == count).map(|&(cost, _)| cost));
            out.clear();
            ranking.tell(|place, cost| out.push((place, cost)));
            assert!(out.iter().copied().eq(all.into_iter().map(|(cost, place)| (place, cost))), "round {round}");
        }
        assert!(looks < 2000 * 16, "{looks}");
    }
}
