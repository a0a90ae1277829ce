//! Percentiles of measurements.

/// The nearest-rank percentile: the smallest of the `sorted` values such that at least `per_cent` percent of the values
/// do not exceed it. The first value for 0, the last for 100 and above; `None` if there are no values.
///
/// ```
/// use octile::catalog::advise::percentile;
/// let times = [3, 4, 4, 7, 90];
/// assert_eq!(percentile(&times, 50), Some(4));
/// assert_eq!(percentile(&times, 80), Some(7));
/// assert_eq!(percentile(&times, 99), Some(90));
/// assert_eq!(percentile::<u64>(&[], 99), None);
/// ```
pub fn percentile<T: Copy>(sorted: &[T], per_cent: u32) -> Option<T> {
    let rank = (sorted.len() as u128 * u128::from(per_cent.min(100))).div_ceil(100) as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For every length and percentage: enough values are at most the percentile, and with the value before it there
    /// would not be enough.
    #[test]
    fn a_percentile_is_the_smallest_that_so_many_do_not_exceed() {
        for count in 1..=220_usize {
            let values: Vec<usize> = (0..count).map(|i| i * 10).collect();
            for per_cent in 1..=100 {
                let found = percentile(&values, per_cent).unwrap();
                let at_most = |limit: usize| values.iter().filter(|&&value| value <= limit).count();
                let is_enough = |having: usize| having * 100 >= count * per_cent as usize;
                assert!(is_enough(at_most(found)), "{per_cent} % of {count}: {found}");
                assert!(found == 0 || !is_enough(at_most(found - 10)), "{per_cent} % of {count}: {found}");
            }
        }
    }

    #[test]
    fn percentiles_stay_within_what_there_is() {
        assert_eq!([0, 1, 50, 100, 101, u32::MAX].map(|share| percentile(&[5], share)), [Some(5); 6]);
        assert_eq!([0, 51, 100].map(|share| percentile(&['a', 'b'], share)), [Some('a'), Some('b'), Some('b')]);
        assert_eq!(percentile::<u8>(&[], 50), None);
    }
}
