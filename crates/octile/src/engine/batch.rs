//! Many queries at once: one after the other where there is little to do, and over all cores where there is enough.
//!
//! The thread that asks begins by itself. Only when so much is left that it pays to wake others, by the time that the
//! first answers took, do these take part; it goes on while they wake. All take the next few queries from one list, so
//! that none waits long for another.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use web_time::Instant;

use super::Engine;
use crate::path::Path;
use crate::planner::{Answer, Planner, Query, QueryError, Scratch};

/// Queries are taken a few at a time, so that taking them costs little beside answering them: as many as take about
/// this long.
const CHUNK: Duration = Duration::from_micros(20);

/// So many are taken at first.
const FIRST_CHUNK: usize = 4;

/// The most queries that are taken at a time.
const LARGEST_CHUNK: usize = 64;

/// Waking other threads pays if the rest takes one thread longer than this.
const WORTH_WAKING: Duration = Duration::from_micros(250);

/// What batches are made of: [queries](Query) or [trips](crate::PathQuery), which are queries that ask for nothing more.
pub trait Ask<'q>: Copy + Sync + Into<Query<'q>> {}

impl<'q, Q: Copy + Sync + Into<Query<'q>>> Ask<'q> for Q {}

/// A batch: queries, and where their answers go.
struct Batch<'a, Q> {
    planner: &'a dyn Planner,
    queries: &'a [Q],
    /// The answers that nobody has taken yet.
    rest: Mutex<&'a mut [Answer]>,
    /// How many queries are taken at a time.
    chunk: AtomicUsize,
}

impl<'q, Q: Ask<'q>> Batch<'_, Q> {
    /// Answers the next few queries, and tells how many are left then; `None` if there are none.
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
            // The answer keeps an error, if there is one.
            _ = self.planner.ask(scratch, query, answer, None);
        }
        (!is_over).then_some(left)
    }

    /// Chooses how many queries are taken at a time, by how long those took that are done, and tells how long the rest
    /// will take.
    fn plan_ahead(&self, elapsed: Duration, left: usize) -> Duration {
        let mean = elapsed.as_nanos() as usize / (self.queries.len() - left).max(1);
        self.chunk.store((CHUNK.as_nanos() as usize / mean.max(1)).clamp(1, LARGEST_CHUNK), Ordering::Relaxed);
        Duration::from_nanos((mean * left) as u64)
    }
}

impl Engine {
    /// Answers all queries on the map as it is now, over all cores where that pays (if the feature `rayon` is on);
    /// answers come in the order of the queries.
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

    /// As [`find_all`](Engine::find_all), into buffers of the caller, one for each query: those that are there are used
    /// again, others are added, and what is too much is cut off.
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

    /// As [`plan_all`](Engine::plan_all), on a map as it was.
    pub(super) fn plan_all_on<'q, Q: Ask<'q>>(&self, planner: &dyn Planner, queries: &[Q], answers: &mut Vec<Answer>) {
        answers.resize_with(queries.len(), Answer::default);
        let (rest, chunk) = (Mutex::new(&mut answers[..]), AtomicUsize::new(FIRST_CHUNK));
        let batch = Batch { planner, queries, rest, chunk };
        // A look at the clock takes as long as a tenth of a short query.
        let clock = (queries.len() > FIRST_CHUNK && threads() > 1).then(Instant::now);
        let mut scratch = self.layer.pool.take(batch.planner);
        while let Some(left) = batch.answer_some(&mut scratch).filter(|left| *left > 0) {
            if let Some(clock) = clock
                && batch.plan_ahead(clock.elapsed(), left) > WORTH_WAKING
            {
                self.work_together(&batch, &mut scratch);
            }
        }
        self.layer.pool.put(scratch);
    }

    /// Answers until nothing is left, on all cores.
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

    /// Answers until nothing is left.
    #[cfg(not(feature = "rayon"))]
    #[expect(clippy::unused_self, reason = "with threads it takes scratches for them")]
    fn work_together<'q, Q: Ask<'q>>(&self, batch: &Batch<'_, Q>, scratch: &mut Scratch) {
        while batch.answer_some(scratch).is_some() {}
    }
}

/// How many threads take part at most.
fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}
