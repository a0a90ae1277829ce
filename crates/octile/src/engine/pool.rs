//! Working memory that threads take and give back.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::search::{Planner, Scratch};

/// Threads are spread over so many shelves, so that they rarely meet at one.
const SHELVES: usize = 8;

/// Scratches that nobody is using.
#[derive(Default)]
pub(super) struct Pool {
    shelves: [Shelf; SHELVES],
}

/// Those that threads of one shelf gave back; on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Shelf(Mutex<Vec<Scratch>>);

impl Pool {
    /// A scratch for a planner: one that this thread gave back, another's, or a new one. Making one takes longer than most queries.
    pub(super) fn take(&self, planner: &dyn Planner) -> Scratch {
        let own = self.shelves[own_shelf()].0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let others = || self.shelves.iter().find_map(|shelf| shelf.0.try_lock().ok()?.pop());
        // A planner of another map never shares a pool: what is there fits, but for planners that change their minds.
        own.or_else(others).filter(|scratch| planner.accepts(scratch)).unwrap_or_else(|| planner.create_scratch())
    }

    /// The bytes of those that nobody is using.
    pub(super) fn size_bytes(&self) -> usize {
        let shelf = |shelf: &Shelf| {
            shelf.0.lock().unwrap_or_else(PoisonError::into_inner).iter().map(Scratch::size_bytes).sum::<usize>()
        };
        self.shelves.iter().map(shelf).sum()
    }

    /// Takes one back.
    pub(super) fn put(&self, scratch: Scratch) {
        self.shelves[own_shelf()].0.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
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
