//! `octile_edits`: changes of a map, made all at once.

use std::mem::MaybeUninit;

use octile::Cell;
use octile::formats::movingai::patch::Patch;

use crate::border::{Outcome, call, free, octile_status, value};
use crate::grid::{free_bits_of, octile_cell};
use crate::pointers::{given, handle};

/// Changes of a map, to be made all at once.
pub struct octile_edits {
    pub(crate) edits: octile::Edits,
}

/// Makes an empty list of changes. Free it with octile_edits_free.
#[unsafe(no_mangle)]
pub extern "C" fn octile_edits_new(edits: Option<&mut MaybeUninit<*mut octile_edits>>) -> octile_status {
    call(|| {
        given(edits, "edits")?.write(handle(octile_edits { edits: octile::Edits::new() }));
        Ok(())
    })
}

/// Frees a list of changes. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn octile_edits_free(edits: Option<Box<octile_edits>>) {
    free(edits);
}

fn add(edits: Option<&mut octile_edits>, add: impl FnOnce(&mut octile::Edits)) -> octile_status {
    let add = || -> Outcome {
        add(&mut given(edits, "edits")?.edits);
        Ok(())
    };
    call(add)
}

/// Blocks every cell of the rectangle between two opposite corners, both of which belong to it; twice the same cell is
/// one cell. Changes are made in the order in which they were added, so that the last word about a cell counts. Whether
/// cells are on the map is found out when the changes are made.
#[unsafe(no_mangle)]
pub extern "C" fn octile_edits_block(
    edits: Option<&mut octile_edits>,
    a: octile_cell,
    b: octile_cell,
) -> octile_status {
    add(edits, |edits| _ = edits.block_rect(a, b))
}

/// Frees every cell of a rectangle, as octile_edits_block blocks them. On a map with prices they cost what they did
/// before they were blocked.
#[unsafe(no_mangle)]
pub extern "C" fn octile_edits_unblock(
    edits: Option<&mut octile_edits>,
    a: octile_cell,
    b: octile_cell,
) -> octile_status {
    add(edits, |edits| _ = edits.free_rect(a, b))
}

/// Gives every cell of a rectangle a price from 1 to 255, on a map that has prices. Blocked cells stay blocked, and
/// have the price once they are free.
#[unsafe(no_mangle)]
pub extern "C" fn octile_edits_price(
    edits: Option<&mut octile_edits>,
    a: octile_cell,
    b: octile_cell,
    price: u8,
) -> octile_status {
    add(edits, |edits| _ = edits.price_rect(a, b, price))
}

/// Puts a patch on the map, as the dynamic track of the grid path planning competition has them: the rectangle of width
/// times height cells whose upper left cell is given becomes what the bits say. With i = y * width + x, the cell x, y
/// of the patch is free if free_bits[i / 8] >> (i % 8) & 1 is 1, else blocked. length is that of the array in bytes,
/// and must be (width * height + 7) / 8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_edits_patch(
    edits: Option<&mut octile_edits>,
    upper_left: octile_cell,
    width: u32,
    height: u32,
    free_bits: *const u8,
    length: usize,
) -> octile_status {
    call(|| {
        let edits = &mut given(edits, "edits")?.edits;
        // SAFETY: the header asks for so many bytes.
        let bits = unsafe { free_bits_of(free_bits, length, (width, height)) }?;
        let patch = Patch::from_fn(width, height, |Cell { x, y }| bits.at(x, y))?;
        patch.edit_at(upper_left, edits);
        Ok(())
    })
}

/// Forgets all changes and keeps the memory, so that a list can be used again and again.
#[unsafe(no_mangle)]
pub extern "C" fn octile_edits_clear(edits: Option<&mut octile_edits>) -> octile_status {
    add(edits, octile::Edits::clear)
}

/// How many rectangles were named; 0 if edits is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_edits_count(edits: Option<&octile_edits>) -> usize {
    value(|| Some(edits?.edits.len()))
}
