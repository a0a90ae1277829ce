#![no_main]
//! See `octile_fuzz::map`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::map(bytes));
