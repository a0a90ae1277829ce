//! `octile_index`: what a planner looks up, built beforehand; how things are built.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use octile::artifact::Artifact;
use octile::planner::Indexes;
use octile::planner::{Budget, Progress};
use octile::{Build, Catalog, Grid};

use crate::border::{Outcome, call, free, octile_status, value, without_nul};
use crate::flag::octile_flag;
use crate::grid::octile_grid;
use crate::pointers::{array, bytes, fill_text, given, handle, sized, text};

/// An index that was built beforehand, in a file or in memory: an engine that is given one does not build it.
pub struct octile_index {
    artifact: Arc<Artifact>,
}

/// Who is told how far a build is: with the pointer from the options, what is being done, and how much of it is done of
/// how much. Calls come from whichever thread works, one at a time or several at once, and the text is good until the
/// call returns.
pub type octile_progress = Option<unsafe extern "C" fn(user: *mut c_void, stage: *const c_char, done: u64, all: u64)>;

/// How an engine or an index is built. Begin with OCTILE_BUILD_OPTIONS, which sets the size and leaves all else out,
/// and change what you want.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct octile_build_options {
    /// The size of this struct: programs with an older header, which know less of it, go on working.
    pub size: usize,
    /// Indexes to use rather than to build them, index_count of them; they stay yours, and may be freed when the call
    /// has returned. One that the planner has no use for is an error.
    pub indexes: *const *const octile_index,
    /// How many indexes there are.
    pub index_count: usize,
    /// How much work it may be: "brief" (a second or two), "at-once" (some ten seconds), "beforehand" (minutes) or
    /// "unlimited". NULL is "at-once" for an engine, and "beforehand" for an index.
    pub budget: *const c_char,
    /// A flag that ends the build when it is set, by any thread, with OCTILE_CANCELLED; NULL for none.
    pub cancel: *const octile_flag,
    /// Who is told how far it is; NULL for nobody.
    pub progress: octile_progress,
    /// What progress gets as its first argument.
    pub user: *mut c_void,
}

/// A function of C that is told how far a build is.
struct Teller {
    tell: unsafe extern "C" fn(*mut c_void, *const c_char, u64, u64),
    user: *mut c_void,
}

// SAFETY: the header says that calls come from whichever thread works, several at once.
unsafe impl Sync for Teller {}

impl Teller {
    fn tell(&self, progress: Progress) {
        let stage = without_nul(progress.stage);
        // SAFETY: it is the program's function with the program's pointer, and the text is there until it returns.
        unsafe { (self.tell)(self.user, stage.as_ptr(), progress.done, progress.all) };
    }
}

/// Does something with what a build takes.
///
/// # Safety
/// `options` is NULL, or points to as many bytes as its size says, with pointers to what the header asks for.
pub(crate) unsafe fn building<T>(
    grid: &Grid,
    options: *const octile_build_options,
    budget: Budget,
    build: impl FnOnce(&Build<'_>) -> Outcome<T>,
) -> Outcome<T> {
    // SAFETY: the same is asked of the caller.
    let Some(options) = (unsafe { sized(options, "OCTILE_BUILD_OPTIONS") })? else {
        return build(&Build::new(grid).within(budget));
    };
    // SAFETY: the same.
    let (cancel, name) = unsafe { (options.cancel.as_ref(), text(options.budget, "budget")?) };
    let mut indexes = Indexes::default();
    // SAFETY: there are so many indexes, as the caller promises.
    for &index in unsafe { array(options.indexes, options.index_count, "indexes") }? {
        // SAFETY: each is NULL or an index.
        let index = given(unsafe { index.as_ref() }, "one of the indexes")?;
        indexes.push(Arc::clone(&index.artifact));
    }
    let budget = name.map_or(Ok(budget), Budget::named)?;
    let teller = options.progress.map(|tell| Teller { tell, user: options.user });
    let tell = |progress| {
        if let Some(teller) = &teller {
            teller.tell(progress);
        }
    };
    let terms = Build::new(grid).with(indexes).within(budget).watched(&tell);
    build(&match cancel {
        Some(cancel) => terms.cancelled_by(&cancel.flag),
        None => terms,
    })
}

/// Builds the index of a map, for the planner of the same name: kind is "hub-labels", "core-table", "cpd" or
/// "taut-labels", with settings behind a colon for those that have some, such as "cpd:layout=rectangles"; "gates" and
/// "blocked-areas" are for all planners that prune. A kind that is not there is told with all that are. options may be
/// NULL. It takes as long as it takes, within its budget. Free the index with octile_index_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_index_build(
    grid: Option<&octile_grid>,
    kind: *const c_char,
    options: *const octile_build_options,
    index: Option<&mut MaybeUninit<*mut octile_index>>,
) -> octile_status {
    call(|| {
        let (grid, out) = (given(grid, "grid")?, given(index, "index")?);
        // SAFETY: the header asks for a text.
        let kind = given(unsafe { text(kind, "kind") }?, "kind")?;
        let (kind, settings) = kind.split_once(':').unwrap_or((kind, ""));
        let kind = Catalog::standard().index(kind)?;
        // SAFETY: the header asks for options.
        let file = unsafe {
            building(&grid.grid, options, Budget::BEFOREHAND, |build| Ok(kind.build_with(build, settings)?))
        }?;
        give(Artifact::from_bytes(file.into())?, out);
        Ok(())
    })
}

/// An index for C.
fn give(artifact: Artifact, out: &mut MaybeUninit<*mut octile_index>) {
    out.write(handle(octile_index { artifact: artifact.into() }));
}

/// Opens an index file, such as "octile build" and octile_index_save write. It is mapped, not read: do not change the
/// file while the index, or an engine that uses it, is there. Free the index with octile_index_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_index_open(
    file: *const c_char,
    index: Option<&mut MaybeUninit<*mut octile_index>>,
) -> octile_status {
    call(|| {
        // SAFETY: the header asks for a text.
        let (file, out) = (given(unsafe { text(file, "file") }?, "file")?, given(index, "index")?);
        give(Artifact::open(Path::new(file))?, out);
        Ok(())
    })
}

/// Reads an index from the bytes of a file that you have in memory, which are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_index_from_memory(
    file: *const u8,
    length: usize,
    index: Option<&mut MaybeUninit<*mut octile_index>>,
) -> octile_status {
    call(|| {
        // SAFETY: the header asks for so many bytes.
        let (file, out) = (unsafe { bytes(file, length, "file") }?, given(index, "index")?);
        give(Artifact::from_bytes(file.to_vec().into())?, out);
        Ok(())
    })
}

/// Writes an index to a file. What was there under that name is replaced when the new file is whole, and stays if it
/// cannot be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_index_save(index: Option<&octile_index>, file: *const c_char) -> octile_status {
    call(|| {
        let index = given(index, "index")?;
        // SAFETY: the header asks for a text.
        let file = given(unsafe { text(file, "file") }?, "file")?;
        Ok(octile::files::write(Path::new(file), index.artifact.bytes())?)
    })
}

/// Writes the kind of an index, such as "hub-labels", as a text with the NUL that ends it. length becomes that of the
/// text without NUL: capacity must be greater. With capacity 0 only the length is asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_index_kind(
    index: Option<&octile_index>,
    text: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> octile_status {
    call(|| {
        let (index, length) = (given(index, "index")?, given(length, "length")?);
        // SAFETY: the header asks for room for so many bytes.
        unsafe { fill_text(index.artifact.kind(), text, capacity, length) }
    })
}

/// How many bytes an index has, and its file; 0 if index is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_index_size(index: Option<&octile_index>) -> usize {
    value(|| Some(index?.artifact.bytes().len()))
}

/// The bytes of an index, octile_index_size of them: what its file has. They are the index's, and are good until it is
/// freed. NULL if index is.
#[unsafe(no_mangle)]
pub extern "C" fn octile_index_bytes(index: Option<&octile_index>) -> *const u8 {
    index.map_or(ptr::null(), |index| index.artifact.bytes().as_ptr())
}

/// Reads all of an index, and says by OCTILE_INDEX if it is damaged; with a grid, also if it was not made for exactly
/// that map. grid may be NULL. Engines check an index when they are given it, but do not read all of a large one.
#[unsafe(no_mangle)]
pub extern "C" fn octile_index_verify(index: Option<&octile_index>, grid: Option<&octile_grid>) -> octile_status {
    call(|| {
        let index = given(index, "index")?;
        index.artifact.verify()?;
        let Some(grid) = grid else { return Ok(()) };
        let kind = Catalog::standard().index(index.artifact.kind())?;
        Ok(kind.check(&index.artifact, &grid.grid)?)
    })
}

/// Frees an index. Engines that were given it keep what they need of it. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn octile_index_free(index: Option<Box<octile_index>>) {
    free(index);
}
