//! The database in the form that the search reads: one [`Table`] per pattern of the map, made when it is first needed.
//!
//! Patterns of 2 x 2, 3 x 3 and 4 x 4 cells are looked up in the [database](super::lddb::Lddb) of all patterns. For
//! larger blocks such a database would not fit into memory: their tables, and those of rectangles, are computed. Either
//! way, all maps of the process share the tables in use.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, Weak};

use super::lanes::LANES;
use super::lddb::{Block, Distances, INF, Lddb, NO_VIA, length, local, number_on_rim};
use super::points::{Lane, Layout, index, lanes_of, position, position_of};
use super::size::BlockSize;

/// A value for each lane of a block, side by side.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Rim<T>(pub(super) [[T; LANES]; 4]);

/// The distances of one pattern.
#[derive(Debug)]
pub(super) struct Table {
    /// From each point of the rim, by its [number](rim_number), to each lane, in the units of
    /// [`Narrow`](crate::geometry::units::Narrow). Rows of other points are computed when needed: the search reads only
    /// these, and the fewer cache lines they take the better.
    pub(super) rim: Box<[Rim<u32>]>,
    /// For each point, where the paths to the lanes turn first.
    pub(super) vias: Box<[[[u8; LANES]; 4]]>,
}

/// The number of a point on the rim.
pub(super) fn rim_number<P: Layout>(size: BlockSize, (x, y): (usize, usize)) -> Option<usize> {
    number_on_rim(size.points(P::EXTRA), x, y)
}

/// The number of a lane's point, if the side has this lane.
pub(super) fn lane_number<P: Layout>(size: BlockSize, lane: Lane) -> Option<usize> {
    (lane.1 < lanes_of(size, lane.0))
        .then(|| rim_number::<P>(size, position::<P>(size, lane)).expect("lanes are on the rim"))
}

impl Table {
    fn new<P: Layout>(size: BlockSize, block: &Block) -> Self {
        // Lanes beyond a side are empty, as if their numbers were beyond those of the rim.
        let number = |lane| lane_number::<P>(size, lane).unwrap_or(usize::MAX);
        let lanes: [[usize; LANES]; 4] = std::array::from_fn(|side| std::array::from_fn(|lane| number((side, lane))));
        let row = |point: usize| {
            let row = block.row(point);
            Rim(lanes.map(|side| side.map(|lane| row.get(lane).copied().unwrap_or(INF))))
        };
        let via = |point: usize| {
            let via = block.via(point);
            lanes.map(|side| side.map(|lane| via.get(lane).copied().unwrap_or(NO_VIA)))
        };
        let on_rim = |point: &usize| rim_number::<P>(size, position_of::<P>(size, *point)).is_some();
        Self {
            rim: (0..block.points()).filter(on_rim).map(row).collect(),
            vias: (0..block.points()).map(via).collect(),
        }
    }

    /// The distances from a point to the lanes.
    pub(super) fn row<P: Layout>(&self, size: BlockSize, point: (usize, usize)) -> Rim<u32> {
        if let Some(number) = rim_number::<P>(size, point) {
            return self.rim[number];
        }
        Rim(std::array::from_fn(|side| std::array::from_fn(|lane| self.distance::<P>(size, point, (side, lane)))))
    }

    /// The distance from a point to a lane: the distance of the first point of the rim on the path, plus the path to
    /// that point.
    fn distance<P: Layout>(&self, size: BlockSize, point: (usize, usize), (side, lane): Lane) -> u32 {
        let (mut at, mut length_so_far) = (point, 0);
        loop {
            if let Some(number) = rim_number::<P>(size, at) {
                return length_so_far + self.rim[number].0[side][lane];
            }
            let via = self.vias[index::<P>(size, at)][side][lane];
            if via == NO_VIA {
                return INF;
            }
            let next = position_of::<P>(size, usize::from(via));
            length_so_far += length(at.0.abs_diff(next.0), at.1.abs_diff(next.1));
            at = next;
        }
    }

    fn size_bytes(&self) -> usize {
        size_of_val(&*self.rim) + size_of_val(&*self.vias)
    }
}

/// The tables of all patterns of a map.
#[derive(Clone)]
pub(super) struct Tables {
    size: BlockSize,
    distances: Distances,
    /// The database of all patterns of this size; without one, distances are computed.
    database: Option<Arc<Lddb>>,
    ids: HashMap<u64, u32>,
    slots: Vec<Slot>,
}

#[derive(Clone)]
struct Slot {
    pattern: u64,
    /// The number of blocks with the pattern.
    users: u32,
    table: OnceLock<Arc<Table>>,
}

/// Keep up to this many unused patterns: a door opens and closes.
const KEPT_UNUSED: usize = 4096;

impl Tables {
    /// No tables yet.
    pub(super) fn new(size: BlockSize, distances: Distances, database: Option<Arc<Lddb>>) -> Self {
        Self { size, distances, database, ids: HashMap::new(), slots: Vec::new() }
    }

    /// The number of a pattern's table; counts one more block with the pattern.
    pub(super) fn take(&mut self, pattern: u64) -> u32 {
        let id = *self.ids.entry(pattern).or_insert_with(|| {
            self.slots.push(Slot { pattern, users: 0, table: OnceLock::new() });
            self.slots.len() as u32 - 1
        });
        self.slots[id as usize].users += 1;
        id
    }

    /// Counts one block less with the pattern of this number.
    pub(super) fn release(&mut self, id: u32) {
        self.slots[id as usize].users -= 1;
    }

    /// Whether enough patterns are unused to call [`compact`](Tables::compact).
    pub(super) fn is_cluttered(&self, blocks: usize) -> bool {
        self.slots.len() > blocks + KEPT_UNUSED
    }

    /// Drops patterns that no block has, and renumbers the others.
    pub(super) fn compact(&mut self, ids: &mut [u32]) {
        let mut renamed = vec![u32::MAX; self.slots.len()];
        let mut slots = Vec::new();
        for (id, slot) in self.slots.drain(..).enumerate().filter(|(_, slot)| slot.users > 0) {
            renamed[id] = slots.len() as u32;
            slots.push(slot);
        }
        self.slots = slots;
        self.ids = self.slots.iter().enumerate().map(|(id, slot)| (slot.pattern, id as u32)).collect();
        for id in ids.iter_mut().filter(|id| **id != u32::MAX) {
            *id = renamed[*id as usize];
        }
    }

    /// The table with this number.
    #[inline(always)]
    pub(super) fn get<P: Layout>(&self, id: u32) -> &Table {
        let slot = &self.slots[id as usize];
        match slot.table.get() {
            Some(table) => table,
            None => self.make::<P>(slot),
        }
    }

    #[cold]
    fn make<'a, P: Layout>(&self, slot: &'a Slot) -> &'a Table {
        let key = (self.distances, self.size, slot.pattern);
        let compute = || self.compute::<P>(slot.pattern);
        // Distances from a file are used only by the planners that were given the file.
        let is_own = self.database.as_ref().is_some_and(|database| !Lddb::is_shared(database));
        slot.table.get_or_init(|| if is_own { Arc::new(compute()) } else { shared(key, compute) })
    }

    fn compute<P: Layout>(&self, pattern: u64) -> Table {
        let mut block = Block::new();
        match &self.database {
            Some(database) => database.block_of(self.size, pattern, &mut block),
            None => local::block_of(self.size, self.distances, pattern, &mut block),
        }
        Table::new::<P>(self.size, &block)
    }

    /// The number of patterns.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The memory of the tables made so far, including those shared with other maps.
    pub(super) fn size_bytes(&self) -> usize {
        let tables: usize = self.slots.iter().filter_map(|slot| slot.table.get()).map(|table| table.size_bytes()).sum();
        tables + self.slots.len() * (size_of::<Slot>() + size_of::<(u64, u32)>())
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tables({:?} {}, {} patterns)", self.distances, self.size, self.slots.len())
    }
}

/// A kind of distances, a size and a pattern.
type Key = (Distances, BlockSize, u64);

/// All tables in use by maps of the process.
static SHARED: LazyLock<Mutex<Shared>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Shared {
    tables: HashMap<Key, Weak<Table>>,
    /// Drop unused tables when the number of tables exceeds this.
    sweep_at: usize,
}

/// The table of a pattern: one that another map uses, or a new one.
fn shared(key: Key, make: impl FnOnce() -> Table) -> Arc<Table> {
    let lock = || SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = lock().tables.get(&key).and_then(Weak::upgrade);
    known.unwrap_or_else(|| {
        // Made outside the lock: another thread may make the same table meanwhile, and either will do.
        let table = Arc::new(make());
        let mut shared = lock();
        shared.tables.insert(key, Arc::downgrade(&table));
        if shared.tables.len() > shared.sweep_at {
            shared.tables.retain(|_, table| table.strong_count() > 0);
            shared.sweep_at = 2 * shared.tables.len() + KEPT_UNUSED;
        }
        table
    })
}
