//! Working memory of searches.

use std::any::Any;
use std::collections::BinaryHeap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use super::contract::Planner;

/// A type that can tell how much heap memory it holds.
///
/// The working memory of planners implements it, so that programs can query its size. It is implemented for vectors and
/// heaps, and for boxes and options of such types.
pub trait SizeBytes {
    /// The number of bytes that it holds on the heap: capacity counts, in use or not.
    fn size_bytes(&self) -> usize;
}

/// Holds no heap memory.
impl SizeBytes for () {
    fn size_bytes(&self) -> usize {
        0
    }
}

impl<T> SizeBytes for Vec<T> {
    fn size_bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
}

impl<T> SizeBytes for BinaryHeap<T> {
    fn size_bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
}

impl<T: SizeBytes> SizeBytes for Option<T> {
    fn size_bytes(&self) -> usize {
        self.as_ref().map_or(0, SizeBytes::size_bytes)
    }
}

impl<T: SizeBytes> SizeBytes for Box<T> {
    fn size_bytes(&self) -> usize {
        size_of::<T>() + self.as_ref().size_bytes()
    }
}

/// Implements [`SizeBytes`] as the sum of some fields.
macro_rules! size_bytes {
    (for [$($generics:tt)*] $type:ty: $($field:ident),+) => {
        impl<$($generics)*> $crate::planner::SizeBytes for $type {
            fn size_bytes(&self) -> usize {
                0 $(+ $crate::planner::SizeBytes::size_bytes(&self.$field))+
            }
        }
    };
    ($type:ty: $($field:ident),+) => {
        $crate::planner::size_bytes!(for [] $type: $($field),+);
    };
}

pub(crate) use size_bytes;

/// Working memory of any type.
trait Memory: Any + Send + SizeBytes {}

impl<T: Any + Send + SizeBytes> Memory for T {}

/// The identity of a planner, unique in the program even among planners with equal settings:
/// [`Planner::id`](crate::Planner::id).
///
/// ```
/// use octile::planner::PlannerId;
/// assert_ne!(PlannerId::new(), PlannerId::new());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlannerId(u64);

impl PlannerId {
    /// A new id, unique in the program.
    #[expect(clippy::new_without_default, reason = "a default would be the same every time")]
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Working memory of one planner: one per thread, reused between queries. Only its planner can interpret the contents.
///
/// ```
/// use octile::planner::PlannerId;
/// use octile::planner::Scratch;
/// let mut scratch = Scratch::new(PlannerId::new(), vec![1, 2]);
/// scratch.get::<Vec<i32>>().push(3);
/// assert_eq!(scratch.get::<Vec<i32>>(), &[1, 2, 3]);
/// assert!(scratch.size_bytes() >= 12);
/// ```
pub struct Scratch {
    /// The planner that made it. The contents may refer to that planner's index, so no other planner may use them, even
    /// one of the same type and size.
    planner: PlannerId,
    memory: Box<dyn Memory>,
    /// Memory of services that go beyond one path, whatever the planner; created on first use.
    aside: Option<Box<dyn Memory>>,
}

impl Scratch {
    /// Working memory for the planner with this id; holds `memory`.
    pub fn new<T: SizeBytes + Send + 'static>(planner: PlannerId, memory: T) -> Self {
        Self { planner, memory: Box::new(memory), aside: None }
    }

    /// Whether this scratch was made by `planner` or by the planner that it was cloned from. Queries with any other
    /// scratch fail with [`QueryError::ForeignScratch`](crate::QueryError::ForeignScratch).
    ///
    /// ```
    /// use octile::{Grid, Jps};
    /// let grid = Grid::open(8, 8)?;
    /// let [one, other] = [Jps::default().planner(&grid)?, Jps::default().planner(&grid)?];
    /// let scratch = one.create_scratch();
    /// assert!(scratch.is_for(&*one) && scratch.is_for(&*one.clone()) && !scratch.is_for(&*other));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn is_for<P: Planner + ?Sized>(&self, planner: &P) -> bool {
        self.planner == planner.id()
    }

    /// The number of bytes that it holds now. Working memory may grow with the queries that it serves.
    pub fn size_bytes(&self) -> usize {
        self.memory.size_bytes() + self.aside.as_ref().map_or(0, |aside| aside.size_bytes())
    }

    /// Buffers of a service, kept next to the planner's own memory and created on first use.
    pub(crate) fn aside<T: SizeBytes + Default + Send + 'static>(&mut self) -> &mut T {
        let aside: &mut dyn Any = &mut **self.aside.get_or_insert_with(|| Box::new(T::default()));
        aside.downcast_mut().expect("one service keeps buffers in a scratch")
    }

    /// The memory.
    ///
    /// # Panics
    /// If the memory is of another type. A planner's [`search`](crate::Planner::search) only ever gets scratches that
    /// the planner made.
    #[inline]
    pub fn get<T: 'static>(&mut self) -> &mut T {
        let memory: &mut dyn Any = &mut *self.memory;
        memory.downcast_mut().expect("a planner gets only scratches that it made")
    }
}

impl SizeBytes for Scratch {
    fn size_bytes(&self) -> usize {
        self.size_bytes()
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scratch of {} bytes", self.size_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_of_services_count_too() {
        let mut scratch = Scratch::new(PlannerId::new(), vec![0_u8; 100]);
        let own = scratch.size_bytes();
        let buffer: &mut Vec<u8> = scratch.aside();
        buffer.reserve_exact(40);
        let more = buffer.size_bytes();
        assert!(own >= 100 && more >= 40);
        assert_eq!(scratch.size_bytes(), own + more);
    }
}
