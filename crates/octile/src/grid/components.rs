//! Connected components: "no path" answered without a search.
//!
//! Under all three movement rules two cells are connected exactly if they are connected by straight moves alone: a
//! diagonal move needs at least one free side cell, and stepping over that cell joins the same two ends. So one labelling
//! serves all rules. Any-angle planners that may squeeze between obstacles need another, in which cells that touch at a
//! corner hang together too: [`Contact`] tells which. A labelling is made from the maximal free runs of each row with a union-find, then kept up to date under
//! edits at a cost proportional to the edit:
//!
//! - Freeing a cell merges the labels around it: exact.
//! - Blocking a cell may split a component, which no local rule can find out. If the free cells around it still hang
//!   together around it, nothing split; otherwise the labelling becomes an over-approximation: different labels still
//!   mean "no path", equal labels no longer promise one, and the search finds out. [`Components::is_exact`] tells.

use super::bits::BitLines;
use crate::geometry::CellId;

/// The label of blocked cells.
const BLOCKED: u32 = u32::MAX;

/// Which cells hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contact {
    /// Those with a side in common.
    Sides,
    /// Those with a corner in common.
    Corners,
}

/// A label for every cell, equal for cells that hang together.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    contact: Contact,
    labels: Vec<u32>,
    /// Union-find forest over labels; roots point at themselves.
    parents: Vec<u32>,
    /// The height of the tree under a root at most: the lower tree is hung under the higher, so none grows beyond the
    /// logarithm of its labels.
    ranks: Vec<u8>,
    exact: bool,
}

impl Components {
    /// Labels `height` rows of padded `stride` cells.
    pub(crate) fn label(rows: &BitLines, stride: usize, height: usize, contact: Contact) -> Self {
        let labels = vec![BLOCKED; stride * (height + 2)];
        let mut components = Self { contact, labels, parents: Vec::new(), ranks: Vec::new(), exact: true };
        for y in 1..=height {
            components.label_row(rows, stride, y);
        }
        components.flatten();
        components
    }

    /// Gives each free run of row `y` the label of the runs above it, joined, or a new one.
    fn label_row(&mut self, rows: &BitLines, stride: usize, y: usize) {
        let reach = usize::from(self.contact == Contact::Corners);
        let mut x = rows.next_free(y, 1);
        while x < stride {
            let end = rows.run_end(y, x);
            let mut label = BLOCKED;
            let mut above = rows.next_free(y - 1, x - reach);
            while above < end + reach {
                label = self.merge(label, self.labels[(y - 1) * stride + above]);
                above = rows.next_free(y - 1, rows.run_end(y - 1, above));
            }
            let label = self.or_new(label);
            self.labels[y * stride + x..y * stride + end].fill(label);
            x = rows.next_free(y, end);
        }
    }

    /// Points every label straight at its root, so that lookups need one step.
    fn flatten(&mut self) {
        for label in 0..self.parents.len() {
            self.parents[label] = self.root(label as u32);
        }
    }

    fn root(&self, mut label: u32) -> u32 {
        while self.parents[label as usize] != label {
            label = self.parents[label as usize];
        }
        label
    }

    /// Joins two components; either may be [`BLOCKED`], which joins nothing. Returns the root.
    fn merge(&mut self, a: u32, b: u32) -> u32 {
        if a == BLOCKED || b == BLOCKED {
            return a.min(b);
        }
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return a;
        }
        let (low, high) = if self.ranks[a as usize] < self.ranks[b as usize] { (a, b) } else { (b, a) };
        self.ranks[high as usize] = self.ranks[high as usize].max(self.ranks[low as usize] + 1);
        self.parents[low as usize] = high;
        high
    }

    /// The label, or a new one if it is [`BLOCKED`].
    fn or_new(&mut self, label: u32) -> u32 {
        if label != BLOCKED {
            return label;
        }
        self.parents.push(self.parents.len() as u32);
        self.ranks.push(0);
        self.parents.len() as u32 - 1
    }

    /// Whether a path between the two free cells may exist. If [`Self::is_exact`], it does.
    #[inline]
    pub(crate) fn may_connect(&self, a: CellId, b: CellId) -> bool {
        self.root(self.labels[a.index()]) == self.root(self.labels[b.index()])
    }

    pub(crate) fn is_exact(&self) -> bool {
        self.exact
    }

    /// How many free cells share a label at most.
    pub(crate) fn largest(&self) -> u32 {
        self.sizes().into_iter().max().unwrap_or_default()
    }

    /// How many free cells each root has.
    fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.parents.len()];
        for &label in self.labels.iter().filter(|&&label| label != BLOCKED) {
            sizes[self.root(label) as usize] += 1;
        }
        sizes
    }

    /// How many labels are in use by free cells.
    pub(crate) fn count(&self) -> usize {
        self.sizes().into_iter().filter(|&size| size > 0).count()
    }

    /// The free cells outside the largest component, or outside the first of those if several are equally large.
    pub(crate) fn outside_largest(&self) -> impl Iterator<Item = CellId> + '_ {
        let sizes = self.sizes();
        let free = self.labels.iter().filter(|&&label| label != BLOCKED).map(|&label| self.root(label));
        let largest = free.rev().max_by_key(|&root| sizes[root as usize]);
        let is_outside = move |label| label != BLOCKED && Some(self.root(label)) != largest;
        (0..).zip(&self.labels).filter(move |&(_, &label)| is_outside(label)).map(|(id, _)| CellId(id))
    }

    /// Follows an edit: `id` is now free or blocked, as perhaps it was.
    pub(crate) fn set(&mut self, id: CellId, stride: usize, free: bool) {
        match (self.labels[id.index()] != BLOCKED, free) {
            (false, true) => self.freed(id, stride),
            (true, false) => self.blocked(id, stride),
            _ => {}
        }
    }

    /// Follows an edit: `id` has just become free.
    pub(crate) fn freed(&mut self, id: CellId, stride: usize) {
        let mut label = BLOCKED;
        for (place, beside) in ring(id, stride).into_iter().enumerate() {
            let counts = self.contact == Contact::Corners || place % 2 == 0;
            if counts && self.labels[beside] != label {
                label = self.merge(label, self.labels[beside]);
            }
        }
        self.labels[id.index()] = self.or_new(label);
    }

    /// Follows an edit: `id` has just become blocked.
    pub(crate) fn blocked(&mut self, id: CellId, stride: usize) {
        self.labels[id.index()] = BLOCKED;
        if self.exact {
            let is_free = |free: u8, beside: usize| free << 1 | u8::from(self.labels[beside] != BLOCKED);
            self.exact = hangs_together(ring(id, stride).into_iter().fold(0, is_free), self.contact);
        }
    }
}

/// The padded ids of the eight cells around one, clockwise from north: even places lie straight beside it.
fn ring(id: CellId, stride: usize) -> [usize; 8] {
    let id = id.index();
    let (above, below) = (id - stride, id + stride);
    [above, above + 1, id + 1, below + 1, below, below - 1, id - 1, above - 1]
}

/// Whether the neighbours of a cell still hang together around it, given which cells of its [`ring`] are free, the last as the lowest bit: whether these are
/// one run at most, of those that count.
fn hangs_together(free: u8, contact: Contact) -> bool {
    /// The places of the diagonal neighbours.
    const DIAGONAL: u8 = 0b0101_0101;
    let (left, right) = (free.rotate_left(1), free.rotate_right(1));
    let free = match contact {
        // A diagonal neighbour by itself is none.
        Contact::Sides => free & !(DIAGONAL & !left & !right),
        // Two straight neighbours touch across a blocked diagonal one: such a gap splits nothing.
        Contact::Corners => free | DIAGONAL & left & right,
    };
    (free & !free.rotate_left(1)).count_ones() <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All rings, beside a walk from free cell to free cell.
    #[test]
    fn neighbours_hang_together_if_a_walk_around_joins_them() {
        for free in 0..=u8::MAX {
            let is_free = |place: usize| free >> (7 - place % 8) & 1 == 1;
            for contact in [Contact::Sides, Contact::Corners] {
                let is_neighbour =
                    |place: usize| is_free(place) && (contact == Contact::Corners || place.is_multiple_of(2));
                let touch = |a: usize| match contact {
                    Contact::Corners if a.is_multiple_of(2) => is_free(a + 1) || is_free(a + 2),
                    _ => is_free(a + 1),
                };
                // From each neighbour clockwise as far as one goes, and then from the first of all that hang together.
                let neighbours: Vec<usize> = (0..8).filter(|&place| is_neighbour(place)).collect();
                let far = |start: usize| {
                    let mut at = start;
                    while at < start + 8 && touch(at) {
                        at += if is_free(at + 1) { 1 } else { 2 };
                    }
                    at
                };
                let reaches = |start: usize, other: usize| (start..=far(start)).any(|at| at % 8 == other);
                let expected = neighbours.is_empty()
                    || neighbours.iter().any(|&start| neighbours.iter().all(|&other| reaches(start, other)));
                assert_eq!(hangs_together(free, contact), expected, "{free:08b} {contact:?}");
            }
        }
    }
}
