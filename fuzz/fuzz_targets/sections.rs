#![no_main]
//! See `octile_fuzz::sections`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::sections(bytes));
