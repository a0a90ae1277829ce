#![no_main]
//! See `octile_fuzz::patch`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::patch(bytes));
