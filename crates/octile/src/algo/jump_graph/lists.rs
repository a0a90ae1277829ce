//! Lists of different lengths in one array, which can be replaced by longer ones.
//!
//! When the array is made, the lists lie close together. A list that is replaced frees its block and gets one that is
//! long enough: the sizes of blocks are powers of two, and free blocks are kept by size.

use std::ops::Range;

/// The span of a list in its array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first: u32,
    pub(super) end: u32,
}

impl Span {
    #[inline]
    pub(super) const fn range(self) -> Range<usize> {
        self.first as usize..self.end as usize
    }

    const fn len(self) -> u32 {
        self.end - self.first
    }
}

/// The logarithm of the size of a block.
pub(super) type Size = u8;

/// No block.
const EMPTY: Size = Size::MAX;

/// The allocation of the blocks of an array.
#[derive(Clone, Debug)]
pub(super) struct Allocator {
    /// The first indices of free blocks, by size.
    free: Vec<Vec<u32>>,
    /// For each list, the size of its block.
    sizes: Vec<Size>,
    /// The end of the array.
    end: u32,
}

impl Allocator {
    /// The allocation of an array with these lists and no gaps between them.
    pub(super) fn new(lists: impl Iterator<Item = Span>, end: u32) -> Self {
        let size = |list: Span| list.len().checked_ilog2().map_or(EMPTY, |size| size as Size);
        Self { free: vec![Vec::new(); 32], sizes: lists.map(size).collect(), end }
    }

    /// The required length of the array.
    pub(super) const fn end(&self) -> usize {
        self.end as usize
    }

    /// Adds this many empty lists.
    pub(super) fn add_lists(&mut self, more: usize) {
        self.sizes.resize(self.sizes.len() + more, EMPTY);
    }

    /// Allocates another block for a list of the given length. The list's previous block stays allocated; its size is
    /// returned.
    pub(super) fn reallocate(&mut self, list: usize, len: u32) -> (Span, Size) {
        let size = if len == 0 { EMPTY } else { len.next_power_of_two().ilog2() as Size };
        let before = std::mem::replace(&mut self.sizes[list], size);
        if len == 0 {
            return (Span::default(), before);
        }
        let first = self.free[usize::from(size)].pop().unwrap_or_else(|| {
            let first = self.end;
            self.end += 1 << size;
            first
        });
        (Span { first, end: first + len }, before)
    }

    /// Frees a block.
    pub(super) fn free(&mut self, first: u32, size: Size) {
        if size != EMPTY {
            self.free[usize::from(size)].push(first);
        }
    }

    pub(super) fn size_bytes(&self) -> usize {
        let free: usize = self.free.iter().map(|blocks| size_of_val(&blocks[..])).sum();
        free + self.sizes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_never_overlap() {
        let mut dice = crate::geometry::Dice::new(3);
        let mut spans: Vec<Span> = vec![Span::default(); 40];
        let mut allocator = Allocator::new(spans.iter().copied(), 0);
        for _ in 0..5_000 {
            let list = dice.below(40) as usize;
            let len = dice.below(20) as u32;
            let (span, size) = allocator.reallocate(list, len);
            allocator.free(spans[list].first, size);
            spans[list] = span;
            assert!(span.len() == len && span.end as usize <= allocator.end());
            let mut used: Vec<Span> = spans.iter().copied().filter(|span| span.len() > 0).collect();
            used.sort_by_key(|span| span.first);
            assert!(used.windows(2).all(|pair| pair[0].end <= pair[1].first));
        }
        assert!(allocator.end() < 40 * 32 * 5, "{}", allocator.end());
    }
}
