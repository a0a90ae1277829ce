//! The errors of building an index in parts.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use crate::artifact::{ArtifactError, OpenError};
use crate::files::WriteError;
use crate::planner::{BuildError, MergeFault};

/// An index cannot be built in parts, or the build cannot continue. Finished parts stay, whatever went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartsError {
    /// A part cannot be built, or the build was cancelled ([`BuildError::Cancelled`]).
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
        /// The failed operation, such as `remove`.
        deed: &'static str,
        /// The folder or the file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The output is not a regular file, so it cannot have a folder beside it.
    #[error("{} is a device or a pipe, which cannot have a folder for parts beside it: name a file", .output.display())]
    NotAFile {
        /// The output file.
        output: PathBuf,
    },
    /// The folder for parts does not exist: the build has not begun, or is over.
    #[error("the folder {} does not exist: its build has not begun, or is over", .folder.display())]
    NoFolder {
        /// The folder of the parts.
        folder: PathBuf,
    },
    /// Something else exists where the folder for parts should be.
    #[error("{} exists and is not a folder: move it away", .folder.display())]
    InTheWay {
        /// The folder of the parts.
        folder: PathBuf,
    },
    /// A file in the folder is not a part.
    #[error("{} does not belong to this build: move it away, or delete the folder {}", .file.display(), .folder.display())]
    Stranger {
        /// The file.
        file: PathBuf,
        /// The folder of the parts.
        folder: PathBuf,
    },
    /// A part in the folder belongs to another index.
    #[error("{} belongs to another build: {fault}; delete the folder {}", .file.display(), .folder.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// The folder of the parts.
        folder: PathBuf,
        /// The difference.
        #[source]
        fault: PartFault,
    },
    /// Another process, or another build of this process, is using the folder.
    #[error("another octile is building in {}: wait until it finishes", .folder.display())]
    Locked {
        /// The folder of the parts.
        folder: PathBuf,
    },
    /// A part to be added does not belong to this build.
    #[error("{} is not a part of this build: {fault}", .file.as_ref().map_or_else(|| "what was given".into(), |file| file.to_string_lossy()))]
    Refused {
        /// Its file, if any.
        file: Option<PathBuf>,
        /// The difference.
        #[source]
        fault: PartFault,
    },
    /// The requested sources are not in the index, or not in this build.
    #[error("the sources {} do not lie in {}, those of this build", shown(.asked), shown(.sources))]
    Outside {
        /// The requested sources.
        asked: Range<u32>,
        /// The sources of the build.
        sources: Range<u32>,
    },
    /// Some of the sources of a part are done already, others are not.
    #[error("the sources {} are partly done already: there is a part with {}", shown(.asked), shown(.there))]
    Overlap {
        /// The sources of the part.
        asked: Range<u32>,
        /// The sources of an existing part.
        there: Range<u32>,
    },
    /// Some sources are not done yet.
    #[error("the sources {} are missing in {}", list(.missing), .folder.display())]
    Missing {
        /// The missing sources.
        missing: Vec<Range<u32>>,
        /// The folder of the parts.
        folder: PathBuf,
    },
    /// The parts cannot be merged.
    #[error("{}: {fault}", .path.display())]
    Merge {
        /// The faulty part's file; the folder if the fault is in no single part.
        path: PathBuf,
        /// The fault.
        #[source]
        fault: MergeFault,
    },
}

/// Why a file is not a part of a build.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartFault {
    /// It is not an index file, it is damaged, of another kind or version, or made for another map.
    #[error(transparent)]
    Index(#[from] ArtifactError),
    /// Its settings differ.
    #[error("its settings are `{found}`, not `{expected}`")]
    Settings {
        /// The settings of the file.
        found: String,
        /// The settings of the build.
        expected: String,
    },
    /// Some of its sources are not in the build.
    #[error("it has the sources {}, which do not lie in {}", shown(.found), shown(.sources))]
    Sources {
        /// The sources of the file.
        found: Range<u32>,
        /// The sources of the build.
        sources: Range<u32>,
    },
}

/// A message lists at most this many ranges.
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
    fn a_message_lists_some_ranges_and_counts_the_others() {
        let ranges: Vec<Range<u32>> = (0..6).map(|at| 10 * at..10 * at + 3).collect();
        assert_eq!(list(&ranges[..2]), "0..3, 10..13");
        assert_eq!(list(&ranges), "0..3, 10..13, 20..23, 30..33 and 2 more ranges");
        let folder = PathBuf::from("a.octx.parts");
        let missing = PartsError::Missing { missing: ranges[..1].to_vec(), folder };
        assert_eq!(missing.to_string(), "the sources 0..3 are missing in a.octx.parts");
    }
}
