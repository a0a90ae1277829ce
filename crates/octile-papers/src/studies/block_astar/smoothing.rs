//! What smoothing leaves of the difference between Block A\* and Theta\*.

use anyhow::Result;
use octile::formats::draw::{self, Colour};
use octile::geometry::{Corner, Dice};
use octile::{Cell, Finder, Grid, Path};

use super::trial::{BLOCKS, EUCLIDEAN, SMOOTHED, THETA, Trial};
use crate::exhibit::finding::{Finding, Says};
use crate::exhibit::{Exhibit, Pair, Picture, Row, Table};
use crate::laps::Sum;
use crate::papers::block_astar::Claims;

/// A line for each size of blocks on each data set, and a picture.
pub(super) fn exhibit(trials: &[Trial], claims: &Claims, seed: u64) -> Result<Exhibit> {
    let lines: Vec<Line> = trials.iter().flat_map(lines).collect();
    let table = Table::new().text("data set").text("planner").grouped("distance", "Block A*", 2);
    let table = table.grouped("distance", "Theta*", 2).beside("longer, %", 2);
    let table = table.grouped("smoothed distance", "Block A*", 2).grouped("smoothed distance", "Theta*", 2);
    let table = table.number("smoothed, longer, %", 2).rows(lines.iter().map(Line::row));
    let most = |of: fn(&Line) -> Option<f64>| lines.iter().filter_map(of).fold(f64::NEG_INFINITY, f64::max);
    let note = format!(
        "At most {:.2} % longer, {:.2} % after smoothing; with the paper's blocks of 4 x 4 cells and with ours of 8 x 8. The paper says {} % and {} %; \
         its own tables have up to 0.56 %.",
        most(|line| line.longer.ours),
        most(|line| line.smoothed_longer),
        claims.difference_percent,
        claims.smoothed_percent
    );
    let exhibit =
        Exhibit::new("Smoothing", "What smoothing leaves of the difference in length").table(table).note(note);
    let exhibit = exhibit.caption(
        "How much longer the paths of Block A* are than those of Theta*, in per cent of the mean over all queries of a data set, before and after \
         both are smoothed: from each turning point that is kept, the path goes straight to the last that it sees without a gap. The queries are those of \
         Tables 1 and 2.",
    );
    Ok(match picture(seed)? {
        Some(picture) => {
            exhibit.picture(picture).legend([(Colour::EXPANDED_LAST, "path of Block A*"), (Colour::PATH, "smoothed")])
        }
        None => exhibit,
    })
}

/// What the paper says is left after smoothing, beside ours with its size of blocks.
pub(super) fn findings(trials: &[Trial], claims: &Claims) -> Vec<Finding> {
    let finding = |trial: &Trial| {
        let line = line(trial, 1, BLOCKS[0]);
        let of = (super::SMOOTHING, &*line.set, "longer than the paths of Theta*, both smoothed");
        let ours = line.smoothed.and(line.smoothed_longer);
        Finding::new(of, Says::AtMost(claims.smoothed_percent), ours).by(trial.planners.smoothed[1]).printed(2, " %")
    };
    trials.iter().map(finding).collect()
}

/// A size of blocks on a data set.
struct Line {
    set: String,
    planner: &'static str,
    distance: Option<f64>,
    theta: Option<f64>,
    longer: Pair,
    smoothed: Option<f64>,
    smoothed_theta: Option<f64>,
    smoothed_longer: Option<f64>,
}

fn lines(trial: &Trial) -> impl Iterator<Item = Line> {
    SMOOTHED.into_iter().enumerate().skip(1).map(|(nth, block)| line(trial, nth, block))
}

fn line(trial: &Trial, nth: usize, block: usize) -> Line {
    let smoothed = |planner: usize| Sum::of(&trial.laps, trial.planners.smoothed[planner], trial.planners.smoothed[0]);
    let (before, after) = (trial.sum(block, THETA), smoothed(nth));
    let percent = |ratio: f64| 100.0 * (ratio - 1.0);
    let of_paper = (block == BLOCKS[0]).then(|| percent(trial.paper.block.distance / trial.paper.theta.distance));
    Line {
        set: trial.set.clone(),
        planner: trial.planners.specs[block],
        distance: before.mean_length(),
        theta: trial.sum(THETA, block).mean_length(),
        longer: Pair::new(before.length_ratio().map(percent), of_paper),
        smoothed: after.mean_length(),
        smoothed_theta: smoothed(0).mean_length(),
        smoothed_longer: after.length_ratio().map(percent),
    }
}

impl Line {
    fn row(&self) -> Row {
        let row = Row::new().text(&self.set).text(self.planner).number(self.distance).number(self.theta);
        row.beside(self.longer).number(self.smoothed).number(self.smoothed_theta).number(self.smoothed_longer)
    }
}

/// The small random map of the picture.
const WIDTH: u32 = 72;
const HEIGHT: u32 = 28;
const PERCENT: u64 = 6;
const SCALE: u32 = 12;

/// A path of Block A\* before and after smoothing, from corner to corner of a small random map.
fn picture(seed: u64) -> Result<Option<Picture>> {
    let mut dice = Dice::new(seed);
    let grid = Grid::from_fn(WIDTH, HEIGHT, |_| !dice.hits(PERCENT, 100))?;
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let (Some(&start), Some(&goal)) = (free.first(), free.last()) else { return Ok(None) };
    let find = |spec: &str| -> Result<Option<Path>> { Ok(Finder::new(spec, &grid)?.find(start, goal)?) };
    let specs = [EUCLIDEAN.specs[BLOCKS[0]], EUCLIDEAN.smoothed[1], EUCLIDEAN.specs[THETA]];
    let [Some(path), Some(smoothed), Some(theta)] = [find(specs[0])?, find(specs[1])?, find(specs[2])?] else {
        return Ok(None);
    };
    let picture = draw::Picture::new(&grid).scale(SCALE).corner_line(path.corners()?, Colour::EXPANDED_LAST);
    let picture = picture.corner_line(smoothed.corners()?, Colour::PATH);
    let caption = format!(
        "Block A* (4 x 4 cells) on a random map of {WIDTH} x {HEIGHT} cells, {PERCENT} % blocked, seed {seed}: its path in blue, {:.2} long with {} turning \
         points; smoothed in red, {:.2} with {}; Theta*'s has a length of {:.2}.",
        path.length(),
        turns(&path),
        smoothed.length(),
        turns(&smoothed),
        theta.length()
    );
    Ok(Some(Picture::new(caption, picture.corner_ends(Corner::of(start), Corner::of(goal)).to_svg()?)))
}

fn turns(path: &Path) -> usize {
    path.corners().map_or(0, <[Corner]>::len).saturating_sub(2)
}
