//! Ranges of sources: which are done, which are missing, and how the missing ones are cut.

use std::ops::{Bound, Range, RangeBounds};

/// The range given by `bounds` out of `0..all`. It may run backwards or beyond `all`.
pub(super) fn of(bounds: &impl RangeBounds<u32>, all: u32) -> Range<u32> {
    let start = match bounds.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&start) => start.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match bounds.end_bound() {
        Bound::Included(&end) => end.saturating_add(1),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => all,
    };
    start..end
}

/// Whether `inner`, which must not run backwards, lies within `outer`.
pub(super) fn is_within(inner: &Range<u32>, outer: &Range<u32>) -> bool {
    outer.start <= inner.start && inner.start <= inner.end && inner.end <= outer.end
}

/// Joins adjacent ranges. The input is sorted and disjoint.
pub(super) fn joined(ranges: impl IntoIterator<Item = Range<u32>>) -> Vec<Range<u32>> {
    let mut joined: Vec<Range<u32>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}

/// The parts of `all` that are in none of the `done` ranges, which are sorted and disjoint.
pub(super) fn gaps(all: &Range<u32>, done: &[Range<u32>]) -> Vec<Range<u32>> {
    let starts = [all.start].into_iter().chain(done.iter().map(|done| done.end));
    let ends = done.iter().map(|done| done.start).chain([all.end]);
    starts.zip(ends).map(|(start, end)| start..end).filter(|gap| !gap.is_empty()).collect()
}

/// A range cut at the multiples of `size`, so that many ranges have the same pieces.
pub(super) fn cut(range: Range<u32>, size: u32) -> impl Iterator<Item = Range<u32>> {
    let size = size.max(1);
    let bound = move |piece: u32| piece.saturating_mul(size).clamp(range.start, range.end);
    (range.start / size..range.end.div_ceil(size)).map(move |piece| bound(piece)..bound(piece.saturating_add(1)))
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::*;

    #[test]
    fn pieces_are_cut_at_multiples_of_the_size() {
        let pieces = |range: Range<u32>| cut(range, 1024).collect::<Vec<_>>();
        assert_eq!(pieces(0..2048), [0..1024, 1024..2048]);
        assert_eq!(pieces(1000..2100), [1000..1024, 1024..2048, 2048..2100]);
        let one = |range: Range<u32>| assert_eq!(pieces(range.clone()), slice::from_ref(&range));
        one(5..9);
        one(1024..1025);
        assert_eq!(pieces(0..0), []);
        one(u32::MAX - 1..u32::MAX);
        assert_eq!(cut(3..6, 0).collect::<Vec<_>>(), [3..4, 4..5, 5..6]);
        assert_eq!(cut(3..u32::MAX, u32::MAX).collect::<Vec<_>>(), slice::from_ref(&(3..u32::MAX)));
    }

    #[test]
    fn sources_not_done_are_gaps() {
        assert_eq!(gaps(&(5..50), &[]), slice::from_ref(&(5..50)));
        assert_eq!(gaps(&(5..50), &[5..9, 20..30]), [9..20, 30..50]);
        assert_eq!(gaps(&(5..50), slice::from_ref(&(5..50))), []);
        assert_eq!(gaps(&(5..5), &[]), []);
        assert_eq!(joined([0..3, 3..5, 7..9]), [0..5, 7..9]);
    }

    #[test]
    fn bounds_become_ranges() {
        assert_eq!(
            (of(&(..), 9), of(&(..4), 9), of(&(2..), 9), of(&(2..=u32::MAX), 9)),
            (0..9, 0..4, 2..9, 2..u32::MAX)
        );
        assert!(is_within(&(2..2), &(0..9)) && is_within(&(0..9), &(0..9)));
        assert!(!is_within(&(2..10), &(0..9)) && !is_within(&Range { start: 4, end: 3 }, &(0..9)));
    }
}
