//! Links between the nodes of neighbouring blocks, and the components they form.

use super::block::{BLOCKED, Borders, SIDE};
use super::{Components, Contact, NONE};
use crate::geometry::order;

/// Working memory for following an edit; empty between edits, but keeps its capacity.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// Blocks whose borders may have changed, with the old borders.
    kept: Vec<(u32, Borders)>,
    /// Nodes that may have gained their first cell or lost their last: block and label.
    pub(super) nodes: Vec<(u32, u16)>,
    /// The links across a border before and after.
    before: Vec<(u16, u16)>,
    after: Vec<(u16, u16)>,
    /// Links between nodes that disappeared, and links that appeared.
    removed: Vec<(u32, u32)>,
    added: Vec<(u32, u32)>,
    searches: Vec<Search>,
    /// Visited nodes, in the order of their discovery.
    found: Vec<u32>,
    /// Searches from ends of removed links, with the component each end belonged to.
    claims: Vec<Claim>,
    /// For each claimed component, the number of unfinished searches that claim it.
    counts: Vec<u32>,
}

/// Cloned between edits, when there is nothing to copy.
impl Clone for Work {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The search for all nodes connected with a start node.
#[derive(Clone, Copy, Debug)]
struct Search {
    /// The search this one was merged into, or itself.
    parent: u32,
    /// The number of discovered nodes whose links have not been followed: at 0 the search is finished.
    open: u32,
    component: u32,
    /// The first of its claims, or [`NONE`].
    claim: u32,
}

/// Records that a search started in an old component.
#[derive(Clone, Copy, Debug)]
struct Claim {
    component: u32,
    search: u32,
    /// The index of the component among those claimed.
    place: u32,
    /// The next claim of the same search, or [`NONE`].
    next: u32,
}

/// Half of the directions to neighbouring blocks, so that each border is visited from one side only. Clockwise from
/// north.
const FORWARD: [usize; 4] = [2, 4, 3, 5];

impl Components {
    /// Saves the borders of a block before it changes, once, and returns the index of the saved copy.
    pub(super) fn keep_borders(&mut self, at: usize) -> u32 {
        let block = &mut self.blocks[at];
        if block.kept == NONE {
            block.kept = self.work.kept.len() as u32;
            self.work.kept.push((at as u32, block.borders));
        }
        block.kept
    }

    /// Merges two components, either of which may be [`NONE`].
    pub(super) fn join_components(&mut self, a: u32, b: u32) -> u32 {
        if a == NONE || b == NONE { a.min(b) } else { merge(&mut self.parents, &mut self.ranks, a, b) }
    }

    /// The directions to blocks that cells may touch: straight ones, or all.
    fn directions(&self) -> impl Iterator<Item = usize> + use<> {
        (0..8).step_by(if self.contact == Contact::Sides { 2 } else { 1 })
    }

    /// The neighbour of a block in a direction, clockwise from north.
    fn neighbour(&self, at: usize, dir: usize) -> Option<usize> {
        let (x, y) = (at % self.columns, at / self.columns);
        let x = x.checked_add_signed([0, 1, 1, 1, 0, -1, -1, -1][dir]).filter(|&x| x < self.columns)?;
        let y = y.checked_add_signed([-1, -1, 0, 1, 1, 1, 0, -1][dir])?;
        Some(y * self.columns + x).filter(|&at| at < self.blocks.len())
    }

    /// Follows all links and renumbers the components.
    pub(super) fn link_all(&mut self) {
        if self.wasted > self.nodes.len() / 2 {
            self.pack_nodes();
        }
        self.parents.clear();
        self.parents.extend(0..self.nodes.len() as u32);
        self.ranks.clear();
        self.ranks.resize(self.nodes.len(), 0);
        for at in 0..self.blocks.len() {
            for dir in FORWARD.into_iter().take(if self.contact == Contact::Sides { 2 } else { 4 }) {
                let Some(other) = self.neighbour(at, dir) else { continue };
                let (own, beside) = (&self.blocks[at], &self.blocks[other]);
                let (parents, ranks) = (&mut self.parents, &mut self.ranks);
                let mut last = (BLOCKED, BLOCKED);
                each_link(&own.borders, &beside.borders, dir, self.contact, |link| {
                    if link != last {
                        merge(parents, ranks, own.first + u32::from(link.0), beside.first + u32::from(link.1));
                        last = link;
                    }
                });
            }
        }
        let mut numbers = vec![NONE; self.nodes.len()];
        let mut count = 0;
        for node in 0..self.nodes.len() {
            self.nodes[node].component = NONE;
            if self.nodes[node].cells > 0 {
                let root = find(&mut self.parents, node as u32) as usize;
                if numbers[root] == NONE {
                    numbers[root] = count;
                    count += 1;
                }
                self.nodes[node].component = numbers[root];
            }
        }
        self.parents.clear();
        self.parents.extend(0..count);
        self.ranks.clear();
        self.ranks.resize(count as usize, 0);
    }

    /// Removes nodes that belong to no block.
    fn pack_nodes(&mut self) {
        let mut packed = Vec::with_capacity(self.nodes.len() - self.wasted);
        for block in &mut self.blocks {
            let nodes = &self.nodes[block.first as usize..][..usize::from(block.room)];
            block.first = packed.len() as u32;
            packed.extend_from_slice(nodes);
        }
        self.nodes = packed;
        self.wasted = 0;
    }

    /// Updates the components, after all cells of an edit have their labels.
    pub(super) fn settle(&mut self) {
        if self.work.kept.is_empty() && self.work.nodes.is_empty() {
            return;
        }
        let mut work = std::mem::take(&mut self.work);
        self.compare_links(&mut work);
        self.begin(&mut work);
        // The searches take at most about as long as following all links. If many start, few finish early.
        let most = self.nodes.len() / 16 + 16;
        let is_known = work.claims.len() <= most / 16 + 16 && self.search(&mut work, most);
        if is_known {
            self.name_components(&mut work);
        }
        for &node in &work.found {
            self.nodes[node as usize].seen = NONE;
        }
        if !is_known || self.parents.len() > 2 * self.nodes.len() + 1024 || self.wasted > self.nodes.len() / 2 + 64 {
            self.link_all();
        }
        let Work { kept, nodes, removed, added, searches, found, claims, counts, .. } = &mut work;
        kept.clear();
        nodes.clear();
        removed.clear();
        added.clear();
        searches.clear();
        found.clear();
        claims.clear();
        counts.clear();
        self.work = work;
    }

    /// Finds the links that appeared or disappeared.
    fn compare_links(&mut self, work: &mut Work) {
        let Work { kept, before, after, removed, added, .. } = work;
        for &(at, ref borders) in &*kept {
            let own = &self.blocks[at as usize];
            for dir in self.directions() {
                let Some(other) = self.neighbour(at as usize, dir) else { continue };
                let beside = &self.blocks[other];
                let beside_before = kept.get(beside.kept as usize).map_or(&beside.borders, |(_, borders)| borders);
                // A border between two changed blocks is visited from one side only.
                let is_double = beside.kept != NONE && (other as u32) < at;
                if is_double || is_same(&own.borders, borders, dir) && is_same(&beside.borders, beside_before, dir ^ 4)
                {
                    continue;
                }
                links_between(borders, beside_before, dir, self.contact, before);
                links_between(&own.borders, &beside.borders, dir, self.contact, after);
                let node = |link: (u16, u16)| (own.first + u32::from(link.0), beside.first + u32::from(link.1));
                let is_in = |links: &[(u16, u16)], link: &(u16, u16)| links.binary_search(link).is_ok();
                removed.extend(before.iter().filter(|&link| !is_in(after, link)).map(|&link| node(link)));
                added.extend(after.iter().filter(|&link| !is_in(before, link)).map(|&link| node(link)));
            }
        }
        for &(at, _) in &*kept {
            self.blocks[at as usize].kept = NONE;
        }
    }

    /// Starts a search at each new node, and at both ends of each new or removed link.
    fn begin(&mut self, work: &mut Work) {
        for &(at, label) in &work.nodes {
            let node = (self.blocks[at as usize].first + u32::from(label)) as usize;
            if self.nodes[node].cells == 0 {
                self.nodes[node].component = NONE;
            } else if self.nodes[node].component == NONE {
                self.begin_at(node as u32, &mut work.searches, &mut work.found);
            }
        }
        for &(a, b) in &work.removed {
            for node in [a, b] {
                if self.nodes[node as usize].cells > 0 {
                    let search = self.begin_at(node, &mut work.searches, &mut work.found);
                    let component = self.root(self.nodes[node as usize].component);
                    work.claims.push(Claim { component, search, place: NONE, next: NONE });
                }
            }
        }
        for &(a, b) in &work.added {
            let [a, b] = [a, b].map(|node| self.begin_at(node, &mut work.searches, &mut work.found));
            meet(&mut work.searches, a, b);
        }
        work.count_claims();
    }

    /// Starts a search at a node, unless one has reached it already.
    fn begin_at(&mut self, node: u32, searches: &mut Vec<Search>, found: &mut Vec<u32>) -> u32 {
        let seen = &mut self.nodes[node as usize].seen;
        if *seen == NONE {
            *seen = searches.len() as u32;
            searches.push(Search { parent: *seen, open: 1, component: NONE, claim: NONE });
            found.push(node);
        }
        *seen
    }

    /// Advances all searches in turn until at most one unfinished search claims each old component. Gives up after
    /// `most` nodes and returns `false`.
    ///
    /// Every node that was connected with an end of a removed link is still connected with one of those ends. So the
    /// nodes that no search has reached belong to the only unfinished search.
    fn search(&mut self, work: &mut Work, most: usize) -> bool {
        let Work { searches, found, claims, counts, .. } = work;
        let mut torn = counts.iter().filter(|&&count| count > 1).count();
        let mut next = 0;
        while torn > 0 {
            if next == most {
                return false;
            }
            let node = found[next];
            next += 1;
            let mut own = root_of(searches, self.nodes[node as usize].seen);
            searches[own as usize].open -= 1;
            self.each_neighbour(node, |nodes, neighbour| {
                let seen = &mut nodes[neighbour as usize].seen;
                if *seen == NONE {
                    *seen = own;
                    found.push(neighbour);
                    searches[own as usize].open += 1;
                } else if let Some((kept, gone)) = meet(searches, own, *seen) {
                    torn -= move_claims(searches, claims, counts, kept, gone);
                    own = kept;
                }
            });
            if searches[own as usize].open == 0 {
                torn -= drop_claims(searches, claims, counts, own);
            }
        }
        true
    }

    /// Calls `found` with each node linked with `node`, possibly more than once.
    fn each_neighbour(&mut self, node: u32, mut found: impl FnMut(&mut [super::Node], u32)) {
        let at = self.nodes[node as usize].block as usize;
        for dir in self.directions() {
            let Some(other) = self.neighbour(at, dir) else { continue };
            let (own, beside) = (&self.blocks[at], &self.blocks[other]);
            let label = (node - own.first) as u16;
            if dir.is_multiple_of(2) && !own.borders[dir / 2].contains(&label) {
                continue;
            }
            let mut last = BLOCKED;
            each_link(&own.borders, &beside.borders, dir, self.contact, |link| {
                if link.0 == label && link.1 != last {
                    last = link.1;
                    found(&mut self.nodes, beside.first + u32::from(last));
                }
            });
        }
    }

    /// Sets the component of each visited node.
    fn name_components(&mut self, work: &mut Work) {
        let Work { searches, found, .. } = work;
        for &node in &*found {
            let search = root_of(searches, self.nodes[node as usize].seen) as usize;
            let component = self.nodes[node as usize].component;
            // Finished searches are named below.
            if searches[search].open > 0 && component != NONE {
                searches[search].component = self.join_components(searches[search].component, component);
            }
        }
        for &node in &*found {
            let search = root_of(searches, self.nodes[node as usize].seen) as usize;
            if searches[search].component == NONE {
                searches[search].component = self.parents.len() as u32;
                self.parents.push(self.parents.len() as u32);
                self.ranks.push(0);
            }
            self.nodes[node as usize].component = searches[search].component;
        }
    }
}

impl Work {
    /// The saved borders at an index.
    pub(super) fn borders(&mut self, place: u32) -> &mut Borders {
        &mut self.kept[place as usize].1
    }

    /// Gives each search its claims, and counts the claims on each component.
    fn count_claims(&mut self) {
        let Self { searches, claims, counts, .. } = self;
        for claim in &mut *claims {
            claim.search = root_of(searches, claim.search);
        }
        order::sort_by_key(claims, |claim| (claim.component, claim.search));
        claims.dedup_by_key(|claim| (claim.component, claim.search));
        let mut last = NONE;
        for (nth, claim) in (0..).zip(claims) {
            if claim.component != last {
                last = claim.component;
                counts.push(0);
            }
            claim.place = counts.len() as u32 - 1;
            counts[claim.place as usize] += 1;
            claim.next = std::mem::replace(&mut searches[claim.search as usize].claim, nth);
        }
    }
}

/// Moves the claims of a search to the one it merged into. Returns the number of components that now have a single
/// claim.
fn move_claims(searches: &mut [Search], claims: &mut [Claim], counts: &mut [u32], kept: u32, gone: u32) -> usize {
    let (mut whole, mut claim) = (0, std::mem::replace(&mut searches[gone as usize].claim, NONE));
    while claim != NONE {
        let Claim { place, next, .. } = claims[claim as usize];
        let mut own = searches[kept as usize].claim;
        while own != NONE && claims[own as usize].place != place {
            own = claims[own as usize].next;
        }
        if own == NONE {
            claims[claim as usize].next = std::mem::replace(&mut searches[kept as usize].claim, claim);
        } else {
            counts[place as usize] -= 1;
            whole += usize::from(counts[place as usize] == 1);
        }
        claim = next;
    }
    whole
}

/// Drops the claims of a finished search. Returns the same as [`hand_over`].
fn drop_claims(searches: &mut [Search], claims: &[Claim], counts: &mut [u32], search: u32) -> usize {
    let (mut whole, mut claim) = (0, std::mem::replace(&mut searches[search as usize].claim, NONE));
    while claim != NONE {
        let Claim { place, next, .. } = claims[claim as usize];
        counts[place as usize] -= 1;
        whole += usize::from(counts[place as usize] == 1);
        claim = next;
    }
    whole
}

/// The search that this one was merged into, directly or not.
fn root_of(searches: &[Search], mut search: u32) -> u32 {
    while searches[search as usize].parent != search {
        search = searches[search as usize].parent;
    }
    search
}

/// Merges two searches and returns the kept and the merged one; `None` if they are the same.
fn meet(searches: &mut [Search], a: u32, b: u32) -> Option<(u32, u32)> {
    let (a, b) = (root_of(searches, a), root_of(searches, b));
    if a == b {
        return None;
    }
    let (gone, kept) = if searches[a as usize].open < searches[b as usize].open { (a, b) } else { (b, a) };
    searches[kept as usize].open += searches[gone as usize].open;
    searches[gone as usize].parent = kept;
    Some((kept, gone))
}

/// The root of a component; shortens the path to it.
fn find(parents: &mut [u32], mut component: u32) -> u32 {
    while parents[component as usize] != component {
        let beyond = parents[parents[component as usize] as usize];
        parents[component as usize] = beyond;
        component = beyond;
    }
    component
}

/// Joins two components, and returns the root.
fn merge(parents: &mut [u32], ranks: &mut [u8], a: u32, b: u32) -> u32 {
    let (a, b) = (find(parents, a), find(parents, b));
    if a == b {
        return a;
    }
    let (low, high) = if ranks[a as usize] < ranks[b as usize] { (a, b) } else { (b, a) };
    ranks[high as usize] = ranks[high as usize].max(ranks[low as usize] + 1);
    parents[low as usize] = high;
    high
}

/// The label of the cell at a corner: north-east, south-east, south-west, north-west.
fn corner(borders: &Borders, dir: usize) -> u16 {
    borders[if dir == 1 || dir == 7 { 0 } else { 2 }][if dir < 4 { SIDE - 1 } else { 0 }]
}

/// Whether two borders are the same in a direction.
fn is_same(a: &Borders, b: &Borders, dir: usize) -> bool {
    if dir.is_multiple_of(2) { a[dir / 2] == b[dir / 2] } else { corner(a, dir) == corner(b, dir) }
}

/// Calls `found` with the labels of each pair of cells that touch across a border.
#[inline]
fn each_link(own: &Borders, beside: &Borders, dir: usize, contact: Contact, mut found: impl FnMut((u16, u16))) {
    let mut add = |own: u16, beside: u16| {
        if own != BLOCKED && beside != BLOCKED {
            found((own, beside));
        }
    };
    if dir % 2 == 1 {
        return add(corner(own, dir), corner(beside, dir ^ 4));
    }
    let (own, beside) = (&own[dir / 2], &beside[(dir ^ 4) / 2]);
    for place in 0..SIDE {
        if contact == Contact::Corners && place > 0 {
            add(own[place], beside[place - 1]);
            add(own[place - 1], beside[place]);
        }
        add(own[place], beside[place]);
    }
}

/// The links across a border, sorted, without duplicates.
fn links_between(own: &Borders, beside: &Borders, dir: usize, contact: Contact, out: &mut Vec<(u16, u16)>) {
    out.clear();
    each_link(own, beside, dir, contact, |link| {
        if out.last() != Some(&link) {
            out.push(link);
        }
    });
    order::sort(out);
    out.dedup();
}
