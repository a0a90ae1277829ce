//! The command as a process: what it prints where, and with which code it exits.

mod advise;
mod bad_input;
mod build_cpd;
mod build_hub_labels;
mod compare;
mod files;
mod index;
mod run;
mod solve;

use octile_testkit::process::{Place, RING, RING_SCEN};

/// An empty directory for the command.
fn place() -> Place {
    Place::new(env!("CARGO_BIN_EXE_octile"))
}

/// One with the files `ring.map` and `ring.map.scen`.
fn place_with_ring() -> Place {
    let place = place();
    place.write("ring.map", RING);
    place.write("ring.map.scen", RING_SCEN);
    place
}
