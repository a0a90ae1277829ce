//! What the ground costs the cart in rain, and the ways of both, as a picture.

use octile::Path;
use octile::formats::draw::{Colour, Picture};

use super::{FROM, Result, TO, Traveller};

/// The cart in dry weather.
const DRY: Colour = Colour(0x3d, 0x6f, 0xc9);
/// The walker, in dry weather and in rain.
const WALKER_DRY: Colour = Colour(0x6b, 0xb3, 0x5e);
const WALKER: Colour = Colour(0x1b, 0x8a, 0x3a);

/// Draws the map of the cart and all ways, as a PNG. The river is blocked for the cart, and so drawn as walls are.
pub(crate) fn draw([walker, cart]: &[Traveller; 2]) -> Result<Vec<u8>> {
    let mut picture = Picture::new(&cart.engine.grid()).scale(32);
    for (traveller, colours) in [(walker, [WALKER_DRY, WALKER]), (cart, [DRY, Colour::PATH])] {
        for (way, colour) in traveller.ways.iter().zip(colours) {
            picture = picture.line(&turns(way)?, colour);
        }
    }
    Ok(picture.ends(FROM, TO).to_png()?)
}

fn turns(way: &Path) -> Result<Vec<octile::Cell>> {
    Ok(way.waypoints()?.collect())
}
