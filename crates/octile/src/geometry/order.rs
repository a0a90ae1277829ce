//! Sorting for code where speed does not matter: uses the standard library, or, in small programs, one heap sort shared
//! by all types.
//!
//! The standard library's sort compiles to thousands of instructions for every type and order.

use std::cmp::Ordering;

use super::SMALL;

/// Sorts items. Items that compare equal must be identical.
pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    if SMALL { by(items, &mut |a, b| a < b) } else { items.sort_unstable() }
}

/// Sorts items by keys, which must be distinct.
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    if SMALL { by(items, &mut |a, b| key(a) < key(b)) } else { items.sort_unstable_by_key(key) }
}

/// Sorts items by an order in which no two are equal.
pub(crate) fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    if SMALL {
        by(items, &mut |a, b| compare(a, b).is_lt());
    } else {
        items.sort_unstable_by(compare);
    }
}

/// Sorts items by keys. Items with equal keys keep their order.
pub(crate) fn stable_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    stable_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts items. Equal items keep their order.
pub(crate) fn stable_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    if !SMALL {
        return items.sort_by(compare);
    }
    let mut order: Vec<usize> = (0..items.len()).collect();
    by(&mut order, &mut |&a, &b| compare(&items[a], &items[b]).then(a.cmp(&b)).is_lt());
    let mut places = vec![0; order.len()];
    for (place, &item) in order.iter().enumerate() {
        places[item] = place;
    }
    for at in 0..items.len() {
        while places[at] != at {
            let to = places[at];
            items.swap(at, to);
            places.swap(at, to);
        }
    }
}

fn by<T>(items: &mut [T], is_less: &mut dyn FnMut(&T, &T) -> bool) {
    let len = items.len();
    heap_sort(len, &mut |step| match step {
        Step::Compare(a, b) => is_less(&items[a], &items[b]),
        Step::Swap(a, b) => {
            items.swap(a, b);
            true
        }
    });
}

/// The operations of a sort that sees only positions, not items.
enum Step {
    /// Returns whether the first item is less than the second.
    Compare(usize, usize),
    Swap(usize, usize),
}

/// Sorts `len` items.
fn heap_sort(len: usize, step: &mut dyn FnMut(Step) -> bool) {
    // The first half of the rounds builds a heap by sinking each parent, last to first. The others move the largest
    // item behind the heap and sink the item that took its position.
    for round in 0..len / 2 + len.saturating_sub(1) {
        let (mut at, end) = if round < len / 2 { (len / 2 - 1 - round, len) } else { (0, len / 2 + len - 1 - round) };
        if end < len {
            step(Step::Swap(0, end));
        }
        while 2 * at + 1 < end {
            let left = 2 * at + 1;
            let child = if left + 1 < end && step(Step::Compare(left, left + 1)) { left + 1 } else { left };
            if !step(Step::Compare(at, child)) {
                break;
            }
            step(Step::Swap(at, child));
            at = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Dice;

    /// Both sorts give the same result, whichever of them programs use.
    #[test]
    fn items_are_sorted() {
        let mut dice = Dice::new(1);
        for len in 0..60 {
            let items: Vec<(u32, usize)> =
                (0..len).map(|place| (dice.below(len as u64 / 3 + 1) as u32, place)).collect();
            let mut sorted = items.clone();
            sorted.sort_by_key(|item| item.0);
            let mut ours = items.clone();
            stable_by_key(&mut ours, |item| item.0);
            assert_eq!(ours, sorted);
            let mut ours = items.clone();
            sort(&mut ours);
            assert_eq!(ours, sorted);
            let mut ours = items.clone();
            by(&mut ours, &mut |a, b| a < b);
            assert_eq!(ours, sorted);
            let mut ours = items.clone();
            sort_by(&mut ours, Ord::cmp);
            assert_eq!(ours, sorted);
            let mut ours = items;
            sort_by_key(&mut ours, |&(number, place)| (std::cmp::Reverse(number), place));
            assert!(ours.is_sorted_by_key(|&(number, place)| (std::cmp::Reverse(number), place)));
        }
    }
}
