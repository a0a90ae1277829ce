//! `octile_flag`: what ends a search or a build that another thread is in.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::border::{call, free, octile_status, value};
use crate::pointers::{given, handle};

/// A flag that ends searches and builds which were given it. Any number of threads may set and read one at the same
/// time.
pub struct octile_flag {
    pub(crate) flag: AtomicBool,
}

/// Makes a flag that is not set. Free it with octile_flag_free, when no search and no build looks at it any more.
#[unsafe(no_mangle)]
pub extern "C" fn octile_flag_new(flag: Option<&mut MaybeUninit<*mut octile_flag>>) -> octile_status {
    call(|| {
        given(flag, "flag")?.write(handle(octile_flag { flag: AtomicBool::default() }));
        Ok(())
    })
}

/// Frees a flag. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn octile_flag_free(flag: Option<Box<octile_flag>>) {
    free(flag);
}

/// Sets a flag, or takes that back. A search that was given it ends within a fraction of a millisecond, a build a
/// little later; one that begins while it is set ends at once.
#[unsafe(no_mangle)]
pub extern "C" fn octile_flag_set(flag: Option<&octile_flag>, is_set: bool) -> octile_status {
    call(|| {
        given(flag, "flag")?.flag.store(is_set, Ordering::Relaxed);
        Ok(())
    })
}

/// Whether a flag is set; false if flag is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_flag_is_set(flag: Option<&octile_flag>) -> bool {
    value(|| Some(flag?.flag.load(Ordering::Relaxed)))
}
