//! Indexes built in parts: for any parts, any builders and any interruptions, the index equals that of a single build,
//! byte for byte.
#![cfg(not(target_os = "wasi"))] // there is no folder for such files
#![expect(clippy::single_range_in_vec_init, reason = "one range of sources is meant")]

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use octile::artifact::ArtifactError;
use octile::files::NewFile;
use octile::formats::generate;
use octile::geometry::Dice;
use octile::planner::{InParts, IndexKind};
use octile::services::parts::{PartFault, PartsBuild, PartsError, folder_of, write_part};
use octile::{Build, BuildError, Catalog, Grid};
use tempfile::TempDir;

/// A map and a folder for its index.
struct Site {
    place: TempDir,
    grid: Grid,
    settings: &'static str,
}

fn index() -> IndexKind {
    Catalog::standard().index("cpd").unwrap()
}

impl Site {
    fn new() -> Self {
        Self { place: tempfile::tempdir().unwrap(), grid: generate::maze(24, 24, 2, 1).unwrap(), settings: "" }
    }

    fn output(&self) -> PathBuf {
        self.place.path().join("maze.octx")
    }

    fn folder(&self) -> PathBuf {
        folder_of(self.output())
    }

    fn builder(&self) -> Box<dyn InParts> {
        index().in_parts(&Build::new(&self.grid), self.settings).unwrap()
    }

    fn try_open(&self) -> Result<PartsBuild, PartsError> {
        PartsBuild::open(self.builder(), self.output(), ..)
    }

    fn open(&self) -> PartsBuild {
        self.try_open().unwrap()
    }

    fn whole(&self) -> Vec<u8> {
        self.part(0..self.builder().sources())
    }

    /// The bytes of a part, as built elsewhere.
    fn part(&self, sources: Range<u32>) -> Vec<u8> {
        self.builder().part(sources, &|| {}).unwrap().finish()
    }

    /// Puts bytes into the folder of the parts, under a name.
    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        fs::create_dir_all(self.folder()).unwrap();
        let path = self.folder().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The names of the files in the folder.
    fn names(&self) -> Vec<String> {
        names(self.place.path())
    }

    /// Asserts that the index is done, and nothing else is left.
    #[track_caller]
    fn is_done(&self) {
        assert!(fs::read(self.output()).unwrap() == self.whole());
        assert_eq!(self.names(), ["maze.octx"]);
    }

    /// Builds the missing rows; returns their number.
    #[track_caller]
    fn completes(&self, chunk: u32) -> u32 {
        let rows = AtomicU32::new(0);
        let count = || {
            rows.fetch_add(1, Ordering::Relaxed);
        };
        let artifact = self.open().run(chunk, &count, None).unwrap();
        assert_eq!(artifact.size_bytes(), self.whole().len());
        self.is_done();
        rows.into_inner()
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

fn quiet() {}

#[test]
fn parts_of_any_size_give_the_same_bytes() {
    for settings in ["", "layout=rectangles", "layout=uncompressed"] {
        let site = Site { settings, ..Site::new() };
        let all = site.builder().sources();
        let mut dice = Dice::new(7);
        for chunk in [1, 17, 64, 1000, u32::MAX] {
            // Several builds do some of it, in pieces of all sizes.
            for _ in 0..4 {
                let mut build = site.open();
                let missing = build.missing(1 + dice.below(90) as u32);
                let one = missing[dice.below(missing.len() as u64) as usize].clone();
                assert!(build.build(one.clone(), &quiet, None).unwrap());
                assert!(!build.build(one, &quiet, None).unwrap(), "it is done already");
            }
            let build = site.open();
            let done: u32 = build.done().iter().map(|done| done.end - done.start).sum();
            assert!(build.resumed() == 4 && done >= 4, "{build:?}");
            drop(build);
            assert_eq!(site.completes(chunk), all - done);
            fs::remove_file(site.output()).unwrap();
        }
    }
}

#[test]
fn parts_of_few_or_no_sources_are_built() {
    let site = Site::new();
    PartsBuild::open(site.builder(), site.output(), 30..70).unwrap().run(32, &quiet, None).unwrap();
    assert!(fs::read(site.output()).unwrap() == site.part(30..70));
    PartsBuild::open(site.builder(), site.output(), 9..9).unwrap().run(32, &quiet, None).unwrap();
    assert!(fs::read(site.output()).unwrap() == site.part(9..9));
    let blocked = Site { grid: "@@\n@@".parse().unwrap(), ..Site::new() };
    assert_eq!(blocked.completes(8), 0);
    let all = site.builder().sources();
    for sources in [0..all + 1, all + 1..all + 1, u32::MAX - 1..u32::MAX, Range { start: 9, end: 3 }] {
        let error = PartsBuild::open(site.builder(), site.output(), sources.clone()).unwrap_err();
        assert!(matches!(error, PartsError::Outside { .. }), "{error}");
        let error = site.open().build(sources.clone(), &quiet, None).unwrap_err();
        assert!(matches!(error, PartsError::Outside { .. }), "{error}");
        let error = write_part(&*site.builder(), site.folder(), sources, &quiet, None).unwrap_err();
        assert!(matches!(error, PartsError::Outside { .. }), "{error}");
    }
}

#[test]
fn foreign_parts_are_checked_and_adopted() {
    let site = Site::new();
    let mut build = site.open();
    let other = site.place.path().join("other.octx");
    fs::write(&other, site.part(100..150)).unwrap();
    assert!(build.add(site.part(40..100)).unwrap() && build.add_file(&other).unwrap());
    let before = names(&site.folder());
    // A second copy changes nothing, nor does a part whose sources are already done.
    for sources in [40..100, 100..150, 60..120, 40..150, 7..7] {
        assert!(!build.add(site.part(sources)).unwrap());
    }
    assert!(
        matches!(build.add(site.part(90..160)).unwrap_err(), PartsError::Overlap { there, .. } if there == (100..150))
    );
    assert!(
        matches!(build.add(site.part(0..41)).unwrap_err(), PartsError::Overlap { there, .. } if there == (40..100))
    );

    let refused = |build: &mut PartsBuild, bytes: Vec<u8>| {
        let PartsError::Refused { file: None, fault } = build.add(bytes.clone()).unwrap_err() else { panic!() };
        fs::write(&other, bytes).unwrap();
        let error = build.add_file(&other).unwrap_err();
        assert!(error.to_string().contains("other.octx is not a part of this build: "), "{error}");
        fault
    };
    let mut damaged = site.part(0..9);
    *damaged.last_mut().unwrap() ^= 1;
    let fault = refused(&mut build, damaged);
    assert!(matches!(fault, PartFault::Index(ArtifactError::DamagedPayload { .. })), "{fault}");
    let fault = refused(&mut build, site.part(0..9)[..99].to_vec());
    assert!(matches!(fault, PartFault::Index(ArtifactError::Truncated { .. })), "{fault}");
    let fault = refused(&mut build, Vec::new());
    assert!(matches!(fault, PartFault::Index(_)), "{fault}");
    let fault = refused(&mut build, Site { settings: "ties=mask", ..Site::new() }.part(0..9));
    assert!(matches!(fault, PartFault::Settings { .. }), "{fault}");
    let map = Site { grid: generate::maze(24, 24, 2, 2).unwrap(), ..Site::new() };
    let fault = refused(&mut build, map.part(0..9));
    assert!(matches!(fault, PartFault::Index(ArtifactError::WrongMap { .. })), "{fault}");
    let fault = refused(&mut build, Catalog::standard().index("gates").unwrap().build_for(&site.grid).unwrap());
    assert!(matches!(fault, PartFault::Index(ArtifactError::WrongKind { .. })), "{fault}");
    let missing = build.add_file(site.place.path().join("none.octx")).unwrap_err();
    assert!(matches!(missing, PartsError::Open(_)), "{missing}");
    assert_eq!((names(&site.folder()), build.done()), (before, vec![40..150]));
    drop(build);
    fs::remove_file(other).unwrap();
    assert_eq!(site.completes(50), site.builder().sources() - 110);

    let mut some = PartsBuild::open(site.builder(), site.output(), 50..90).unwrap();
    let PartsError::Refused { fault, .. } = some.add(site.part(49..90)).unwrap_err() else { panic!() };
    assert_eq!(fault.to_string(), "it has the sources 49..90, which do not lie in 50..90");
}

#[test]
fn an_incomplete_index_is_not_finished() {
    let site = Site::new();
    let mut build = site.open();
    let all = build.sources().end;
    build.build(10..40, &quiet, None).unwrap();
    let PartsError::Missing { missing, .. } = build.finish().unwrap_err() else { panic!() };
    assert_eq!(missing, [0..10, 40..all]);
    let PartsError::Missing { missing, .. } = build.adopt(40..60).unwrap_err() else { panic!() };
    assert_eq!(missing, vec![40..60]);
    // The build can still continue.
    build.run(100, &quiet, None).unwrap();
    site.is_done();
    // When everything is done, nothing remains.
    assert_eq!((build.missing(1), build.done()), (vec![], vec![0..all]));
    assert!(!build.build(0..9, &quiet, None).unwrap() && !build.add(site.part(0..9)).unwrap());
    assert!(!build.adopt(0..9).unwrap() && build.rescan().unwrap().is_empty());
    assert_eq!(build.finish().unwrap().kind(), "cpd");
    site.is_done();
}

#[test]
fn damaged_parts_are_rebuilt_and_parts_of_other_builds_refused() {
    let site = Site::new();
    let mut build = site.open();
    for sources in build.missing(50) {
        build.build(sources, &quiet, None).unwrap();
    }
    drop(build);
    let files = names(&site.folder()).into_iter().filter(|name| name.starts_with("part-")).collect::<Vec<_>>();
    let part = site.part(0..50);
    for (file, bytes) in files.iter().zip([&part[..part.len() / 2], &part[..9], b"", b"text"]) {
        site.put(file, bytes);
    }
    let mut flipped = site.part(200..250);
    *flipped.last_mut().unwrap() ^= 1;
    site.put(&files[4], flipped);
    let build = site.open();
    assert_eq!((build.resumed(), build.damaged(), build.missing(1000)), (files.len() - 5, 5, vec![0..250]));
    drop(build);
    assert_eq!(site.completes(125), 250);

    // A refusal removes no file.
    let other = Site { settings: "ties=mask", ..Site::new() };
    for (name, bytes) in [
        ("part-000000000-000000050.octx", other.part(0..50)),
        ("part-000000000.octx", Catalog::standard().index("gates").unwrap().build_for(&site.grid).unwrap()),
        ("notes.txt", b"mine".to_vec()),
        ("part-a.octx", part),
    ] {
        let file = site.put(name, bytes);
        site.put("part-000000050-000000060.octx", "");
        let error = site.try_open().unwrap_err();
        assert!(error.to_string().starts_with(&format!("{} ", file.display())), "{error}");
        assert!(matches!(error, PartsError::Foreign { .. } | PartsError::Stranger { .. }), "{error}");
        assert_eq!(names(&site.folder()).len(), 2);
        fs::remove_dir_all(site.folder()).unwrap();
    }
    fs::write(site.folder(), "a file").unwrap();
    assert!(matches!(site.try_open().unwrap_err(), PartsError::InTheWay { .. }));
    fs::remove_file(site.folder()).unwrap();
    assert!(matches!(site.try_open().unwrap().finish().unwrap_err(), PartsError::Missing { .. }));
}

#[test]
fn a_part_damaged_during_the_build_is_reported_at_the_end() {
    let site = Site::new();
    let mut build = site.open();
    for sources in build.missing(100) {
        build.build(sources, &quiet, None).unwrap();
    }
    let mut bytes = site.part(100..200);
    *bytes.last_mut().unwrap() ^= 1;
    site.put("part-000000100-000000200.octx", bytes);
    let error = build.finish().unwrap_err();
    assert!(
        matches!(&error, PartsError::Merge { path, .. } if path.ends_with("part-000000100-000000200.octx")),
        "{error}"
    );
    drop(build);
    assert_eq!(site.completes(1000), 100);
}

#[test]
fn the_larger_of_two_parts_with_the_same_sources_is_used() {
    let site = Site::new();
    for sources in [0..50, 20..90, 50..100, 85..100, 120..130, 120..130] {
        site.put(&format!("part-{:09}-{:09}.octx", sources.start, sources.end), site.part(sources));
    }
    site.put("part-000000120.octx", site.part(120..130));
    site.put("part-000000007.octx", site.part(7..7));
    let build = site.open();
    assert_eq!((build.done(), build.resumed()), (vec![20..90, 120..130], 2));
    assert_eq!(build.missing(1000)[..2], [0..20, 90..120]);
    drop(build);
    assert_eq!(site.completes(1000), site.builder().sources() - 80);
}

#[test]
fn workers_write_parts_that_the_owner_adopts() {
    let site = Site::new();
    let error = write_part(&*site.builder(), site.folder(), 0..9, &quiet, None).unwrap_err();
    assert!(matches!(error, PartsError::NoFolder { .. }), "{error}");
    let mut build = site.open();
    let pieces = build.missing(64);
    // Two workers build every piece at once.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for piece in &pieces {
                    write_part(&*site.builder(), site.folder(), piece.clone(), &quiet, None).unwrap();
                }
            });
        }
    });
    // Existing rows are not rebuilt.
    let never = || panic!("it is there");
    write_part(&*site.builder(), site.folder(), pieces[0].clone(), &never, None).unwrap();
    assert_eq!(build.done(), []);
    assert!(build.adopt(pieces[1].clone()).unwrap() && !build.adopt(pieces[1].clone()).unwrap());
    let found = build.rescan().unwrap();
    assert_eq!((found.len(), build.missing(64)), (pieces.len() - 1, vec![]));
    // A late part of another size is ignored and removed with the rest.
    write_part(&*site.builder(), site.folder(), 5..77, &quiet, None).unwrap();
    assert!(build.rescan().unwrap().is_empty());
    build.finish().unwrap();
    site.is_done();
    let late = write_part(&*site.builder(), site.folder(), 0..9, &quiet, None).unwrap_err();
    assert!(matches!(late, PartsError::NoFolder { .. }), "{late}");
}

#[test]
fn the_file_of_a_writing_worker_is_kept_until_the_end() {
    let site = Site::new();
    drop(site.open());
    let half = NewFile::create_in(site.folder(), site.folder().join("part-000000000-000000009.octx")).unwrap();
    let abandoned = site.put(".octile-dead12", "half");
    let mut build = site.open();
    assert!(!abandoned.exists());
    assert_eq!(names(&site.folder()).len(), 2, "the lock, and what is being written");
    build.run(1000, &quiet, None).unwrap();
    site.is_done();
    assert!(half.finish().is_err(), "its folder is gone");
    site.is_done();
}

#[test]
fn a_cancelled_build_resumes() {
    let site = Site::new();
    let all = site.builder().sources();
    let (rows, cancel) = (AtomicU32::new(0), AtomicBool::new(false));
    let count = || {
        if rows.fetch_add(1, Ordering::Relaxed) == 130 {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let mut build = site.open();
    let error = build.run(50, &count, Some(&cancel)).unwrap_err();
    assert!(matches!(error, PartsError::Build(BuildError::Cancelled)), "{error}");
    let done: u32 = build.done().iter().map(|done| done.end - done.start).sum();
    assert!((100..all).contains(&done) && done.is_multiple_of(50), "{done}");
    assert!(names(&site.folder()).iter().all(|name| name.starts_with("part-") || name == ".octile-lock"));
    let error = write_part(&*site.builder(), site.folder(), 300..310, &quiet, Some(&cancel)).unwrap_err();
    assert!(matches!(error, PartsError::Build(BuildError::Cancelled)), "{error}");
    // No other build may continue while this one is open.
    assert!(matches!(site.try_open().unwrap_err(), PartsError::Locked { .. }));
    drop(build);
    assert_eq!(site.completes(50), all - done);
}

#[test]
fn leftovers_of_a_finished_build_are_removed() {
    let site = Site::new();
    site.put("part-000000000-000000050.octx", site.part(0..50));
    fs::write(site.output(), site.whole()).unwrap();
    assert!(site.open().missing(10).is_empty());
    assert_eq!(site.completes(10), 0);
    // Leftovers stay if the output is another index, or damaged.
    for bytes in [site.part(0..99), b"old".to_vec(), Site { settings: "ties=mask", ..Site::new() }.whole()] {
        site.put("part-000000000-000000050.octx", site.part(0..50));
        fs::write(site.output(), bytes).unwrap();
        assert_eq!(site.completes(1000), site.builder().sources() - 50);
    }
}

#[test]
fn only_some_kinds_are_built_in_parts() {
    let grid = Grid::open(4, 4).unwrap();
    for index in Catalog::standard().indexes() {
        let built = index.in_parts(&Build::new(&grid), "");
        match built.map(|builder| builder.index().kind) {
            Ok(kind) => assert_eq!((kind, index.kind), ("cpd", "cpd")),
            Err(error) => assert!(matches!(error, BuildError::NotInParts { kind } if kind == index.kind), "{error}"),
        }
    }
    let error = PartsBuild::open(Site::new().builder(), "no/such/folder/maze.octx", ..).unwrap_err();
    assert!(matches!(error, PartsError::Write(_)), "{error}");
    #[cfg(unix)]
    assert!(matches!(
        PartsBuild::open(Site::new().builder(), "/dev/null", ..).unwrap_err(),
        PartsError::NotAFile { .. }
    ));
}
