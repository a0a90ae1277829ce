//! Bit-packed numbers.

/// Bytes required after the last number: a read loads eight bytes.
pub(super) const SLACK: usize = 8;

/// The widest number that may start at any bit; a 64-bit number must start at a byte.
pub(super) const MAX_BITS: u32 = 57;

/// The number of bits that hold every number below `count`; at least one.
pub(super) const fn bits_below(count: u64) -> u32 {
    if count <= 2 { 1 } else { u64::BITS - (count - 1).leading_zeros() }
}

/// The number of `bits` bits at bit `at`; `None` if the number, or the [`SLACK`] after it, is out of range.
#[inline]
pub(super) fn read(bytes: &[u8], at: u64, bits: u32) -> Option<u64> {
    let window = bytes.get(usize::try_from(at / 8).ok()?..)?.first_chunk::<SLACK>()?;
    Some(u64::from_le_bytes(*window) >> (at % 8) & (u64::MAX >> (u64::BITS - bits)))
}

/// Numbers the marked items of a list, in blocks of 64: each block holds its marks and the number of marks before it.
pub(super) mod marked {
    /// Bytes per block.
    pub(in super::super) const BYTES: usize = 12;

    /// Writes the blocks for a list of marks.
    pub(in super::super) fn write(marks: impl Iterator<Item = bool>) -> Vec<u8> {
        let (mut blocks, mut before, mut block, mut len) = (Vec::new(), 0_u32, 0_u64, 0);
        let mut close = |block: &mut u64| {
            blocks.extend(block.to_le_bytes());
            blocks.extend(before.to_le_bytes());
            before += block.count_ones();
            *block = 0;
        };
        for is_marked in marks {
            block |= u64::from(is_marked) << (len % 64);
            len += 1;
            if len % 64 == 0 {
                close(&mut block);
            }
        }
        if len % 64 > 0 {
            close(&mut block);
        }
        blocks
    }

    /// The number of marked items before the one at `index`; `None` if the index is out of range.
    #[inline]
    pub(in super::super) fn count_before(blocks: &[u8], index: usize) -> Option<usize> {
        let block = blocks.get(index / 64 * BYTES..)?.first_chunk::<BYTES>()?;
        let (marks, before) = block.split_first_chunk::<8>()?;
        let marks = u64::from_le_bytes(*marks) & ((1 << (index % 64)) - 1);
        usize::try_from(u64::from(u32::from_le_bytes(*before.first_chunk()?)) + u64::from(marks.count_ones())).ok()
    }
}

/// Writes numbers one after the other. When dropped, it fills up the last byte.
pub(super) struct Writer<'a> {
    out: &'a mut Vec<u8>,
    /// Bits that do not fill a byte yet.
    rest: u64,
    rest_bits: u32,
}

impl<'a> Writer<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, rest: 0, rest_bits: 0 }
    }

    pub(super) fn push(&mut self, number: u64, bits: u32) {
        debug_assert!(bits <= MAX_BITS || bits == u64::BITS && self.rest_bits == 0);
        debug_assert!(number <= u64::MAX >> (u64::BITS - bits));
        self.rest |= number << self.rest_bits;
        self.rest_bits += bits;
        while self.rest_bits >= 8 {
            self.out.push(self.rest as u8);
            self.rest >>= 8;
            self.rest_bits -= 8;
        }
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        if self.rest_bits > 0 {
            self.out.push(self.rest as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_written() {
        for bits in [1, 4, 7, 8, 13, 20, 33, 56, MAX_BITS, 64] {
            let numbers: Vec<u64> = (0..40_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)).collect();
            let mut bytes = Vec::new();
            let mut writer = Writer::new(&mut bytes);
            for &number in &numbers {
                writer.push(number, bits);
            }
            drop(writer);
            assert_eq!(bytes.len(), (40 * bits as usize).div_ceil(8));
            bytes.extend([0xff; SLACK]);
            assert_eq!(read(&bytes, bytes.len() as u64 * 8, bits), None);
            for (i, &number) in numbers.iter().enumerate() {
                assert_eq!(read(&bytes, i as u64 * u64::from(bits), bits), Some(number));
            }
        }
        let marks: Vec<bool> = (0..200).map(|i| i % 7 < 3 || i > 150).collect();
        let blocks = marked::write(marks.iter().copied());
        assert_eq!(blocks.len(), 4 * marked::BYTES);
        for i in 0..200 {
            let expected = marks[..i].iter().filter(|is_marked| **is_marked).count();
            assert_eq!(marked::count_before(&blocks, i), Some(expected));
        }
        assert_eq!(marked::count_before(&blocks, 256), None);
        assert_eq!((bits_below(1), bits_below(2), bits_below(3), bits_below(4), bits_below(65_536)), (1, 1, 2, 2, 16));
    }
}
