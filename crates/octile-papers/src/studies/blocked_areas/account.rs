//! Where we depart from the paper, and why numbers differ.

use crate::exhibit::finding::{Account, Cause, Impossible};

pub(super) static ACCOUNT: Account = Account {
    deviations: &[
        "The paper's Lemma 2 fails where diagonal moves may not cut corners: its areas make some paths longer (`8room_000`, from 101,17 to 69,5: \
         83.11 instead of 76.28). So areas are checked before they are used, and narrowed or dropped.",
        "The paper discards triangles with a short side, and does not say how short. Ours are discarded below 4 cells. That gives the paper's number \
         of areas on 58 of its 60 maps; a limit of 2, 3 or 5 cells, or none, does on 28.",
        "The paper rejects areas with walls inside, and has no rule for areas that overlap. By its rules alone, 52 of 60 maps have its number of areas. \
         Ours may have walls inside, and of two areas that overlap the smaller one is dropped: 58 of 60. With neither rule it is 43 of 60.",
        "A search asks the BA-tree about squares of 16 x 16 cells and keeps the answers while the query runs. The paper descends the tree for each cell, \
         twice for some. The column Search of Table 3 counts the paper's access to one cell.",
        "The area of the start is looked up before the search. The paper looks up the area of each cell's parent, before that parent is set (line 15 of its \
         Algorithm 6).",
        "The paper does not say which nodes it calls visited. Ours are those that were put on the open list: its ratios of WA\\* in rooms are those of \
         opened nodes, and not those of expanded ones, which stand beside them in Table 4.",
        "The paper read x and y of the scenarios the wrong way round, as its numbers of valid scenarios show on all 60 maps; its areas lengthen no path only \
         if diagonal moves may cut corners. Both are settings of ours; the numbers are those of the paper's setting.",
        "Of the alternatives in section 6.4, the grid of area numbers is `lookup=grid`. Trapezoids are not built: the paper measures nothing of them, and a \
         look-up in them cannot be cheaper than none, which is what `lookup=moves` takes.",
        "Figures 1 to 5 show generated mazes with as many squares as the paper's.",
    ],
    causes: &[
        Cause::of(
            "table-3",
            "One area more than in the paper. It remains under every reading of the rules that we tried: limits of 0 to 5 cells for short sides; areas with \
             walls inside kept, or rejected by cells, by whole walls or by ends of walls; the smaller, the larger or the later of two overlapping areas \
             dropped, or none.",
        )
        .rows(&["maze-8-3", "maze-8-4"]),
    ],
    impossible: &[Impossible {
        what: "The mazes of Figures 1 to 5",
        evidence: "the paper prints pictures of them, and the ends of four walls; no benchmark has them",
    }],
};
