//! The choice among measured planners.

use std::cmp::Ordering;

use crate::catalog::advise::{Measured, Needs};

/// A planner counts as equally fast if it takes up to this many times the time of the fastest.
const AS_FAST: f64 = 1.05;

/// The time to compare, in nanoseconds: that of a query or, if the map changes, of one edit plus the queries until the
/// next.
pub(super) fn time(measured: &Measured, needs: &Needs) -> f64 {
    let query = measured.mean.as_nanos() as f64;
    match needs.changes.zip(measured.edit) {
        Some((rate, edit)) => f64::from(rate.queries) * query + edit.as_nanos() as f64,
        None => query,
    }
}

/// The order of candidates: those that have answered more queries come first, then those that take less time.
pub(super) fn order(a: &Measured, b: &Measured, needs: &Needs) -> Ordering {
    b.queries.cmp(&a.queries).then(time(a, needs).total_cmp(&time(b, needs)))
}

/// The candidates that have answered all queries, with their indices.
pub(super) fn finalists(all: &[Measured]) -> impl Iterator<Item = (usize, &Measured)> {
    let queries = all.iter().map(|measured| measured.queries).max().unwrap_or_default();
    all.iter().enumerate().filter(move |(_, measured)| measured.queries == queries)
}

/// The index of the planner to use: the one that takes the least time, or one that is about as fast and takes less
/// memory or builds in less time. All planners given meet the needs. 0 if there is none.
pub(super) fn choose(all: &[Measured], needs: &Needs) -> usize {
    let least = finalists(all).map(|(_, one)| time(one, needs)).fold(f64::INFINITY, f64::min);
    let fast = finalists(all).filter(|(_, one)| time(one, needs) <= AS_FAST * least);
    fast.min_by_key(|(_, one)| (one.memory_bytes(), one.build)).map_or(0, |(place, _)| place)
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use super::*;
    use crate::catalog::advise::Rate;
    use crate::planner::OnEdit;

    /// A planner with this query time in microseconds and this index size in bytes.
    pub(crate) fn measured(mean_us: u64, index_bytes: u64) -> Measured {
        Measured {
            build: Duration::from_millis(1),
            index_bytes,
            scratch_bytes: 0,
            queries: 100,
            mean: Duration::from_micros(mean_us),
            p99: Duration::from_micros(3 * mean_us),
            on_edit: OnEdit::Follows,
            edit: None,
        }
    }

    #[test]
    fn the_fastest_is_chosen() {
        let all = [measured(50, 0), measured(8, 900), measured(3, 1000), measured(20, 10)];
        assert_eq!(choose(&all, &Needs::default()), 2);
        assert_eq!(choose(&all[..1], &Needs::default()), 0);
    }

    #[test]
    fn one_that_dropped_out_is_no_choice_however_few_its_queries_were() {
        let all = [measured(10, 900), Measured { queries: 4, ..measured(2, 0) }, measured(30, 1)];
        assert_eq!(choose(&all, &Needs::default()), 0);
    }

    #[test]
    fn of_those_about_as_fast_the_smaller_is_chosen_then_the_one_that_is_built_sooner() {
        let all = [measured(100, 5000), measured(104, 400), measured(106, 0)];
        assert_eq!(choose(&all, &Needs::default()), 1);
        let all = [measured(100, 7), Measured { build: Duration::ZERO, ..measured(105, 7) }, measured(100, 7)];
        assert_eq!(choose(&all, &Needs::default()), 1);
    }

    #[test]
    fn where_the_map_changes_the_edit_counts_as_so_many_queries() {
        let edited = |mean_us, edit_us| Measured { edit: Some(Duration::from_micros(edit_us)), ..measured(mean_us, 1) };
        let all = [edited(1, 5000), edited(20, 10), edited(40, 1)];
        assert_eq!(choose(&all, &Needs::default()), 0);
        let needs = Needs { changes: Some(Rate::default()), ..Needs::default() };
        assert_eq!(choose(&all, &needs), 1);
        assert!((time(&all[1], &needs) - 2_010_000.0).abs() < 1e-6);
    }

    #[test]
    fn where_nothing_could_be_asked_the_smallest_is_chosen() {
        let nothing = |index_bytes| Measured { mean: Duration::ZERO, ..measured(0, index_bytes) };
        assert_eq!(choose(&[nothing(7), nothing(0), nothing(3)], &Needs::default()), 1);
        assert_eq!(choose(&[], &Needs::default()), 0);
    }
}
