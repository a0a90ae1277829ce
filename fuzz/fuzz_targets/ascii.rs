#![no_main]
//! See `octile_fuzz::ascii`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::ascii(bytes));
