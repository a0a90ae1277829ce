//! Many queries at once: never slower than one after the other, and over all cores where there is enough to do.
//!
//! The thread that asks begins by itself. Only when so much is left that it pays to wake others, by the time that the first
//! answers took, do these take part: they come late where all is done before they are awake, and then do nothing. All take the next
//! few queries from one counter, so that none waits long for another.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Engine;
use crate::path::Path;
use crate::search::{Planner, Query, QueryError, Scratch};

/// What a query of a batch came to: a path or none, in a buffer that can serve many batches.
///
/// ```
/// use octile::{Answer, Engine, Grid, Query};
/// let engine = Engine::new("jps", &Grid::open(64, 64)?)?;
/// let queries: Vec<_> = (1..64).map(|x| Query::new((0, 0), (x, 63))).collect();
/// let mut answers: Vec<Answer> = Vec::new(); // kept from batch to batch
/// engine.plan_all(&queries, &mut answers);
/// assert_eq!(answers[9].path()?.unwrap().cost().to_string(), "53+10√2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    path: Path,
    found: Option<Result<bool, QueryError>>,
}

impl Answer {
    /// The path, or `None` if there is none.
    ///
    /// # Errors
    /// If an endpoint was off the map or blocked.
    pub fn path(&self) -> Result<Option<&Path>, QueryError> {
        match &self.found {
            Some(Ok(true)) => Ok(Some(&self.path)),
            Some(Ok(false)) | None => Ok(None),
            Some(Err(error)) => Err(error.clone()),
        }
    }

    /// The path, or `None` if there is none, without the buffer.
    ///
    /// ```
    /// use octile::{Answer, Engine, Grid, Query};
    /// let engine = Engine::new("jps", &".@.".parse::<Grid>()?)?;
    /// let mut answers = Vec::new();
    /// engine.plan_all(&[Query::new((0, 0), (2, 0)), Query::new((0, 0), (1, 0))], &mut answers);
    /// let paths: Vec<_> = answers.into_iter().map(Answer::into_path).collect();
    /// assert!(matches!(paths[..], [Ok(None), Err(_)]), "no path, and a goal that is blocked");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If an endpoint was off the map or blocked.
    pub fn into_path(self) -> Result<Option<Path>, QueryError> {
        self.found.unwrap_or(Ok(false)).map(|found| found.then_some(self.path))
    }
}

/// So many queries are taken at a time.
const CHUNK: usize = 8;

/// Waking other threads pays if the rest takes one thread longer than this.
const WORTH_WAKING: Duration = Duration::from_micros(100);

/// A batch: queries, and where their answers go.
struct Batch<'a> {
    planner: &'a dyn Planner,
    queries: &'a [Query],
    /// Chunks of answers that nobody has taken yet, from the first.
    answers: Mutex<std::slice::ChunksMut<'a, Answer>>,
    taken: AtomicUsize,
}

impl Batch<'_> {
    /// Answers the next chunk; `false` if there is none.
    fn answer_chunk(&self, scratch: &mut Scratch) -> bool {
        let (first, answers) = {
            let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(chunk) = answers.next() else { return false };
            (self.taken.fetch_add(chunk.len(), Ordering::Relaxed), chunk)
        };
        for (query, Answer { path, found }) in self.queries[first..].iter().zip(answers) {
            *found = Some(self.planner.plan(scratch, *query, path));
        }
        true
    }

    /// How many queries nobody has taken.
    fn left(&self) -> usize {
        self.queries.len() - self.taken.load(Ordering::Relaxed)
    }
}

impl Engine {
    /// Answers all queries on the map as it is now, over all cores where that pays (if the feature `rayon` is on); answers come in the
    /// order of the queries.
    ///
    /// ```
    /// use octile::{Engine, Grid, Query};
    /// let engine = Engine::new("corner-sweep", &Grid::open(64, 64)?)?;
    /// let paths = engine.find_all(&[Query::new((0, 0), (63, 63)), Query::new((0, 0), (64, 0))]);
    /// assert_eq!(paths[0].as_ref().unwrap().as_ref().unwrap().cost().to_string(), "63√2");
    /// assert!(paths[1].is_err(), "off the map");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_all(&self, queries: &[Query]) -> Vec<Result<Option<Path>, QueryError>> {
        let mut answers = Vec::new();
        self.plan_all(queries, &mut answers);
        answers.into_iter().map(Answer::into_path).collect()
    }

    /// As [`find_all`](Engine::find_all), into buffers of the caller, one for each query: those that are there are used again, others
    /// are added, and what is too much is cut off.
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
    pub fn plan_all(&self, queries: &[Query], answers: &mut Vec<Answer>) {
        answers.resize_with(queries.len(), Answer::default);
        let planner = self.snapshot();
        let batch = Batch {
            planner: &*planner,
            queries,
            answers: Mutex::new(answers.chunks_mut(CHUNK)),
            taken: AtomicUsize::new(0),
        };
        self.work(&batch, true);
    }

    /// Answers until nothing is left.
    fn work(&self, batch: &Batch<'_>, may_wake: bool) {
        let mut scratch = self.shared.pool.take(batch.planner);
        let clock = Instant::now();
        while batch.answer_chunk(&mut scratch) {
            if may_wake && is_worth_waking(batch, clock.elapsed()) {
                self.shared.pool.put(scratch);
                return self.work_together(batch);
            }
        }
        self.shared.pool.put(scratch);
    }

    /// Answers until nothing is left, on all cores.
    #[cfg(feature = "rayon")]
    fn work_together(&self, batch: &Batch<'_>) {
        rayon::broadcast(|_| self.work(batch, false));
    }

    /// Answers until nothing is left.
    #[cfg(not(feature = "rayon"))]
    fn work_together(&self, batch: &Batch<'_>) {
        self.work(batch, false);
    }
}

/// Whether what is left takes long enough for other threads to be woken, by the time that was needed so far.
fn is_worth_waking(batch: &Batch<'_>, elapsed: Duration) -> bool {
    let (left, done) = (batch.left(), batch.queries.len() - batch.left());
    let rest = elapsed.as_nanos() * left as u128 / done.max(1) as u128;
    rest > WORTH_WAKING.as_nanos() && threads() > 1
}

/// How many threads take part at most.
fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}
