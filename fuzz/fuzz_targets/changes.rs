#![no_main]
//! See `octile_fuzz::changes`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::changes(bytes));
