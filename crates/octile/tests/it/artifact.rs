//! Index files: a written file is read back, and any other bytes are refused with a sentence that gives the reason.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use octile::artifact::{Artifact, ArtifactError, ArtifactWriter, OpenError, OpenFault, Storage};
use octile::files::FileFault;
use octile::{Edits, Grid, Movement};
use xxhash_rust::xxh3::xxh3_64;

/// The positions of the fields that tests forge, as in `docs/formats/index.md`.
const VERSION: usize = 8;
const ENDIAN_MARK: usize = 12;
const KIND: usize = 16;
const MOVEMENT: usize = 36;
const WIDTH: usize = 40;
const SECTIONS: usize = 56;
const LENGTH: usize = 64;
const PAYLOAD_CHECKSUM: usize = 72;
const CHECKSUM: usize = 80;
const TABLE: usize = 88;
const ENTRY: usize = 32;

fn grid() -> Grid {
    "..@.\n.@..\n....".parse().unwrap()
}

/// The file of `testdata/artifacts/v1`. Version 1 must give these bytes forever.
fn golden() -> Vec<u8> {
    ArtifactWriter::new("test", 7, &grid())
        .words("numbers", &[1, 2, 0xdead_beef])
        .section("empty", Vec::new())
        .section("sixteen-letters-", b"octile".to_vec())
        .finish()
}

/// The file with other bytes at one position of its header or table, and a matching checksum.
fn forged(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    seal(&mut file);
    file
}

/// Updates the checksum of header and table.
fn seal(file: &mut [u8]) {
    let sections = u32::from_le_bytes(file[SECTIONS..SECTIONS + 4].try_into().unwrap()) as usize;
    let end = sections.saturating_mul(ENTRY).saturating_add(TABLE).min(file.len());
    file[CHECKSUM..TABLE].fill(0);
    let checksum = xxh3_64(&file[..end]);
    file[CHECKSUM..TABLE].copy_from_slice(&checksum.to_le_bytes());
}

fn fault(bytes: impl AsRef<[u8]>) -> ArtifactError {
    Artifact::from_bytes(bytes).and_then(|artifact| artifact.verify()).unwrap_err()
}

/// The error's message: it must be one line without a command, since not every program has one.
fn message(error: &ArtifactError) -> String {
    let message = error.to_string();
    assert!(!message.is_empty() && !message.contains('\n') && !message.contains("octile build"), "{message}");
    message
}

#[test]
fn a_written_file_is_read_back() {
    let grid = grid().with_movement(Movement::Tile);
    let file = ArtifactWriter::new("gates", 3, &grid).words("a", &[5, 6]).section("b", vec![9; 70]).finish();
    let artifact = Artifact::from_bytes(&file).unwrap();
    artifact.verify().unwrap();
    artifact.check("gates", 3, &grid).unwrap();
    assert_eq!((artifact.kind(), artifact.kind_version()), ("gates", 3));
    assert_eq!((artifact.width(), artifact.height(), artifact.movement()), (4, 3, Some(Movement::Tile)));
    assert_eq!((artifact.fingerprint(), artifact.size_bytes()), (grid.fingerprint(), file.len()));
    assert_eq!(artifact.sections().collect::<Vec<_>>(), [("a", 8), ("b", 70)]);
    assert_eq!(artifact.words("a").unwrap(), [5, 6]);
    assert_eq!(artifact.records::<4>("a").unwrap(), [5_u32.to_le_bytes(), 6_u32.to_le_bytes()]);
    assert_eq!(artifact.records::<8>("a").unwrap(), [(6_u64 << 32 | 5).to_le_bytes()]);
    assert_eq!(artifact.section("b").unwrap(), [9; 70]);
    for name in ["a", "b"] {
        let offset = artifact.section(name).unwrap().as_ptr() as usize - file.as_ptr() as usize;
        assert_eq!(offset % 64, 0, "{name}");
    }
}

#[test]
fn a_file_without_sections_is_valid() {
    let file = ArtifactWriter::new("test", 1, &grid()).finish();
    assert_eq!(file.len(), TABLE);
    let artifact = Artifact::from_bytes(file).unwrap();
    artifact.verify().unwrap();
    assert_eq!(artifact.sections().count(), 0);
}

#[test]
fn the_golden_file_is_read_and_written_unchanged() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/artifacts/v1/test.octx");
    let artifact = Artifact::open(&path).unwrap();
    artifact.verify().unwrap();
    artifact.check("test", 7, &grid()).unwrap();
    assert_eq!(artifact.words("numbers").unwrap(), [1, 2, 0xdead_beef]);
    assert!(artifact.section("empty").unwrap().is_empty());
    assert_eq!(artifact.section("sixteen-letters-").unwrap(), b"octile");
    assert_eq!(fs::read(path).unwrap(), golden(), "the format has changed: it needs a new version");
}

/// A section may be given in any pieces, owned or borrowed, and the file may be written anywhere: its bytes are the
/// same.
#[test]
fn pieces_of_sections_make_the_same_file() {
    let numbers = [1_u32, 2, 0xdead_beef].map(u32::to_le_bytes);
    let letters = *b"octile";
    for size in 1..=7 {
        let mut writer = ArtifactWriter::new("test", 7, &grid());
        writer
            .pieces("numbers", numbers.iter().map(|number| Cow::Borrowed(&number[..])))
            .pieces("empty", [])
            .pieces("sixteen-letters-", letters.chunks(size).map(|piece| Cow::Owned(piece.to_vec())));
        assert_eq!(writer.finish(), golden());
        assert_eq!(writer.size_bytes(), golden().len());
        let mut file = Vec::new();
        writer.write_to(&mut file).unwrap();
        assert_eq!(file, golden());
    }
    assert_eq!(ArtifactWriter::new("test", 1, &grid()).size_bytes(), TABLE);
}

/// A writer that counts bytes and remembers where the writes began in memory.
struct Sink {
    room: usize,
    places: Vec<*const u8>,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.room = self.room.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        self.places.push(bytes.as_ptr());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn sections_are_written_without_a_copy() {
    let (one, two) = (vec![1; 1000], vec![2; 1000]);
    let grid = grid();
    let mut writer = ArtifactWriter::new("test", 1, &grid);
    writer.pieces("a", [Cow::Borrowed(&one[..]), Cow::Borrowed(&two[..])]);
    let mut sink = Sink { room: writer.size_bytes(), places: Vec::new() };
    writer.write_to(&mut sink).unwrap();
    assert_eq!(sink.room, 0);
    assert!(sink.places.ends_with(&[one.as_ptr(), two.as_ptr()]));
    let mut small = Sink { room: writer.size_bytes() - 1, places: Vec::new() };
    assert_eq!(writer.write_to(&mut small).unwrap_err().kind(), io::ErrorKind::StorageFull);
}

#[test]
fn movement_rules_have_fixed_codes() {
    let code = |movement| {
        let file = ArtifactWriter::new("test", 1, &grid().with_movement(movement)).finish();
        u32::from_le_bytes(file[MOVEMENT..MOVEMENT + 4].try_into().unwrap())
    };
    assert_eq!([Movement::Octile, Movement::Tile, Movement::OctileCutting].map(code), [1, 2, 3]);
}

#[test]
fn every_changed_byte_is_found() {
    let file = golden();
    for at in 0..file.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut damaged = file.clone();
            damaged[at] ^= change;
            message(&fault(damaged));
        }
    }
}

#[test]
fn every_other_length_is_found() {
    let file = golden();
    for length in 0..file.len() {
        let error = fault(&file[..length]);
        let expected = if length < TABLE { TABLE } else { file.len() } as u64;
        if length < 8 {
            assert_eq!(error, ArtifactError::NotAnIndex);
        } else {
            assert_eq!(error, ArtifactError::Truncated { found: length as u64, expected });
        }
    }
    let (found, expected) = (file.len() as u64 + 1, file.len() as u64);
    assert_eq!(fault([file, vec![0]].concat()), ArtifactError::Overlong { found, expected });
}

#[test]
fn other_files_are_refused() {
    for bytes in [&b""[..], b"type octile\nheight 1\n", b"\x89PNG\r\n\x1a\n", &[0; 300], &[0xff; 300]] {
        assert_eq!(fault(bytes), ArtifactError::NotAnIndex);
    }
}

#[test]
fn newer_and_foreign_containers_get_different_errors() {
    let file = golden();
    let newer = forged(&file, VERSION, &2_u32.to_le_bytes());
    assert_eq!(fault(newer), ArtifactError::ContainerVersion { found: 2, supported: 1 });
    let swapped = forged(&file, ENDIAN_MARK, &0x0102_0304_u32.to_be_bytes());
    assert!(message(&fault(swapped)).contains("byte order mark is 04030201"));
    let zero = forged(&file, VERSION, &[0; 4]);
    assert!(message(&fault(zero)).contains("version is 0"));
}

#[test]
fn an_index_fits_one_map_one_rule_and_one_reader() {
    let grid = grid();
    let artifact = Artifact::from_bytes(golden()).unwrap();
    let refusal = |kind, version, grid: &Grid| message(&artifact.check(kind, version, grid).unwrap_err());
    assert_eq!(refusal("gates", 7, &grid), "is an index of kind `test`, expected `gates`");
    assert_eq!(refusal("test", 6, &grid), "written by a newer octile: version 7 of `test`, this one reads 6");
    assert_eq!(refusal("test", 8, &grid), "written by an older octile: version 7 of `test`, this one reads 8");
    let turned: Grid = "...\n..@\n.@.\n...".parse().unwrap();
    let size = refusal("test", 7, &turned);
    assert_eq!(size, "made for another map: that has 4 x 3 cells, this one 3 x 4");
    let rule = refusal("test", 7, &grid.with_movement(Movement::OctileCutting));
    assert_eq!(rule, "made for movement `octile`, not for `octile-cutting`");
    let mut edited = grid.clone();
    edited.apply(Edits::new().block((0, 0))).unwrap();
    let (found, expected) = (grid.fingerprint(), edited.fingerprint());
    let wrong = ArtifactError::WrongMap { kind: "test".to_owned(), found, expected };
    assert_eq!(artifact.check("test", 7, &edited), Err(wrong.clone()));
    assert!(message(&wrong).starts_with("made for another map, or before this one changed: that has the fingerprint "));
    assert_eq!((wrong.kind(), ArtifactError::NotAnIndex.kind()), (Some("test"), None));
}

#[test]
fn an_index_for_all_maps_is_not_accepted_for_one_map() {
    let file = ArtifactWriter::for_all_maps("lddb-tile", 3).words("a", &[1]).finish();
    let all = Artifact::from_bytes(&file).unwrap();
    all.verify().unwrap();
    all.check_for_all_maps("lddb-tile", 3).unwrap();
    assert!(all.is_for_all_maps());
    assert_eq!((all.width(), all.height(), all.movement(), all.fingerprint()), (0, 0, None, 0));
    assert_eq!(format!("{all:?}"), "Artifact lddb-tile 3 for all maps: a[4]");
    assert_eq!(
        message(&all.check("lddb-tile", 3, &grid()).unwrap_err()),
        "made for all maps, but an index of kind `lddb-tile` should be for one"
    );
    assert!(matches!(all.check_for_all_maps("gates", 3), Err(ArtifactError::WrongKind { .. })));
    assert!(matches!(all.check_for_all_maps("lddb-tile", 2), Err(ArtifactError::KindVersion { .. })));
    assert!(matches!(all.check("gates", 3, &grid()), Err(ArtifactError::WrongKind { .. })));

    let one = Artifact::from_bytes(golden()).unwrap();
    assert!(!one.is_for_all_maps());
    let refused = message(&one.check_for_all_maps("test", 7).unwrap_err());
    assert_eq!(refused, "made for one map of 4 x 3 cells, but an index of kind `test` should be for all");

    // Either all of these fields are for all maps, or none is.
    for at in [WIDTH, WIDTH + 4, WIDTH + 8, WIDTH + 15] {
        assert!(message(&fault(forged(&file, at, &[1]))).contains("the code 0 is not a movement rule"));
    }
    let as_one = forged(&file, MOVEMENT, &1_u32.to_le_bytes());
    let as_one = Artifact::from_bytes(as_one).unwrap();
    assert!(matches!(as_one.check_for_all_maps("lddb-tile", 3), Err(ArtifactError::ForOneMap { size: (0, 0), .. })));
    assert!(matches!(as_one.check("lddb-tile", 3, &grid()), Err(ArtifactError::WrongSize { .. })));
}

#[test]
fn sections_are_read_by_name_and_type() {
    let artifact = Artifact::from_bytes(golden()).unwrap();
    let missing = ArtifactError::MissingSection { kind: "test".to_owned(), name: "number".to_owned() };
    assert_eq!(artifact.section("number"), Err(missing));
    let ragged = message(&artifact.words("sixteen-letters-").unwrap_err());
    assert!(ragged.contains("section `sixteen-letters-` has 6 bytes, not a multiple of 4"), "{ragged}");
    assert_eq!(
        artifact.records::<8>("numbers"),
        Err(artifact.malformed("section `numbers` has 12 bytes, not a multiple of 8"))
    );
    assert!(artifact.words("empty").unwrap().is_empty());
}

/// Headers with wrong fields and a matching checksum.
#[test]
fn every_header_field_is_checked() {
    let file = golden();
    let refused = |at, bytes: &[u8], reason: &str| {
        let message = message(&fault(forged(&file, at, bytes)));
        assert!(message.contains(reason), "{message}");
    };
    let max = u64::MAX.to_le_bytes();
    refused(LENGTH, &max, "needs 18446744073709551615");
    refused(LENGTH, &[0; 8], "header says 0");
    refused(SECTIONS, &max[..4], "4294967295 sections, at most 64");
    refused(SECTIONS, &64_u32.to_le_bytes(), "needs 2136");
    refused(SECTIONS, &2_u32.to_le_bytes(), "the sections end at byte");
    refused(SECTIONS, &[0; 4], "the sections end at byte 88, the file at byte 262");
    refused(SECTIONS + 4, &[1], "the reserved field is 1");
    refused(MOVEMENT, &[0; 4], "the code 0 is not a movement rule");
    refused(KIND, &[0; 16], "not a kind name");
    refused(KIND, b"te\0t", "not a kind name");
    refused(KIND, b"te\nt", "not a kind name");
    refused(TABLE, b"\xffumbers", "not a section name");
    refused(TABLE, b"empty\0\0", "two sections are named `empty`");
    refused(TABLE + 16, &0_u64.to_le_bytes(), "`numbers` begins at byte 0, expected 192");
    refused(TABLE + 16, &256_u64.to_le_bytes(), "`numbers` begins at byte 256, expected 192");
    refused(TABLE + 16, &max, "`numbers` begins at byte 18446744073709551615");
    refused(TABLE + 24, &max, "`numbers` has 18446744073709551615 bytes from byte 192, the file has 262");
    refused(TABLE + 24, &71_u64.to_le_bytes(), "`numbers` has 71 bytes from byte 192, the file has 262");
    refused(TABLE + 24, &65_u64.to_le_bytes(), "`empty` begins at byte 256, expected 320");
}

#[test]
fn padding_must_be_zero() {
    let mut file = golden();
    let table_end = TABLE + 3 * ENTRY;
    file[table_end + 1] = 1;
    let checksum = xxh3_64(&file[table_end..]);
    let file = forged(&file, PAYLOAD_CHECKSUM, &checksum.to_le_bytes());
    assert!(message(&fault(file)).contains("padding before section `numbers`"));
}

#[test]
fn damage_in_a_section_is_found_by_verify() {
    let mut file = golden();
    *file.last_mut().unwrap() ^= 1;
    let artifact = Artifact::from_bytes(file).unwrap();
    assert!(matches!(artifact.verify(), Err(ArtifactError::DamagedPayload { kind, .. }) if kind == "test"));
}

#[test]
fn opened_and_embedded_files_are_equal() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("a.octx");
    fs::write(&path, golden()).unwrap();
    let opened = Artifact::open(&path).unwrap();
    let embedded = Artifact::from_bytes(include_bytes!("../../../../testdata/artifacts/v1/test.octx")).unwrap();
    let owned: Artifact = Artifact::from_bytes(Storage::from(golden())).unwrap();
    for words in [opened.words("numbers"), embedded.words("numbers"), owned.words("numbers")] {
        assert_eq!(words.unwrap(), [1, 2, 0xdead_beef]);
    }
    assert_eq!(format!("{opened:?}"), "Artifact test 7 for 4x3 octile: numbers[12] empty[0] sixteen-letters-[6]");
    // Replacing a file does not change it for programs that have it open.
    let beside = folder.path().join("b.octx");
    fs::write(&beside, "other").unwrap();
    #[cfg(unix)]
    {
        fs::rename(beside, &path).unwrap();
        opened.verify().unwrap();
    }
}

#[test]
fn errors_name_the_file_that_cannot_be_opened() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let refused = |name: &str| -> OpenError { Artifact::open(folder.path().join(name)).unwrap_err() };
    assert!(refused("none.octx").to_string().ends_with("none.octx: no such file"));
    assert!(matches!(refused(".").fault, OpenFault::File(FileFault::Folder)));
    fs::write(folder.path().join("empty.octx"), "").unwrap();
    assert!(matches!(refused("empty.octx").fault, OpenFault::Index(ArtifactError::NotAnIndex)));
    fs::write(folder.path().join("cut.octx"), &golden()[..200]).unwrap();
    let cut = refused("cut.octx").to_string();
    assert!(cut.ends_with("cut.octx: truncated: it has 200 bytes and needs 262"), "{cut}");
}

/// A file too large to be read in the time of a test or into memory.
#[cfg(all(feature = "mmap", target_os = "linux", target_pointer_width = "64"))]
#[test]
fn opening_does_not_read_the_file() {
    use std::os::unix::fs::FileExt;

    const SECTION: u64 = 1 << 40;
    let small = ArtifactWriter::new("test", 1, &grid()).section("large", Vec::new()).finish();
    let length = small.len() as u64 + SECTION;
    let head = forged(&forged(&small, LENGTH, &length.to_le_bytes()), TABLE + 24, &SECTION.to_le_bytes());
    let file = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    if file.as_file().set_len(length).is_err() {
        return; // a file system without files of that length
    }
    file.as_file().write_all_at(&head, 0).unwrap();
    file.as_file().write_all_at(b"end", length - 3).unwrap();
    let artifact = Artifact::open(file.path()).unwrap();
    let records = artifact.records::<8>("large").unwrap();
    assert_eq!(records.len() as u64, SECTION / 8);
    assert_eq!(records.last().unwrap(), b"\0\0\0\0\0end");
}

#[test]
#[should_panic(expected = "section `a` exists already")]
fn a_section_is_written_once() {
    ArtifactWriter::new("test", 1, &grid()).words("a", &[]).words("a", &[]);
}

#[test]
#[should_panic(expected = "`two words` is not 1 to 16 visible ASCII characters")]
fn a_section_is_not_written_under_an_invalid_name() {
    ArtifactWriter::new("test", 1, &grid()).words("two words", &[]);
}
