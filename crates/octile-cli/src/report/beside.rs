//! A number of ours beside the paper's.

use serde::Serialize;

/// Ours, and the paper's if it has one.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Pair {
    pub(crate) ours: f64,
    pub(crate) paper: Option<f64>,
}

impl Pair {
    pub(crate) fn new(ours: f64, paper: impl Into<Option<f64>>) -> Self {
        Self { ours, paper: paper.into() }
    }

    /// The paper's as printed, or a dash.
    pub(crate) fn paper(self, decimals: usize) -> String {
        or_dash(self.paper, decimals)
    }

    /// The three columns: ours, the paper's, and ours as a multiple of the paper's.
    pub(crate) fn columns(self, decimals: usize) -> [String; 3] {
        let ratio = self.paper.map(|paper| self.ours / paper);
        [format!("{:.decimals$}", self.ours), self.paper(decimals), or_dash(ratio, 2)]
    }
}

/// A number, or a dash where there is none.
pub(crate) fn or_dash(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_ours_to_the_papers() {
        assert_eq!(Pair::new(3.0, 2.0).columns(1), ["3.0", "2.0", "1.50"]);
        assert_eq!(Pair::new(3.06, None).columns(1), ["3.1", "-", "-"]);
    }
}
