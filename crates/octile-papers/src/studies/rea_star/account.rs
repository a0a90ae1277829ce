//! What the study says of its paper besides numbers.

use super::settings::PAPERS;
use crate::exhibit::finding::{Account, Cause, Impossible};
use crate::races::BASELINE;

pub(super) static ACCOUNT: Account = Account { deviations: DEVIATIONS, causes: CAUSES, impossible: IMPOSSIBLE };

const DEVIATIONS: &[&str] = &[
    "The end cell of an opening, behind which there may be an obstacle, gets its cost along the opening. The paper leaves it without one and \
     loses paths.",
    "If the goal lies in the node being expanded, its cost is the least over all entrance cells; Table 4 of the paper takes the goal's own, \
     which may be too high.",
    "A wall cell keeps every direction in which it was pushed, and rectangles stop (6.1) at it also if it belongs to a search node; in the paper \
     it has one direction, and only cells outside of nodes stop rectangles.",
    "A semi-closed area (6.3) counts as one only if the cells beside each diagonal that crosses it are free, since diagonal moves must not cut corners.",
    "Front walls consider only entrance cells whose offset to the side is at most the distance ahead.",
    "Cells store their cost and owner, but no parent. The path is found backwards from those, and hops are joined where the rectangle around both is free.",
    "Costs are exact integers; the paper's diagonal costs 1.414. Among equally good nodes the latest comes first.",
    "The A* of the table breaks ties towards larger costs from the start, with exact integers; the paper does not say how its A* breaks ties.",
];

const CAUSES: &[Cause] = &[];

const IMPOSSIBLE: &[Impossible] = &[Impossible {
    what: "Figure 1, the paper's own map",
    evidence: "the text gives its size, the start's rectangle, the first openings and the lengths of both paths, but not its cells; the map \
                   drawn here agrees with all of these",
}];
