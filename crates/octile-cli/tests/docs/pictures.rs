//! The pictures in the pages: the caption of each is the command that draws it.

use std::collections::BTreeSet;
use std::fs;

use crate::{assert_shows, examples, pages, place, root};

#[test]
fn pictures_are_what_their_captions_draw() {
    let mut drawn = BTreeSet::new();
    for (page, text) in pages() {
        for caption in captions(&text) {
            let of_example = |command| caption.strip_prefix(command).map(str::to_owned);
            let (name, picture) = match (of_example(examples::ROBOT_PICTURE), of_example(examples::TERRAIN_PICTURE)) {
                (Some(name), _) => (name, examples::robot_picture()),
                (_, Some(name)) => (name, examples::terrain_picture()),
                _ => by_commands(&caption, &page),
            };
            assert_shows(&name, &picture);
            drawn.insert(name);
        }
    }
    let files = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pictures = files.filter(|file| file.extension().is_some_and(|end| end == "png"));
    let pictures = pictures.map(|file| file.file_name().unwrap().to_string_lossy().into_owned());
    assert_eq!(pictures.collect::<BTreeSet<_>>(), drawn, "every picture has its command");
}

/// Films: `examples` compares that of the game. That of the page comes from `tools/playground-film.mjs` and cannot be
/// compared, because it shows times measured by a browser.
const FILMS: [&str; 2] = ["playground.gif", "rts.gif"];

#[test]
fn films_are_shown_and_small() {
    let files = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let films = files.filter(|file| file.extension().is_some_and(|end| end == "gif"));
    let names = films.map(|file| file.file_name().unwrap().to_string_lossy().into_owned());
    assert_eq!(names.collect::<BTreeSet<_>>(), BTreeSet::from(FILMS.map(str::to_owned)));
    for name in FILMS {
        let film = fs::read(root().join("docs").join(name)).unwrap();
        assert!(film.starts_with(b"GIF89a") && film.len() < 2_500_000, "{name}: {} bytes", film.len());
        assert!(pages().iter().any(|(_, page)| page.contains(&format!("{name})"))), "{name} is on no page");
    }
}

/// The name and the bytes of the picture that commands of octile draw.
fn by_commands(caption: &str, page: &str) -> (String, Vec<u8>) {
    let place = place();
    fs::create_dir(place.path("docs")).unwrap();
    for command in caption.split(" && ") {
        let args = command.strip_prefix("octile ").unwrap_or_else(|| panic!("{page}: no command: {command}"));
        place.octile(args).exits(0);
    }
    let (_, name) = caption.rsplit_once(" -o docs/").unwrap_or_else(|| panic!("{page}: draws nothing: {caption}"));
    (name.to_owned(), fs::read(place.path("docs").join(name)).unwrap())
}

/// The captions with commands, each on one line.
fn captions(page: &str) -> impl Iterator<Item = String> {
    let small = page.split("<sub>`").skip(1).filter_map(|rest| rest.split_once("`</sub>"));
    small.map(|(command, _)| command.split_whitespace().collect::<Vec<_>>().join(" "))
}
