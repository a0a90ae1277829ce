//! Padded lines of bits, and scans that read 57 cells at a time.
//!
//! A [`BitLines`] holds one bit per cell, line after line. The rows of the map are one such table and its columns
//! another, so that a scan along either axis reads consecutive bits. Every line has a guard of 8 zero bytes before and
//! after it, so a window that starts on the line never leaves the table.

#![allow(unsafe_code, reason = "one check for three loads in the inner loop of jump point search")]

/// The number of zero bytes before and after every line.
const GUARD: usize = 8;

/// The number of bits of a window that are always valid: a window starts inside a byte, so up to 7 of its 64 bits are
/// lost.
pub(crate) const WINDOW: usize = 57;

/// The bits of a window that a scan tests. The first bit is the current cell, which the scan has tested already.
const UNSEEN: u64 = (1 << WINDOW) - 2;

/// The same for a window that ends at the current cell.
const UNSEEN_BACK: u64 = u64::MAX >> 1 & u64::MAX << (64 - WINDOW);

/// Lines of bits; 1 is a free cell. Positions include the ring of padding: the first cell of the map is position 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitLines {
    bytes: Vec<u8>,
    line_bytes: usize,
}

impl BitLines {
    /// Memory in bytes.
    pub(crate) fn size_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// `lines` lines of `len` zero bits each.
    pub(crate) fn new(lines: usize, len: usize) -> Self {
        let line_bytes = len.div_ceil(8) + 2 * GUARD;
        Self { bytes: vec![0; lines * line_bytes], line_bytes }
    }

    #[inline]
    fn line_start(&self, line: usize) -> usize {
        line * self.line_bytes + GUARD
    }

    #[inline]
    pub(crate) fn get(&self, line: usize, position: usize) -> bool {
        self.bytes[self.line_start(line) + position / 8] >> (position % 8) & 1 == 1
    }

    #[inline]
    pub(crate) fn set(&mut self, line: usize, position: usize, value: bool) {
        let byte = self.line_start(line) + position / 8;
        let mask = 1 << (position % 8);
        if value {
            self.bytes[byte] |= mask;
        } else {
            self.bytes[byte] &= !mask;
        }
    }

    /// The bytes of one line without its guards.
    pub(crate) fn line(&self, line: usize) -> &[u8] {
        &self.bytes[line * self.line_bytes + GUARD..(line + 1) * self.line_bytes - GUARD]
    }

    pub(crate) fn line_mut(&mut self, line: usize) -> &mut [u8] {
        &mut self.bytes[line * self.line_bytes + GUARD..(line + 1) * self.line_bytes - GUARD]
    }

    /// One line, for repeated reads.
    #[inline]
    pub(crate) fn at(&self, line: usize) -> BitLine<'_> {
        BitLine(&self.bytes[self.line_start(line)..])
    }

    /// The line from `position` on: bit 0 is `position`, and the first [`WINDOW`] bits are valid.
    #[inline]
    pub(crate) fn window(&self, line: usize, position: usize) -> u64 {
        load(&self.bytes, self.line_start(line) + position / 8) >> (position % 8)
    }

    /// The line up to `position`: bit 63 is `position`, and the last [`WINDOW`] bits are valid.
    #[inline]
    pub(crate) fn window_back(&self, line: usize, position: usize) -> u64 {
        load(&self.bytes, self.line_start(line) + position / 8 - 7) << (7 - position % 8)
    }

    /// The first position from `from` on where the windows have a `wanted` bit; at least `end` if there is none before.
    #[inline]
    fn first(&self, line: usize, from: usize, end: usize, wanted: impl Fn(u64) -> u64) -> usize {
        let mut at = from;
        while at < end {
            let found = wanted(self.window(line, at)) & ((1 << WINDOW) - 1);
            if found != 0 {
                return at + found.trailing_zeros() as usize;
            }
            at += WINDOW;
        }
        end
    }

    /// One past the last position up to `from` where the windows have a `wanted` bit, if any; it may be in the guard.
    #[inline]
    fn end_of_last(&self, line: usize, from: usize, wanted: impl Fn(u64) -> u64) -> Option<usize> {
        let mut at = from;
        loop {
            let found = wanted(self.window_back(line, at)) & (u64::MAX << (64 - WINDOW));
            if found != 0 {
                return Some(at + 1 - found.leading_zeros() as usize);
            }
            at = at.checked_sub(WINDOW)?;
        }
    }

    /// The first blocked position at or after `position`. It always exists, because the padding is blocked.
    pub(crate) fn run_end(&self, line: usize, position: usize) -> usize {
        self.first(line, position, usize::MAX, |bits| !bits)
    }

    /// The first free position at or after `position`, or the end of the line if there is none.
    pub(crate) fn next_free(&self, line: usize, position: usize) -> usize {
        self.first(line, position, (self.line_bytes - 2 * GUARD) * 8, |bits| bits)
    }

    /// The last free position at or before `position`, if any.
    pub(crate) fn previous_free(&self, line: usize, position: usize) -> Option<usize> {
        self.end_of_last(line, position, |bits| bits).map(|end| end - 1)
    }

    /// The first free position from `first` to `last`.
    #[inline]
    pub(crate) fn first_free(&self, line: usize, first: usize, last: usize) -> Option<usize> {
        Some(self.first(line, first, last + 1, |bits| bits)).filter(|&found| found <= last)
    }

    /// Whether all positions from `first` to `last` are free.
    #[inline]
    pub(crate) fn all_free(&self, line: usize, first: usize, last: usize) -> bool {
        let mut at = first;
        loop {
            let blocked = !self.window(line, at);
            let left = last - at;
            if left < WINDOW {
                return blocked << (63 - left) == 0;
            }
            if blocked << (64 - WINDOW) != 0 {
                return false;
            }
            at += WINDOW;
        }
    }

    /// Whether any position from `first` to `last` is set.
    #[inline]
    pub(crate) fn any_set(&self, line: usize, first: usize, last: usize) -> bool {
        self.first_free(line, first, last).is_some()
    }

    /// Sets or clears all positions from `first` to `last`.
    pub(crate) fn fill(&mut self, line: usize, first: usize, last: usize, value: bool) {
        let start = self.line_start(line);
        let (from, to) = (start + first / 8, start + last / 8);
        let (low, high) = (u8::MAX << (first % 8), u8::MAX >> (7 - last % 8));
        for byte in from..=to {
            let mask = if byte == from { low } else { u8::MAX } & if byte == to { high } else { u8::MAX };
            self.bytes[byte] = if value { self.bytes[byte] | mask } else { self.bytes[byte] & !mask };
        }
    }

    /// The first position of the free run that ends at the free cell `position`.
    pub(crate) fn run_start(&self, line: usize, position: usize) -> usize {
        self.end_of_last(line, position, |bits| !bits).unwrap_or(0)
    }

    /// Scans from the free cell at `position` towards higher (`FORWARD`) or lower positions for the first *jump point*:
    /// a free cell beside which an obstacle on a neighbouring line ends, so that a shortest path may turn there.
    /// Returns its distance, or `None` if the scan hits a blocked cell first.
    #[inline]
    pub(crate) fn jump<const FORWARD: bool>(&self, line: usize, position: usize) -> Option<u32> {
        self.turn::<FORWARD>(line, position).map(|turn| turn.steps)
    }

    /// Like [`jump`](BitLines::jump), but also tells on which of the neighbouring lines an obstacle ends.
    ///
    /// Reads the three lines as windows of 57 cells. A zero in the middle window stops the scan; so does a one that
    /// follows a zero in the others.
    #[inline]
    pub(crate) fn turn<const FORWARD: bool>(&self, line: usize, position: usize) -> Option<Turn> {
        let unseen = if FORWARD { UNSEEN } else { UNSEEN_BACK };
        let mut at = position;
        loop {
            let [before, middle, after] = self.three_windows::<FORWARD>(line, at);
            let (before, after) = (turns::<FORWARD>(before), turns::<FORWARD>(after));
            let stop = (before | after | !middle) & unseen;
            if stop != 0 {
                let steps = if FORWARD { stop.trailing_zeros() } else { stop.leading_zeros() };
                let is_set = |word: u64| if FORWARD { word >> steps & 1 == 1 } else { word << steps >> 63 == 1 };
                let (before, after) = (is_set(before), is_set(after));
                return is_set(middle).then_some(Turn { steps: at.abs_diff(position) as u32 + steps, before, after });
            }
            at = if FORWARD { at + WINDOW - 1 } else { at - (WINDOW - 1) };
        }
    }

    /// Straight scans from the cells of a diagonal walk that starts at the free cell at `position`, towards higher
    /// (`FORWARD`) or lower positions and later or earlier lines.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "code that is not inlined is not compiled for the processor's features")]
    pub(crate) fn scans<const FORWARD: bool>(&self, line: usize, position: usize, later: bool) -> Scans<'_, FORWARD> {
        let line_step = if later { 1 } else { usize::MAX };
        let at = self.line_start(line) + position / 8 - if FORWARD { 0 } else { 7 };
        let shift = if FORWARD { position % 8 } else { 7 - position % 8 };
        let (cell, unseen) = if FORWARD { (1, UNSEEN) } else { (1 << 63, UNSEEN_BACK) };
        let (steps, windows, turns) = (0, [0; 2], [0; 3]);
        let mut scans = Scans { bits: self, at, shift, line, line_step, position, cell, unseen, steps, windows, turns };
        scans.read();
        scans.read();
        scans
    }

    /// The windows of a line and of the lines before and after it.
    #[inline]
    pub(crate) fn three_windows<const FORWARD: bool>(&self, line: usize, position: usize) -> [u64; 3] {
        let (shift, line_bytes) = (position % 8, self.line_bytes);
        // An index that wraps around is far beyond the end.
        let back = line_bytes + if FORWARD { 0 } else { 7 };
        let first = self.line_start(line).wrapping_add(position / 8).wrapping_sub(back);
        let last = self.bytes.len().checked_sub(2 * line_bytes + 8);
        assert!(last.is_some_and(|last| first <= last), "line {line} is on the edge");
        [first, first + line_bytes, first + 2 * line_bytes].map(|at| {
            // SAFETY: the assert bounds the largest of the three indices by the end of the table, and so all of them.
            // Checking each one makes `jps` 10 to 15 % slower on rooms and mazes (PAPERS.md, "Jump point search"), and
            // so does one check of a slice that is then split.
            let word = u64::from_le_bytes(unsafe { *self.bytes.as_ptr().add(at).cast() });
            if FORWARD { word >> shift } else { word << (7 - shift) }
        })
    }

    /// The number of free cells from `position` on, to higher positions if `forward`; at most `most`.
    pub(crate) fn reach(&self, line: usize, position: usize, forward: bool, most: usize) -> usize {
        let mut free = 0;
        while free < most {
            let ahead = if forward {
                (!self.window(line, position + free)).trailing_zeros()
            } else {
                (!self.window_back(line, position - free)).leading_zeros()
            };
            let ahead = (ahead as usize).min(WINDOW);
            free += ahead;
            if ahead < WINDOW {
                break;
            }
        }
        free.min(most)
    }

    /// A strip of lines as seen from `position` of one of them.
    #[inline]
    pub(crate) fn strip<const FORWARD: bool>(&self, line: usize, position: usize) -> Strip<'_, FORWARD> {
        let (begin, shift) = if FORWARD {
            let first = position - 1;
            (first / 8, first % 8)
        } else {
            let last = position + 1;
            (last / 8, 7 - last % 8)
        };
        let at = self.line_start(line) + begin - if FORWARD { 0 } else { 7 };
        Strip { bytes: &self.bytes, line_bytes: self.line_bytes, at, shift: shift as u32 }
    }

    /// The same bits with lines and positions exchanged.
    pub(crate) fn transposed(&self, lines: usize, len: usize) -> Self {
        let mut out = Self::new(len, lines);
        let mut block = [0_u64; 64];
        for first_line in (0..lines).step_by(64) {
            for first_position in (0..len).step_by(64) {
                for (i, row) in block.iter_mut().enumerate() {
                    *row = if first_line + i < lines { self.word(first_line + i, first_position) } else { 0 };
                }
                transpose_block(&mut block);
                for (i, &row) in block.iter().enumerate().take(len - first_position) {
                    out.put_word(first_position + i, first_line, row);
                }
            }
        }
        out
    }

    /// Up to 64 bits from `position`, a multiple of 64; the guard supplies zeros beyond the line.
    #[inline]
    pub(crate) fn word(&self, line: usize, position: usize) -> u64 {
        load(&self.bytes, self.line_start(line) + position / 8)
    }

    fn put_word(&mut self, line: usize, position: usize, word: u64) {
        let bytes = &mut self.line_mut(line)[position / 8..];
        let len = bytes.len().min(8);
        bytes[..len].copy_from_slice(&word.to_le_bytes()[..len]);
    }
}

/// One line of [`BitLines`], with the bytes after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitLine<'a>(&'a [u8]);

impl BitLine<'_> {
    #[inline]
    pub(crate) fn is_free(self, position: usize) -> bool {
        self.0[position / 8] >> (position % 8) & 1 == 1
    }

    /// The first free position from `first` to `last`; some position after `last` if there is none.
    #[inline]
    pub(crate) fn first_free(self, first: usize, last: usize) -> usize {
        self.find(first, last, |bits| bits)
    }

    /// The first blocked position from `first` to `last`; some position after `last` if there is none.
    #[inline]
    pub(crate) fn first_blocked(self, first: usize, last: usize) -> usize {
        self.find(first, last, |bits| !bits)
    }

    #[inline]
    fn find(self, first: usize, last: usize, wanted: impl Fn(u64) -> u64) -> usize {
        let mut at = first;
        loop {
            // The shift fills with zeros, which never match.
            let found = wanted(load(self.0, at / 8)) >> (at % 8);
            if found != 0 {
                return at + found.trailing_zeros() as usize;
            }
            at += WINDOW;
            if at > last {
                return at;
            }
        }
    }

    /// Whether two positions are blocked and all between them are free.
    #[inline]
    pub(crate) fn is_run(self, wall: usize, end_wall: usize) -> bool {
        load(self.0, wall / 8) >> (wall % 8) & 3 == 2 && self.first_blocked(wall + 1, end_wall) == end_wall
    }
}

/// A jump point found by a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The distance to it.
    pub(crate) steps: u32,
    /// Whether an obstacle on the line before ends beside it.
    pub(crate) before: bool,
    /// Whether an obstacle on the line after ends beside it.
    pub(crate) after: bool,
}

/// The same stretch of several lines, read one line at a time. The window begins one cell before the position: bit 0 is
/// that cell, bit 1 the position, and so on. Towards lower positions the order is the same from bit 63 down. [`WINDOW`]
/// bits are valid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strip<'a, const FORWARD: bool> {
    bytes: &'a [u8],
    line_bytes: usize,
    /// The byte where the window begins on the current line.
    at: usize,
    shift: u32,
}

impl<const FORWARD: bool> Strip<'_, FORWARD> {
    /// The window on the current line.
    #[inline]
    pub(crate) fn read(&self) -> u64 {
        let word = u64::from_le_bytes(self.bytes[self.at..self.at + 8].try_into().expect("eight bytes"));
        if FORWARD { word >> self.shift } else { word << self.shift }
    }

    /// Moves to the line after, or to the one before.
    #[inline]
    pub(crate) fn step(&mut self, to_after: bool) {
        self.at = if to_after { self.at + self.line_bytes } else { self.at - self.line_bytes };
    }
}

/// Straight scans from the cells of a diagonal walk, one line after another; each finds what a [jump](BitLines::jump)
/// finds.
///
/// A scan reads three lines, and the next scan needs two of them again. So each line is read once, always from the
/// position where the walk begins; the part of a window that the walk has passed is masked out.
pub(crate) struct Scans<'a, const FORWARD: bool> {
    bits: &'a BitLines,
    /// The byte of the window to read next, and its shift.
    at: usize,
    shift: usize,
    /// The start of the walk, and the number of lines per step.
    line: usize,
    line_step: usize,
    position: usize,
    /// The bit of the walk's current cell, and the valid bits after it in the direction of the scan.
    cell: u64,
    unseen: u64,
    steps: u32,
    /// The windows of the current line and of the next.
    windows: [u64; 2],
    /// Where obstacles end on the previous, the current and the next line.
    turns: [u64; 3],
}

#[expect(clippy::inline_always, reason = "code that is not inlined is not compiled for the processor's features")]
impl<const FORWARD: bool> Scans<'_, FORWARD> {
    /// The maximum number of steps of a walk: after that, windows hold few cells ahead.
    pub(crate) const MOST_STEPS: u32 = 24;

    /// Whether the diagonal move from here is legal under the octile rule: all four cells of its block are free.
    #[inline(always)]
    pub(crate) fn may_step(&self) -> bool {
        let [here, next] = self.windows;
        let block = self.cell | if FORWARD { self.cell << 1 } else { self.cell >> 1 };
        here & next & block == block
    }

    /// Makes a diagonal step and scans from there. Returns the distance of the first jump point, if no blocked cell
    /// comes first.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> Option<u32> {
        self.steps += 1;
        if FORWARD {
            self.cell <<= 1;
            self.unseen &= self.unseen - 1;
        } else {
            self.cell >>= 1;
            self.unseen &= self.unseen >> 1;
        }
        self.read();
        let ([here, _], [before, _, after]) = (self.windows, self.turns);
        let stop = (before | after | !here) & self.unseen;
        if stop == 0 {
            return self.beyond();
        }
        let ahead = if FORWARD { stop.trailing_zeros() } else { stop.leading_zeros() };
        let is_free = if FORWARD { here >> ahead & 1 == 1 } else { here << ahead >> 63 == 1 };
        is_free.then(|| ahead - self.steps)
    }

    /// Continues the scan beyond the windows.
    #[inline(always)]
    fn beyond(&self) -> Option<u32> {
        let steps = self.steps as usize;
        let line = self.line.wrapping_add(steps.wrapping_mul(self.line_step));
        let last = if FORWARD { self.position + WINDOW - 1 } else { self.position - (WINDOW - 1) };
        let more = self.bits.jump::<FORWARD>(line, last)?;
        Some(more + WINDOW as u32 - 1 - self.steps)
    }

    /// Reads the next window.
    #[inline(always)]
    fn read(&mut self) {
        let word = load(&self.bits.bytes, self.at);
        let window = if FORWARD { word >> self.shift } else { word << self.shift };
        self.windows = [self.windows[1], window];
        self.turns = [self.turns[1], self.turns[2], turns::<FORWARD>(window)];
        self.at = self.at.wrapping_add(self.bits.line_bytes.wrapping_mul(self.line_step));
    }
}

/// The free cells of a window that follow a blocked one in the direction of a scan.
#[inline(always)]
#[expect(clippy::inline_always, reason = "code that is not inlined is not compiled for the processor's features")]
fn turns<const FORWARD: bool>(window: u64) -> u64 {
    window & !if FORWARD { window << 1 } else { window >> 1 }
}

/// Packs up to eight bytes, each 0 or 1, into the bits of one byte; the first is the lowest bit.
pub(crate) fn pack(flags: &[u8]) -> u8 {
    let mut bytes = [0; 8];
    bytes[..flags.len()].copy_from_slice(flags);
    // The product moves bit `8 * i` to bit `56 + i` for each i, without collisions.
    (u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

#[expect(clippy::inline_always, reason = "programs compiled for size would call it in the innermost loops")]
#[inline(always)]
fn load(bytes: &[u8], at: usize) -> u64 {
    let (word, _) = bytes[at..].split_first_chunk().expect("guards keep windows inside the table");
    u64::from_le_bytes(*word)
}

/// The cells of a word whose nearest stop in a direction is live. On entry `carry` says whether the nearest stop beyond
/// the word is live; on return it says so for the next word.
///
/// From low bits to high ones: adding a live stop's bit to itself makes a carry. The carry runs through all cells that
/// are not stops, turning them to 0, up to the next stop.
#[inline]
pub(crate) fn reached(live: u64, stop: u64, ahead: bool, carry: &mut bool) -> u64 {
    let turn = |word: u64| if ahead { word.reverse_bits() } else { word };
    let (live, open) = (turn(live), turn(!stop));
    let (sum, first) = (live | open).overflowing_add(live);
    let (sum, second) = sum.overflowing_add(u64::from(*carry));
    *carry = first | second;
    turn(sum ^ open)
}

/// Transposes a 64 x 64 bit matrix in place: swaps ever smaller off-diagonal blocks.
pub(crate) fn transpose_block(rows: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = u64::MAX >> 32;
    while width != 0 {
        let mut row = 0;
        while row < 64 {
            let swap = (rows[row] >> width ^ rows[row + width]) & mask;
            rows[row] ^= swap << width;
            rows[row + width] ^= swap;
            row = (row + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number and length of lines in tests: fewer under Miri, which is slow.
    const LINES: usize = if cfg!(miri) { 5 } else { 40 };
    const LEN: usize = if cfg!(miri) { 140 } else { 300 };

    /// Lines with a random pattern, free about three times in four; first and last position blocked.
    fn pattern(lines: usize, len: usize) -> BitLines {
        let mut bits = BitLines::new(lines, len);
        let mut dice = crate::geometry::Dice::new(1);
        for line in 1..lines - 1 {
            for position in 1..len - 1 {
                bits.set(line, position, line == 1 || dice.hits(3, 4));
            }
        }
        bits
    }

    #[test]
    fn windows_read_single_bits() {
        let bits = pattern(4, LEN);
        for line in 0..4 {
            for position in (0..LEN).step_by(if cfg!(miri) { 5 } else { 1 }) {
                let (ahead, back) = (bits.window(line, position), bits.window_back(line, position));
                for i in 0..WINDOW {
                    assert_eq!(ahead >> i & 1 == 1, position + i < LEN && bits.get(line, position + i));
                    assert_eq!(back >> (63 - i) & 1 == 1, position >= i && bits.get(line, position - i));
                }
            }
        }
    }

    #[test]
    fn packing_keeps_the_order() {
        for byte in 0..=255_u8 {
            let flags: Vec<u8> = (0..8).map(|i| byte >> i & 1).collect();
            assert_eq!(pack(&flags), byte);
            assert_eq!(pack(&flags[..5]), byte & 31);
        }
    }

    #[test]
    fn transposing_exchanges_lines_and_positions() {
        let sizes = [(3, 5), (64, 64), (70, 200), (130, 65)];
        for (lines, len) in sizes.into_iter().take(if cfg!(miri) { 2 } else { 4 }) {
            let bits = pattern(lines, len);
            let turned = bits.transposed(lines, len);
            for line in 0..lines {
                for position in 0..len {
                    assert_eq!(bits.get(line, position), turned.get(position, line));
                }
            }
            assert_eq!(turned.transposed(len, lines), bits);
        }
    }

    #[test]
    fn strips_read_the_windows_of_lines_one_after_the_other() {
        let bits = pattern(6, LEN);
        for position in 1..LEN - 1 {
            let (mut ahead, mut back) = (bits.strip::<true>(2, position), bits.strip::<false>(2, position));
            let mut line = 2;
            for to_after in [true, true, false, false, false, true] {
                assert_eq!(ahead.read(), bits.window(line, position - 1));
                assert_eq!(back.read(), bits.window_back(line, position + 1));
                ahead.step(to_after);
                back.step(to_after);
                line = if to_after { line + 1 } else { line - 1 };
            }
        }
    }

    /// Reads three windows with one check: at the first and the last byte of the table, in both directions.
    #[test]
    fn three_windows_are_read_up_to_the_edges_of_the_table() {
        for (lines, len) in [(3, 1), (3, 8), (3, 9), (3, 64), (5, 130)] {
            let bits = pattern(lines, len);
            for (line, position) in (1..lines - 1).flat_map(|line| (0..len).map(move |position| (line, position))) {
                let around = [line - 1, line, line + 1];
                assert_eq!(bits.three_windows::<true>(line, position), around.map(|line| bits.window(line, position)));
                assert_eq!(
                    bits.three_windows::<false>(line, position),
                    around.map(|line| bits.window_back(line, position))
                );
            }
        }
    }

    /// No line and position, valid or not, reads outside the table. The last of these lines begins near `usize::MAX`.
    #[test]
    #[cfg(panic = "unwind")]
    fn three_windows_on_the_edge_are_refused() {
        let bits = pattern(3, 9);
        for (line, position) in
            [(0, 0), (0, 8), (2, 0), (2, 8), (3, 0), (1, 400), (9, usize::MAX), (usize::MAX / bits.line_bytes, 0)]
        {
            let ahead = std::panic::catch_unwind(|| bits.three_windows::<true>(line, position));
            let back = std::panic::catch_unwind(|| bits.three_windows::<false>(line, position));
            assert!(ahead.is_err() && back.is_err(), "{line} {position}");
        }
    }

    #[test]
    fn scans_of_a_diagonal_walk_agree_with_jumps() {
        fn check<const FORWARD: bool>(bits: &BitLines, lines: usize, line: usize, position: usize, later: bool) -> u32 {
            let mut scans = bits.scans::<FORWARD>(line, position, later);
            let beside = |at: usize, up: bool| if up { at + 1 } else { at - 1 };
            let (mut line, mut position, mut far) = (line, position, 0);
            for _ in 0..Scans::<FORWARD>::MOST_STEPS {
                let (next_line, next) = (beside(line, later), beside(position, FORWARD));
                let block = [(line, next), (next_line, position), (next_line, next)];
                let is_legal = block.iter().all(|&(line, position)| bits.get(line, position));
                assert_eq!(scans.may_step(), is_legal, "{line} {position}");
                if !is_legal {
                    break;
                }
                (line, position) = (next_line, next);
                assert!(line > 0 && line < lines - 1, "the padding is blocked");
                let found = scans.step();
                assert_eq!(found, bits.jump::<FORWARD>(line, position), "{line} {position}");
                far += u32::from(found.is_some_and(|steps| steps as usize >= WINDOW));
            }
            far
        }
        let mut far = 0;
        for (lines, blocked) in [(LINES, 4), (LINES, 40), (LINES, 2000)] {
            let mut bits = BitLines::new(lines, LEN);
            let mut dice = crate::geometry::Dice::new(blocked);
            for (line, position) in (1..lines - 1).flat_map(|line| (1..LEN - 1).map(move |position| (line, position))) {
                bits.set(line, position, !dice.hits(1, blocked));
            }
            for (line, position) in (1..lines - 1).flat_map(|line| (1..LEN - 1).map(move |position| (line, position))) {
                if bits.get(line, position) {
                    for later in [false, true] {
                        far += check::<true>(&bits, lines, line, position, later);
                        far += check::<false>(&bits, lines, line, position, later);
                    }
                }
            }
        }
        assert!(far > 50, "{far}");
    }

    #[test]
    fn jumps_agree_with_a_walk_cell_by_cell() {
        fn walk(bits: &BitLines, line: usize, position: usize, step: isize) -> Option<Turn> {
            let mut at = position;
            loop {
                let next = at.wrapping_add_signed(step);
                if !bits.get(line, next) {
                    return None;
                }
                let [before, after] = [line - 1, line + 1].map(|side| bits.get(side, next) && !bits.get(side, at));
                if before || after {
                    return Some(Turn { steps: next.abs_diff(position) as u32, before, after });
                }
                at = next;
            }
        }
        let bits = pattern(LINES, LEN);
        for line in 1..LINES - 1 {
            for position in (1..LEN - 1).filter(|&position| bits.get(line, position)) {
                assert_eq!(bits.turn::<true>(line, position), walk(&bits, line, position, 1));
                assert_eq!(bits.turn::<false>(line, position), walk(&bits, line, position, -1));
                assert_eq!(bits.jump::<true>(line, position), bits.turn::<true>(line, position).map(|turn| turn.steps));
                for (forward, free) in [
                    (true, bits.run_end(line, position) - position),
                    (false, position + 1 - bits.run_start(line, position)),
                ] {
                    for most in [0, 1, 3, WINDOW, WINDOW + 1, LEN] {
                        assert_eq!(bits.reach(line, position, forward, most), free.min(most));
                    }
                }
            }
        }
        assert_eq!((bits.run_start(1, LEN - 10), bits.run_end(1, 5)), (1, LEN - 1));
        let step = if cfg!(miri) { 31 } else { 7 };
        for (first, last) in
            (1..LEN - 1).flat_map(|first| (first..LEN - 1).step_by(step).map(move |last| (first, last)))
        {
            let line = first % 3 + 1;
            let expected = (first..=last).all(|position| bits.get(line, position));
            assert_eq!(bits.all_free(line, first, last), expected, "{line} {first} {last}");
        }
        for line in 0..LINES {
            for position in 0..LEN {
                let next = (position..LEN).find(|&position| bits.get(line, position));
                assert_eq!(bits.next_free(line, position), next.unwrap_or(LEN.next_multiple_of(8)), "whole bytes");
            }
        }
    }
}
