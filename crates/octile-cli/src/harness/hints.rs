//! Error messages in one sentence, with advice: the library's errors are data, and the command knows which command
//! helps.

use std::error::Error;

use octile::algo::cpd::{self, MergeError};
use octile::algo::{hub_labels, taut_labels};
use octile::artifact::{ArtifactError, OpenError, OpenFault};
use octile::formats::LoadFault;
use octile::formats::movingai::scen::ScenError;
use octile::planner::IndexFault;
use octile::planner::Reason;
use octile::services::parts::PartsError;
use octile::{BuildError, Catalog, LoadError};

/// The message for an error: its causes and advice.
pub(crate) fn message(error: &anyhow::Error, catalog: &Catalog) -> String {
    chain(error.chain(), catalog)
}

/// As [`message`], for an error of the library.
pub(crate) fn of(error: &(dyn Error + 'static), catalog: &Catalog) -> String {
    chain(anyhow::Chain::new(error), catalog)
}

/// Joins the texts of errors. A cause that the text before it already contains is left out.
fn chain<'a>(errors: impl Iterator<Item = &'a (dyn Error + 'static)>, catalog: &Catalog) -> String {
    let (mut texts, mut help) = (Vec::<String>::new(), None);
    for error in errors {
        let text = error.to_string();
        if !texts.last().is_some_and(|told| told.contains(&text)) {
            texts.push(text);
        }
        help = help.or_else(|| hint(error, catalog));
    }
    texts.join(": ") + &help.unwrap_or_default()
}

/// Advice on an error of the library, to append to its text.
fn hint(error: &(dyn Error + 'static), catalog: &Catalog) -> Option<String> {
    if let Some(error) = error.downcast_ref() {
        return Some(of_artifact(error, catalog));
    }
    if let Some(OpenError { fault: OpenFault::Index(fault), .. }) = error.downcast_ref() {
        return Some(of_artifact(fault, catalog));
    }
    if let Some(fault) = error.downcast_ref() {
        return of_index(fault, catalog);
    }
    if let Some(error) = error.downcast_ref() {
        return of_build(error, catalog);
    }
    if let Some(error) = error.downcast_ref() {
        return of_load(error);
    }
    if let Some(error) = error.downcast_ref() {
        return of_parts(error, catalog);
    }
    error.downcast_ref().and_then(|error| of_merge(error, catalog))
}

/// Advice on a file of the wrong kind.
fn of_load(error: &LoadError) -> Option<String> {
    let LoadFault::Scen(ScenError::Dynamic { .. }) = error.fault else { return None };
    let file = error.file.display();
    Some(format!("; it contains its map: give it alone, as in `octile run {file}` or `octile compare {file}`"))
}

/// Advice on an index file that cannot be used.
fn of_artifact(error: &ArtifactError, catalog: &Catalog) -> String {
    use ArtifactError::{ContainerVersion, NotAnIndex, Part, WrongKind};
    let again = || format!("build it again with `{}`", command(error.kind().unwrap_or("KIND"), catalog));
    match error {
        NotAnIndex => format!(": make one with `{}`", command("KIND", catalog)),
        WrongKind { expected, .. } => format!(": make one with `{}`", command(expected, catalog)),
        ContainerVersion { .. } => format!("; update octile, or {}", again()),
        Part { .. } => " by `octile merge PART... -o FILE`".to_owned(),
        _ => format!("; {}", again()),
    }
}

/// Advice on an index file that a spec names.
fn of_index(fault: &IndexFault, catalog: &Catalog) -> Option<String> {
    match fault {
        IndexFault::Unreadable { kind, .. } => Some(format!("; make an index file with `{}`", command(kind, catalog))),
        IndexFault::Unfit(error) => Some(of_artifact(error, catalog)),
        IndexFault::Unused { used, .. } => {
            Some(format!(": make one with `{}`", command(used.first().unwrap_or(&"KIND"), catalog)))
        }
        _ => None,
    }
}

/// Advice on a planner or an index that cannot be built.
fn of_build(error: &BuildError, catalog: &Catalog) -> Option<String> {
    match error {
        BuildError::Index(error) => Some(of_artifact(error, catalog)),
        BuildError::IndexFile { fault, .. } => of_index(fault, catalog),
        BuildError::TakesLong { kind, reason, .. } => {
            let instead =
                instead(kind, reason).map_or(String::new(), |planner| format!(", or use planner `{planner}`"));
            Some(format!(": build it beforehand with `{}` and give the file{instead}", command(kind, catalog)))
        }
        BuildError::Unsuited { kind, reason } => of_unsuited(kind, reason),
        BuildError::OverBudget { .. } => Some("; allow more with --steps or --memory".to_owned()),
        _ => None,
    }
}

/// Advice on a map that a planner or an index does not support.
fn of_unsuited(kind: &str, reason: &Reason) -> Option<String> {
    if reason.is::<cpd::TooLarge>() {
        return Some(": use layout=runs, or a smaller map".to_owned());
    }
    let planner = instead(kind, reason)?;
    let is_budget = matches!(reason.downcast_ref(), Some(hub_labels::Unsuited::Budget { .. }));
    let more = if is_budget { "allow more with --steps or --memory, or " } else { "" };
    Some(format!("; {more}use planner `{planner}`"))
}

/// The planner to use if the map does not suit an index over corners of obstacles.
fn instead(kind: &str, reason: &Reason) -> Option<&'static str> {
    reason.is::<hub_labels::Unsuited>().then_some(if kind == taut_labels::KIND { "taut-graph" } else { "jump-graph" })
}

/// Advice on an index that cannot be built in parts.
fn of_parts(error: &PartsError, catalog: &Catalog) -> Option<String> {
    match error {
        PartsError::InTheWay { .. }
        | PartsError::Stranger { .. }
        | PartsError::Foreign { .. }
        | PartsError::Locked { .. } => Some(", or choose another -o".to_owned()),
        PartsError::Open(OpenError { fault: OpenFault::Index(fault), .. }) => Some(of_artifact(fault, catalog)),
        PartsError::Build(error) => of_build(error, catalog),
        PartsError::Merge { fault, .. } => fault.reason.downcast_ref().and_then(|error| of_merge(error, catalog)),
        _ => None,
    }
}

/// Advice on parts that cannot be joined.
fn of_merge(error: &MergeError, catalog: &Catalog) -> Option<String> {
    match error {
        MergeError::Artifact { source, .. } => Some(of_artifact(source, catalog)),
        MergeError::Gap { missing, settings } => Some(format!(
            ": build them with `octile build {}:{settings} MAP --sources {}..{} -o FILE`",
            cpd::KIND,
            missing.start,
            missing.end
        )),
        _ => None,
    }
}

/// The command that builds an index of a kind, known or not.
pub(crate) fn command(kind: &str, catalog: &Catalog) -> String {
    let is_for_all_maps = catalog.index(kind).is_ok_and(|index| index.is_for_all_maps());
    format!("octile build {kind}{} -o FILE", if is_for_all_maps { "" } else { " MAP" })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use octile::algo::core_table;
    use octile::files::FileFault;
    use octile::planner::Budget;
    use octile::{Grid, HubLabels};

    use super::*;

    fn text_of(error: impl Error + Send + Sync + 'static) -> String {
        message(&anyhow::Error::new(error).context("a.octx"), &Catalog::standard())
    }

    #[test]
    fn causes_appear_once() {
        let fault = IndexFault::Unreadable { reason: Arc::new(FileFault::Missing), kind: "gates" };
        let error = BuildError::IndexFile { file: "b.octx".into(), fault };
        let expected = "b.octx: no such file; make an index file with `octile build gates MAP -o FILE`";
        assert_eq!(of(&error, &Catalog::standard()), expected);
        assert_eq!(text_of(error), format!("a.octx: {expected}"));
        assert_eq!(message(&anyhow::anyhow!("one").context("two"), &Catalog::empty()), "two: one");
    }

    #[test]
    fn hints_say_how_to_build_or_merge_index_files() {
        let kind = || "gates".to_owned();
        for (error, end) in [
            (ArtifactError::NotAnIndex, "file: make one with `octile build KIND MAP -o FILE`"),
            (
                ArtifactError::Truncated { found: 1, expected: 2 },
                "2; build it again with `octile build KIND MAP -o FILE`",
            ),
            (
                ArtifactError::ContainerVersion { found: 2, supported: 1 },
                "; update octile, or build it again with `octile build KIND MAP -o FILE`",
            ),
            (ArtifactError::ForAllMaps { kind: kind() }, "; build it again with `octile build gates MAP -o FILE`"),
            (
                ArtifactError::WrongKind { found: kind(), expected: "lddb-tile".to_owned() },
                ": make one with `octile build lddb-tile -o FILE`",
            ),
            (
                ArtifactError::Part { kind: kind(), found: 1..2, all: 3 },
                "; put it together with the other parts by `octile merge PART... -o FILE`",
            ),
        ] {
            assert!(text_of(error.clone()).ends_with(end), "{}", text_of(error.clone()));
            assert!(text_of(BuildError::Index(error.clone())).ends_with(end));
            assert!(text_of(MergeError::Artifact { file: 0, source: error.clone() }).ends_with(end));
            let fault = OpenFault::Index(error.clone());
            assert!(text_of(OpenError { file: "b".into(), fault }).ends_with(end));
            let fault = IndexFault::Unfit(error.clone());
            assert!(text_of(BuildError::IndexFile { file: "b".into(), fault }).ends_with(end));
        }
        let unused = IndexFault::Unused { found: kind(), planner: "cpd", used: vec!["cpd"] };
        assert!(text_of(unused).ends_with("uses `cpd`: make one with `octile build cpd MAP -o FILE`"));
    }

    #[test]
    fn hints_for_failed_builds_name_a_command_or_another_planner() {
        let over = Budget::AT_ONCE.steps(8).check(9, 0).unwrap_err();
        let slow = hub_labels::Unsuited::Budget { over, corners: 3, is_slow: true };
        assert!(text_of(BuildError::takes_long("hub-labels", "hub-labels", slow)).ends_with(
            "over the limit of 8): build it beforehand with `octile build hub-labels MAP -o FILE` and give the file, or use planner `jump-graph`"
        ));
        let many = cpd::TooManyCells { cells: 9, most: 8 };
        assert!(text_of(BuildError::takes_long("cpd", "cpd", many)).ends_with(
            " takes long to build for 9 free cells (at most 8 are done at once): build it beforehand with `octile build cpd MAP \
             -o FILE` and give the file"
        ));
        assert!(
            text_of(BuildError::unsuited("hub-labels", hub_labels::Unsuited::Long { most: 9 }))
                .ends_with("longer than 9 cells; use planner `jump-graph`")
        );
        let tight = hub_labels::Unsuited::Budget { over, corners: 3, is_slow: false };
        assert!(
            text_of(BuildError::unsuited("hub-labels", tight))
                .ends_with("over the limit of 8; allow more with --steps or --memory, or use planner `jump-graph`")
        );
        assert!(
            text_of(BuildError::unsuited("taut-labels", hub_labels::Unsuited::Long { most: 9 }))
                .ends_with("9 cells; use planner `taut-graph`")
        );
        let tight = core_table::Unsuited::Budget { over, corners: 3, is_slow: false };
        assert!(
            text_of(BuildError::unsuited("core-table", tight))
                .ends_with("over the limit of 8; allow more with --steps or --memory, or use planner `jump-graph`")
        );
        assert!(
            text_of(BuildError::unsuited("core-table", core_table::Unsuited::Long { most: 9 }))
                .ends_with("9 cells; use planner `jump-graph`")
        );
        let large = cpd::TooLarge { cells: 9, bytes: 8, most: 7 }.into_error();
        assert!(text_of(large).ends_with("over the limit of 7: use layout=runs, or a smaller map"));
        let gap = MergeError::Gap { missing: 3..5, settings: cpd::Settings::default() };
        assert!(text_of(gap).contains("are missing: build them with `octile build cpd:layout=runs,"));
        let tile = Grid::open(2, 2).unwrap().with_movement(octile::Movement::Tile);
        let error = HubLabels::default().planner(&tile).map(drop).unwrap_err();
        assert!(text_of(error).ends_with("it supports octile"));
    }
}
