//! All tests of the library from outside, in one program: it is linked once. What counts allocations stands apart.

mod agents;
mod any_angle;
mod artifact;
mod combinations;
mod configs;
mod cpd;
mod differential;
mod edits;
mod engine;
mod exhaustive;
mod field;
mod formats;
mod from_index;
mod fuzz_smoke;
mod index;
mod layers;
mod load;
mod many;
mod movingai;
mod questions;
mod random;
mod rea_star;
mod slices;
mod suite;
mod terrain;
mod totality;
