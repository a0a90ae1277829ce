//! The reports as a user gets them: what is printed and written, and with which exit code.

mod all;
mod block_astar;
mod blocked_areas;
mod compare;
mod cpd;
mod layouts;

use octile::Grid;
use octile::formats::generate::{self, GenerateError, ScenarioConfig};
use octile::formats::movingai;
use octile_testkit::process::Place;

/// An empty directory for the command.
fn place() -> Place {
    Place::new(env!("CARGO_BIN_EXE_octile-papers"))
}

/// Writes a generated map.
fn write_map(place: &Place, file: &str, grid: Result<Grid, GenerateError>) {
    place.write(file, movingai::map::write(&grid.unwrap()));
}

/// As [`write_map`], with three problems of each length.
fn write_map_and_problems(place: &Place, file: &str, grid: Result<Grid, GenerateError>) {
    let (grid, config) = (grid.unwrap(), ScenarioConfig { per_bucket: 3, ..ScenarioConfig::default() });
    let name = file.rsplit('/').next().unwrap();
    place.write(&format!("{file}.scen"), movingai::scen::write(&generate::scenario(&grid, name, &config)));
    write_map(place, file, Ok(grid));
}
