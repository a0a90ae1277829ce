//! Runs of targets with a common valid symbol, in an order that keeps neighbours on the map close together (Strasser,
//! Botea & Harabor 2015).
//!
//! Cells that are never looked up fit into any run. Each run is as long as possible, which gives the fewest runs:
//! wherever another list of runs begins one, this list has got at least as far.
//!
//! A row has the rank of the first target of each run, then their symbols. Ranks have 16 bits: looking them up on their
//! own takes a third less time than together with symbols in as few bits as possible. On a map with more targets, ranks
//! are in banks of 65,536. Every bank begins with a run, whose rank then need not be stored. A row begins with the
//! number of runs up to the end of each bank but the last.

use super::{Counts, Encoder, Row, RowBytes};
use crate::algo::cpd::bits::Writer;
use crate::algo::cpd::symbols::{SYMBOL_BITS, Symbols, WILDCARD, choose};

/// The number of targets per bank.
const BANK: usize = 1 << 16;

/// Bytes of a count of runs.
const COUNT_BYTES: usize = 4;

pub(super) struct RunEncoder<'a> {
    order: &'a [u32],
    runs: Vec<Run>,
}

/// A run: the rank of its first target, and its symbol.
pub(in super::super) type Run = (u32, u8);

impl<'a> RunEncoder<'a> {
    pub(super) fn new(order: &'a [u32]) -> Self {
        Self { order, runs: Vec::new() }
    }

    /// Finds the runs.
    fn join(&mut self, symbols: &[Symbols]) {
        self.runs.clear();
        for (bank, order) in self.order.chunks(BANK).enumerate() {
            let (mut first, mut right) = (0, WILDCARD);
            for (i, &place) in order.iter().enumerate() {
                let symbols = symbols[place as usize];
                if right & symbols == 0 {
                    self.runs.push(((bank * BANK + first) as u32, choose(right)));
                    (first, right) = (i, symbols);
                } else {
                    right &= symbols;
                }
            }
            self.runs.push(((bank * BANK + first) as u32, choose(right)));
        }
    }
}

impl Encoder for RunEncoder<'_> {
    fn encode(&mut self, row: &Row, out: &mut Vec<u8>) -> Counts {
        self.join(row.symbols);
        write(&self.runs, self.order.len(), out)
    }
}

fn begins_bank(first: u32) -> bool {
    (first as usize).is_multiple_of(BANK)
}

/// Appends a row of these runs, of which one begins every bank.
fn write(runs: &[Run], targets: usize, out: &mut Vec<u8>) -> Counts {
    let banks = runs.iter().enumerate().filter(|(_, (first, _))| begins_bank(*first));
    banks.skip(1).for_each(|(runs_before, _)| out.extend((runs_before as u32).to_le_bytes()));
    let places = runs.iter().filter(|(first, _)| !begins_bank(*first));
    places.for_each(|(first, _)| out.extend((*first as u16).to_le_bytes()));
    let mut writer = Writer::new(out);
    for (_, symbol) in runs {
        writer.push((*symbol).into(), SYMBOL_BITS);
    }
    let (records, targets) = (runs.len() as u64, targets as u64);
    Counts::of_row(records, super::halvings(runs.len()) * targets, targets)
}

/// Appends a row of a database after an edit, made from the row before it: `moved` has the new rank of each old one,
/// and `freed` the ranks of new targets, in order, with the symbols valid for them. `None` if the row is damaged.
pub(in super::super) fn splice(
    before: &[Run],
    moved: &[u32],
    freed: impl Iterator<Item = (u32, Symbols)>,
    out: &mut Vec<u8>,
) -> Option<Counts> {
    let targets = *moved.last()?;
    let (mut runs, mut freed) = (Vec::with_capacity(before.len() + 4), freed.peekable());
    let mut push = |first: u32, symbol: u8| {
        runs.pop_if(|(last, _)| *last == first);
        if runs.last().is_none_or(|(_, last)| *last != symbol) {
            runs.push((first, symbol));
        }
    };
    let ends = before.iter().skip(1).map(|(first, _)| *first).chain([moved.len() as u32 - 1]);
    for (&(first, symbol), end) in before.iter().zip(ends) {
        let (first, end) = (*moved.get(first as usize)?, *moved.get(end as usize)?);
        if first < end {
            push(first, symbol);
        }
        while let Some((rank, right)) = freed.next_if(|(rank, _)| *rank < end) {
            if right >> symbol & 1 == 0 {
                push(rank, choose(right));
                if rank + 1 < end {
                    push(rank + 1, symbol);
                }
            }
        }
    }
    for bank in (BANK as u32..targets).step_by(BANK) {
        if let Err(at) = runs.binary_search_by_key(&bank, |(first, _)| *first) {
            let (_, symbol) = runs[at.checked_sub(1)?];
            runs.insert(at, (bank, symbol));
        }
    }
    Some(write(&runs, targets as usize, out))
}

/// Looks up runs.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct RunLookup {
    banks: usize,
}

impl RunLookup {
    pub(super) fn new(targets: u32) -> Self {
        Self { banks: (targets as usize).div_ceil(BANK).max(1) }
    }

    /// The number of runs of a row, and where their ranks and their symbols begin.
    #[inline]
    fn parts(self, row: RowBytes) -> Option<(usize, u64, u64)> {
        // In 64 bits on every machine: in a damaged file a row may be anywhere and have any length.
        let (start, end, banks) = (row.start as u64, row.end as u64, self.banks as u64);
        let head = COUNT_BYTES as u64 * (banks - 1);
        let len = end.checked_sub(start)?.checked_sub(head)?;
        // Two bytes for each run that does not begin a bank, and half a byte for each run.
        let runs = (2 * len + 4 * banks) / 5;
        let places_at = start + head;
        Some((runs as usize, places_at, places_at + 2 * runs.checked_sub(banks)?))
    }

    #[inline]
    pub(super) fn symbol(self, row: RowBytes, rank: u32) -> Option<u8> {
        let (runs, places_at, symbols_at) = self.parts(row)?;
        let (bank, first, end) = if self.banks == 1 { (0, 0, runs) } else { self.bank_of(row, rank, runs)? };
        let places = (end - first).checked_sub(1)?;
        let bank_at = usize::try_from(places_at + 2 * first.checked_sub(bank)? as u64).ok()?;
        let run = first + count_up_to(row.rows, bank_at, places, rank as u16)?;
        let symbol_at = usize::try_from(symbols_at + run as u64 / 2).ok()?;
        Some(row.rows.get(symbol_at)? >> (run % 2 * 4) & 0xf)
    }

    /// All runs of a row.
    pub(in super::super) fn runs(self, row: RowBytes) -> Option<Vec<Run>> {
        let (count, places_at, symbols_at) = self.parts(row)?;
        // A damaged row may claim more runs than there are bytes.
        row.rows.get(..usize::try_from(symbols_at + count as u64 / 2).ok()?)?;
        let mut runs = Vec::with_capacity(count);
        for bank in 0..self.banks {
            let first_rank = (bank * BANK) as u32;
            let (_, first, end) = if self.banks == 1 { (0, 0, count) } else { self.bank_of(row, first_rank, count)? };
            for run in first..end {
                let place = || {
                    let at = usize::try_from(places_at + 2 * (run - bank - 1) as u64).ok()?;
                    Some(u16::from_le_bytes(*row.rows.get(at..)?.first_chunk()?))
                };
                let rank = if run == first { 0 } else { place()? };
                let symbol_at = usize::try_from(symbols_at + run as u64 / 2).ok()?;
                runs.push((first_rank + u32::from(rank), row.rows.get(symbol_at)? >> (run % 2 * 4) & 0xf));
            }
        }
        runs.is_sorted_by(|one, next| one.0 < next.0).then_some(runs)
    }

    /// The bank of a target, its first run, and the end of its runs.
    fn bank_of(self, row: RowBytes, rank: u32, runs: usize) -> Option<(usize, usize, usize)> {
        let bank = rank as usize / BANK;
        let counts = row.rows.get(row.start..)?.as_chunks::<COUNT_BYTES>().0.get(..self.banks - 1)?;
        let count = |bank: usize| counts.get(bank).map(|count| u32::from_le_bytes(*count) as usize);
        let first = if bank == 0 { 0 } else { count(bank - 1)? };
        let end = if bank + 1 == self.banks { runs } else { count(bank)? };
        (first <= end && end <= runs).then_some((bank, first, end))
    }
}

/// How many of `count` sorted ranks are not above `place`.
#[inline]
fn count_up_to(bytes: &[u8], at: usize, count: usize, place: u16) -> Option<usize> {
    let places = bytes.get(at..)?.get(..2 * count)?.as_chunks::<2>().0;
    let (mut before, mut len) = (0, count);
    while len > 0 {
        let half = len.div_ceil(2);
        // Branch-free: a branch would be mispredicted half of the time.
        before += if u16::from_le_bytes(places[before + half - 1]) <= place { half } else { 0 };
        len -= half;
    }
    Some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_up_to_one() {
        for count in [0, 1, 2, 31, 32, 33, 64, 65, 500] {
            let places: Vec<u16> = (1..=count as u16).map(|i| i * 131).collect();
            let bytes: Vec<u8> = places.iter().flat_map(|place| place.to_le_bytes()).collect();

            for place in (0..=u16::MAX).step_by(37) {
                let expected = places.iter().filter(|other| **other <= place).count();
                assert_eq!(count_up_to(&bytes, 0, count, place), Some(expected));
            }
        }
    }

    /// More targets than 16 bits can number.
    #[test]
    fn banks_are_looked_up() {
        let order: Vec<u32> = (0..3 * BANK as u32 + 1000).collect();
        let symbol = |place: u32| ((place / 777 + place / 65_000) % 9) as u8;
        let symbols: Vec<Symbols> = order.iter().map(|&place| 1 << symbol(place)).collect();
        let mut rows = vec![0; 5];
        let row = Row { source: crate::Cell::new(0, 0), symbols: &symbols, is_shared: false };
        let counts = RunEncoder::new(&order).encode(&row, &mut rows);
        let end = rows.len();

        assert!(counts.records > 250);
        let lookup = RunLookup::new(order.len() as u32);
        let runs = lookup.runs(RowBytes { rows: &rows, start: 5, end }).unwrap();
        let mut again = vec![0; 5];
        assert_eq!(write(&runs, order.len(), &mut again), counts);
        assert_eq!(again, rows);
        for rank in (0..order.len() as u32).step_by(101).chain([65_535, 65_536, 131_071, 131_072]) {
            assert_eq!(lookup.symbol(RowBytes { rows: &rows, start: 5, end }, rank), Some(symbol(rank)), "{rank}");
        }
    }
}
