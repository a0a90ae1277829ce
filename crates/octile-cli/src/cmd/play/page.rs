//! The files of the page: built into this program, or in a folder.

use std::borrow::Cow;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// The files of the page.
#[derive(Debug)]
pub(super) enum Page {
    /// In this folder, whose path has no links.
    Folder(PathBuf),
    /// Built into the program.
    Embedded,
}

/// The files that every page has: the page itself and the planners.
const PARTS: [&str; 2] = ["index.html", "octile/octile.js"];

impl Page {
    /// The page in a folder, or the built-in one.
    pub(super) fn find(folder: Option<&Path>) -> Result<Self> {
        let Some(folder) = folder else {
            ensure!(
                !embedded().is_empty(),
                "this octile was built without the page: `tools/playground` of the repository builds one with it (the cargo feature `playground`), or \
                 `tools/playground build DIR` makes the page for `octile play --dir DIR`"
            );
            return Ok(Self::Embedded);
        };
        let name = folder.display();
        let place = folder.canonicalize().with_context(|| format!("cannot serve the folder {name}"))?;
        for part in PARTS {
            ensure!(
                place.join(part).is_file(),
                "{name} does not contain the page: it has no {part}; make it with `tools/playground build {name}`"
            );
        }
        Ok(Self::Folder(place))
    }

    /// The content of a file, by its path from the page.
    pub(super) fn file(&self, path: &str) -> Option<Cow<'static, [u8]>> {
        match self {
            Self::Folder(folder) => below(folder, path).map(Cow::Owned),
            Self::Embedded => {
                embedded().iter().find(|(known, _)| *known == path).map(|(_, bytes)| Cow::Borrowed(*bytes))
            }
        }
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "the page in {}", folder.display()),
            Self::Embedded => write!(f, "the playground"),
        }
    }
}

/// Reads a file below a folder. No link or name leads out of it, and hidden files, whose names begin with a dot, are
/// not served.
fn below(folder: &Path, path: &str) -> Option<Vec<u8>> {
    // Refuse what some system takes for a parent folder, a disk or the end of a name.
    let is_plain = |name: &str| !name.is_empty() && !name.starts_with('.') && !name.contains(['\\', ':', '\0']);
    if !path.split('/').all(is_plain) {
        return None;
    }
    let place = folder.join(path).canonicalize().ok()?;
    if place.starts_with(folder) && place.is_file() { fs::read(place).ok() } else { None }
}

/// The paths and contents collected by `build.rs`.
#[cfg(feature = "playground")]
fn embedded() -> &'static [(&'static str, &'static [u8])] {
    include!(concat!(env!("OUT_DIR"), "/playground.rs"))
}

/// None without the feature.
#[cfg(not(feature = "playground"))]
fn embedded() -> &'static [(&'static str, &'static [u8])] {
    &[]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_below_the_folder_are_found() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("page");
        fs::create_dir_all(folder.join("octile")).unwrap();
        fs::write(place.path().join("secret"), "secret").unwrap();
        for file in ["index.html", "octile/octile.js", ".hidden"] {
            fs::write(folder.join(file), file).unwrap();
        }
        let page = Page::find(Some(&folder)).unwrap();
        let found = |path: &str| page.file(path).is_some();
        assert!(found("index.html") && found("octile/octile.js"));
        for path in [
            "",
            "/",
            "octile",
            "octile/",
            ".hidden",
            "../secret",
            "octile/../index.html",
            "./index.html",
            "/index.html",
            "..\\secret",
            "a\0b",
        ] {
            assert!(!found(path), "{path:?}");
        }
        let absolute = place.path().join("secret");
        assert!(!found(absolute.to_str().unwrap()));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret", folder.join("out")).unwrap();
            std::os::unix::fs::symlink("index.html", folder.join("in")).unwrap();
            assert!(!found("out") && found("in"));
        }
    }

    #[cfg(feature = "playground")]
    #[test]
    fn the_page_is_built_into_the_program() {
        let page = Page::find(None).unwrap();
        for part in PARTS.into_iter().chain(["octile/octile_bg.wasm"]) {
            assert!(page.file(part).is_some_and(|bytes| !bytes.is_empty()), "{part}");
        }
        let is_left_out =
            |path: &str| path.contains("tests/") || path.contains("node_modules") || path.contains("package");
        assert!(!embedded().iter().any(|(path, _)| is_left_out(path)));
    }
}
