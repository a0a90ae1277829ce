//! What a database is like.

use std::fmt;
use std::str::FromStr;

use super::layout::Layout;
use super::order::Order;
use super::symbols::Ties;
use crate::algo::Key;
use crate::error::SpecError;
use crate::spec::{Options, PlannerSpec};

/// The keys of a spec that say what the database is like.
pub(super) const KEYS: [Key; 5] = [
    Key {
        name: "layout",
        takes: "runs, rectangles, quadtree or uncompressed",
        help: "how the database is compressed; runs unless told",
    },
    Key {
        name: "order",
        takes: "dfs or hilbert",
        help: "the order of the targets that runs are runs of; dfs unless told",
    },
    Key {
        name: "ties",
        takes: "mask, diagonal-first or diagonals",
        help: "which of several optimal first moves it may give: any, one decided beforehand, or any diagonal one if there is \
               one; diagonals for runs and diagonal-first for other layouts unless told. With mask a path needs a lookup for \
               every move",
    },
    Key {
        name: "symbol",
        takes: "heuristic or none",
        help: "whether a symbol stands for the move that geometry suggests; heuristic for runs and none for other layouts \
               unless told",
    },
    Key {
        name: "default",
        takes: "move or none",
        help: "whether a row of rectangles leaves out those of its most frequent move; none unless told",
    },
];

/// What a database is like. Its text is as in specs: `layout=runs,order=dfs,ties=diagonals,symbol=heuristic`.
///
/// ```
/// use octile::algo::cpd::{Layout, Settings, Ties};
/// let settings: Settings = "layout=rectangles,ties=mask".parse()?;
/// assert_eq!((settings.layout, settings.ties, settings.heuristic), (Layout::Rectangles, Ties::Mask, false));
/// assert_eq!("layout=runs".parse(), Ok(Settings::default()));
/// # Ok::<(), octile::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Settings {
    /// How rows are compressed.
    pub layout: Layout,
    /// The order of targets in runs.
    pub order: Order,
    /// Which of several optimal moves may be given.
    pub ties: Ties,
    /// Whether a symbol stands for the move that geometry suggests.
    pub heuristic: bool,
    /// Whether rows of rectangles leave out those of their most frequent move. Other layouts have none.
    pub default_move: bool,
}

impl Settings {
    /// The customary settings of a layout: the paper's for rectangles and squares, and for runs the fastest.
    pub const fn of_layout(layout: Layout) -> Self {
        let is_runs = matches!(layout, Layout::Runs);
        Self {
            layout,
            order: Order::Dfs,
            ties: if is_runs { Ties::Diagonals } else { Ties::DiagonalFirst },
            heuristic: is_runs,
            default_move: false,
        }
    }

    /// What a spec says. What it leaves open is as in `base`, or as is customary for the layout that it names.
    pub(super) fn from_options(options: &Options, base: Self) -> Result<Self, SpecError> {
        let layout = options.value("layout", |value| Layout::ALL.into_iter().find(|layout| layout.name() == value))?;
        let base = layout.filter(|&layout| layout != base.layout).map_or(base, Self::of_layout);
        let order = options.value("order", |value| Order::ALL.into_iter().find(|order| order.name() == value))?;
        let ties = options.value("ties", |value| Ties::ALL.into_iter().find(|ties| ties.name() == value))?;
        let heuristic = options.value("symbol", |value| on_or_none(value, "heuristic"))?;
        let default_move = options.value("default", |value| on_or_none(value, "move"))?;
        if base.layout != Layout::Rectangles {
            options.refuse(
                "default",
                |value| value == "move",
                "only rectangles can be left out; add layout=rectangles",
            )?;
        }
        Ok(Self {
            order: order.unwrap_or(base.order),
            ties: ties.unwrap_or(base.ties),
            heuristic: heuristic.unwrap_or(base.heuristic),
            default_move: default_move.unwrap_or(base.default_move),
            ..base
        })
    }
}

fn on_or_none(value: &str, on: &str) -> Option<bool> {
    (value == on).then_some(true).or_else(|| (value == "none").then_some(false))
}

impl Default for Settings {
    fn default() -> Self {
        Self::of_layout(Layout::default())
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { layout, order, ties, heuristic, default_move } = self;
        let symbol = if *heuristic { "heuristic" } else { "none" };
        write!(f, "layout={layout},order={order},ties={ties},symbol={symbol}")?;
        if *default_move { f.write_str(",default=move") } else { Ok(()) }
    }
}

impl FromStr for Settings {
    type Err = SpecError;

    /// Reads what follows the colon of a spec, with the keys of the database only; those that are left out are as is customary.
    fn from_str(text: &str) -> Result<Self, SpecError> {
        let spec = if text.is_empty() { super::NAME.to_owned() } else { format!("{}:{text}", super::NAME) };
        let spec: PlannerSpec = spec.parse()?;
        if let Some(key) = spec.options().keys().find(|key| KEYS.iter().all(|known| known.name != *key)) {
            let known = KEYS.iter().map(|key| key.name).collect();
            return Err(SpecError::NoSetting { kind: super::KIND, key: key.to_owned(), known });
        }
        Self::from_options(spec.options(), Self::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_written() {
        for layout in Layout::ALL {
            for order in Order::ALL {
                for ties in Ties::ALL {
                    for heuristic in [false, true] {
                        let default_move = heuristic && layout == Layout::Rectangles;
                        let settings = Settings { layout, order, ties, heuristic, default_move };
                        assert_eq!(settings.to_string().parse(), Ok(settings));
                    }
                }
            }
        }
        assert_eq!("".parse(), Ok(Settings::default()));
        assert!("default=move".parse::<Settings>().unwrap_err().to_string().contains("only rectangles"));
        assert!("layout=zip".parse::<Settings>().is_err());
        let error = "layout=runs,repair=unit".parse::<Settings>().unwrap_err().to_string();
        assert_eq!(
            error,
            "`repair` says nothing about an index of kind `cpd`; its settings: layout, order, ties, symbol, default"
        );
    }
}
