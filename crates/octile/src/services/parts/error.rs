//! Why an index cannot be built in parts.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use crate::artifact::{ArtifactError, OpenError};
use crate::files::WriteError;
use crate::planner::{BuildError, MergeFault};

/// An index that cannot be built in parts, or not go on. What is finished stays, whatever went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartsError {
    /// A part cannot be built, or somebody has ended the build ([`BuildError::Cancelled`]).
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The folder of the parts, or a file in it, cannot be read, made or removed.
    #[error("cannot {deed} {}: {source}", .path.display())]
    Folder {
        /// What was to be done, such as `remove`.
        deed: &'static str,
        /// The folder or the file.
        path: PathBuf,
        /// Why it could not be done.
        source: io::Error,
    },
    /// There is no place for a folder beside the file that is to be.
    #[error("{} is a device or a pipe, and can have no folder for parts beside it: name a file", .output.display())]
    NotAFile {
        /// The file that is to be.
        output: PathBuf,
    },
    /// The folder for parts is not there: the build has not begun, or is over.
    #[error("there is no folder {}: the build that it belongs to has not begun, or is over", .folder.display())]
    NoFolder {
        /// The folder of the parts.
        folder: PathBuf,
    },
    /// There is something else where the folder for parts should be.
    #[error("{} is in the way of the folder for parts: move it away", .folder.display())]
    InTheWay {
        /// The folder of the parts.
        folder: PathBuf,
    },
    /// A file in the folder is no part of anything.
    #[error("{} is not of this build: move it away, or delete the folder {}", .file.display(), .folder.display())]
    Stranger {
        /// The file.
        file: PathBuf,
        /// The folder of the parts.
        folder: PathBuf,
    },
    /// A part in the folder is one of another index.
    #[error("{} is of another build: {fault}; delete the folder {}", .file.display(), .folder.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// The folder of the parts.
        folder: PathBuf,
        /// What tells.
        #[source]
        fault: PartFault,
    },
    /// Another process is at work in the folder, or another build of this process.
    #[error("another octile is building in {}: wait until it is done", .folder.display())]
    Locked {
        /// The folder of the parts.
        folder: PathBuf,
    },
    /// A part that was to be added is not one of this build.
    #[error("{} is no part of this build: {fault}", .file.as_ref().map_or_else(|| "what was given".into(), |file| file.to_string_lossy()))]
    Refused {
        /// Its file, if it has one.
        file: Option<PathBuf>,
        /// What tells.
        #[source]
        fault: PartFault,
    },
    /// Sources were asked for that the index does not have, or this build not.
    #[error("the sources {} do not lie in {}, those of this build", shown(.asked), shown(.sources))]
    Outside {
        /// Those asked for.
        asked: Range<u32>,
        /// Those of the build.
        sources: Range<u32>,
    },
    /// Some of the sources of a part are done already, and others are not.
    #[error("the sources {} are done already in part: there is a part with {}", shown(.asked), shown(.there))]
    Overlap {
        /// Those of the part.
        asked: Range<u32>,
        /// Those of a part that is there.
        there: Range<u32>,
    },
    /// Some sources are not done yet.
    #[error("the sources {} are missing in {}", list(.missing), .folder.display())]
    Missing {
        /// Which ones.
        missing: Vec<Range<u32>>,
        /// The folder of the parts.
        folder: PathBuf,
    },
    /// The parts cannot be put together.
    #[error("{}: {fault}", .path.display())]
    Merge {
        /// The file of the part that is at fault; the folder if it is no single one.
        path: PathBuf,
        /// Why.
        #[source]
        fault: MergeFault,
    },
}

/// What tells that a file is no part of a build.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartFault {
    /// It is no index file, damaged, of another kind or version, or made for another map.
    #[error(transparent)]
    Index(#[from] ArtifactError),
    /// It has other settings.
    #[error("its settings are `{found}`, not `{expected}`")]
    Settings {
        /// Those that it has.
        found: String,
        /// Those of the build.
        expected: String,
    },
    /// It has sources that are not of the build.
    #[error("it has the sources {}, which do not lie in {}", shown(.found), shown(.sources))]
    Sources {
        /// Those that it has.
        found: Range<u32>,
        /// Those of the build.
        sources: Range<u32>,
    },
}

/// How many ranges a message names.
const NAMED: usize = 4;

fn shown(sources: &Range<u32>) -> String {
    format!("{}..{}", sources.start, sources.end)
}

fn list(ranges: &[Range<u32>]) -> String {
    let named = ranges.iter().take(NAMED).map(shown).collect::<Vec<_>>().join(", ");
    match ranges.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more ranges"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_some_ranges_and_counts_the_others() {
        let ranges: Vec<Range<u32>> = (0..6).map(|at| 10 * at..10 * at + 3).collect();
        assert_eq!(list(&ranges[..2]), "0..3, 10..13");
        assert_eq!(list(&ranges), "0..3, 10..13, 20..23, 30..33 and 2 more ranges");
        let folder = PathBuf::from("a.octx.parts");
        let missing = PartsError::Missing { missing: ranges[..1].to_vec(), folder };
        assert_eq!(missing.to_string(), "the sources 0..3 are missing in a.octx.parts");
    }
}
