//! The `octile` command, with the planners of the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    octile_cli::main_with(octile::Catalog::standard())
}
