//! The paper's rectangles: the map around the source is cut into rectangles, each with one symbol that is valid for all
//! its targets.
//!
//! Cutting starts with the eight rectangles around the source. If the targets of a rectangle have no common valid
//! symbol, the widest strip that has one is cut off from one of its four sides: of the four strips, the one with the
//! largest area. If no side has such a strip, the rectangle is halved across its longer side. Rectangles are sorted by
//! area, largest first; areas are counts of free cells. Rectangles without targets that can be looked up are left out.
//! A record is the first and last x and y of a rectangle and a symbol.
//!
//! Two things differ from the paper. Unreachable cells fit into any rectangle, as blocked ones do. And a row may have a
//! *default move* for all targets that are in no rectangle: the most frequent symbol, whose rectangles then need no
//! record.

use super::{Counts, Encoder, Layout, RecordSize, Row, RowBytes, Widths, symbol_of};
use crate::algo::cpd::bits::{self, Writer};
use crate::algo::cpd::symbols::{SYMBOL_BITS, Symbols, WILDCARD, choose};
use crate::geometry::{Cell, order};
use crate::grid::Grid;

/// The value of a row without a default move.
const NO_DEFAULT: u8 = 0xf;

/// Counts the free cells of the rectangles of a map.
pub(in super::super) struct Areas {
    width: usize,
    height: usize,
    /// The number of free cells above and left of each corner.
    sums: Vec<u32>,
}

impl Areas {
    pub(super) fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let mut sums = vec![0; (width + 1) * (height + 1)];
        for y in 0..height {
            let mut row = 0;
            for x in 0..width {
                row += u32::from(grid.is_free(Cell::new(x as u32, y as u32)));
                sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
            }
        }
        Self { width, height, sums }
    }

    /// Makes pieces of rectangles with their valid symbols.
    fn piece(&self) -> impl Fn((Rectangle, Symbols)) -> Piece {
        |(place, right)| Piece { place, area: self.of(&place), right }
    }

    fn of(&self, rectangle: &Rectangle) -> u32 {
        let sum = |x: usize, y: usize| self.sums[y * (self.width + 1) + x];
        let Rectangle { x1, y1, x2, y2 } = *rectangle;
        sum(x2 + 1, y2 + 1) + sum(x1, y1) - sum(x2 + 1, y1) - sum(x1, y2 + 1)
    }
}

/// From `x1`, `y1` to `x2`, `y2`, both included.
#[derive(Clone, Copy, Debug)]
struct Rectangle {
    x1: usize,
    y1: usize,
    x2: usize,
    y2: usize,
}

impl Rectangle {
    /// From one cell to another.
    fn of_cells(first: Cell, last: Cell) -> Self {
        Self { x1: first.x as usize, y1: first.y as usize, x2: last.x as usize, y2: last.y as usize }
    }

    /// The rectangles around a cell, clockwise from the upper left.
    fn around(cell: Cell, width: usize, height: usize) -> impl Iterator<Item = Self> {
        let (x, y) = (cell.x as usize, cell.y as usize);
        let west = (0, x);
        let east = (x + 1, width);
        let north = (0, y);
        let south = (y + 1, height);
        let (column, row) = ((x, x + 1), (y, y + 1));
        [
            (west, north),
            (column, north),
            (east, north),
            (east, row),
            (east, south),
            (column, south),
            (west, south),
            (west, row),
        ]
        .into_iter()
        .filter(|((x1, x2), (y1, y2))| x1 < x2 && y1 < y2)
        .map(|((x1, x2), (y1, y2))| Self { x1, y1, x2: x2 - 1, y2: y2 - 1 })
    }

    /// Cuts the rectangle left and right of `x`, which belongs to the right part.
    fn cut_at_x(self, x: usize) -> [Self; 2] {
        [Self { x2: x - 1, ..self }, Self { x1: x, ..self }]
    }

    /// Cuts the rectangle above and below `y`, which belongs to the lower part.
    fn cut_at_y(self, y: usize) -> [Self; 2] {
        [Self { y2: y - 1, ..self }, Self { y1: y, ..self }]
    }
}

/// A finished rectangle.
#[derive(Clone, Copy, Debug)]
struct Piece {
    place: Rectangle,
    area: u32,
    /// The symbols that are valid for all its targets.
    right: Symbols,
}

pub(super) struct RectangleEncoder<'a> {
    areas: &'a Areas,
    widths: Widths,
    bits: u32,
    default_move: bool,
    /// The symbols, column by column.
    columns: Vec<Symbols>,
    waiting: Vec<Rectangle>,
    pieces: Vec<Piece>,
}

impl<'a> RectangleEncoder<'a> {
    pub(super) fn new(areas: &'a Areas, widths: Widths, bits: u32, default_move: bool) -> Self {
        let columns = vec![WILDCARD; areas.width * areas.height];
        Self { areas, widths, bits, default_move, columns, waiting: Vec::new(), pieces: Vec::new() }
    }

    /// Transposes the symbols, so that a strip of a column is contiguous, as one of a row is.
    fn turn(&mut self, symbols: &[Symbols]) {
        const TILE: usize = 16;
        let (width, height) = (self.areas.width, self.areas.height);
        for y0 in (0..height).step_by(TILE) {
            for x0 in (0..width).step_by(TILE) {
                let ys = y0..(y0 + TILE).min(height);
                for x in x0..(x0 + TILE).min(width) {
                    let column = &mut self.columns[x * height..][ys.clone()];
                    for (symbol, y) in column.iter_mut().zip(ys.clone()) {
                        *symbol = symbols[y * width + x];
                    }
                }
            }
        }
    }

    /// Cuts the map around the source into pieces, and sorts them.
    fn cut(&mut self, row: &Row) {
        let (width, height) = (self.areas.width, self.areas.height);
        self.pieces.clear();
        self.waiting.extend(row.is_shared.then(|| Rectangle::of_cells(row.source, row.source)));
        self.waiting.extend(Rectangle::around(row.source, width, height));
        while let Some(place) = self.waiting.pop() {
            if self.areas.of(&place) == 0 {
                continue;
            }
            let Rectangle { x1, y1, x2, y2 } = place;
            let in_row = |y: usize| all_of(&row.symbols[y * width + x1..=y * width + x2]);
            let in_column = |x: usize| all_of(&self.columns[x * height + y1..=x * height + y2]);
            // The number of rows or columns from each side with a common valid symbol, and their valid symbols.
            let (top, top_right) = strip((y1..=y2).map(in_row));
            if top > y2 - y1 {
                self.keep(place, top_right);
                continue;
            }
            let (bottom, bottom_right) = strip((y1..=y2).rev().map(in_row));
            let (left, left_right) = strip((x1..=x2).map(in_column));
            let (right, right_right) = strip((x1..=x2).rev().map(in_column));
            // The first of the largest strips, with the rest of the rectangle.
            let mut best: Option<(u32, Rectangle, Symbols, Rectangle)> = None;
            let mut offer = |strip: Rectangle, right: Symbols, rest: Rectangle| {
                let area = self.areas.of(&strip);
                if best.is_none_or(|(largest, ..)| area > largest) {
                    best = Some((area, strip, right, rest));
                }
            };
            if top > 0 {
                let [strip, rest] = place.cut_at_y(y1 + top);
                offer(strip, top_right, rest);
            }
            if bottom > 0 {
                let [rest, strip] = place.cut_at_y(y2 + 1 - bottom);
                offer(strip, bottom_right, rest);
            }
            if left > 0 {
                let [strip, rest] = place.cut_at_x(x1 + left);
                offer(strip, left_right, rest);
            }
            if right > 0 {
                let [rest, strip] = place.cut_at_x(x2 + 1 - right);
                offer(strip, right_right, rest);
            }
            if let Some((_, strip, right, rest)) = best {
                self.keep(strip, right);
                self.waiting.push(rest);
            } else if x2 - x1 > y2 - y1 {
                self.waiting.extend(place.cut_at_x(x1 + (x2 - x1).div_ceil(2)));
            } else {
                self.waiting.extend(place.cut_at_y(y1 + (y2 - y1).div_ceil(2)));
            }
        }
        order::stable_by_key(&mut self.pieces, |piece| std::cmp::Reverse(piece.area));
    }

    fn keep(&mut self, place: Rectangle, right: Symbols) {
        let area = self.areas.of(&place);
        if area > 0 && right != WILDCARD {
            self.pieces.push(Piece { place, area, right });
        }
    }

    /// The symbol that is valid for the most pieces, which are then left out.
    fn take_default(&mut self) -> (u8, u64) {
        let of = |symbol: u8| self.pieces.iter().filter(move |piece| piece.right >> symbol & 1 == 1);
        let default = (0..=8).rev().max_by_key(|&symbol| of(symbol).count()).unwrap_or_default();
        let area = of(default).map(|piece| u64::from(piece.area)).sum();
        self.pieces.retain(|piece| piece.right >> default & 1 == 0);
        (default, area)
    }
}

impl Encoder for RectangleEncoder<'_> {
    fn encode(&mut self, row: &Row, out: &mut Vec<u8>) -> Counts {
        self.turn(row.symbols);
        self.cut(row);
        let (default, default_area) = if self.default_move { self.take_default() } else { (NO_DEFAULT, 0) };
        write(&self.pieces, (default, default_area), (self.widths, self.bits), out)
    }
}

/// Appends a row: its pieces, and the default move of the other targets, which number `default_area`.
fn write(
    pieces: &[Piece],
    (default, default_area): (u8, u64),
    (widths, bits): (Widths, u32),
    out: &mut Vec<u8>,
) -> Counts {
    out.push(default);
    let mut writer = Writer::new(out);
    let (mut checks, mut area) = (default_area * pieces.len() as u64, default_area);
    for (checked, piece) in (1..).zip(pieces) {
        let Rectangle { x1, y1, x2, y2 } = piece.place;
        let mut record = 0;
        for (number, bits) in [(y2, widths.y), (x2, widths.x), (y1, widths.y), (x1, widths.x)] {
            record = record << bits | number as u64;
        }
        record = record << SYMBOL_BITS | u64::from(choose(piece.right));
        writer.push(record, bits);
        checks += checked * u64::from(piece.area);
        area += u64::from(piece.area);
    }
    Counts::of_row(pieces.len() as u64, checks, area)
}

/// Appends a row of a database after an edit, made from the row before it: with the symbols valid for each freed cell.
/// A freed cell whose symbol is not valid gets a new rectangle, before all others. Rectangles without free cells
/// are left out. `None` if the row is damaged.
pub(in super::super) fn splice(
    row: RowBytes,
    areas: &Areas,
    widths: Widths,
    freed: impl Iterator<Item = (Cell, Symbols)>,
    out: &mut Vec<u8>,
) -> Option<Counts> {
    let bits = widths.record(Layout::Rectangles);
    let lookup = RectangleLookup::new(widths, RecordSize::new(bits));
    let default = row.record(0, 8)? as u8;
    let wrong = freed.filter(|&(cell, right)| {
        right != WILDCARD && lookup.symbol(row, cell).is_none_or(|symbol| right >> symbol & 1 == 0)
    });
    let mut pieces: Vec<Piece> =
        wrong.map(|(cell, right)| (Rectangle::of_cells(cell, cell), right)).map(areas.piece()).collect();
    for (nth, (first, last)) in lookup.places(row).into_iter().enumerate() {
        let place = Rectangle::of_cells(first, last);
        if place.x1 > place.x2 || place.y1 > place.y2 || place.x2 >= areas.width || place.y2 >= areas.height {
            return None;
        }
        let symbol = symbol_of(RowBytes { start: row.start + 1, ..row }.record(nth, bits)?);
        pieces.push(areas.piece()((place, 1 << symbol)));
    }
    pieces.retain(|piece| piece.area > 0);
    let in_pieces = pieces.iter().map(|piece| u64::from(piece.area)).sum::<u64>();
    let rest =
        if default == NO_DEFAULT { 0 } else { u64::from(widths.targets.saturating_sub(1)).saturating_sub(in_pieces) };
    Some(write(&pieces, (default, rest), (widths, bits), out))
}

/// The symbols valid for all cells of a strip.
#[inline]
fn all_of(strip: &[Symbols]) -> Symbols {
    const LANES: usize = 16;
    let (chunks, rest) = strip.as_chunks::<LANES>();
    let mut lanes = [WILDCARD; LANES];
    for chunk in chunks {
        for (lane, symbols) in lanes.iter_mut().zip(chunk) {
            *lane &= symbols;
        }
    }
    rest.iter().chain(&lanes).fold(WILDCARD, |all, symbols| all & symbols)
}

/// How many of these lines can be joined while a symbol is valid for all, and the symbols valid for those.
fn strip(mut lines: impl Iterator<Item = Symbols>) -> (usize, Symbols) {
    let (mut count, mut right) = (0, WILDCARD);
    while let Some(symbols) = lines.next().filter(|symbols| right & symbols != 0) {
        right &= symbols;
        count += 1;
    }
    (count, right)
}

/// Looks up rectangles.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct RectangleLookup {
    size: RecordSize,
    x_bits: u32,
    y_bits: u32,
}

impl RectangleLookup {
    pub(super) fn new(widths: Widths, size: RecordSize) -> Self {
        Self { size, x_bits: widths.x, y_bits: widths.y }
    }

    #[inline]
    pub(super) fn symbol(self, row: RowBytes, target: Cell) -> Option<u8> {
        let default = row.record(0, 8)? as u8;
        let row = RowBytes { start: row.start + 1, ..row };
        let (x, y) = (u64::from(target.x), u64::from(target.y));
        let (x_mask, y_mask) = ((1 << self.x_bits) - 1, (1 << self.y_bits) - 1);
        let y1_at = SYMBOL_BITS + self.x_bits;
        let x2_at = y1_at + self.y_bits;
        let y2_at = x2_at + self.x_bits;
        let mut at = row.start as u64 * 8;
        for _ in 0..row.records(self.size) {
            let record = bits::read(row.rows, at, self.size.bits)?;
            let (x1, y1) = (record >> SYMBOL_BITS, record >> y1_at);
            let (x2, y2) = (record >> x2_at, record >> y2_at);
            // A number below the first one wraps around, and so is above the last.
            let is_inside = |at: u64, first: u64, last: u64, mask: u64| {
                let first = first & mask;
                at.wrapping_sub(first) <= (last & mask).wrapping_sub(first)
            };
            if is_inside(x, x1, x2, x_mask) && is_inside(y, y1, y2, y_mask) {
                return Some(symbol_of(record));
            }
            at += u64::from(self.size.bits);
        }
        Some(default)
    }

    /// The rectangles of a row as their first and last cells, in the order in which lookups examine them; stops where
    /// the bytes are invalid.
    pub(super) fn places(self, row: RowBytes) -> Vec<(Cell, Cell)> {
        let row = RowBytes { start: row.start + 1, ..row };
        let place = |index: usize| {
            let mut record = row.record(index, self.size.bits)? >> SYMBOL_BITS;
            let [x1, y1, x2, y2] = [self.x_bits, self.y_bits, self.x_bits, self.y_bits].map(|bits| {
                let number = record & ((1 << bits) - 1);
                record >>= bits;
                number as u32
            });
            Some((Cell::new(x1, y1), Cell::new(x2, y2)))
        };
        (0..row.records(self.size)).map_while(place).collect()
    }
}
