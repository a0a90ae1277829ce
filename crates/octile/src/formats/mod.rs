//! Maps, scenarios and pictures as files and text, and generated maps. This module uses grids and paths; apart from
//! traces and generated scenarios it does not depend on planners.

pub mod ascii;
pub mod draw;
pub mod generate;
pub mod image;
mod load;
pub mod movingai;
pub mod posthoc;
pub mod prices;
mod text;
mod unknown;

#[cfg(feature = "image")]
pub use self::load::load_ros_bytes;
pub use self::load::{
    LoadError, LoadFault, LoadOptions, MapFile, MapFormat, load, load_bytes, load_bytes_with, load_dynamic,
    load_prices, load_scenario, load_terrain, load_with,
};
pub use self::prices::{PriceFile, Pricing};
pub use self::text::NotText;
pub use self::unknown::Unknown;
