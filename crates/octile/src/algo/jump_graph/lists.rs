//! Lists of different lengths in one array, which can be exchanged for longer ones.
//!
//! When the array is made, the lists lie close together. A list that is exchanged gives its place back, and gets one of
//! at least its length: places have sizes that are powers of two, and those that nobody uses are kept by size.

use std::ops::Range;

/// The places of a list in its array.
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

/// The logarithm of how large a place is.
pub(super) type Size = u8;

/// No place at all.
const EMPTY: Size = Size::MAX;

/// Who uses which places of an array.
#[derive(Clone, Debug)]
pub(super) struct Room {
    /// Where places begin that nobody uses, by size.
    unused: Vec<Vec<u32>>,
    /// For each list the size of its place.
    sizes: Vec<Size>,
    /// Where the array ends.
    end: u32,
}

impl Room {
    /// That of an array with these lists and no room between them.
    pub(super) fn new(lists: impl Iterator<Item = Span>, end: u32) -> Self {
        let size = |list: Span| list.len().checked_ilog2().map_or(EMPTY, |size| size as Size);
        Self { unused: vec![Vec::new(); 32], sizes: lists.map(size).collect(), end }
    }

    /// How long the array must be.
    pub(super) const fn end(&self) -> usize {
        self.end as usize
    }

    /// Makes so many more lists, all of them empty.
    pub(super) fn add_lists(&mut self, more: usize) {
        self.sizes.resize(self.sizes.len() + more, EMPTY);
    }

    /// Finds another place for a list that is to be so long. The one before it is still in use: it is returned with its
    /// size.
    pub(super) fn exchange(&mut self, list: usize, len: u32) -> (Span, Size) {
        let size = if len == 0 { EMPTY } else { len.next_power_of_two().ilog2() as Size };
        let before = std::mem::replace(&mut self.sizes[list], size);
        if len == 0 {
            return (Span::default(), before);
        }
        let first = self.unused[usize::from(size)].pop().unwrap_or_else(|| {
            let first = self.end;
            self.end += 1 << size;
            first
        });
        (Span { first, end: first + len }, before)
    }

    /// Gives a place back.
    pub(super) fn give_back(&mut self, first: u32, size: Size) {
        if size != EMPTY {
            self.unused[usize::from(size)].push(first);
        }
    }

    pub(super) fn size_bytes(&self) -> usize {
        let unused: usize = self.unused.iter().map(|places| size_of_val(&places[..])).sum();
        unused + self.sizes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_never_share_a_place() {
        let mut dice = crate::Dice::new(3);
        let mut spans: Vec<Span> = vec![Span::default(); 40];
        let mut room = Room::new(spans.iter().copied(), 0);
        for _ in 0..5_000 {
            let list = dice.below(40) as usize;
            let len = dice.below(20) as u32;
            let (span, size) = room.exchange(list, len);
            room.give_back(spans[list].first, size);
            spans[list] = span;
            assert!(span.len() == len && span.end as usize <= room.end());
            let mut used: Vec<Span> = spans.iter().copied().filter(|span| span.len() > 0).collect();
            used.sort_by_key(|span| span.first);
            assert!(used.windows(2).all(|pair| pair[0].end <= pair[1].first));
        }
        assert!(room.end() < 40 * 32 * 5, "{}", room.end());
    }
}
