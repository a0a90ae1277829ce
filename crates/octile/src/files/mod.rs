//! Files: read if they are regular and of bearable size, and written so that they appear whole or not at all.
//!
//! [`write()`] is for contents that are at hand, a [`NewFile`] for those that come piece by piece. A file is written
//! beside its place and renamed into it, so that nobody sees half of one, whatever fails, and what was there before
//! stays until then. A program that can be interrupted calls [`remove_temporaries`] before it ends; what a process
//! leaves that is killed, the next one removes that writes in the same folder.
//!
//! ```
//! use octile::{files, generate, movingai};
//! let folder = tempfile::tempdir()?;
//! let map = folder.path().join("maze.map");
//! files::ensure_possible(&map)?; // before long work is done for it
//! files::write(&map, movingai::map::write(&generate::maze(20, 20, 2, 1)?))?;
//! assert_eq!(octile::load(&map)?.grid.width(), 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod disk;
#[cfg_attr(not(all(debug_assertions, feature = "faults")), path = "no_faults.rs")]
mod faults;
mod new_file;
mod read;
mod temporary;

pub use self::new_file::{
    NewFile, WriteError, WriteFault, ensure_possible, is_replaced, place, prepare, write, write_by,
};
pub use self::read::FileFault;
pub(crate) use self::read::{MAX_BYTES, read};
pub(crate) use self::temporary::sweep;
pub use self::temporary::{TEMPORARY, remove_temporaries};
