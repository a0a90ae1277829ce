#![no_main]
//! See `octile_fuzz::spec`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::spec(bytes));
