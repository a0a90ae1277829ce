//! One symbol per target, in order: the paper's uncompressed path database, for small maps and comparisons.

use super::{Counts, Encoder, Row};
use crate::algo::cpd::bits::Writer;
use crate::algo::cpd::symbols::{SYMBOL_BITS, choose};

pub(super) struct SymbolEncoder<'a> {
    pub(super) order: &'a [u32],
}

impl Encoder for SymbolEncoder<'_> {
    fn encode(&mut self, row: &Row, out: &mut Vec<u8>) -> Counts {
        let mut writer = Writer::new(out);
        for &place in self.order {
            writer.push(choose(row.symbols[place as usize]).into(), SYMBOL_BITS);
        }
        let targets = self.order.len() as u64;
        Counts::of_row(targets, targets, targets)
    }
}
