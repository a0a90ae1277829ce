//! What the exhibits say about how they were measured.

use octile_cli::harness::words::count;

use super::amounts::{Amounts, GAME_MAPS, SCENARIO_PROBLEMS, work};
use super::courses::set_of;
use super::optimum::OnKind;
use crate::benchmarks::Set;
use crate::exhibit::Exhibit;
use crate::papers::block_astar::{Figures, Game};
use crate::plan::Plan;
use crate::races;

/// What the section is about.
pub(super) const LEAD: &str = "Block A* searches over blocks of cells, with a database of all distances inside them. The paper's blocks are of 5 x 5 vertices, which are 4 x 4 \
     cells, and are expanded in the order of f (block=4 and priority=exact); ours are of 8 x 8 cells, in an order that waits for more of the paths to a block, \
     unless told otherwise. Distances are in cells; Block A*'s expansions are of blocks, all others of \
     vertices or cells. The any-angle planners go along the corners of cells, and may squeeze between obstacles that touch at a corner, as the \
     paper's must have. No path may be longer than that of A* along corners.";

/// Of how many times the best counts.
pub(super) fn best(plan: &Plan) -> String {
    format!("best of {}", count(plan.rounds, "round", "rounds"))
}

/// Games that are left out.
pub(super) fn missing(games: &[Game]) -> String {
    let folders: Vec<&str> = games.iter().map(|game| game.folder()).collect();
    format!(
        "Left out, as none of their maps{} is at hand: {}. They are those of the MovingAI benchmarks (movingai.com/benchmarks).",
        if games.iter().all(|&game| game == Game::Starcraft) { "" } else { " with a scenario file" },
        folders.join(", ")
    )
}

/// Table 1 without its table.
pub(super) fn table_1(figures: &Figures, plan: &Plan, amounts: &Amounts, missing: &[Game]) -> Exhibit {
    let &Amounts { random_maps, random_problems, starcraft_problems, random_side: side, seed, .. } = amounts;
    let has = |game: Game| !missing.contains(&game);
    let mut caption = vec![format!(
        "Means of a query. Random: {} of {side} x {side} cells for each share of obstacles, {} on each, seeds from {seed}.",
        count(random_maps, "map", "maps"),
        count(random_problems, "random problem", "random problems")
    )];
    let maps = if plan.full { "all maps at hand".to_owned() } else { format!("up to {GAME_MAPS} maps of each") };
    if Game::ALL.into_iter().any(has) {
        caption.push(format!("Games: {maps}."));
    }
    if has(Game::Starcraft) {
        let problems = count(starcraft_problems, "random problem", "random problems");
        caption.push(format!("Starcraft: {problems} on each map, seeds from {seed}."));
    }
    if has(Game::Bg2) || has(Game::Dao) {
        let sets = [Game::Bg2, Game::Dao].into_iter().filter(|&game| has(game)).map(set_of).collect::<Vec<_>>();
        caption.push(format!("BG2 and DA:O: of the scenarios {}.", sampled(plan, &sets)));
    }
    caption.push(format!("Times are the {}; A* runs on corners with the Euclidean distance. {PAPER_1}", best(plan)));
    let exhibit = Exhibit::new("Table 1", &figures.table_1.caption).caption(caption.join(" "));
    if plan.maps.is_made_up() { exhibit } else { exhibit.note(OTHER_MAPS) }
}

const PAPER_1: &str = "The paper: 500 random maps with 100 problems each, five maps of Starcraft with 50,000 problems in all, 120 of BG2 with 93,160 and 157 \
                       of DA:O with 159,465, on a Core 2 of 2.8 GHz.";
const OTHER_MAPS: &str =
    "Starcraft's maps are others than the paper's; those of BG2 and DA:O are as many of the paper's as are at hand.";

/// Table 2 without its table.
pub(super) fn table_2(figures: &Figures, plan: &Plan, amounts: &Amounts) -> Exhibit {
    let &Amounts { pairs, seed, open_side: side, .. } = amounts;
    Exhibit::new("Table 2", &figures.table_2.caption).caption(format!(
        "Means of a query, without a heuristic: {} on an open map of {side} x {side} cells, seed {seed}; times are the {}. The paper: 100 problems.",
        count(pairs, "random problem", "random problems"),
        best(plan)
    ))
}

/// Which problems of the scenarios of some sets are asked.
fn sampled(plan: &Plan, sets: &[Set]) -> String {
    races::sampled_by(plan, SCENARIO_PROBLEMS, sets, |set| work(plan, set).every)
}

/// What the lengths over the shortest are.
pub(super) fn optimum(plan: &Plan, others: &[OnKind]) -> String {
    let kinds: Vec<&str> = others.iter().map(|on_kind| &*on_kind.kind).collect();
    let sets: Vec<Set> = plan.maps.sets().filter(|set| kinds.contains(&&*set.family())).cloned().collect();
    let sampled = sampled(plan, &sets);
    let others = match &kinds[..] {
        [] => String::new(),
        kinds => format!("; {} are the benchmark's maps of these kinds, of the scenarios {sampled}", kinds.join(", ")),
    };
    format!(
        "How many times as long the paths are as the shortest ones between the same corners and under the same rule, which `taut-graph` finds: along \
         corners paths may squeeze between obstacles that touch, over cells they may not, and reach fewer goals. Mean and worst of all queries, and how \
         many of a hundred paths are shortest, to a billionth of their length. The queries are those of Tables 1 and 2{others}. The paper compares with \
         Theta* alone."
    )
}
