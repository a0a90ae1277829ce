#![no_main]
//! See `octile_fuzz::plan`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::plan(bytes));
