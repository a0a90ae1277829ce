#![no_main]
//! See `octile_fuzz::dynamic`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::dynamic(bytes));
