//! Reading and writing files: reads only regular files up to a maximum size, and writes files completely or not at all.
//!
//! [`write()`] is for contents in memory, a [`NewFile`] for contents that come piece by piece. A file is written under
//! a temporary name in the target folder and then renamed, so nobody ever sees half of a file, whatever fails, and the
//! old file stays until then. A program that can be interrupted calls [`remove_temporaries`] before it ends. Temporary
//! files of a killed process are removed by the next process that writes in the same folder.
//!
//! ```
//! use octile::files;
//! use octile::formats::{generate, movingai};
//! let folder = tempfile::tempdir()?;
//! let map = folder.path().join("maze.map");
//! files::ensure_possible(&map)?; // before a long computation
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
