#![no_main]
//! See `octile_fuzz::prices`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::prices(bytes));
