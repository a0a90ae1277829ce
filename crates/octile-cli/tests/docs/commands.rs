//! Runs the commands in the pages, in order, with one directory per page.

use crate::{examples, pages, place};

#[test]
fn documented_commands_work_as_printed() {
    let mut count = 0;
    for (page, text) in pages() {
        let place = place();
        for line in console(&text).filter_map(|line| line.strip_prefix("$ ")) {
            let command = line.split(" #").next().unwrap_or_default().trim_end();
            if command == examples::ROBOT_MAP {
                examples::robot_map(&place.path("."));
            }
            let Some(args) = command.strip_prefix("octile ") else { continue };
            let ran = place.octile(args);
            assert_eq!(ran.code, Some(0), "{page}: octile {args}\n{}", ran.err);
            count += 1;
        }
    }
    assert!(count > 10, "only {count} commands were found");
}

/// The lines of all console blocks.
fn console(page: &str) -> impl Iterator<Item = &str> {
    let blocks = page.split("```console\n").skip(1);
    blocks.flat_map(|block| block.split("```").next().unwrap_or_default().lines())
}
