//! The gates of one axis: the free runs of all rows (or columns), the blocks they form, and the blocks that a query
//! needs.
//!
//! The runs are the nodes of a graph. Two runs of neighbouring lines are joined if they share a position. A run whose
//! removal disconnects the graph is a gate. A *block* is a maximal set of runs that no single gate disconnects. Blocks
//! and gates form a tree (the block-cut tree). Tarjan's algorithm finds it in one pass and identifies each block by its
//! *top*, the gate through which it entered the block.
//!
//! A path from one run to another passes the blocks between theirs in that tree, and no other block. The blocks are
//! numbered in preorder along heavy paths. So a subtree is an interval of numbers, "lies between" takes four
//! comparisons, and the block where two blocks' paths meet is found in O(log n) jumps from heavy path to heavy path.

use std::ops::Range;

use crate::grid::bits::BitLines;

/// No run or block.
pub(super) const NONE: u32 = u32::MAX;

/// The number of the virtual block above all trees. Its only own runs are those where Tarjan's search began.
const ROOT: u32 = 0;

/// The free runs of all lines, numbered line by line.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    /// First and last padded position of each run.
    spans: Vec<(u32, u32)>,
    /// The number of each padded line's first run, and one more entry at the end.
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

    /// The run of a free cell, given its padded line and position.
    #[inline]
    pub(super) fn find(&self, line: u32, position: u32) -> u32 {
        let Range { start, end } = self.of_line(line as usize);
        start + self.spans[start as usize..end as usize].partition_point(|&(_, last)| last < position) as u32
    }

    /// The run of any cell of the map, if the cell has one.
    pub(super) fn get(&self, line: u32, position: u32) -> Option<u32> {
        let run = self.find(line, position);
        let is_inside = run < self.of_line(line as usize).end && self.spans[run as usize].0 <= position;
        is_inside.then_some(run)
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(&self.spans[..]) + size_of_val(&self.first_of_line[..])
    }

    /// All runs, each with its line.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, (u32, u32))> {
        (1..self.first_of_line.len() - 1)
            .flat_map(move |line| self.of_line(line).map(move |run| (line, self.spans[run as usize])))
    }

    /// For each run, the runs of the line before and of the line after that share a position with it.
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
                    // The last run may also overlap the next run of this line.
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
    /// For each run, the subtree of its block; a gate belongs to the block above it.
    subtrees: Vec<Subtree>,
    /// The blocks, by number.
    blocks: Vec<Block>,
    /// The number of each padded line's first run.
    first_of_line: Vec<u32>,
}

/// The subtree of a block: the block's number, and the first number after its subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Subtree {
    block: u32,
    end: u32,
}

/// A run and its block: all that the tests of a query read.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunBlock {
    subtree: Subtree,
    run: u32,
}

impl RunBlock {
    /// The block of the run.
    pub(super) const fn block(self) -> u32 {
        self.subtree.block
    }

    pub(super) const fn run(self) -> u32 {
        self.run
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Block {
    /// The first block of its heavy path, and the block above that one.
    head: u32,
    above: u32,
    /// The gate by which the block hangs on the block above.
    top: u32,
    /// The first number after its subtree.
    end: u32,
}

impl Axis {
    /// Finds the gates among `runs`.
    pub(super) fn build(runs: &Runs) -> Self {
        let (subtrees, blocks) = BlockTree::new(runs).number();
        Self { subtrees, blocks, first_of_line: runs.first_of_line.clone() }
    }

    /// The block of a run; `None` for [`NONE`].
    pub(super) fn block(&self, run: u32) -> Option<u32> {
        self.subtrees.get(run as usize).map(|subtree| subtree.block)
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The gate by which a block hangs on the block above; [`NONE`] for the virtual block above all trees.
    pub(super) fn top(&self, block: u32) -> u32 {
        if block == ROOT { NONE } else { self.blocks[block as usize].top }
    }

    /// The blocks on the tree path between two runs, with the blocks of both runs; `None` if the runs are in different
    /// trees.
    pub(super) fn between(&self, runs: [u32; 2]) -> Option<Vec<u32>> {
        let above = |block: u32| {
            let Block { head, above, .. } = self.blocks[block as usize];
            if head == block { above } else { block - 1 }
        };
        let [mut a, mut b] = runs.map(|run| self.subtrees[run as usize].block);
        // The runs through which the two paths enter their blocks.
        let [mut by_a, mut by_b] = runs;
        let mut blocks = Vec::new();
        while a != b {
            // A block above has a smaller number, so the larger number climbs.
            let (lower, by) = if a > b { (&mut a, &mut by_a) } else { (&mut b, &mut by_b) };
            blocks.push(*lower);
            *by = self.blocks[*lower as usize].top;
            *lower = above(*lower);
        }
        blocks.push(a);
        (a != ROOT || by_a == by_b).then_some(blocks)
    }

    /// The run with its block.
    #[inline]
    pub(super) fn run_block(&self, run: u32) -> RunBlock {
        RunBlock { subtree: self.subtrees[run as usize], run }
    }

    /// Which runs are gates.
    pub(super) fn gates(&self) -> Vec<bool> {
        let mut hanging = vec![0_u32; self.subtrees.len()];
        for block in &self.blocks[1..] {
            hanging[block.top as usize] += 1;
        }
        // A run where Tarjan's search began has no block above: it is a gate only if two blocks hang on it.
        let is_gate = |(subtree, hanging): (&Subtree, u32)| hanging > u32::from(subtree.block == ROOT);
        self.subtrees.iter().zip(hanging).map(is_gate).collect()
    }

    /// The blocks and the run that a query between cells of two runs needs.
    pub(super) fn query(&self, start_run: u32, goal_run: u32) -> AxisQuery<'_> {
        let (start, goal) = (self.subtrees[start_run as usize].block, self.subtrees[goal_run as usize].block);
        // Climb from heavy path to heavy path until both are on one. Remember the last block that each left.
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
        // The higher block is where they meet; the other one reached it from the next block of the same path.
        let meeting = a.min(b);
        if a > meeting {
            below_a = meeting + 1;
        }
        if b > meeting {
            below_b = meeting + 1;
        }
        // The runs through which they enter the meeting block.
        let entry = |below: u32, own: u32| if below == NONE { own } else { self.blocks[below as usize].top };
        let (from, to) = (entry(below_a, start_run), entry(below_b, goal_run));
        let (block, run) = match () {
            () if from == to => {
                let lone_line = self.first_of_line.partition_point(|&first| first <= from) as u32 - 2;
                return AxisQuery { axis: self, start, goal, block: NONE, run: from, lone_line };
            }
            // Different trees: no path exists, so nothing needs to be searched.
            () if meeting == ROOT => {
                return AxisQuery { axis: self, start: NONE, goal: NONE, block: NONE, run: NONE, lone_line: NONE };
            }
            () => (meeting, self.blocks[meeting as usize].top),
        };
        AxisQuery { axis: self, start, goal, block, run, lone_line: NONE }
    }

    /// Memory in bytes.
    pub(super) fn size_bytes(&self) -> usize {
        self.subtrees.len() * size_of::<Subtree>() + self.blocks.len() * size_of::<Block>()
    }

    /// The tree as plain numbers: the block of each run, and for each block its head, the block above, its top and its
    /// end.
    pub(super) fn to_words(&self) -> (Vec<u32>, Vec<u32>) {
        let subtrees = self.subtrees.iter().map(|subtree| subtree.block).collect();
        let blocks = self.blocks.iter().flat_map(|block| [block.head, block.above, block.top, block.end]).collect();
        (subtrees, blocks)
    }

    /// The reverse of [`to_words`](Axis::to_words) for the runs of a map. For any numbers, a query on the result
    /// neither panics nor loops forever.
    pub(super) fn from_words(runs: &Runs, subtrees: &[u32], blocks: &[u32]) -> Result<Self, String> {
        if subtrees.len() != runs.len() {
            return Err(format!("it has {} runs, the map has {}", subtrees.len(), runs.len()));
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
        let subtree = |&block: &u32| {
            let found = checked.get(block as usize).ok_or_else(|| format!("there is no block {block}"))?;
            Ok(Subtree { block, end: found.end })
        };
        let subtrees = subtrees.iter().map(subtree).collect::<Result<_, String>>()?;
        Ok(Self { subtrees, blocks: checked, first_of_line: runs.first_of_line.clone() })
    }
}

/// A query on one axis: the blocks of start and goal, and the block and the run where their paths in the tree meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxisQuery<'a> {
    axis: &'a Axis,
    start: u32,
    goal: u32,
    block: u32,
    run: u32,
    /// The unpadded line of `run` if the query needs that run but no block; else [`NONE`].
    pub(super) lone_line: u32,
}

impl AxisQuery<'_> {
    /// Whether the query may need this run.
    #[inline]
    pub(super) fn allows(&self, run: u32) -> bool {
        self.allows_block(self.axis.run_block(run))
    }

    /// Whether the query may need a run, given with its block.
    #[inline]
    pub(super) fn allows_block(&self, RunBlock { subtree: Subtree { block, end }, run }: RunBlock) -> bool {
        let size = end - block;
        let has_start = self.start.wrapping_sub(block) < size;
        let has_goal = self.goal.wrapping_sub(block) < size;
        has_start != has_goal || block == self.block || run == self.run
    }
}

/// The block-cut tree as Tarjan's search finds it: every block comes after the blocks below it.
struct BlockTree {
    /// For each run, the block it was found in; `NONE` for the first run of a component.
    block_of: Vec<u32>,
    /// The top of each block.
    tops: Vec<u32>,
}

impl BlockTree {
    fn new(runs: &Runs) -> Self {
        let neighbours = runs.neighbours();
        let count = runs.len();
        let mut visits = vec![Visit::default(); count];
        let (mut block_of, mut tops) = (vec![NONE; count], Vec::new());
        let (mut time, mut stack, mut waiting) = (0, Vec::new(), Vec::new());
        for first in 0..count as u32 {
            if visits[first as usize].time != 0 {
                continue;
            }
            time += 1;
            visits[first as usize] = Visit { time, low: time, next: 0, from: NONE };
            stack.push(first);
            while let Some(&at) = stack.last() {
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
                        stack.push(beside);
                        waiting.push(beside);
                    } else if beside != from {
                        let visit = &mut visits[at as usize];
                        visit.low = visit.low.min(seen);
                    }
                    continue;
                }
                stack.pop();
                if from == NONE {
                    continue;
                }
                let low = visits[at as usize].low;
                let parent = &mut visits[from as usize];
                parent.low = parent.low.min(low);
                if low >= parent.time {
                    // Nothing below reaches above the parent: all runs still waiting since then form a block that hangs
                    // on the parent.
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

    /// Numbers the blocks in preorder along heavy paths, starting with the virtual root.
    fn number(&self) -> (Vec<Subtree>, Vec<Block>) {
        let count = self.tops.len();
        let root = count;
        let index = |block: u32| if block == NONE { root } else { block as usize };
        let parent = |block: usize| index(self.block_of[self.tops[block] as usize]);
        // Every block comes after the blocks below it: one pass sums up sizes, another passes numbers down.
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
        // The first number of a block's next light subtree.
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
        let subtree = |&block: &u32| {
            let block = numbers[index(block)];
            Subtree { block, end: blocks[block as usize].end }
        };
        (self.block_of.iter().map(subtree).collect(), blocks)
    }
}

/// State of a run in Tarjan's search: its discovery time (from 1), the earliest time its subtree reaches, the next
/// neighbour to visit, and the run it was reached from.
#[derive(Clone, Copy, Default)]
struct Visit {
    time: u32,
    low: u32,
    next: u32,
    from: u32,
}
