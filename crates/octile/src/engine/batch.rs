//! Batches of queries: in sequence for little work, on all cores for enough.
//!
//! The calling thread starts alone. It wakes other threads only when the remaining work, estimated from the first
//! answers, is worth that; it continues while they wake. All threads take the next few queries from one list, so that
//! none waits long for another.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use web_time::Instant;

use super::Engine;
use crate::path::Path;
use crate::planner::{Answer, Planner, Query, QueryError, Scratch};

/// The time that one chunk of queries should take: taking a chunk then costs little compared with answering it.
const CHUNK_TIME: Duration = Duration::from_micros(20);

/// The number of queries in the first chunk.
const FIRST_CHUNK: usize = 4;

/// The maximum number of queries in a chunk.
const MAX_CHUNK: usize = 64;

/// Waking other threads pays if one thread would need longer than this for the rest.
const MIN_PARALLEL_TIME: Duration = Duration::from_micros(250);

/// An element of a batch: a [`Query`], or a [`PathQuery`](crate::PathQuery), which is a query without options.
pub trait Ask<'q>: Copy + Sync + Into<Query<'q>> {}

impl<'q, Q: Copy + Sync + Into<Query<'q>>> Ask<'q> for Q {}

/// A batch in progress: the queries, and where their answers go.
struct Batch<'a, Q> {
    planner: &'a dyn Planner,
    queries: &'a [Q],
    /// The answers that no thread has taken yet.
    rest: Mutex<&'a mut [Answer]>,
    /// The number of queries in a chunk.
    chunk: AtomicUsize,
}

impl<'q, Q: Ask<'q>> Batch<'_, Q> {
    /// Answers the next chunk and returns how many queries are left; `None` if the list was empty.
    fn answer_some(&self, scratch: &mut Scratch) -> Option<usize> {
        let (answers, left) = {
            let mut rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner);
            let count = self.chunk.load(Ordering::Relaxed).min(rest.len());
            let (taken, left) = std::mem::take(&mut *rest).split_at_mut(count);
            *rest = left;
            (taken, rest.len())
        };
        let first = self.queries.len() - left - answers.len();
        let is_over = answers.is_empty();
        for (&query, answer) in self.queries[first..].iter().zip(answers) {
            // The answer stores any error.
            _ = self.planner.ask(scratch, query, answer, None);
        }
        (!is_over).then_some(left)
    }

    /// Sets the chunk size from the time of the answers so far, and returns the estimated time for the rest.
    fn tune_chunk(&self, elapsed: Duration, left: usize) -> Duration {
        let mean = elapsed.as_nanos() as usize / (self.queries.len() - left).max(1);
        self.chunk.store((CHUNK_TIME.as_nanos() as usize / mean.max(1)).clamp(1, MAX_CHUNK), Ordering::Relaxed);
        Duration::from_nanos((mean * left) as u64)
    }
}

impl Engine {
    /// Answers all queries on the current map, on all cores where that pays (with the feature `rayon`). The answers are
    /// in the order of the queries.
    ///
    /// ```
    /// use octile::{Engine, Grid, Query};
    /// let engine = Engine::new("corner-sweep", &Grid::open(64, 64)?)?;
    /// let paths = engine.find_all(&[Query::new((0, 0), (63, 63)), Query::new((0, 0), (64, 0))]);
    /// assert_eq!(paths[0].as_ref().unwrap().as_ref().unwrap().cost().to_string(), "63√2");
    /// assert!(paths[1].is_err(), "off the map");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_all<'q, Q: Ask<'q>>(&self, queries: &[Q]) -> Vec<Result<Option<Path>, QueryError>> {
        let mut answers = Vec::new();
        self.plan_all(queries, &mut answers);
        answers.into_iter().map(Answer::into_path).collect()
    }

    /// As [`find_all`](Engine::find_all), into buffers of the caller, one per query: existing answers are reused,
    /// missing ones are added, and surplus ones are removed.
    ///
    /// ```
    /// use octile::{Engine, Grid, Query};
    /// let engine = Engine::new("jps", &Grid::open(9, 9)?)?;
    /// let mut answers = Vec::new();
    /// engine.plan_all(&[Query::new((0, 0), (1, 8)), Query::new((0, 0), (8, 8))], &mut answers);
    /// engine.plan_all(&[Query::new((0, 0), (8, 0))], &mut answers); // in the first of the two
    /// assert_eq!((answers.len(), answers[0].path()?.unwrap().length()), (1, 8.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan_all<'q, Q: Ask<'q>>(&self, queries: &[Q], answers: &mut Vec<Answer>) {
        self.plan_all_on(&*self.snapshot(), queries, answers);
    }

    /// As [`plan_all`](Engine::plan_all), on a given snapshot.
    pub(super) fn plan_all_on<'q, Q: Ask<'q>>(&self, planner: &dyn Planner, queries: &[Q], answers: &mut Vec<Answer>) {
        answers.resize_with(queries.len(), Answer::default);
        let (rest, chunk) = (Mutex::new(&mut answers[..]), AtomicUsize::new(FIRST_CHUNK));
        let batch = Batch { planner, queries, rest, chunk };
        // Reading the clock takes a tenth of the time of a short query.
        let clock = (queries.len() > FIRST_CHUNK && threads() > 1).then(Instant::now);
        let mut scratch = self.layer.pool.take(batch.planner);
        while let Some(left) = batch.answer_some(&mut scratch).filter(|left| *left > 0) {
            if let Some(clock) = clock
                && batch.tune_chunk(clock.elapsed(), left) > MIN_PARALLEL_TIME
            {
                self.work_together(&batch, &mut scratch);
            }
        }
        self.layer.pool.put(scratch);
    }

    /// Answers the rest of the batch, on all cores.
    #[cfg(feature = "rayon")]
    fn work_together<'q, Q: Ask<'q>>(&self, batch: &Batch<'_, Q>, scratch: &mut Scratch) {
        rayon::in_place_scope(|scope| {
            for _ in 1..threads() {
                scope.spawn(|_| {
                    let mut scratch = self.layer.pool.take(batch.planner);
                    while batch.answer_some(&mut scratch).is_some() {}
                    self.layer.pool.put(scratch);
                });
            }
            while batch.answer_some(scratch).is_some() {}
        });
    }

    /// Answers the rest of the batch.
    #[cfg(not(feature = "rayon"))]
    #[expect(clippy::unused_self, reason = "with threads it takes their scratches from the pool")]
    fn work_together<'q, Q: Ask<'q>>(&self, batch: &Batch<'_, Q>, scratch: &mut Scratch) {
        while batch.answer_some(scratch).is_some() {}
    }
}

/// The maximum number of threads for a batch.
fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}
