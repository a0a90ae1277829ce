#![no_main]
//! See `octile_fuzz::engine`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::engine(bytes));
