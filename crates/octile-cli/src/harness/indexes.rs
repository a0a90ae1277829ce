//! Index files given on the command line, as `--index` or in a spec. Each must be intact, made for the map, and used.
//! Every error about one names the file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Error, Result, bail};
use octile::artifact::{Artifact, ArtifactError, OpenError};
use octile::planner::IndexKind;
use octile::planner::{Entry, Indexes};
use octile::{Build, BuildError, Catalog, Finder, Grid, Movement, Planner, PlannerSpec};

use super::args::IndexArg;
use super::{hints, output};

/// Opened index files, of supported kinds and versions, at most one per kind and map.
#[derive(Clone, Default)]
pub struct IndexFiles {
    files: Vec<IndexFile>,
    /// Whether planners give up at once on an index that takes long to build and is in no file.
    is_brief: bool,
    /// Whether the file named in a spec is read into memory instead of mapped.
    is_read: bool,
}

#[derive(Clone)]
struct IndexFile {
    path: PathBuf,
    artifact: Arc<Artifact>,
    index: IndexKind,
}

impl IndexFile {
    fn open(path: &Path, is_read: bool, catalog: &Catalog) -> Result<Self> {
        let artifact = Arc::new(open(path, is_read)?);
        let index = catalog.index(artifact.kind()).with_context(|| path.display().to_string())?;
        Ok(Self { path: path.to_owned(), artifact, index })
    }

    /// The error for this file, with its name.
    fn refused(&self, fault: ArtifactError) -> Error {
        Error::new(fault).context(self.path.display().to_string())
    }

    fn check(&self, grid: &Grid) -> Result<(), ArtifactError> {
        self.index.check(&self.artifact, grid)
    }

    fn is_twin_of(&self, other: &Self) -> bool {
        self.index.kind == other.index.kind && self.artifact.fingerprint() == other.artifact.fingerprint()
    }
}

impl IndexFiles {
    /// Opens files that must all be for this map.
    pub fn open(args: &IndexArg, grid: &Grid, catalog: &Catalog) -> Result<Self> {
        let indexes = Self::opened(args, catalog)?;
        for file in &indexes.files {
            file.check(grid).map_err(|fault| file.refused(fault))?;
        }
        indexes.checked()
    }

    fn opened(args: &IndexArg, catalog: &Catalog) -> Result<Self> {
        let is_read = args.read_index;
        let files = args.files.iter().map(|path| IndexFile::open(path, is_read, catalog)).collect::<Result<_>>()?;
        Ok(Self { files, is_brief: false, is_read })
    }

    /// Opens files, each of which must fit at least one of several maps. The maps are loaded in turn, and only if there
    /// is a file.
    pub fn open_for_maps(
        args: &IndexArg,
        movement: Movement,
        maps: impl Iterator<Item = Result<Grid>>,
        catalog: &Catalog,
    ) -> Result<Self> {
        let indexes = Self::opened(args, catalog)?;
        if indexes.files.is_empty() {
            return Ok(indexes);
        }
        let mut waiting: Vec<(&IndexFile, Option<ArtifactError>)> =
            indexes.files.iter().map(|file| (file, None)).collect();
        let mut count = 0;
        for grid in maps {
            let grid = grid?;
            count += 1;
            for (file, fault) in &mut waiting {
                *fault = file.check(&grid).err();
            }
            waiting.retain(|(_, fault)| fault.is_some());
        }
        if let Some((file, fault)) = waiting.pop() {
            return Err(file.fits_none(fault, movement, count, catalog));
        }
        indexes.checked()
    }

    /// Refuses two files of one kind for the same map, and verifies each file: damage must not show up in later
    /// lookups.
    fn checked(self) -> Result<Self> {
        for (i, file) in self.files.iter().enumerate() {
            if let Some(twin) = self.files[..i].iter().find(|twin| file.is_twin_of(twin)) {
                let (one, other, kind) = (twin.path.display(), file.path.display(), file.index.kind);
                let whose = if file.artifact.is_for_all_maps() { "" } else { " for the same map" };
                bail!("{one} and {other} are both indexes of kind `{kind}`{whose}: give one of them");
            }
            file.artifact.verify().map_err(|fault| file.refused(fault))?;
        }
        Ok(self)
    }

    /// The files for this map and those for all maps.
    #[must_use]
    pub fn of_map(&self, grid: &Grid) -> Self {
        let fits =
            |file: &&IndexFile| file.artifact.is_for_all_maps() || file.artifact.fingerprint() == grid.fingerprint();
        Self { files: self.files.iter().filter(fits).cloned().collect(), ..*self }
    }

    /// The same files, for planners that give up on an index that takes more than a moment to build.
    #[must_use]
    pub fn briefly(self) -> Self {
        Self { is_brief: true, ..self }
    }

    /// Fails if there is a file that no planner uses, unless its kind is used `elsewhere`.
    pub fn check_used(&self, planners: &[PlannerSpec], elsewhere: &[&str], catalog: &Catalog) -> Result<()> {
        let is_used = |kind: &str| {
            elsewhere.contains(&kind) || planners.iter().any(|planner| planner.index_kinds().contains(&kind))
        };
        match self.files.iter().find(|file| !is_used(file.index.kind)) {
            Some(file) => Err(file.is_unused(planners, catalog)),
            None => Ok(()),
        }
    }

    /// Builds a planner for a map of this name, with the files of the kinds that it uses.
    pub fn planner(&self, spec: &PlannerSpec, grid: &Grid, map: &str) -> Result<Box<dyn Planner>> {
        let indexes: Indexes = self.files.iter().map(|file| Arc::clone(&file.artifact)).collect();
        let build = Build::new(grid).with(indexes);
        let build = if self.is_brief { build.briefly() } else { build };
        let build = if self.is_read { build.unmapped() } else { build };
        // A long build shows its progress.
        let bar = output::progress_of_stages();
        let watch = output::watch(&bar);
        let built = spec.build_from(&build.watched(&watch));
        bar.finish_and_clear();
        built.map_err(|error| match error {
            BuildError::Index(fault) => self.refused(fault),
            error @ BuildError::IndexFile { .. } => Error::new(error), // it names the file
            error => Error::new(error).context(map.to_owned()),
        })
    }

    /// As [`planner`](IndexFiles::planner), with its scratch.
    pub fn finder(&self, spec: &PlannerSpec, grid: &Grid, map: &str) -> Result<Finder> {
        self.planner(spec, grid, map).map(Finder::of)
    }

    /// Applies `read` to the file of a kind, if there is one.
    pub fn read<T>(&self, kind: &str, read: impl FnOnce(&Artifact) -> Result<T, ArtifactError>) -> Result<Option<T>> {
        let file = self.files.iter().find(|file| file.index.kind == kind);
        file.map(|file| read(&file.artifact).map_err(|fault| file.refused(fault))).transpose()
    }

    /// The error for the file of the kind in the fault; for any of the files, if the fault names no kind.
    fn refused(&self, fault: ArtifactError) -> Error {
        let may_be = |file: &&IndexFile| fault.kind().is_none_or(|kind| kind == file.index.kind);
        let names: Vec<String> = self.files.iter().filter(may_be).map(|file| file.path.display().to_string()).collect();
        Error::new(fault).context(names.join(" or "))
    }
}

fn open(path: &Path, is_read: bool) -> Result<Artifact, OpenError> {
    if is_read { Artifact::read(path) } else { Artifact::open(path) }
}

impl IndexFile {
    /// The error that no planner uses the file, with one that would.
    fn is_unused(&self, planners: &[PlannerSpec], catalog: &Catalog) -> Error {
        let (file, kind) = (self.path.display(), self.index.kind);
        let who = match planners {
            [] => "nothing that is drawn".to_owned(),
            [planner] => format!("planner `{planner}`"),
            _ => "none of the planners".to_owned(),
        };
        let no = if planners.len() > 1 { "an" } else { "no" };
        let example = planners.iter().find_map(|planner| example(planner, kind, catalog));
        let example = example.or_else(|| any_example(kind, catalog));
        match (planners, example) {
            ([], Some(spec)) => Error::msg(format!(
                "{file}: {who} uses an index of kind `{kind}`: add `--planner {spec}` with --from and --to"
            )),
            (_, Some(spec)) => Error::msg(format!("{file}: {who} uses {no} index of kind `{kind}`: write `{spec}`")),
            (_, None) => Error::msg(format!("{file}: {who} uses {no} index of kind `{kind}`")),
        }
    }

    /// The error that the file fits none of the maps under a rule; `fault` is the reason for the last map.
    fn fits_none(&self, fault: Option<ArtifactError>, movement: Movement, maps: usize, catalog: &Catalog) -> Error {
        let (artifact, kind) = (&self.artifact, self.index.kind);
        match fault {
            Some(fault) if maps == 1 || is_for_no_map(&fault) => self.refused(fault),
            _ if let Some(found) = artifact.movement().filter(|found| *found != movement) => {
                self.refused(ArtifactError::WrongMovement { kind: kind.to_owned(), found, expected: movement })
            }
            _ => Error::msg(format!(
                "{}: made for none of the {maps} maps, or before its own changed: that has {} x {} cells and the fingerprint \
                 {:016x}; build it again with `{}`",
                self.path.display(),
                artifact.width(),
                artifact.height(),
                artifact.fingerprint(),
                hints::command(kind, catalog)
            )),
        }
    }
}

/// Whether a fault for one map means that the file fits no map.
fn is_for_no_map(fault: &ArtifactError) -> bool {
    use ArtifactError::{ForAllMaps, ForOneMap, KindVersion};
    matches!(fault, KindVersion { .. } | ForAllMaps { .. } | ForOneMap { .. })
}

/// A variant of this planner that uses a kind of index: with that pruner, or from the catalog.
fn example(planner: &PlannerSpec, kind: &str, catalog: &Catalog) -> Option<String> {
    let separator = if planner.to_string().contains(':') { ',' } else { ':' };
    let pruned = format!("{planner}{separator}prune={kind}");
    let entry = catalog.planner(planner.about().name).ok();
    let variants = entry.map(|entry| catalog.specs(&entry)).unwrap_or_default();
    let all = std::iter::once(pruned).chain(variants.into_iter().map(str::to_owned));
    all.into_iter().find(|spec| uses(spec, kind, catalog))
}

/// A planner of the catalog that uses a kind of index.
fn any_example(kind: &str, catalog: &Catalog) -> Option<String> {
    let planner = |entry: &Entry| catalog.parse(catalog.specs(entry).first()?).ok();
    catalog.planners().iter().filter_map(planner).find_map(|planner| example(&planner, kind, catalog))
}

fn uses(spec: &str, kind: &str, catalog: &Catalog) -> bool {
    catalog.parse(spec).is_ok_and(|spec| spec.index_kinds().contains(&kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_that_uses_a_kind_is_close_to_the_one_given() {
        let catalog = Catalog::standard();
        let example = |spec: &str, kind| example(&spec.parse().unwrap(), kind, &catalog);
        assert_eq!(example("jps", "gates").as_deref(), Some("jps:prune=gates"));
        assert_eq!(example("astar:open=buckets", "gates").as_deref(), Some("astar:open=buckets,prune=gates"));
        assert_eq!(example("jps", "blocked-areas"), None);
        let uses = |spec: &str| uses(spec, "blocked-areas", &catalog);
        let other = example("astar:prune=gates", "blocked-areas").unwrap();
        assert!(other.starts_with("astar:") && uses(&other), "{other}");
        assert!(any_example("blocked-areas", &catalog).is_some_and(|spec| uses(&spec)));
        assert_eq!(any_example("doors", &catalog), None);
    }

    #[test]
    fn brief_builds_give_up_on_long_ones() {
        let (spec, grid) = ("cpd".parse().unwrap(), Grid::open(150, 150).unwrap());
        assert!(IndexFiles::default().of_map(&grid).planner(&spec, &Grid::open(5, 5).unwrap(), "small").is_ok());
        let error = IndexFiles::default().briefly().of_map(&grid).planner(&spec, &grid, "large").map(drop).unwrap_err();
        assert!(matches!(error.downcast_ref(), Some(BuildError::TakesLong { .. })), "{error:#}");
    }
}
