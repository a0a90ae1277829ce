//! What git tracks: no compiled programs or libraries, and no large files that nobody decided to keep.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files above this size need a line in [`LARGE`].
const MAX_BYTES: u64 = 1_000_000;

/// Large files that belong here, by their path from the root, each with its reason.
const LARGE: &[(&str, &str)] = &[];

/// How compiled files begin, and what they are.
const COMPILED: &[(&[u8], &str)] = &[
    (b"\x7fELF", "an ELF program or library"),
    (b"MZ", "a Windows program or library"),
    (b"\xcf\xfa\xed\xfe", "a macOS program or library"),
    (b"\xca\xfe\xba\xbe", "a macOS universal program or a Java class"),
    (b"\0asm", "a WebAssembly program"),
    (b"!<arch>\n", "a static library"),
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The files git tracks, or `None` in a copy of the source without its repository.
fn tracked() -> Option<Vec<PathBuf>> {
    if !root().join(".git").exists() {
        println!("not a git repository: nothing to check");
        return None;
    }
    let output = Command::new("git").arg("-C").arg(root()).args(["ls-files", "-z"]).output().expect("git runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8(output.stdout).expect("paths are UTF-8");
    Some(names.split_terminator('\0').map(PathBuf::from).collect())
}

/// What is wrong with a tracked file, given its size and its first bytes.
fn fault(name: &Path, size: u64, begin: &[u8]) -> Option<String> {
    let name = name.display();
    if let Some((_, kind)) = COMPILED.iter().find(|(magic, _)| begin.starts_with(magic)) {
        return Some(format!("{name} is {kind}: remove it with `git rm --cached` and add it to .gitignore"));
    }
    let is_listed = LARGE.iter().any(|(listed, _)| name.to_string() == *listed);
    (size > MAX_BYTES && !is_listed)
        .then(|| format!("{name} has {size} bytes, more than {MAX_BYTES}: make it smaller, or list it in LARGE"))
}

#[test]
fn no_compiled_or_unlisted_large_file_is_tracked() {
    let Some(names) = tracked() else { return };
    assert!(names.iter().any(|name| name.ends_with("README.md")));
    let mut faults = Vec::new();
    for name in &names {
        // A file that was deleted but not yet removed from the index.
        let Ok(mut file) = File::open(root().join(name)) else { continue };
        let size = file.metadata().unwrap().len();
        let mut begin = Vec::new();
        file.by_ref().take(8).read_to_end(&mut begin).unwrap();
        faults.extend(fault(name, size, &begin));
    }
    for (listed, _) in LARGE {
        if !names.iter().any(|name| name == Path::new(listed)) {
            faults.push(format!("LARGE lists {listed}, which git does not track"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn compiled_and_large_files_are_recognised() {
    let name = Path::new("a/b");
    assert_eq!(fault(name, 10, b"type oct"), None);
    assert_eq!(fault(name, MAX_BYTES, b""), None);
    assert!(fault(name, MAX_BYTES + 1, b"").unwrap().contains("more than 1000000"));
    assert!(fault(name, 10, b"\x7fELF\x02\x01\x01\0").unwrap().contains("ELF"));
    assert!(fault(name, 10, b"\0asm\x01\0\0\0").unwrap().contains("WebAssembly"));
}
