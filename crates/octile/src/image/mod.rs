//! Images as maps.

mod georeference;

pub use self::georeference::Georeference;
