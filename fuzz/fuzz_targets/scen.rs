#![no_main]
//! See `octile_fuzz::scen`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| octile_fuzz::scen(bytes));
