//! Good and bad files through [`octile::load`] and [`octile::formats::load_scenario`]: what they read, and their error
//! messages. Every test writes its own files.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use octile::formats::{LoadFault, MapFormat, ascii, load_dynamic, load_scenario, movingai};
use octile::{Grid, LoadError, load};
use tempfile::TempDir;

const DRAWING: &str = "..@.\n.@..\n....\n";

/// A folder with one file in it.
fn file(name: &str, bytes: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// The reason in an error's message. The message must start with the file, be one line, and contain the whole text of
/// its source.
fn reason(error: &LoadError) -> String {
    let message = error.to_string();
    let prefix = format!("{}: ", error.file.display());
    let reason = message.strip_prefix(&prefix).unwrap_or_else(|| panic!("{message} does not start with {prefix}"));
    assert!(!reason.contains('\n') && !reason.is_empty(), "{message:?}");
    assert!(error.source().is_some_and(|source| reason == source.to_string()), "{message}");
    reason.to_owned()
}

fn map_fault(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let (_folder, path) = file(name, bytes);
    reason(&load(path).unwrap_err())
}

fn scen_fault(bytes: impl AsRef<[u8]>) -> String {
    let (_folder, path) = file("a.scen", bytes);
    reason(&load_scenario(path).unwrap_err())
}

fn movingai_map(height: u64, width: u64, rows: &str) -> String {
    format!("type octile\nheight {height}\nwidth {width}\nmap\n{rows}")
}

#[test]
fn text_maps_load_by_extension_or_content() {
    let grid: Grid = DRAWING.parse().unwrap();
    for (name, text, format) in [
        ("a.map", movingai::map::write(&grid), MapFormat::MovingAi),
        ("a.txt", movingai::map::write(&grid), MapFormat::MovingAi),
        ("a", movingai::map::write(&grid).replace('\n', "\r\n"), MapFormat::MovingAi),
        ("a.txt", DRAWING.to_owned(), MapFormat::Ascii),
        ("A.TXT", ascii::write(&grid).replace('@', "#"), MapFormat::Ascii),
    ] {
        let (_folder, path) = file(name, &text);
        let loaded = load(&path).unwrap();
        assert_eq!((loaded.grid, loaded.format, loaded.georeference), (grid.clone(), format, None), "{name}: {text:?}");
    }
}

#[test]
fn scenarios_load() {
    let (_folder, path) = file("a.map.scen", "version 1.0\r\n3 maps/x/a.map 4 3 0 0 3 2 5.00\r\n\r\n");
    let scenario = load_scenario(path).unwrap();
    assert_eq!(scenario.problems.len(), 1);
    assert_eq!(scenario.problems[0].check_fits(&DRAWING.parse().unwrap()), Ok(()));
}

#[test]
fn missing_files_and_folders_are_reported() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    assert_eq!(reason(&load(folder.path().join("no.map")).unwrap_err()), "no such file");
    assert_eq!(reason(&load_scenario(folder.path().join("no.scen")).unwrap_err()), "no such file");
    assert_eq!(reason(&load(folder.path()).unwrap_err()), "is a folder, not a file");
    assert_eq!(reason(&load_scenario(folder.path()).unwrap_err()), "is a folder, not a file");
}

#[cfg(unix)]
#[test]
fn a_file_without_read_permission_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, path) = file("a.map", movingai_map(1, 1, ".\n"));
    // A path through a file cannot be read by anyone.
    assert!(reason(&load(path.join("b.map")).unwrap_err()).starts_with("cannot be read: "));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may still read this one.
    if fs::read(&path).is_err() {
        assert!(reason(&load(&path).unwrap_err()).starts_with("cannot be read: "));
    }
}

#[test]
fn a_file_larger_than_any_map_is_refused_unread() {
    let (_folder, path) = file("a.map", "");
    fs::File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(reason(&load(&path).unwrap_err()), "is larger than 1024 MiB: too large to be read");
    assert_eq!(reason(&load_scenario(&path).unwrap_err()), "is larger than 1024 MiB: too large to be read");
}

#[test]
fn the_error_for_an_unknown_format_lists_the_known_ones() {
    let (_folder, path) = file("a.bmp", "BM");
    let error = load(path).unwrap_err();
    assert!(matches!(error.fault, LoadFault::UnknownFormat));
    assert!(reason(&error).contains(".map, .txt, .png, .pgm, .yaml or .yml"));
}

#[test]
fn bad_maps_get_one_sentence_each() {
    assert!(map_fault("a.map", "").starts_with("the file is empty"));
    assert!(map_fault("a.txt", "").contains("0 x 0 cells is empty"));
    assert!(map_fault("a.map", movingai_map(3, 4, "..@.\n.@..\n")).starts_with("expected 3 rows, found 2"));
    assert_eq!(map_fault("a.map", movingai_map(3, 4, "..@.\n.@.")), "line 6: expected 4 cells, found 3");
    assert_eq!(map_fault("a.map", movingai_map(3, 5, DRAWING)), "line 5: expected 5 cells, found 4");
    assert!(map_fault("a.map", movingai_map(2, 4, DRAWING)).starts_with("line 7: expected 2 rows"));
    assert!(map_fault("a.map", movingai_map(65_536, 65_536, DRAWING)).contains("65536 x 65536 cells is too large"));
    assert!(map_fault("a.map", movingai_map(4_000_000_000, 1, ".\n")).contains("1 x 4000000000 cells is too large"));
    let binary = b"type octile\nheight 1\nwidth 1\nmap\n\xfe\n";
    assert!(map_fault("a.map", binary).starts_with("line 5, column 1: byte 0xfe"));
    assert!(map_fault("a.txt", b".\n\xfe\n").starts_with("line 2, column 1: byte 0xfe"));
    assert!(map_fault("a.map", movingai_map(1, 2, ".?")).starts_with("line 5, column 2: unknown terrain `?`"));
    assert!(map_fault("a.txt", "..\n.?\n").starts_with("line 2, column 2: unknown character `?`"));
    assert!(map_fault("a.txt", "..\n...\n").starts_with("line 2: expected 2 cells"));
    assert!(map_fault("a.map", "version 1\n").starts_with("line 1: `version 1` is not a header line of a map"));
}

#[test]
fn bad_scenarios_get_one_sentence_each() {
    assert!(scen_fault("").starts_with("the file is empty"));
    assert!(scen_fault(movingai_map(1, 1, ".")).starts_with("line 1: expected `version 1`"));
    assert!(scen_fault(b"\xff").starts_with("line 1, column 1: byte 0xff"));
    assert!(scen_fault("version 1\n0 a 4 3 0 0 3\n").starts_with("line 2: expected 9 columns, found 7"));
    assert!(scen_fault("version 1\n0 a 4 3 0 0 3 2 nan\n").starts_with("line 2: length `nan`"));
}

const DYNAMIC: &str =
    "version 2\nheight 3\nwidth 5\ncost 1 octile\npatch wall.patch\ncommands\nP 0 0 2 0\nQ 0 0 0 4 0 6.8284271247462\n";

const PATCHES: &str = "type patch\npatches 1\npatch 0\nheight 2\nwidth 1\nmap\n@\n@\n";

#[test]
fn dynamic_scenarios_find_their_patches_beside_them() {
    let (folder, path) = file("walls.scen", DYNAMIC);
    fs::write(folder.path().join("wall.patch"), PATCHES).unwrap();
    let scenario = load_dynamic(&path).unwrap();
    assert_eq!((scenario.width, scenario.height, scenario.patches.len(), scenario.commands.len()), (5, 3, 1, 2));
    assert!(reason(&load_scenario(&path).unwrap_err()).starts_with("line 1: `version 2` is a dynamic scenario"));
}

#[test]
fn bad_dynamic_scenarios_get_one_sentence_each() {
    let (folder, path) = file("walls.scen", DYNAMIC);
    let patches = folder.path().join("wall.patch");
    let fault = || reason(&load_dynamic(&path).unwrap_err());
    assert_eq!(fault(), format!("its patches {}: no such file", patches.display()));
    fs::write(&patches, PATCHES.replace("height 2", "height 3")).unwrap();
    assert!(
        fault()
            .ends_with("wall.patch: expected 3 rows of patch 0, found 2: the file is truncated or the height is wrong")
    );
    fs::write(&patches, PATCHES.replace("height 2\nwidth 1", "height 1\nwidth 4").replace("@\n@", "@@@@")).unwrap();
    assert_eq!(fault(), "line 7: patch 0 of 4 x 1 cells does not lie on the map at 2,0: that has 5 x 3 cells");
    fs::write(&path, "version 1\n").unwrap();
    assert!(fault().starts_with("line 1: `version 1` is a scenario for a map that does not change"));
    fs::write(&path, DYNAMIC.replace("wall.patch", "..")).unwrap();
    assert!(fault().ends_with("is a folder, not a file"));
}

#[cfg(not(feature = "image"))]
#[test]
fn without_the_image_feature_the_error_names_it() {
    for (name, bytes) in [("a.png", &b"\x89PNG"[..]), ("a.pgm", b"P5\n1 1\n255\n\xff"), ("a.yaml", b"image: a.pgm")] {
        assert!(map_fault(name, bytes).contains("needs the cargo feature `image`"));
    }
}

#[cfg(feature = "image")]
mod images {
    use octile::Cell;
    use octile::formats::image::to_pgm;

    use super::*;

    const YAML: &str = "image: pictures/hall.pgm\nresolution: 0.5\norigin: [1, 2, 0]\n";

    fn png(grid: &Grid) -> Vec<u8> {
        let shade = |cell| if grid.is_free(cell) { 200 } else { 30 };
        let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| Cell::new(x, y)));
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, grid.width(), grid.height());
        encoder.set_color(png::ColorType::Grayscale);
        encoder.write_header().unwrap().write_image_data(&cells.map(shade).collect::<Vec<u8>>()).unwrap();
        bytes
    }

    #[test]
    fn images_load_by_content() {
        let grid: Grid = DRAWING.parse().unwrap();
        for (name, bytes, format) in [
            ("a.png", png(&grid), MapFormat::Png),
            ("a.pgm", to_pgm(&grid), MapFormat::Pgm),
            ("a", png(&grid), MapFormat::Png),
        ] {
            let (_folder, path) = file(name, bytes);
            let loaded = load(path).unwrap();
            assert_eq!((loaded.grid, loaded.format), (grid.clone(), format), "{name}");
        }
    }

    #[test]
    fn a_ros_map_finds_its_image_beside_it() {
        let (folder, path) = file("hall.yaml", YAML);
        let grid: Grid = DRAWING.parse().unwrap();
        fs::create_dir(folder.path().join("pictures")).unwrap();
        fs::write(folder.path().join("pictures/hall.pgm"), to_pgm(&grid)).unwrap();
        let loaded = load(&path).unwrap();
        assert_eq!((loaded.grid, loaded.format), (grid, MapFormat::Ros));
        let place = loaded.georeference.unwrap();
        assert_eq!((place.resolution, place.origin), (0.5, [1.0, 2.0, 0.0]));
        assert_eq!(place.cell_to_world(Cell::new(0, 2)), (1.25, 2.25));
    }

    #[test]
    fn a_ros_map_may_have_a_png_of_any_name() {
        let (folder, path) = file("hall.yaml", YAML);
        fs::create_dir(folder.path().join("pictures")).unwrap();
        fs::write(folder.path().join("pictures/hall.pgm"), png(&DRAWING.parse().unwrap())).unwrap();
        // The picture's light grey is too dark for a certainly free cell.
        assert_eq!(load(&path).unwrap().grid.free_cells(), 0);
        fs::write(&path, format!("{YAML}free_thresh: 0.3\n")).unwrap();
        assert_eq!(load(&path).unwrap().grid, DRAWING.parse().unwrap());
    }

    #[test]
    fn a_ros_map_without_a_good_image_names_both_files() {
        let (folder, path) = file("hall.yaml", YAML);
        let picture = folder.path().join("pictures/hall.pgm");
        assert_eq!(reason(&load(&path).unwrap_err()), format!("its image {}: no such file", picture.display()));
        fs::create_dir(folder.path().join("pictures")).unwrap();
        fs::write(&picture, YAML).unwrap();
        assert!(reason(&load(&path).unwrap_err()).contains("hall.pgm: this is neither a PNG nor a PGM image"));
    }

    #[test]
    fn bad_images_get_one_sentence_each() {
        assert!(map_fault("a.png", "").starts_with("the file is empty"));
        assert!(map_fault("a.pgm", "").starts_with("the file is empty"));
        assert!(map_fault("a.png", "text").starts_with("this is neither a PNG nor a PGM"));
        assert!(map_fault("a.pgm", "P5\n40000 6000\n255\n").contains("40000 x 6000 pixels, but the 18 bytes"));
        assert!(map_fault("a.pgm", "P5\n70000 70000\n255\n").contains("70000 x 70000 cells is too large"));
        assert!(map_fault("a.yaml", "").starts_with("not a ROS map file"));
        assert!(map_fault("a.yaml", YAML.replace("0.5", "-0.5")).starts_with("`resolution: -0.5`"));
        let crossed = format!("{YAML}free_thresh: 0.7\noccupied_thresh: 0.6\n");
        assert_eq!(map_fault("a.yml", crossed), "free_thresh 0.7 must be below occupied_thresh 0.6");
        let whole = png(&DRAWING.parse().unwrap());
        assert!(map_fault("a.png", &whole[..whole.len() / 2]).starts_with("the image cannot be decoded"));
    }
}
