//! What is said of the paper besides the numbers: where we depart from it, and why numbers differ.

use crate::exhibit::finding::{Account, Cause, Impossible};

pub(super) static ACCOUNT: Account = Account {
    deviations: &[
        "Ties: the paper prefers the move that gives straighter borders, and does not say how it is chosen. Ours is the first diagonal \
         move clockwise from north-east, or else the first straight one from north.",
        "Cells that cannot be reached from the source fit into any rectangle, as blocked cells do in the paper.",
        "The first moves of a source come from a search with three buckets that leaves out moves that cannot add a first move, in place \
         of Dijkstra's algorithm with a heap. The sets of moves are the same.",
        "Records have as few bits as the map allows; the sizes beside the paper's are those of its records, of 20 and of 5 bytes.",
        "The queries are other random pairs of cells than the paper's, as many on each map.",
        "`cpd` as it is by default is not the paper's: it has runs instead of rectangles, and follows a path from turn to turn.",
    ],
    causes: &[
        Cause::of(
            "figure-2",
            "The factor is that of the A* below it. The paper's is that of HOG, and HOG expands 1.09 times as many nodes as ours \
             (12,000 random queries, with its heap by f alone in doubles), so the nodes are not the cause. An A* of the same \
             design, made for this comparison from node and edge objects behind pointers, took 190, 556 and 1,048 ns an expansion \
             on maps of 2,103, 9,836 and 51,586 tiles; ours took 32 ns an expansion in the same hour. Against it the paper's \
             databases are 6 to 33 times as fast again, which puts the paper's factors inside the range of ours.",
        ),
        Cause::of(
            "figure-3",
            "No A* with the octile estimate comes near 100 on average. Over 100 random pairs on each of the 120 maps, in ranges of \
             cost of 50, the largest average is 31.5 if ties prefer the larger g, as ours do, 31.7 if they prefer the smaller g or \
             the older node, 31.5 the newer, and 31.6 with HOG's heap, by f alone in doubles. It is 31.0 with a Manhattan estimate, \
             34.8 with a Euclidean one, 41.0 with the longer side and 71.7 without an estimate. Of single queries the largest is \
             86 with the octile estimate and 256 without one, so the paper's two orders of magnitude are those of single queries.",
        ),
        Cause::of(
            "memory",
            "The paper's costs seem to be in single precision, whose rounding loses some ties; ours are exact. With seven rules for \
             the order of the moves and of the strips, costs in single precision give 184,014 to 184,045 rectangles, and the paper's \
             184,034 lie between; costs in double precision give 183,273 to 183,375, and exact costs 183,313 to 183,481.",
        )
        .rows(&["AR0404SR"])
        .what(&["rectangles"]),
        Cause::of(
            "memory",
            "The paper's machine is of 2011, and its search is Dijkstra's algorithm with a heap: ours of that kind took .50 and 3.2 ms \
             a source on AR0404SR and AR0700SR, where the whole row, search and rectangles, takes .19 and .81 ms with the search of \
             the library. The paper's 40 minutes are 47 ms a source.",
        )
        .what(&["minutes to build", "most minutes to build"]),
    ],
    impossible: &[
        Impossible {
            what: "The points of Figures 2 to 6",
            evidence: "The figures are plots without numbers. Ours have the same axes; beside them are the numbers of the text.",
        },
        Impossible {
            what: "The times of the paper's A* and of its lookups",
            evidence: "The paper has only their quotient, and names neither the processor, but for its 3.2 GHz, nor the version of HOG.",
        },
    ],
};
