//! The eight symmetries of a block, and the smallest pattern among the images of one.

/// The number of symmetries.
pub(super) const SYMMETRIES: usize = 8;

/// The image of a position in a square of `side` x `side` positions. The bits of `symmetry` mirror it left to right,
/// then top to bottom, then along the falling diagonal.
pub(super) fn turn(symmetry: usize, side: usize, position: usize) -> usize {
    let (x, y) = (position % side, position / side);
    let x = if symmetry & 1 == 0 { x } else { side - 1 - x };
    let y = if symmetry & 2 == 0 { y } else { side - 1 - y };
    if symmetry & 4 == 0 { y * side + x } else { x * side + y }
}

/// Tables that apply symmetries to patterns of up to 16 cells.
#[derive(Debug)]
pub(super) struct Turns {
    /// For each symmetry, the images of the lower and of the upper eight cells.
    tables: Box<[[[u16; 256]; 2]; SYMMETRIES]>,
}

impl Turns {
    /// For blocks of `size` x `size` cells, at most 4 x 4.
    pub(super) fn new(size: usize) -> Self {
        let mut tables = Box::new([[[0; 256]; 2]; SYMMETRIES]);
        for (symmetry, halves) in tables.iter_mut().enumerate() {
            for (half, table) in halves.iter_mut().enumerate() {
                let cell = |bit: usize| 8 * half + bit;
                for (byte, turned) in table.iter_mut().enumerate() {
                    let set = (0..8).filter(|&bit| byte >> bit & 1 == 1 && cell(bit) < size * size);
                    *turned = set.fold(0, |all, bit| all | 1 << turn(symmetry, size, cell(bit)));
                }
            }
        }
        Self { tables }
    }

    /// The image of a pattern under a symmetry.
    #[inline]
    fn turned(&self, symmetry: usize, pattern: u16) -> u16 {
        let [low, high] = &self.tables[symmetry];
        low[usize::from(pattern & 0xff)] | high[usize::from(pattern >> 8)]
    }

    /// The smallest image of this pattern, and the symmetry.
    #[inline]
    pub(super) fn canonical(&self, pattern: u16) -> (u16, usize) {
        let all = (0..SYMMETRIES).map(|symmetry| u32::from(self.turned(symmetry, pattern)) << 3 | symmetry as u32);
        let least = all.fold(u32::MAX, u32::min);
        ((least >> 3) as u16, (least & 7) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_patterns_are_counted() {
        for (size, count) in [(2, 6), (3, 102), (4, 8548)] {
            let turns = Turns::new(size);
            let last = ((1_u32 << (size * size)) - 1) as u16;
            let canonical = (0..=last).filter(|&pattern| turns.canonical(pattern) == (pattern, 0));
            assert_eq!(canonical.count(), count);
        }
    }
}
