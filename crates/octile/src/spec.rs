//! Planner specs: how a planner is named everywhere, in commands, bindings and reports.
//!
//! A spec is `name` or `name:key=value,key=value`, such as `weighted-astar:weight=3`. The names and keys are those of
//! the [table of planners](crate::algo::PLANNERS). Three keys are common to all planners: `smooth=greedy` pulls every path
//! straight after it was found, `squeeze` is the rule of any-angle paths, smoothed ones included, and `index=FILE` is an
//! [index](crate::index) to use instead of building it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use crate::algo::Key;
use crate::algo::{self, Entry};
use crate::artifact::{Artifact, ArtifactError};
use crate::error::{BuildError, IndexFault, SpecError};
use crate::grid::sight::Squeeze;
use crate::index::Indexes;
use crate::planner::Guarantee;
use crate::{Finder, Grid, Movement};

/// The keys that every planner has besides its own.
pub(crate) static COMMON_KEYS: [Key; 3] = [
    Key {
        name: "smooth",
        takes: "greedy",
        help: "pull every path straight by line of sight between corners; not unless told",
    },
    Key {
        name: "squeeze",
        takes: "allowed or forbidden, with smooth=greedy or an any-angle planner",
        help: "whether any-angle paths may pass between obstacles that touch at a corner; allowed unless told",
    },
    Key {
        name: "index",
        takes: "the name of an index file, in which there can be no comma",
        help: "use this file instead of building the index that it holds; it counts before files given otherwise",
    },
];

/// A parsed spec: a planner of the table with values for its keys, names and keys known to be right.
///
/// ```
/// use octile::PlannerSpec;
/// let spec: PlannerSpec = "weighted-astar:weight=3".parse()?;
/// assert_eq!(spec.to_string(), "weighted-astar:weight=3");
/// let error = "weighted-astar:wight=3".parse::<PlannerSpec>().unwrap_err();
/// assert_eq!(error.to_string(), "planner `weighted-astar` has no key `wight`; known keys: weight, prune, lookup, gates, smooth, squeeze, index");
/// # Ok::<(), octile::SpecError>(())
/// ```
#[derive(Clone)]
pub struct PlannerSpec {
    entry: &'static Entry,
    options: Options,
}

impl PlannerSpec {
    /// The planner's line in the table.
    pub fn entry(&self) -> &'static Entry {
        self.entry
    }

    /// The values of its keys.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Makes the planner for a grid.
    ///
    /// # Errors
    /// If a value is wrong, the planner does not work under the grid's movement rule, or the [index
    /// file](PlannerSpec::index_file) that the spec names cannot be used.
    pub fn build(&self, grid: &Grid) -> Result<Finder, BuildError> {
        self.build_with(grid, &Indexes::default())
    }

    /// As [`build`](PlannerSpec::build), but takes indexes from opened files where there is one of the kind that the planner
    /// needs. The file that the spec names counts before these.
    ///
    /// # Errors
    /// Also if an index that the planner would use is damaged or was made for another map: [`BuildError::Index`] if it was
    /// given here, [`BuildError::IndexFile`] if the spec names it.
    pub fn build_with(&self, grid: &Grid, indexes: &Indexes) -> Result<Finder, BuildError> {
        BuildError::check_movement(&self.to_string(), grid, self.movements())?;
        let named = self.open_index()?;
        let mut indexes = indexes.clone();
        if let Some(named) = &named {
            indexes.push(Arc::clone(&named.artifact));
        }
        let finder = (self.entry.build)(grid, &Options { indexes, ..self.options.clone() });
        let finder = finder.map_err(|error| match (error, named) {
            (BuildError::Index(fault), Some(named)) if named.has(&fault) => named.refused(fault),
            (error, _) => error,
        })?;
        let squeeze = self.options.squeeze()?.unwrap_or_default();
        Ok(if self.options.smooths()? { finder.smoothed(squeeze) } else { finder })
    }

    /// As [`build`](PlannerSpec::build), but an index that takes longer than a second or two is refused.
    pub(crate) fn build_briefly(&self, grid: &Grid) -> Result<Finder, BuildError> {
        let options = Options { is_brief: true, ..self.options.clone() };
        Self { options, ..*self }.build(grid)
    }

    /// What the planner promises with these values.
    pub fn guarantee(&self) -> Guarantee {
        let guarantee = (self.entry.guarantee)(&self.options);
        if self.options.smooths().unwrap_or_default() { guarantee.smoothed() } else { guarantee }
    }

    /// The movement rules that it works under with these values.
    pub fn movements(&self) -> &'static [Movement] {
        let movements = (self.entry.movements)(&self.options);
        // Only grid paths without cut corners can be moved to corners.
        if self.options.smooths().unwrap_or_default() { &[Movement::Octile] } else { movements }
    }

    /// The kinds of index that the planner builds, or takes from [files](PlannerSpec::build_with).
    pub fn index_kinds(&self) -> Vec<&'static str> {
        (self.entry.indexes)(&self.options)
    }

    /// The index file that it names, to be opened when the planner is built.
    pub fn index_file(&self) -> Option<&Path> {
        self.options.index_file().map(Path::new)
    }

    /// Opens the index file that it names, which must be of a kind that the planner uses.
    fn open_index(&self) -> Result<Option<NamedIndex>, BuildError> {
        let Some(file) = self.index_file() else { return Ok(None) };
        let refused = |fault| BuildError::IndexFile { file: file.to_owned(), fault };
        let used = self.index_kinds();
        let artifact = Artifact::open(file)
            .map_err(|error| refused(IndexFault::unopened(error.fault, used.first().copied().unwrap_or("KIND"))))?;
        if !used.contains(&artifact.kind()) {
            let found = artifact.kind().to_owned();
            return Err(refused(IndexFault::Unused { found, planner: self.entry.name, used }));
        }
        Ok(Some(NamedIndex { file: file.to_owned(), artifact: Arc::new(artifact) }))
    }
}

/// The index file that a spec names, opened.
struct NamedIndex {
    file: PathBuf,
    artifact: Arc<Artifact>,
}

impl NamedIndex {
    /// Whether a fault that a planner found is one of this file: of another kind, it is one of another file.
    fn has(&self, fault: &ArtifactError) -> bool {
        fault.kind().map_or_else(|| self.artifact.verify().is_err(), |kind| kind == self.artifact.kind())
    }

    fn refused(self, fault: ArtifactError) -> BuildError {
        BuildError::IndexFile { file: self.file, fault: IndexFault::Unfit(fault) }
    }
}

impl FromStr for PlannerSpec {
    type Err = SpecError;

    fn from_str(spec: &str) -> Result<Self, Self::Err> {
        let form = || SpecError::Form { spec: spec.to_owned() };
        let (name, options) = spec.split_once(':').map_or((spec, None), |(name, options)| (name, Some(options)));
        if name.is_empty() {
            return Err(form());
        }
        let entry =
            algo::PLANNERS.iter().find(|entry| entry.name == name).ok_or_else(|| SpecError::UnknownPlanner {
                name: name.to_owned(),
                known: algo::PLANNERS.iter().map(|entry| entry.name).collect(),
            })?;
        let mut values = Vec::new();
        for option in options.into_iter().flat_map(|options| options.split(',')) {
            let (key, value) = option.split_once('=').ok_or_else(form)?;
            let key = entry.key(key)?;
            if values.iter().any(|&(known, _)| known == key) {
                return Err(SpecError::RepeatedKey { key: key.to_owned() });
            }
            values.push((key, value.to_owned()));
        }
        let options = Options { entry, values, indexes: Indexes::default(), is_brief: false };
        options.check_common()?;
        (entry.check)(&options)?;
        options.check_index()?;
        Ok(Self { entry, options })
    }
}

impl fmt::Display for PlannerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry.name)?;
        for (i, (key, value)) in self.options.values.iter().enumerate() {
            write!(f, "{}{key}={value}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl fmt::Debug for PlannerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlannerSpec({self})")
    }
}

/// The values that a spec gives for a planner's keys.
#[derive(Clone)]
pub struct Options {
    entry: &'static Entry,
    values: Vec<(&'static str, String)>,
    indexes: Indexes,
    is_brief: bool,
}

impl Options {
    /// No value for any key.
    pub(crate) fn none(entry: &'static Entry) -> Self {
        Self { entry, values: Vec::new(), indexes: Indexes::default(), is_brief: false }
    }

    /// Whether paths are to be smoothed.
    fn smooths(&self) -> Result<bool, SpecError> {
        Ok(self.value("smooth", |value| (value == "greedy").then_some(()))?.is_some())
    }

    /// The squeeze rule, if the spec gives one.
    pub(crate) fn squeeze(&self) -> Result<Option<Squeeze>, SpecError> {
        self.value("squeeze", |value| value.parse().ok())
    }

    /// Checks the values of the common keys.
    fn check_common(&self) -> Result<(), SpecError> {
        self.squeeze()?;
        if self.smooths()? || matches!((self.entry.guarantee)(self), Guarantee::AnyAngle | Guarantee::Smoothed) {
            return Ok(());
        }
        self.refuse(
            "squeeze",
            |_| true,
            "its paths go from cell to cell, where the movement rule decides; add smooth=greedy, or use an any-angle planner",
        )
    }

    /// Refuses an index file where there is no index; after all other values are known to be right.
    fn check_index(&self) -> Result<(), SpecError> {
        self.value("index", |file| (!file.is_empty()).then_some(()))?;
        if !(self.entry.indexes)(self).is_empty() {
            return Ok(());
        }
        let reason = if self.entry.keys.iter().any(|key| key.name == "prune") {
            "without a pruner it uses no index file; add prune=gates, or leave out index"
        } else {
            "with these keys it uses no index file; leave out index"
        };
        self.refuse("index", |_| true, reason)
    }

    /// The index file, if the spec names one.
    fn index_file(&self) -> Option<&str> {
        self.values.iter().find(|(key, _)| *key == "index").map(|(_, file)| file.as_str())
    }

    /// The keys that the spec gives.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.values.iter().map(|(key, _)| *key)
    }

    /// Whether an index that takes longer than a second or two is to be refused.
    pub(crate) fn is_brief(&self) -> bool {
        self.is_brief
    }

    /// Index files to use instead of building what they hold.
    pub(crate) fn indexes(&self) -> &Indexes {
        &self.indexes
    }

    /// The value of a key as parsed by `parse`, or `None` if the spec does not give it.
    ///
    /// # Errors
    /// [`SpecError::BadValue`] with what the table says the key takes, if `parse` refuses the value.
    pub fn value<T>(&self, key: &'static str, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>, SpecError> {
        let Some((_, value)) = self.values.iter().find(|(known, _)| *known == key) else { return Ok(None) };
        let bad = || SpecError::BadValue {
            planner: self.entry.name,
            key,
            value: value.clone(),
            expected: self.entry.expected(key),
        };
        parse(value).map(Some).ok_or_else(bad)
    }

    /// As [`value`](Options::value), for a key that must be given.
    ///
    /// # Errors
    /// Also [`SpecError::MissingKey`].
    pub fn required<T>(&self, key: &'static str, parse: impl Fn(&str) -> Option<T>) -> Result<T, SpecError> {
        self.value(key, parse)?.ok_or_else(|| SpecError::MissingKey {
            planner: self.entry.name,
            key,
            expected: self.entry.expected(key),
        })
    }

    /// Refuses values of a key that would be wrong together with this planner, for a `reason` that says what to do.
    ///
    /// # Errors
    /// [`SpecError::Refused`] if the spec gives such a value.
    pub fn refuse(
        &self,
        key: &'static str,
        is_wrong: impl Fn(&str) -> bool,
        reason: &'static str,
    ) -> Result<(), SpecError> {
        match self.values.iter().find(|(known, value)| *known == key && is_wrong(value)) {
            Some((_, value)) => Err(SpecError::Refused { planner: self.entry.name, key, value: value.clone(), reason }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(spec: &str) -> String {
        spec.parse::<PlannerSpec>().unwrap_err().to_string()
    }

    #[test]
    fn every_planner_can_be_smoothed() {
        for entry in algo::PLANNERS {
            let Some(first) = entry.specs().into_iter().find(|spec| !spec.contains("smooth")) else { continue };
            let separator = if first.contains(':') { ',' } else { ':' };
            let spec: PlannerSpec = format!("{first}{separator}smooth=greedy").parse().unwrap();
            assert_eq!(spec.movements(), [Movement::Octile]);
            let finder = spec.build(&Grid::open(5, 5).unwrap()).unwrap();
            assert_eq!(finder.guarantee(), spec.guarantee());
            let may_be = [Guarantee::AnyAngle, Guarantee::Smoothed, Guarantee::Legal];
            assert!(may_be.contains(&spec.guarantee()), "{spec}");
            assert_eq!(finder.squeeze(), Some(Squeeze::Allowed));
        }
    }

    #[test]
    fn guarantees_belong_to_specs() {
        let guarantee = |spec: &str| spec.parse::<PlannerSpec>().unwrap().guarantee();
        assert_eq!(guarantee("astar"), Guarantee::GridOptimal);
        assert_eq!(guarantee("astar:on=corners"), Guarantee::AnyAngle);
        assert_eq!(guarantee("astar:on=corners,smooth=greedy"), Guarantee::AnyAngle);
        assert_eq!(guarantee("astar:smooth=greedy"), Guarantee::Smoothed);
        assert_eq!(guarantee("weighted-astar:weight=2,smooth=greedy"), Guarantee::Smoothed);
        assert_eq!(Guarantee::Legal.smoothed(), Guarantee::Legal);
        for entry in algo::PLANNERS {
            for spec in entry.specs() {
                let spec: PlannerSpec = spec.parse().unwrap();
                let grid = Grid::open(3, 3).unwrap().with_movement(spec.movements()[0]);
                let finder = spec.build(&grid).unwrap();
                // What is chosen may promise more than was asked for.
                let is_more = finder.chosen().is_some() && finder.guarantee() == Guarantee::AnyAngle;
                let promised = if is_more { Guarantee::Smoothed } else { finder.guarantee() };
                assert_eq!(promised, spec.guarantee(), "{spec}");
            }
        }
    }

    #[test]
    fn values_that_do_not_go_together_are_refused_with_the_reason() {
        assert_eq!(error("jps:smooth=much"), "`smooth=much` of planner `jps`: expected greedy");
        assert!(error("theta-star:squeeze=some").contains("expected allowed or forbidden"));
        assert!(
            error("jps:squeeze=forbidden").contains("cannot take `squeeze=forbidden`: its paths go from cell to cell")
        );
        assert!(error("astar:on=cells,squeeze=allowed").contains("add smooth=greedy, or use an any-angle planner"));
        assert!(
            error("astar:on=corners,prune=gates")
                .contains("cannot take `prune=gates`: pruners are for searches on cells")
        );
        assert!(error("astar:on=corners,open=buckets").contains("has a heap only"));
        assert!(error("astar:on=edges").contains("expected cells or corners"));
        assert!(error("theta-star:heuristic=best").contains("expected octile, euclidean or zero"));
        assert!(error("jps:weight=2").ends_with("known keys: prune, gates, smooth, squeeze, index"));
        for spec in ["jps:smooth=greedy,squeeze=forbidden", "astar:on=corners,open=heap", "astar:on=cells"] {
            assert!(spec.parse::<PlannerSpec>().is_ok(), "{spec}");
        }
    }

    #[test]
    fn a_spec_names_an_index_file_if_it_uses_one() {
        for (spec, file) in [
            ("jps:prune=gates,index=a.octx", "a.octx"),
            ("jps:index=some maps/a=b:c.octx,prune=gates,smooth=greedy", "some maps/a=b:c.octx"),
            ("block-astar:block=4,index=/maps/a.octx", "/maps/a.octx"),
        ] {
            let parsed: PlannerSpec = spec.parse().unwrap();
            assert_eq!((parsed.to_string().as_str(), parsed.index_file()), (spec, Some(Path::new(file))));
        }
        assert_eq!("jps:prune=gates".parse::<PlannerSpec>().unwrap().index_file(), None);
        assert_eq!(
            error("jps:index=a.octx"),
            "planner `jps` cannot take `index=a.octx`: without a pruner it uses no index file; add prune=gates, or leave out \
             index"
        );
        assert!(error("theta-star:index=a.octx").ends_with("with these keys it uses no index file; leave out index"));
        assert!(error("block-astar:index=a.octx,block=8").ends_with("leave out index"));
        assert!(
            error("jps:prune=gates,index=")
                .contains("expected the name of an index file, in which there can be no comma")
        );
        assert!(error("jps:prune=gate,index=a.octx").contains("`prune=gate`"));
        // What is behind a comma is no part of the name.
        assert!(error("jps:prune=gates,index=a,b.octx").contains("is not a planner spec"));
    }
}
