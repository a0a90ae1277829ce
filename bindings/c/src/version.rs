//! Which library this is.

use std::ffi::{CStr, c_char};

/// The version of the binary interface that this header describes. It changes when a program that was compiled with an
/// older header could not use a newer library; new functions and statuses alone do not change it.
pub const OCTILE_ABI_VERSION: u32 = 1;

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

/// The version of the binary interface that the library was built with. A program that loads the library at run time
/// should compare it with OCTILE_ABI_VERSION of its header before it calls anything else, and go no further if they
/// differ.
#[unsafe(no_mangle)]
pub extern "C" fn octile_abi_version() -> u32 {
    OCTILE_ABI_VERSION
}

/// The version of octile, such as "0.1.0". The text lives as long as the library.
#[unsafe(no_mangle)]
pub extern "C" fn octile_version() -> *const c_char {
    VERSION.as_ptr()
}
