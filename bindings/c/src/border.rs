//! Where calls come in: statuses, messages, and panics, none of which goes further.

use std::any::Any;
use std::borrow::Cow;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};

use octile::artifact::{ArtifactError, OpenError};
use octile::catalog::{UnknownKind, UnusedIndex};
use octile::engine::RenewError;
use octile::files::WriteError;
use octile::formats::{LoadFault, ascii};
use octile::geometry::ParseError;
use octile::grid::{AgentError, EditFault};
use octile::path::PointsError;
use octile::planner::NoTime;
use octile::planner::{EditError, Limit, SpecError};
use octile::{BuildError, GridError, LoadError, QueryError};

/// How a call ended. Later versions may have more of them: treat one that you do not know as an error.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum octile_status {
    /// All is well, and the outputs are written.
    OCTILE_OK = 0,
    /// There is no path: an answer, not an error.
    OCTILE_NO_PATH = 1,
    /// A pointer that is needed is NULL.
    OCTILE_NULL_POINTER = 2,
    /// An argument is not what it should be: a name that is not known, an array of another size, a text that is not
    /// UTF-8.
    OCTILE_ARGUMENT = 3,
    /// The buffer is too small: the count says how much is needed.
    OCTILE_SMALL_BUFFER = 4,
    /// A file cannot be read, or is not a map.
    OCTILE_FILE = 5,
    /// A map cannot be made: its sides are 0 or too large, or a drawing is not one.
    OCTILE_GRID = 6,
    /// There is no such planner, or it has no such key or value.
    OCTILE_SPEC = 7,
    /// The planner cannot be built for this map.
    OCTILE_BUILD = 8,
    /// An index file cannot be used.
    OCTILE_INDEX = 9,
    /// The question cannot be asked: a cell is blocked or off the map.
    OCTILE_QUERY = 10,
    /// The changes cannot be made: a cell is off the map, or a price is for a map that has none.
    OCTILE_EDIT = 11,
    /// A path was asked for points that it has not: cells of an any-angle path, or points of one from cell to cell.
    OCTILE_POINTS = 12,
    /// A bug of octile was met, and the call was given up. Free what it was about, and report the message.
    OCTILE_PANIC = 13,
    /// A limit of the question ended the search, and the message says which: an answer, not an error.
    OCTILE_LIMIT = 14,
    /// A build was ended by its flag.
    OCTILE_CANCELLED = 15,
}

/// Why a call did not do what it should.
#[derive(Debug)]
pub(crate) struct Fault {
    status: octile_status,
    message: Cow<'static, CStr>,
}

/// What a call gives, or why it does not.
pub(crate) type Outcome<T = ()> = Result<T, Fault>;

impl Fault {
    pub(crate) fn new(status: octile_status, message: &impl Display) -> Self {
        Self { status, message: without_nul(&message.to_string()).into() }
    }

    pub(crate) fn argument(message: &impl Display) -> Self {
        Self::new(octile_status::OCTILE_ARGUMENT, message)
    }

    /// There is no path. This does not allocate: it is an answer like others.
    pub(crate) const NO_PATH: Self =
        Self { status: octile_status::OCTILE_NO_PATH, message: Cow::Borrowed(c"there is no path") };

    /// A limit ended the search. This does not allocate either.
    pub(crate) fn limit(limit: Option<Limit>) -> Self {
        let message = match limit {
            Some(Limit::Cost) => c"every path costs more than max_cost",
            Some(Limit::Expanded) => c"there were max_expanded expansions before a path was found",
            Some(Limit::Deadline) => c"the timeout was over before a path was found",
            Some(Limit::Cancelled) => c"the search was cancelled",
            _ => c"a limit ended the search",
        };
        Self { status: octile_status::OCTILE_LIMIT, message: message.into() }
    }

    /// A pointer is NULL.
    pub(crate) fn null(what: &str) -> Self {
        Self::new(octile_status::OCTILE_NULL_POINTER, &format_args!("{what} is NULL"))
    }

    fn panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Self::new(octile_status::OCTILE_PANIC, &format_args!("a bug in octile: {text}"))
    }

    /// Keeps the message for this thread.
    fn told(self) -> octile_status {
        // A thread that is about to end has nowhere to keep it.
        _ = LAST.try_with(|last| last.replace(self.message));
        self.status
    }
}

/// A text for C, which ends at the first NUL: one inside is shown.
pub(crate) fn without_nul(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default()
}

thread_local! {
    /// What the last call of this thread that failed had to say.
    static LAST: RefCell<Cow<'static, CStr>> = const { RefCell::new(Cow::Borrowed(c"")) };
}

/// What the last call of this thread that returned another status than OCTILE_OK had to say, such as "goal 7,2 is
/// blocked: choose a free cell"; "" if there was none. Each thread has a message of its own. The text is UTF-8, is
/// octile's, and stays as it is until this thread calls octile again: copy it if you want to keep it.
#[unsafe(no_mangle)]
pub extern "C" fn octile_error_message() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Does the work of a call. Whatever happens in it, C gets a status.
#[inline]
pub(crate) fn call(work: impl FnOnce() -> Outcome) -> octile_status {
    // What a panic leaves behind is the library's, whose locks do without a second half of anything; C is told to free
    // it.
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => octile_status::OCTILE_OK,
        Ok(Err(fault)) => fault.told(),
        Err(payload) => Fault::panic(&*payload).told(),
    }
}

/// Does the work of a call that gives a plain value, or a default if it cannot.
#[inline]
pub(crate) fn value<T: Default>(work: impl FnOnce() -> Option<T>) -> T {
    panic::catch_unwind(AssertUnwindSafe(work)).ok().flatten().unwrap_or_default()
}

/// Frees a handle.
pub(crate) fn free<T>(object: Option<Box<T>>) {
    value(|| {
        drop(object);
        Some(())
    });
}

macro_rules! faults {
    ($($error:ty => $status:ident),+ $(,)?) => { $(
        impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self::new(octile_status::$status, &error)
            }
        }
    )+ };
}

faults! {
    GridError => OCTILE_GRID,
    ascii::AsciiError => OCTILE_GRID,
    LoadError => OCTILE_FILE,
    LoadFault => OCTILE_FILE,
    SpecError => OCTILE_SPEC,
    QueryError => OCTILE_QUERY,
    EditError => OCTILE_EDIT,
    EditFault => OCTILE_EDIT,
    AgentError => OCTILE_ARGUMENT,
    NoTime => OCTILE_ARGUMENT,
    ParseError => OCTILE_ARGUMENT,
    UnknownKind => OCTILE_SPEC,
    UnusedIndex => OCTILE_INDEX,
    ArtifactError => OCTILE_INDEX,
    OpenError => OCTILE_INDEX,
    WriteError => OCTILE_FILE,
}

impl From<RenewError> for Fault {
    fn from(error: RenewError) -> Self {
        match error {
            RenewError::Build(error) => error.into(),
            RenewError::Cancelled => Self::new(octile_status::OCTILE_CANCELLED, &error),
            _ => Self::new(octile_status::OCTILE_BUILD, &error),
        }
    }
}

impl From<BuildError> for Fault {
    fn from(error: BuildError) -> Self {
        let status = match &error {
            BuildError::Cancelled => octile_status::OCTILE_CANCELLED,
            BuildError::Spec(_) => octile_status::OCTILE_SPEC,
            BuildError::Index(_) | BuildError::IndexFile { .. } => octile_status::OCTILE_INDEX,
            _ => octile_status::OCTILE_BUILD,
        };
        Self::new(status, &error)
    }
}

impl From<PointsError> for Fault {
    fn from(error: PointsError) -> Self {
        let message = match error {
            PointsError::AnyAngle => {
                c"this path goes in any direction, from corner to corner of cells: ask for its points"
            }
            PointsError::Grid => c"this path goes from cell to cell: ask for its waypoints or its cells",
            _ => c"this path is empty: none was found",
        };
        Self { status: octile_status::OCTILE_POINTS, message: message.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> String {
        // SAFETY: the text is this thread's, ends with NUL, and no call is made before it is copied.
        unsafe { CStr::from_ptr(octile_error_message()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn panics_end_at_the_border() {
        assert_eq!(message(), "");
        assert_eq!(call(|| panic!("cell {} has no row", 7)), octile_status::OCTILE_PANIC);
        assert_eq!(message(), "a bug in octile: cell 7 has no row");
        assert_eq!(call(|| panic::panic_any(5)), octile_status::OCTILE_PANIC);
        assert_eq!(message(), "a bug in octile: no message");
        assert_eq!(value(|| -> Option<u32> { panic!("none") }), 0);
    }

    #[test]
    fn messages_are_those_of_the_thread() {
        assert_eq!(call(|| Err(Fault::argument(&"a\0b"))), octile_status::OCTILE_ARGUMENT);
        assert_eq!(message(), "a\u{fffd}b");
        std::thread::spawn(|| assert_eq!(message(), "")).join().unwrap();
        assert_eq!(call(|| Ok(())), octile_status::OCTILE_OK);
        assert_eq!(message(), "a\u{fffd}b");
        assert_eq!(call(|| Err(Fault::NO_PATH)), octile_status::OCTILE_NO_PATH);
        assert_eq!(message(), "there is no path");
    }
}
