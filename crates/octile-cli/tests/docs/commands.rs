//! The commands in the pages, each page's in a directory of their own, in order.

use crate::{pages, place};

#[test]
fn commands_work_as_printed() {
    let mut count = 0;
    for (page, text) in pages() {
        let place = place();
        for line in console(&text).filter_map(|line| line.strip_prefix("$ octile ")) {
            let args = line.split(" #").next().unwrap_or_default();
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
