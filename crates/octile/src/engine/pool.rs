//! The pool of scratches that threads borrow.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::planner::{Planner, Scratch};

/// The number of shards. Threads are spread over them, so that they rarely wait for the same lock.
const SHARDS: usize = 8;

/// The scratches not in use.
#[derive(Default)]
pub(super) struct Pool {
    shards: [Shard; SHARDS],
    /// How often the planner has been replaced.
    generation: AtomicU64,
}

/// The scratches that threads of one shard gave back. Each shard has its own cache line.
#[derive(Default)]
#[repr(align(64))]
struct Shard(Mutex<Vec<Scratch>>);

/// A scratch in use.
pub(super) struct Loan {
    scratch: Scratch,
    /// The pool's generation when it was taken.
    generation: u64,
}

impl From<Scratch> for Loan {
    /// A scratch from outside the pool, which never goes back into it.
    fn from(scratch: Scratch) -> Self {
        Self { scratch, generation: u64::MAX }
    }
}

impl Deref for Loan {
    type Target = Scratch;

    fn deref(&self) -> &Scratch {
        &self.scratch
    }
}

impl DerefMut for Loan {
    fn deref_mut(&mut self) -> &mut Scratch {
        &mut self.scratch
    }
}

impl Pool {
    /// A scratch for a planner: from this thread's shard, from another shard, or a new one. Making one takes longer
    /// than most queries.
    pub(super) fn take(&self, planner: &dyn Planner) -> Loan {
        let generation = self.generation.load(Ordering::Acquire);
        let own = self.shards[own_shard()].0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let others = || self.shards.iter().find_map(|shard| shard.0.try_lock().ok()?.pop());
        // A pool serves one map, so a pooled scratch fits, unless `auto` chose another planner or the planner was
        // rebuilt.
        let fitting = own.or_else(others).filter(|scratch| scratch.is_for(planner));
        Loan { scratch: fitting.unwrap_or_else(|| planner.create_scratch()), generation }
    }

    /// Drops the scratches that a replaced planner left and `planner` does not accept. Scratches in use are not taken
    /// back later.
    pub(super) fn renew(&self, planner: &dyn Planner) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        for shard in &self.shards {
            let mut shard = shard.0.lock().unwrap_or_else(PoisonError::into_inner);
            shard.retain(|scratch| scratch.is_for(planner));
            shard.shrink_to_fit();
        }
    }

    /// The size of the scratches not in use, in bytes.
    pub(super) fn size_bytes(&self) -> usize {
        let shard = |shard: &Shard| {
            shard.0.lock().unwrap_or_else(PoisonError::into_inner).iter().map(Scratch::size_bytes).sum::<usize>()
        };
        self.shards.iter().map(shard).sum()
    }

    /// Takes a scratch back, unless the planner was replaced meanwhile.
    pub(super) fn put(&self, loan: Loan) {
        let mut shard = self.shards[own_shard()].0.lock().unwrap_or_else(PoisonError::into_inner);
        // `renew` increments the generation before it locks a shard.
        if loan.generation == self.generation.load(Ordering::Acquire) {
            shard.push(loan.scratch);
        }
    }
}

/// The shard of this thread.
fn own_shard() -> usize {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static SHARD: Cell<usize> = Cell::new(THREADS.fetch_add(1, Ordering::Relaxed) % SHARDS);
    }
    SHARD.get()
}
