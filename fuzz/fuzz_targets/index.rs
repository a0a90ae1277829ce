#![no_main]
//! See `octile_fuzz::index`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::index(bytes));
