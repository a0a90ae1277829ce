//! Queries that are answered a slice at a time.

use std::fmt;
use std::sync::Arc;

use super::Engine;
use super::pool::Loan;
use crate::algo::astar::Astar;
use crate::algo::taut_sight::TautSight;
use crate::algo::theta_star::ThetaStar;
use crate::catalog::PlannerSpec;
use crate::geometry::Endpoints;
use crate::planner::{Answer, AnswerSummary, Guarantee, Native, Planner, Query, QueryError};
use crate::services::Slices;

/// A query that is answered a slice at a time, such as one in every frame of a game; see [`Engine::begin`].
///
/// The query runs on the map of the moment when it began. While a `Pending` exists, an edit of the engine's map copies
/// the planner.
pub struct Pending<'q> {
    engine: Engine,
    planner: Arc<dyn Planner>,
    /// The scratch, which goes back to the engine's pool unless `stands_in`.
    scratch: Option<Loan>,
    stands_in: bool,
    slices: Slices<'q>,
    answer: Answer,
}

impl Engine {
    /// Begins a query that is answered a slice at a time.
    ///
    /// If the planner's searches cannot resume after a stop (they lack
    /// [`Native::Slices`]), another planner with the same guarantee searches instead:
    /// `astar`, or `theta-star` or `taut-sight` for any-angle paths. [`Pending::name`] names it.
    ///
    /// ```
    /// use octile::{Engine, Grid, Query, Status};
    /// let engine = Engine::new("astar", &Grid::open(99, 99)?)?;
    /// let mut pending = engine.begin(Query::new((0, 0), (98, 40)));
    /// let mut frames = 1;
    /// while pending.run(20)?.is_none() {
    ///     frames += 1;
    /// }
    /// assert_eq!((pending.answer().status(), frames), (Status::Found, 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin<'q>(&self, query: impl Into<Query<'q>>) -> Pending<'q> {
        let own = self.snapshot();
        let stand_in = if own.facts().has(Native::Slices) { None } else { stand_in(&*own) };
        let (stands_in, planner) = (stand_in.is_some(), stand_in.unwrap_or(own));
        let scratch = if stands_in { planner.create_scratch().into() } else { self.layer.pool.take(&*planner) };
        let (slices, answer) = (Slices::new(query.into()), Answer::new());
        Pending { engine: self.clone(), planner, scratch: Some(scratch), stands_in, slices, answer }
    }
}

/// A planner for the same map with the same guarantee, whose searches can resume.
fn stand_in(planner: &dyn Planner) -> Option<Arc<dyn Planner>> {
    let squeeze = planner.squeeze().unwrap_or_default();
    let spec: PlannerSpec = match planner.guarantee() {
        Guarantee::AnyAngleOptimal => TautSight::default().squeeze(squeeze).ends(planner.ends()).into(),
        Guarantee::AnyAngle => PlannerSpec::from(ThetaStar::default().squeeze(squeeze)),
        Guarantee::Smoothed(_) => PlannerSpec::from(Astar::default()).smoothed(squeeze),
        _ => Astar::default().into(),
    };
    let spec = if planner.ends() == Endpoints::Centres { spec.centred() } else { spec };
    // These planners can be built for every map that has such paths.
    spec.build(planner.grid()).ok().map(Into::into)
}

impl Pending<'_> {
    /// Continues for this many expansions of the search. Returns how the query ended, or `None` if it has not. Further
    /// calls after the end return the same result.
    ///
    /// With many goals, the nearest is found goal by goal. Where finding the nearest cell needs a look at all reachable
    /// cells, because of a maximum cost or because an edit has cut the map, that runs in one slice.
    ///
    /// # Errors
    /// If an end is off the map, or blocked where that is not allowed.
    pub fn run(&mut self, expansions: u64) -> Result<Option<AnswerSummary>, QueryError> {
        if let Some(done) = self.answer.reply.clone() {
            return done.map(Some);
        }
        let Some(scratch) = &mut self.scratch else { return Ok(None) };
        let reply = self.slices.run(&*self.planner, scratch, expansions, &mut self.answer.path);
        let Some(reply) = reply.transpose() else {
            self.answer.path.clear();
            return Ok(None);
        };
        if !reply.as_ref().is_ok_and(|reply| reply.status.has_path()) {
            self.answer.path.clear();
        }
        self.answer.reply = Some(reply.clone());
        reply.map(Some)
    }

    /// The answer, once the query has ended.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// Converts into the answer, once the query has ended.
    ///
    /// ```
    /// use octile::{Engine, Grid, Query};
    /// let engine = Engine::new("jps", &Grid::open(9, 9)?)?;
    /// let mut pending = engine.begin(Query::new((0, 0), (8, 8)));
    /// pending.run(u64::MAX)?;
    /// assert_eq!(pending.into_answer().into_path()?.unwrap().cost().to_string(), "8√2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_answer(mut self) -> Answer {
        std::mem::take(&mut self.answer)
    }

    /// Expansions so far.
    pub fn expanded(&self) -> u64 {
        self.slices.expanded
    }

    /// The name of the planner that searches: the engine's, or its stand-in.
    pub fn name(&self) -> &'static str {
        self.planner.name()
    }
}

impl Drop for Pending<'_> {
    /// Returns the scratch to the pool.
    fn drop(&mut self) {
        if let Some(scratch) = self.scratch.take().filter(|_| !self.stands_in) {
            self.engine.layer.pool.put(scratch);
        }
    }
}

impl fmt::Debug for Pending<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pending({:?} after {} expansions)", &*self.planner, self.expanded())
    }
}
