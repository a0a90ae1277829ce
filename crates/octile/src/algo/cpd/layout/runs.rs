//! Runs of targets for which one symbol is right, in an order in which neighbours are close on the map (Strasser, Botea &
//! Harabor 2015).
//!
//! A record is the place of the run's first target in the order, and the symbol. Cells that are never asked for go with
//! any run. A run is as long as can be, which gives the fewest: wherever another list of runs begins one, this one is at
//! least as far.

use super::{Counts, Encoder, Row, halvings};
use crate::algo::cpd::bits::Writer;
use crate::algo::cpd::symbols::{SYMBOL_BITS, WILDCARD, choose};

pub(super) struct RunEncoder<'a> {
    pub(super) order: &'a [u32],
    pub(super) bits: u32,
}

impl Encoder for RunEncoder<'_> {
    fn encode(&mut self, row: &Row, out: &mut Vec<u8>) -> Counts {
        let mut writer = Writer::new(out);
        let mut records = 0;
        let (mut first, mut right) = (0, WILDCARD);
        let mut close = |first: usize, right| {
            writer.push((first as u64) << SYMBOL_BITS | u64::from(choose(right)), self.bits);
            records += 1;
        };
        for (rank, &place) in self.order.iter().enumerate() {
            let symbols = row.symbols[place as usize];
            if right & symbols == 0 {
                close(first, right);
                (first, right) = (rank, symbols);
            } else {
                right &= symbols;
            }
        }
        close(first, right);
        let targets = self.order.len() as u64;
        Counts::of_row(records, halvings(records as usize) * targets, targets)
    }
}
