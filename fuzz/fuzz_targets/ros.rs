#![no_main]
//! See `octile_fuzz::ros`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::ros(bytes));
