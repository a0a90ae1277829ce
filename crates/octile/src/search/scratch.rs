//! Working memory of searches.

use std::any::Any;
use std::collections::BinaryHeap;
use std::fmt;

use super::ask::Aside;

/// What knows how much memory it holds.
///
/// Working memory of a planner implements it, so that programs can be told. Vectors, heaps, and boxes and options of such know.
pub trait SizeBytes {
    /// The bytes that it holds on the heap: what has room counts, whether it is in use or not.
    fn size_bytes(&self) -> usize;
}

/// Nothing.
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
        impl<$($generics)*> $crate::search::SizeBytes for $type {
            fn size_bytes(&self) -> usize {
                0 $(+ $crate::search::SizeBytes::size_bytes(&self.$field))+
            }
        }
    };
    ($type:ty: $($field:ident),+) => {
        $crate::search::size_bytes!(for [] $type: $($field),+);
    };
}

pub(crate) use size_bytes;

/// Memory of some type.
trait Memory: Any + Send + SizeBytes {}

impl<T: Any + Send + SizeBytes> Memory for T {}

/// Working memory of a planner: one per thread, reused between queries. What is in it only its planner knows.
///
/// ```
/// use octile::Scratch;
/// let mut scratch = Scratch::new(vec![1, 2]);
/// scratch.get::<Vec<i32>>().push(3);
/// assert!(scratch.holds(|memory: &Vec<i32>| memory.len() == 3));
/// assert!(!scratch.holds(|_: &Vec<f64>| true), "it is something else");
/// assert!(scratch.size_bytes() >= 12);
/// ```
pub struct Scratch {
    memory: Box<dyn Memory>,
    /// What questions need that go beyond one path, whatever the planner.
    pub(super) aside: Aside,
}

impl Scratch {
    /// Working memory that holds `memory`.
    pub fn new<T: SizeBytes + Send + 'static>(memory: T) -> Self {
        Self { memory: Box::new(memory), aside: Aside::default() }
    }

    /// The bytes that it holds now. Working memory may grow with the queries that it serves.
    pub fn size_bytes(&self) -> usize {
        self.memory.size_bytes() + self.aside.size_bytes()
    }

    fn any(&self) -> &dyn Any {
        &*self.memory
    }

    fn any_mut(&mut self) -> &mut dyn Any {
        &mut *self.memory
    }

    /// Whether it holds memory of a type that is as `fits` says.
    #[inline]
    pub fn holds<T: 'static>(&self, fits: impl FnOnce(&T) -> bool) -> bool {
        self.any().downcast_ref().is_some_and(fits)
    }

    /// The memory.
    ///
    /// # Panics
    /// If it is of another type; a planner has [accepted](crate::Planner::accepts) it before.
    #[inline]
    pub fn get<T: 'static>(&mut self) -> &mut T {
        self.any_mut().downcast_mut().expect("a planner accepts only scratches of its own")
    }

    /// The memory, if it is of that type.
    ///
    /// ```
    /// use octile::Scratch;
    /// let mut scratch = Scratch::new(vec!["open"]);
    /// scratch.peek_mut::<Vec<&str>>().unwrap().push("list");
    /// assert_eq!(scratch.get::<Vec<&str>>(), &["open", "list"]);
    /// assert!(scratch.peek_mut::<Vec<u8>>().is_none());
    /// ```
    #[inline]
    pub fn peek_mut<T: 'static>(&mut self) -> Option<&mut T> {
        self.any_mut().downcast_mut()
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
