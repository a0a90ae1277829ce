//! A node of a graph and the cost to reach it, in one word.

use crate::geometry::units::Max;

/// A node, numbered with `NODE_BITS` bits, and above it the cost to reach the node. Ordered by cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link<const NODE_BITS: u32>(pub(crate) u64);

impl<const NODE_BITS: u32> Link<NODE_BITS> {
    /// Bits of the cost.
    pub(crate) const COST_BITS: u32 = u64::BITS - NODE_BITS;

    /// More than any cost; a few of them can be added without overflow.
    pub(crate) const INFINITE: u64 = u64::MAX / 8;

    /// The maximum number of nodes.
    pub(crate) const MAX_NODES: usize = 1 << NODE_BITS;

    #[inline]
    pub(crate) fn new(cost: u64, node: u32) -> Self {
        debug_assert!(cost >> Self::COST_BITS == 0 && (node as usize) < Self::MAX_NODES);
        Self(cost << NODE_BITS | u64::from(node))
    }

    #[inline]
    pub(crate) fn cost(self) -> u64 {
        self.0 >> NODE_BITS
    }

    /// The node.
    #[inline]
    pub(crate) fn to(self) -> usize {
        self.0 as usize & (Self::MAX_NODES - 1)
    }
}

impl<const NODE_BITS: u32> Max for Link<NODE_BITS> {
    const MAX: Self = Self(u64::MAX);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_give_back_what_went_in() {
        for (cost, node) in [(0, 0), ((1 << 40) - 1, (1 << 24) - 1), (12_345, 7)] {
            let link = Link::<24>::new(cost, node);
            assert_eq!((link.cost(), link.to()), (cost, node as usize));
        }
        assert_eq!(Link::<18>::new((1 << 46) - 1, 3).cost(), (1 << 46) - 1);
        assert!(Link::<24>::new(5, 1) < Link::<24>::new(6, 0));
    }
}
