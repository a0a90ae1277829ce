//! Working memory that threads take and give back.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::planner::{Planner, Scratch};

/// Threads are spread over so many shelves, so that they rarely meet at one.
const SHELVES: usize = 8;

/// Scratches that nobody is using.
#[derive(Default)]
pub(super) struct Pool {
    shelves: [Shelf; SHELVES],
    /// How often the planner was put in the place of another.
    round: AtomicU64,
}

/// Those that threads of one shelf gave back; on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Shelf(Mutex<Vec<Scratch>>);

/// A scratch that somebody is using.
pub(super) struct Lent {
    scratch: Scratch,
    /// The round in which it was taken.
    round: u64,
}

impl From<Scratch> for Lent {
    /// One that is nobody else's.
    fn from(scratch: Scratch) -> Self {
        Self { scratch, round: u64::MAX }
    }
}

impl Deref for Lent {
    type Target = Scratch;

    fn deref(&self) -> &Scratch {
        &self.scratch
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Scratch {
        &mut self.scratch
    }
}

impl Pool {
    /// A scratch for a planner: one that this thread gave back, another's, or a new one. Making one takes longer than
    /// most queries.
    pub(super) fn take(&self, planner: &dyn Planner) -> Lent {
        let round = self.round.load(Ordering::Acquire);
        let own = self.shelves[own_shelf()].0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let others = || self.shelves.iter().find_map(|shelf| shelf.0.try_lock().ok()?.pop());
        // A planner of another map never shares a pool: what is there fits, but for planners that change their minds or
        // are built anew.
        let fitting = own.or_else(others).filter(|scratch| scratch.is_for(planner));
        Lent { scratch: fitting.unwrap_or_else(|| planner.create_scratch()), round }
    }

    /// Keeps what a planner that was built anew accepts. What is in use now is not taken back.
    pub(super) fn renew(&self, planner: &dyn Planner) {
        self.round.fetch_add(1, Ordering::AcqRel);
        for shelf in &self.shelves {
            let mut shelf = shelf.0.lock().unwrap_or_else(PoisonError::into_inner);
            shelf.retain(|scratch| scratch.is_for(planner));
            shelf.shrink_to_fit();
        }
    }

    /// The bytes of those that nobody is using.
    pub(super) fn size_bytes(&self) -> usize {
        let shelf = |shelf: &Shelf| {
            shelf.0.lock().unwrap_or_else(PoisonError::into_inner).iter().map(Scratch::size_bytes).sum::<usize>()
        };
        self.shelves.iter().map(shelf).sum()
    }

    /// Takes one back, unless it is for a planner that is gone.
    pub(super) fn put(&self, lent: Lent) {
        let mut shelf = self.shelves[own_shelf()].0.lock().unwrap_or_else(PoisonError::into_inner);
        // Who puts another planner in its place counts before it looks at a shelf.
        if lent.round == self.round.load(Ordering::Acquire) {
            shelf.push(lent.scratch);
        }
    }
}

/// The shelf of this thread.
fn own_shelf() -> usize {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static SHELF: Cell<usize> = Cell::new(THREADS.fetch_add(1, Ordering::Relaxed) % SHELVES);
    }
    SHELF.get()
}
