//! Finds the nearest of many candidates while evaluating few of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::planner::size_bytes;

/// Chooses the nearest of many candidates. Their exact costs are expensive to compute; a lower bound of each is known.
///
/// Candidates are evaluated in the order of their bounds, until the next cannot be among the nearest whatever its cost.
/// Costs are numbers in the order of the costs they stand for; equal costs are ordered by index.
#[derive(Debug, Default)]
pub(crate) struct Ranking {
    /// Bounds and indices of the candidates not evaluated yet.
    rest: BinaryHeap<Reverse<(u64, usize)>>,
    /// Costs and indices of the nearest so far, the farthest of these on top.
    nearest: BinaryHeap<(u64, usize)>,
    count: usize,
}

size_bytes!(Ranking: rest, nearest);

impl Ranking {
    /// Starts a new choice of the `count` nearest among candidates with these bounds.
    pub(crate) fn begin(&mut self, count: usize, bounds: impl Iterator<Item = u64>) {
        let mut rest = std::mem::take(&mut self.rest).into_vec();
        rest.clear();
        rest.extend(bounds.zip(0..).map(Reverse));
        self.rest = rest.into();
        self.nearest.clear();
        self.count = count;
    }

    /// Evaluates up to `most` candidates; `cost` returns the cost of the candidate at an index. Returns whether the
    /// choice is complete.
    pub(crate) fn look(&mut self, most: usize, mut cost: impl FnMut(usize) -> Option<u64>) -> bool {
        for _ in 0..most {
            let Some(Reverse((bound, index))) = self.rest.pop() else { return true };
            if !self.admits((bound, index)) {
                return true;
            }
            if let Some(cost) = cost(index) {
                self.add(cost, index);
            }
        }
        self.rest.peek().is_none_or(|Reverse(next)| !self.admits(*next))
    }

    /// Whether a candidate with this cost and index would be among the nearest.
    fn admits(&self, candidate: (u64, usize)) -> bool {
        self.nearest.len() < self.count || self.nearest.peek().is_some_and(|farthest| candidate < *farthest)
    }

    /// Adds a candidate if it is among the nearest so far.
    pub(crate) fn add(&mut self, cost: u64, index: usize) {
        if self.admits((cost, index)) {
            self.nearest.push((cost, index));
        }
        if self.nearest.len() > self.count {
            self.nearest.pop();
        }
    }

    /// Clears the chosen candidates; all of them can be added again.
    pub(crate) fn forget(&mut self) {
        self.nearest.clear();
    }

    /// The cost of the farthest chosen candidate, if the choice is full.
    pub(crate) fn farthest(&self) -> Option<u64> {
        self.nearest.peek().filter(|_| self.nearest.len() == self.count).map(|&(cost, _)| cost)
    }

    /// Passes the indices and costs of the chosen candidates to `found`, the nearest first, and clears them.
    pub(crate) fn tell(&mut self, mut found: impl FnMut(usize, u64)) {
        let mut sorted = std::mem::take(&mut self.nearest).into_sorted_vec();
        sorted.drain(..).for_each(|(cost, index)| found(index, cost));
        self.nearest = sorted.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Dice;

    #[test]
    fn the_nearest_are_chosen_and_few_are_evaluated() {
        let (mut ranking, mut dice, mut out) = (Ranking::default(), Dice::new(3), Vec::new());
        let mut evaluations = 0;
        for round in 0..2000 {
            let costs: Vec<Option<u64>> =
                (0..dice.below(40)).map(|_| dice.hits(4, 5).then(|| dice.below(30))).collect();
            let bounds: Vec<u64> =
                costs.iter().map(|cost| cost.map_or(7, |cost| cost - dice.below(1 + cost.min(4)))).collect();
            let count = dice.below(12) as usize;
            ranking.begin(count, bounds.iter().copied());
            // All at once, or a few at a time.
            let most = if round % 2 == 0 { usize::MAX } else { 3 };
            while !ranking.look(most, |index| {
                evaluations += 1;
                costs[index]
            }) {}
            let mut all: Vec<(u64, usize)> =
                costs.iter().zip(0..).filter_map(|(cost, index)| Some(((*cost)?, index))).collect();
            all.sort_unstable();
            all.truncate(count);
            assert_eq!(ranking.farthest(), all.last().filter(|_| all.len() == count).map(|&(cost, _)| cost));
            out.clear();
            ranking.tell(|index, cost| out.push((index, cost)));
            assert!(out.iter().copied().eq(all.into_iter().map(|(cost, index)| (index, cost))), "round {round}");
        }
        assert!(evaluations < 2000 * 16, "{evaluations}");
    }
}
