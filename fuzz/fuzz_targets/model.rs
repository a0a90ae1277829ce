#![no_main]
//! See `octile_fuzz::model`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::model(bytes));
