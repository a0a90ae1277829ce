//! The settings of a database.

use std::fmt;
use std::str::FromStr;

use super::layout::Layout;
use super::order::Order;
use super::symbols::Ties;
use super::{Cpd, KIND};
use crate::planner::{Key, Keys, SpecError, keys};

/// The keys of a spec that are settings of the database.
pub(super) const SETTINGS: [&str; 6] = ["layout", "order", "ties", "symbol", "default", "share"];

/// The settings of a database. The text form is as in specs: `layout=runs,order=dfs,ties=diagonals,symbol=heuristic`.
///
/// ```
/// use octile::algo::cpd::{Layout, Settings, Ties};
/// let settings: Settings = "layout=rectangles,ties=mask".parse()?;
/// assert_eq!((settings.layout, settings.ties, settings.heuristic), (Layout::Rectangles, Ties::Mask, false));
/// assert_eq!("layout=runs".parse(), Ok(Settings::default()));
/// # Ok::<(), octile::planner::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Settings {
    /// How rows are compressed.
    pub layout: Layout,
    /// The order of targets in runs.
    pub order: Order,
    /// Which of several optimal moves a lookup may return.
    pub ties: Ties,
    /// Whether a symbol stands for the move that geometry suggests.
    pub heuristic: bool,
    /// Whether rows of rectangles leave out those of their most frequent move. Other layouts have no default move.
    pub default_move: bool,
    /// Whether neighbouring sources share a row where one is valid for all of them.
    pub shared: bool,
}

impl Settings {
    /// The default settings of a layout: the paper's for rectangles and squares, and the fastest for runs.
    ///
    /// ```
    /// use octile::algo::cpd::{Layout, Settings};
    /// let settings = Settings::of_layout(Layout::Rectangles);
    /// assert_eq!(settings.to_string(), "layout=rectangles,order=dfs,ties=diagonal-first,symbol=none");
    /// ```
    pub const fn of_layout(layout: Layout) -> Self {
        let is_runs = matches!(layout, Layout::Runs);
        Self {
            layout,
            order: Order::Dfs,
            ties: if is_runs { Ties::Diagonals } else { Ties::DiagonalFirst },
            heuristic: is_runs,
            default_move: false,
            shared: false,
        }
    }

    /// The settings that a config asks for. Options that are not set are as in `base`, or the defaults of the layout if
    /// the config names one.
    pub(super) fn of(config: &Cpd, base: Self) -> Self {
        let base = config.layout.filter(|&layout| layout != base.layout).map_or(base, Self::of_layout);
        Self {
            order: config.order.unwrap_or(base.order),
            ties: config.ties.unwrap_or(base.ties),
            heuristic: config.symbol.unwrap_or(base.heuristic),
            default_move: config.default_move.unwrap_or(base.default_move),
            shared: config.share.unwrap_or(base.shared),
            ..base
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::of_layout(Layout::default())
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { layout, order, ties, heuristic, default_move, shared } = self;
        let symbol = if *heuristic { "heuristic" } else { "none" };
        write!(f, "layout={layout},order={order},ties={ties},symbol={symbol}")?;
        f.write_str(if *default_move { ",default=move" } else { "" })?;
        f.write_str(if *shared { ",share=rows" } else { "" })
    }
}

impl FromStr for Settings {
    type Err = SpecError;

    /// Parses the part of a spec after the colon, with the keys of the database only; missing keys have their defaults.
    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut cpd = Cpd::default();
        let known: Vec<&'static Key> = SETTINGS.iter().filter_map(|name| cpd.key(name)).collect();
        keys::settings(KIND, text, &known, |key, value| keys::set(&mut cpd, key, value))?;
        keys::check(&cpd)?;
        Ok(Self::of(&cpd, Self::default()))
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
                        for shared in [false, true] {
                            let settings = Settings { layout, order, ties, heuristic, default_move, shared };
                            assert_eq!(settings.to_string().parse(), Ok(settings));
                        }
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
            "`repair` is not a setting of index kind `cpd`; its settings: layout, order, ties, symbol, default, share"
        );
    }
}
