#![no_main]
//! See `octile_fuzz::image`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::image(bytes));
