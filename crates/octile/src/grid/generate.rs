//! Maps and scenarios like the benchmark's.
