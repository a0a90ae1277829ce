//! Every command of octile, with one more planner: `compare`, `run`, `draw` and `planners` all know `greedy`.
//!
//! ```text
//! cargo run --release -- compare --planner astar --planner greedy --planner greedy:estimate=manhattan
//! cargo run --release -- planners
//! ```

mod greedy;

use std::process::ExitCode;

use octile::Catalog;

// doc: main
fn main() -> ExitCode {
    octile_cli::main_with(Catalog::standard().with(greedy::Greedy::ENTRY))
}
// doc: end
