//! How series are told apart: colours that most colour-blind people can tell apart too, then dashes and marks.
//!
//! A planner looks the same in all plots of all reports: planners of one kind have a colour, and each of them a mark.
//! Other series have the colours in their order.
//!
//! A drawing names the colours of a light page. Rules of the page, made by [`rules`], turn them into variables, so that
//! the page may have a dark side as well.

use std::fmt::Write;

use plotters::style::RGBColor;

use super::super::{Plot, Series, Style};

/// Colours of series, as in `--series-1` and so on of the page.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x8a, 0x64),
    RGBColor(0xb8, 0x50, 0x8a),
    RGBColor(0xd4, 0x93, 0x00),
    RGBColor(0x4a, 0x38, 0xa0),
    RGBColor(0x48, 0xae, 0xe6),
    RGBColor(0x8c, 0x6d, 0x46),
];

/// Planners of one kind, which have the colour of that place.
struct Kind {
    name: &'static str,
    /// Those with a mark of their own, in the order of marks. Others of these names have the first.
    planners: &'static [&'static str],
}

const KINDS: [Kind; 8] = [
    Kind {
        name: "A* and relatives",
        planners: &[
            "astar",
            "astar:open=buckets",
            "astar:prune=blocked-areas+gates",
            "dijkstra",
            "weighted-astar:weight=1.5",
        ],
    },
    Kind { name: "jump points", planners: &["jps", "jps:prune=gates", "jump-graph"] },
    Kind { name: "corners", planners: &["corner-sweep", "corner-sweep:cache=on"] },
    Kind {
        name: "answers from an index",
        planners: &["hub-labels", "cpd", "core-table", "core-search", "taut-labels"],
    },
    Kind { name: "rectangles", planners: &["rea-star", "rea-star:fronts=cells"] },
    Kind { name: "blocks", planners: &["block-astar", "block-astar:db=any-angle", "block-astar:db=any-angle,block=4"] },
    Kind {
        name: "any angle",
        planners: &["theta-star", "lazy-theta-star", "astar:on=corners", "taut-sight", "taut-graph"],
    },
    Kind { name: "other projects", planners: &["peer/pathfinding", "peer/grid-pathfinding", "peer/pathfinding-moves"] },
];

/// The look of a planner, whatever its squeeze rule; none of what is no planner that is known here.
fn of_planner(name: &str) -> Option<Look> {
    let name = name.replace(",squeeze=forbidden", "").replace(":squeeze=forbidden", "");
    let plain = name.split(':').next().unwrap_or_default();
    let exact = KINDS.iter().enumerate().find_map(|(hue, kind)| {
        let round = kind.planners.iter().position(|planner| *planner == name)?;
        Some(Look { hue: Some(hue), round })
    });
    let alike = || {
        let hue = KINDS
            .iter()
            .position(|kind| kind.planners.iter().any(|planner| planner.split(':').next() == Some(plain)))?;
        Some(Look { hue: Some(hue), round: 0 })
    };
    exact.or_else(alike)
}

/// What papers say.
const GREY: RGBColor = RGBColor(0x7a, 0x80, 0x88);

pub(super) const GRID: RGBColor = RGBColor(0xe4, 0xe6, 0xea);
pub(super) const AXIS: RGBColor = RGBColor(0xb4, 0xba, 0xc2);
pub(super) const LANE: RGBColor = RGBColor(0xf2, 0xf4, 0xf7);
pub(super) const TEXT: RGBColor = RGBColor(0x5a, 0x62, 0x6c);

/// Dashes of lines: of those with the first colours, then of those for which these come again.
const DASHES: [&str; 5] = ["", "60 32", "14 30", "90 30 16 30", "34 20"];
const PAPER_DASHES: [&str; 3] = ["52 36", "16 30", "90 30 16 30"];

/// How a series looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Look {
    /// Which colour; none for papers.
    hue: Option<usize>,
    /// Which dash and mark.
    round: usize,
}

/// The shape of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Disc,
    Ring,
    Triangle,
    Square,
    Diamond,
}

impl Mark {
    /// The corners of one around the origin, which reach so far; none of what is round.
    pub(super) fn corners(self, reach: i32) -> Option<Vec<(i32, i32)>> {
        let (most, less) = (reach * 3 / 2, reach * 7 / 8);
        match self {
            Self::Disc | Self::Ring => None,
            Self::Triangle => Some(vec![(0, -most), (reach * 5 / 4, less), (-reach * 5 / 4, less)]),
            Self::Square => Some(vec![(-less, -less), (less, -less), (less, less), (-less, less)]),
            Self::Diamond => Some(vec![(0, -most), (most, 0), (0, most), (-most, 0)]),
        }
    }
}

impl Look {
    fn nth(style: Style, nth: usize) -> Self {
        if style == Style::Paper {
            Self { hue: None, round: nth % PAPER_DASHES.len() }
        } else {
            Self { hue: Some(nth % COLOURS.len()), round: nth / COLOURS.len() % DASHES.len() }
        }
    }

    /// The colour of a light page, told from those with other dashes by a shade nobody sees.
    pub(super) fn colour(self) -> RGBColor {
        let RGBColor(red, green, blue) = self.hue.map_or(GREY, |hue| COLOURS[hue]);
        RGBColor(red, green, blue + self.round as u8)
    }

    pub(super) fn mark(self) -> Mark {
        match (self.hue, self.round) {
            (None, _) | (_, 0) => Mark::Disc,
            (_, 1) => Mark::Ring,
            (_, 2) => Mark::Triangle,
            (_, 3) => Mark::Square,
            _ => Mark::Diamond,
        }
    }

    fn dash(self) -> &'static str {
        if self.hue.is_none() { PAPER_DASHES[self.round] } else { DASHES[self.round] }
    }

    fn variable(self) -> String {
        self.hue.map_or("--paper-series".to_owned(), |hue| format!("--series-{}", hue + 1))
    }
}

/// The name of the kind of planners that a series is one of, and the look of its colour.
pub(super) fn kind_of(series: &Series) -> Option<(&'static str, Look)> {
    let look = of_planner(&series.name).filter(|_| series.style != Style::Paper)?;
    Some((KINDS[look.hue?].name, Look { round: 0, ..look }))
}

/// The looks of series that are no planners: those of one name look the same in all plots of an exhibit.
pub(in super::super) struct Looks<'a>(Vec<(&'a str, Look)>);

impl<'a> Looks<'a> {
    pub(in super::super) fn of(plots: &'a [Plot]) -> Self {
        let (mut looks, mut counts) = (Vec::new(), [0, 0]);
        for series in plots.iter().flat_map(|plot| &plot.series) {
            let paper = series.style == Style::Paper;
            let known = |(name, look): &(&str, Look)| *name == series.name && look.hue.is_none() == paper;
            if !looks.iter().any(known) && kind_of(series).is_none() {
                let count = &mut counts[usize::from(paper)];
                looks.push((series.name.as_str(), Look::nth(series.style, *count)));
                *count += 1;
            }
        }
        Self(looks)
    }

    pub(in super::super) fn look(&self, series: &Series) -> Look {
        let paper = series.style == Style::Paper;
        if let Some(look) = of_planner(&series.name).filter(|_| !paper) {
            return look;
        }
        let found = self.0.iter().find(|(name, look)| *name == series.name && look.hue.is_none() == paper);
        found.map_or(Look::nth(series.style, 0), |&(_, look)| look)
    }
}

/// The rules that turn the colours of drawings into variables of the page.
pub(in super::super) fn rules() -> String {
    let fixed = [(GRID, "--plot-grid"), (AXIS, "--plot-axis"), (LANE, "--raised"), (TEXT, "--muted")];
    let mut rules: String = fixed.map(|(colour, variable)| colour_rules(colour, variable)).concat();
    let series = COLOURS.len() * DASHES.len();
    let ours = (0..series).map(|nth| Look::nth(Style::Line, nth));
    let papers = (0..PAPER_DASHES.len()).map(|nth| Look::nth(Style::Paper, nth));
    for look in ours.chain(papers) {
        let (colour, variable, dash) = (hex(look.colour()), look.variable(), look.dash());
        rules += &colour_rules(look.colour(), &variable);
        let mix = format!("color-mix(in srgb,var({variable}) 55%,var(--ink))");
        // Writing to a string cannot fail.
        let _ = writeln!(rules, ".plot text[fill='{colour}']{{fill:{mix};stroke:var(--page)}}");
        if look.hue.is_none() {
            let _ = writeln!(rules, ".plot polygon[fill='{colour}']{{fill:var(--page);stroke:var({variable})}}");
        }
        if !dash.is_empty() {
            let _ = writeln!(rules, ".plot polyline[stroke='{colour}']{{stroke-dasharray:{dash}}}");
        }
    }
    rules
}

fn colour_rules(colour: RGBColor, variable: &str) -> String {
    let colour = hex(colour);
    format!(".plot [stroke='{colour}']{{stroke:var({variable})}}.plot [fill='{colour}']{{fill:var({variable})}}\n")
}

/// A colour as drawings spell it.
pub(super) fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planner_looks_the_same_wherever_it_is() {
        let look = |name: &str| of_planner(name);
        let all: Vec<Look> = KINDS.iter().flat_map(|kind| kind.planners).filter_map(|name| look(name)).collect();
        assert!((1..all.len()).all(|nth| !all[..nth].contains(&all[nth])), "two planners look the same");
        assert!(all.iter().all(|look| look.round < DASHES.len()) && KINDS.len() <= COLOURS.len());
        assert_eq!(look("theta-star:squeeze=forbidden"), look("theta-star"));
        assert_eq!(look("astar:on=corners,squeeze=forbidden"), look("astar:on=corners"));
        assert_eq!(look("cpd:layout=rectangles").map(|look| look.hue), look("cpd").map(|look| look.hue));
        assert_eq!(look("cpd, every cell, warm"), None);
        assert_eq!(look("MAZE8"), None);
    }
}
