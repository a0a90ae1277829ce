//! Reading and writing the files of the MovingAI benchmark: maps ([`map`]) and problems on them ([`scen`]), maps that
//! change between problems ([`dynamic`]) and their changes ([`patch`]).
//!
//! ```
//! use octile::formats::movingai::{map, scen};
//! let grid = map::parse(b"type octile\nheight 2\nwidth 3\nmap\n..@\n...\n")?;
//! let scenario = scen::parse(b"version 1\n0\tsmall.map\t3\t2\t0\t0\t2\t1\t2.41421\n")?;
//! let problem = &scenario.problems[0];
//! problem.check_fits(&grid)?;
//! assert!(problem.agrees(Some(octile::GridCost::new(1, 1).into())));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod dynamic;
pub mod map;
pub mod patch;
pub mod scen;
