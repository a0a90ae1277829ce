//! Work over all cores (if the feature `rayon` is on) whose results are the same on any number of them.

use std::sync::{Mutex, PoisonError};

/// What `work` makes of each number below `count`, in their order. `worker` makes working memory: large memory serves many numbers, on one
/// thread at a time.
pub(crate) fn map<W: Send, T: Send>(
    count: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> T + Sync,
) -> Vec<T> {
    let idle = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let make = |number: usize| {
        let found = lock().pop();
        let mut memory = found.unwrap_or_else(&worker);
        let made = work(&mut memory, number);
        lock().push(memory);
        made
    };
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        (0..count).into_par_iter().map(make).collect()
    }
    #[cfg(not(feature = "rayon"))]
    (0..count).map(make).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_memory_serves_many() {
        let made = map(1000, Vec::new, |seen: &mut Vec<usize>, number| {
            seen.push(number);
            (number * number, seen.len())
        });
        assert!(made.iter().enumerate().all(|(number, &(square, _))| square == number * number));
        assert!(made.iter().any(|&(_, served)| served > 1));
        assert_eq!(map(0, || (), |(), number| number), []);
    }
}
