//! The gates of one axis: the free runs of all rows (or columns), the blocks they form, and which of those a query
//! needs.
//!
//! The runs are the nodes of a graph, joined where runs of neighbouring lines share a position. A run whose removal
//! takes the graph apart is a gate. The *blocks* are what gates hold together: maximal sets of runs that no single gate
//! takes apart. Blocks and gates form a tree (the block-cut tree); Tarjan's algorithm finds it in one pass, in which a
//! block is known by its *top*, the gate through which it was entered.
//!
//! A way from one run to another must pass the blocks between theirs in that tree, and no other. The blocks are
//! numbered in preorder along heavy paths: a subtree is an interval of numbers, so that "lies between" is four
//! comparisons, and the meeting point of two blocks is found in O(log n) jumps from path to path.

use std::ops::Range;

use crate::grid::bits::BitLines;

/// No run or block.
pub(super) const NONE: u32 = u32::MAX;

/// The number of the virtual block above all trees. It has no run of its own but those that Tarjan's search began with.
const ROOT: u32 = 0;

/// The free runs of all lines, numbered line by line.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    /// First and last padded position of each run.
    spans: Vec<(u32, u32)>,
    /// The number of each padded line's first run; one more at the end.
    first_of_line: Vec<u32>,
}

impl Runs {
    /// The runs of padded lines `1..=lines` with positions `1..=len`.
    pub(super) fn new(bits: &BitLines, lines: u32, len: u32) -> Self {
        let (mut spans, mut first_of_line) = (Vec::new(), vec![0, 0]);
        for line in 1..=lines as usize {
            let mut at = 1;
            loop {
                let first = bits.next_free(line, at);
                if first > len as usize {
                    break;
                }
                at = bits.run_end(line, first);
                spans.push((first as u32, at as u32 - 1));
            }
            first_of_line.push(spans.len() as u32);
        }
        Self { spans, first_of_line }
    }

    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    fn of_line(&self, line: usize) -> Range<u32> {
        self.first_of_line.get(line).copied().unwrap_or_default()
            ..self.first_of_line.get(line + 1).copied().unwrap_or_default()
    }

    /// The run of a free cell, by padded line and position.
    #[inline]
    pub(super) fn find(&self, line: u32, position: u32) -> u32 {
        let Range { start, end } = self.of_line(line as usize);
        start + self.spans[start as usize..end as usize].partition_point(|&(_, last)| last < position) as u32
    }

    /// The run of any cell of the map, if it has one.
    pub(super) fn get(&self, line: u32, position: u32) -> Option<u32> {
        let run = self.find(line, position);
        let is_inside = run < self.of_line(line as usize).end && self.spans[run as usize].0 <= position;
        is_inside.then_some(run)
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(&self.spans[..]) + size_of_val(&self.first_of_line[..])
    }

    /// The runs of all lines with their line.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, (u32, u32))> {
        (1..self.first_of_line.len() - 1)
            .flat_map(move |line| self.of_line(line).map(move |run| (line, self.spans[run as usize])))
    }

    /// For each run those of the line before that share a position with it, and those of the line behind.
    fn neighbours(&self) -> Vec<[Range<u32>; 2]> {
        let mut neighbours = vec![[0..0, 0..0]; self.len()];
        for line in 1..self.first_of_line.len() - 1 {
            for (side, other) in [(0, line - 1), (1, line + 1)] {
                let others = self.of_line(other);
                let mut first = others.start;
                for run in self.of_line(line) {
                    let (begin, end) = self.spans[run as usize];
                    while first < others.end && self.spans[first as usize].1 < begin {
                        first += 1;
                    }
                    let mut last = first;
                    while last < others.end && self.spans[last as usize].0 <= end {
                        last += 1;
                    }
                    neighbours[run as usize][side] = first..last;
                    // The last one may reach into the next run as well.
                    first = last.max(first + 1) - 1;
                }
            }
        }
        neighbours
    }
}

/// The runs of one axis and the tree of their blocks.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// For each run the block it lies in; a gate lies in the one above it.
    places: Vec<Place>,
    /// By number.
    blocks: Vec<Block>,
    /// The number of each padded line's first run.
    first_of_line: Vec<u32>,
}

/// A block as a run sees it: its number, and that of the first block behind its subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    block: u32,
    end: u32,
}

/// All that a query asks about a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    place: Place,
    run: u32,
}

impl Point {
    /// The block it lies in.
    pub(super) const fn block(self) -> u32 {
        self.place.block
    }

    pub(super) const fn run(self) -> u32 {
        self.run
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Block {
    /// The first block of its heavy path, and the one above that.
    head: u32,
    above: u32,
    /// The gate it hangs on.
    top: u32,
    /// The first number behind its subtree.
    end: u32,
}

impl Axis {
    /// The gates among `runs`.
    pub(super) fn build(runs: &Runs) -> Self {
        let (places, blocks) = BlockTree::new(runs).number();
        Self { places, blocks, first_of_line: runs.first_of_line.clone() }
    }

    /// The block of a run, or of no run.
    pub(super) fn block(&self, run: u32) -> Option<u32> {
        self.places.get(run as usize).map(|place| place.block)
    }

    /// How many blocks there are.
    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The gate that a block hangs on; [`NONE`] for the one above all trees.
    pub(super) fn top(&self, block: u32) -> u32 {
        if block == ROOT { NONE } else { self.blocks[block as usize].top }
    }

    /// The blocks that lie between two runs, with those that they are in; `None` if they are in different trees.
    pub(super) fn between(&self, runs: [u32; 2]) -> Option<Vec<u32>> {
        let above = |block: u32| {
            let Block { head, above, .. } = self.blocks[block as usize];
            if head == block { above } else { block - 1 }
        };
        let [mut a, mut b] = runs.map(|run| self.places[run as usize].block);
        // The runs by which they come to a block.
        let [mut by_a, mut by_b] = runs;
        let mut blocks = Vec::new();
        while a != b {
            // What is above has a smaller number.
            let (higher, by) = if a > b { (&mut a, &mut by_a) } else { (&mut b, &mut by_b) };
            blocks.push(*higher);
            *by = self.blocks[*higher as usize].top;
            *higher = above(*higher);
        }
        blocks.push(a);
        (a != ROOT || by_a == by_b).then_some(blocks)
    }

    /// All that a query asks about a run.
    #[inline]
    pub(super) fn spot(&self, run: u32) -> Point {
        Point { place: self.places[run as usize], run }
    }

    /// Which runs are gates.
    pub(super) fn gates(&self) -> Vec<bool> {
        let mut hanging = vec![0_u32; self.places.len()];
        for block in &self.blocks[1..] {
            hanging[block.top as usize] += 1;
        }
        // A run that Tarjan's search began with has no block above: it holds two together only if two hang on it.
        let is_gate = |(place, hanging): (&Place, u32)| hanging > u32::from(place.block == ROOT);
        self.places.iter().zip(hanging).map(is_gate).collect()
    }

    /// What a query between cells of two runs needs.
    pub(super) fn query(&self, start_run: u32, goal_run: u32) -> AxisQuery<'_> {
        let (start, goal) = (self.places[start_run as usize].block, self.places[goal_run as usize].block);
        // Climb from path to path until both are on one; remember where each came from last.
        let (mut a, mut b) = (start, goal);
        let (mut below_a, mut below_b) = (NONE, NONE);
        loop {
            let (on_a, on_b) = (self.blocks[a as usize], self.blocks[b as usize]);
            if on_a.head == on_b.head {
                break;
            }
            if on_a.head > on_b.head {
                (below_a, a) = (on_a.head, on_a.above);
            } else {
                (below_b, b) = (on_b.head, on_b.above);
            }
        }
        // The higher one is where they meet; the other came from the next block of the same path.
        let meeting = a.min(b);
        if a > meeting {
            below_a = meeting + 1;
        }
        if b > meeting {
            below_b = meeting + 1;
        }
        // The runs by which they enter the meeting block.
        let entry = |below: u32, own: u32| if below == NONE { own } else { self.blocks[below as usize].top };
        let (from, to) = (entry(below_a, start_run), entry(below_b, goal_run));
        let (block, run) = match () {
            () if from == to => {
                let lone_line = self.first_of_line.partition_point(|&first| first <= from) as u32 - 2;
                return AxisQuery { axis: self, start, goal, block: NONE, run: from, lone_line };
            }
            // Different trees: there is no way, and nothing need be searched.
            () if meeting == ROOT => {
                return AxisQuery { axis: self, start: NONE, goal: NONE, block: NONE, run: NONE, lone_line: NONE };
            }
            () => (meeting, self.blocks[meeting as usize].top),
        };
        AxisQuery { axis: self, start, goal, block, run, lone_line: NONE }
    }

    /// Memory in bytes.
    pub(super) fn size_bytes(&self) -> usize {
        self.places.len() * size_of::<Place>() + self.blocks.len() * size_of::<Block>()
    }

    /// The tree as plain numbers: for each run its block; and for each block its head, the one above, its top and its
    /// end.
    pub(super) fn to_words(&self) -> (Vec<u32>, Vec<u32>) {
        let places = self.places.iter().map(|place| place.block).collect();
        let blocks = self.blocks.iter().flat_map(|block| [block.head, block.above, block.top, block.end]).collect();
        (places, blocks)
    }

    /// The reverse of [`to_words`](Axis::to_words) for the runs of a map. Whatever the numbers are, no query on the
    /// result panics or goes on for ever.
    pub(super) fn from_words(runs: &Runs, places: &[u32], blocks: &[u32]) -> Result<Self, String> {
        if places.len() != runs.len() {
            return Err(format!("it has {} runs, the map has {}", places.len(), runs.len()));
        }
        let (blocks, rest) = blocks.as_chunks::<4>();
        if blocks.is_empty() || !rest.is_empty() {
            return Err("its table of blocks is cut off".to_owned());
        }
        let count = blocks.len() as u32;
        let mut checked = Vec::with_capacity(blocks.len());
        for (number, &[head, above, top, end]) in (0..).zip(blocks) {
            let is_root = number == ROOT;
            let climbs = if head == ROOT { above == ROOT } else { above < head };
            let on_path = head <= number && (head == number || blocks[number as usize - 1][0] == head);
            let in_range = (top as usize) < runs.len() || is_root;
            if !(climbs && on_path && in_range && number < end && end <= count) {
                return Err(format!("block {number} is not part of a tree"));
            }
            checked.push(Block { head, above, top, end });
        }
        let place = |&block: &u32| {
            let found = checked.get(block as usize).ok_or_else(|| format!("there is no block {block}"))?;
            Ok(Place { block, end: found.end })
        };
        let places = places.iter().map(place).collect::<Result<_, String>>()?;
        Ok(Self { places, blocks: checked, first_of_line: runs.first_of_line.clone() })
    }
}

/// A query on one axis: the blocks of start and goal, and the block and the run where their ways meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxisQuery<'a> {
    axis: &'a Axis,
    start: u32,
    goal: u32,
    block: u32,
    run: u32,
    /// The line of the run, not padded, if the query needs that run but not its block.
    pub(super) lone_line: u32,
}

impl AxisQuery<'_> {
    /// Whether the query may need this run.
    #[inline]
    pub(super) fn allows(&self, run: u32) -> bool {
        self.allows_spot(self.axis.spot(run))
    }

    /// Whether the query may need the run of a spot.
    #[inline]
    pub(super) fn allows_spot(&self, Point { place: Place { block, end }, run }: Point) -> bool {
        let size = end - block;
        let has_start = self.start.wrapping_sub(block) < size;
        let has_goal = self.goal.wrapping_sub(block) < size;
        has_start != has_goal || block == self.block || run == self.run
    }
}

/// The block-cut tree as Tarjan's search finds it: every block behind those below it.
struct BlockTree {
    /// For each run the block it was found in, or `NONE` for the first of a component.
    block_of: Vec<u32>,
    /// For each block its top.
    tops: Vec<u32>,
}

impl BlockTree {
    fn new(runs: &Runs) -> Self {
        let neighbours = runs.neighbours();
        let count = runs.len();
        let mut visits = vec![Visit::default(); count];
        let (mut block_of, mut tops) = (vec![NONE; count], Vec::new());
        let (mut time, mut way, mut waiting) = (0, Vec::new(), Vec::new());
        for first in 0..count as u32 {
            if visits[first as usize].time != 0 {
                continue;
            }
            time += 1;
            visits[first as usize] = Visit { time, low: time, next: 0, from: NONE };
            way.push(first);
            while let Some(&at) = way.last() {
                let visit = &mut visits[at as usize];
                let [before, behind] = &neighbours[at as usize];
                let (next, from) = (visit.next, visit.from);
                visit.next += 1;
                let beside = if next < before.len() as u32 {
                    before.start + next
                } else {
                    behind.start + (next - before.len() as u32)
                };
                if next < before.len() as u32 || beside < behind.end {
                    let seen = visits[beside as usize].time;
                    if seen == 0 {
                        time += 1;
                        visits[beside as usize] = Visit { time, low: time, next: 0, from: at };
                        way.push(beside);
                        waiting.push(beside);
                    } else if beside != from {
                        let visit = &mut visits[at as usize];
                        visit.low = visit.low.min(seen);
                    }
                    continue;
                }
                way.pop();
                if from == NONE {
                    continue;
                }
                let low = visits[at as usize].low;
                let parent = &mut visits[from as usize];
                parent.low = parent.low.min(low);
                if low >= parent.time {
                    // Nothing below reaches above the parent: all that still waits since is a block that hangs on it.
                    let block = tops.len() as u32;
                    tops.push(from);
                    while let Some(run) = waiting.pop() {
                        block_of[run as usize] = block;
                        if run == at {
                            break;
                        }
                    }
                }
            }
        }
        Self { block_of, tops }
    }

    /// Numbers the blocks in preorder along heavy paths, the virtual root first.
    fn number(&self) -> (Vec<Place>, Vec<Block>) {
        let count = self.tops.len();
        let root = count;
        let index = |block: u32| if block == NONE { root } else { block as usize };
        let parent = |block: usize| index(self.block_of[self.tops[block] as usize]);
        // Blocks come behind those below them: one pass adds up, another hands down.
        let mut sizes = vec![1_u32; count + 1];
        for block in 0..count {
            sizes[parent(block)] += sizes[block];
        }
        let mut heavy = vec![NONE; count + 1];
        for block in 0..count {
            let best = &mut heavy[parent(block)];
            if *best == NONE || sizes[*best as usize] < sizes[block] {
                *best = block as u32;
            }
        }
        let mut numbers = vec![ROOT; count + 1];
        // Where the next light subtree of a block begins.
        let mut free = vec![0_u32; count + 1];
        let mut blocks = vec![Block::default(); count + 1];
        for block in (0..=count).rev() {
            if block != root {
                let parent = parent(block);
                let above = numbers[parent];
                let number = if heavy[parent] == block as u32 {
                    above + 1
                } else {
                    free[parent] += sizes[block];
                    free[parent] - sizes[block]
                };
                numbers[block] = number;
                blocks[number as usize] = if heavy[parent] == block as u32 {
                    Block { top: self.tops[block], ..blocks[above as usize] }
                } else {
                    Block { head: number, above, top: self.tops[block], end: 0 }
                };
            }
            let number = numbers[block];
            blocks[number as usize].end = number + sizes[block];
            let heavy_size = if heavy[block] == NONE { 0 } else { sizes[heavy[block] as usize] };
            free[block] = number + 1 + heavy_size;
        }
        let place = |&block: &u32| {
            let block = numbers[index(block)];
            Place { block, end: blocks[block as usize].end }
        };
        (self.block_of.iter().map(place).collect(), blocks)
    }
}

/// A run in Tarjan's search: when it was found (from 1), the earliest that its subtree reaches, its next neighbour to
/// look at, and where the search came from.
#[derive(Clone, Copy, Default)]
struct Visit {
    time: u32,
    low: u32,
    next: u32,
    from: u32,
}
