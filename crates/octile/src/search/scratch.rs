//! Working memory of searches.

use std::any::Any;
use std::fmt;

/// Working memory of a planner: one per thread, reused between queries. What is in it only its planner knows.
///
/// ```
/// use octile::Scratch;
/// let mut scratch = Scratch::new(vec![1, 2]);
/// scratch.get::<Vec<i32>>().push(3);
/// assert!(scratch.holds(|memory: &Vec<i32>| memory.len() == 3));
/// assert!(!scratch.holds(|_: &String| true), "it is something else");
/// ```
pub struct Scratch(Box<dyn Any + Send>);

impl Scratch {
    /// Working memory that holds `memory`.
    pub fn new<T: Send + 'static>(memory: T) -> Self {
        Self(Box::new(memory))
    }

    /// Whether it holds memory of a type that is as `fits` says.
    #[inline]
    pub fn holds<T: 'static>(&self, fits: impl FnOnce(&T) -> bool) -> bool {
        self.0.downcast_ref().is_some_and(fits)
    }

    /// The memory.
    ///
    /// # Panics
    /// If it is of another type; a planner has [accepted](crate::Planner::accepts) it before.
    #[inline]
    pub fn get<T: 'static>(&mut self) -> &mut T {
        self.0.downcast_mut().expect("a planner accepts only scratches of its own")
    }

    /// The memory, if it is of that type.
    ///
    /// ```
    /// use octile::Scratch;
    /// let mut scratch = Scratch::new(String::from("open"));
    /// scratch.peek_mut::<String>().unwrap().push_str(" list");
    /// assert_eq!(scratch.get::<String>(), "open list");
    /// assert!(scratch.peek_mut::<Vec<u8>>().is_none());
    /// ```
    #[inline]
    pub fn peek_mut<T: 'static>(&mut self) -> Option<&mut T> {
        self.0.downcast_mut()
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scratch")
    }
}
