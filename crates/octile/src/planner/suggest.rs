//! "Did you mean" suggestions: finds known names that are similar to an unknown one.

use std::fmt;

/// A known name similar to an unknown one; its text is ` (did you mean ...?)` or empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Suggestion(pub Option<&'static str>);

impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |name| write!(f, " (did you mean `{name}`?)"))
    }
}

/// The known name nearest to a given one, if it is similar enough: `jsp` and `JPS` give `jps`, and `a*` gives `astar`.
pub(crate) fn nearest(given: &str, known: &[&'static str]) -> Suggestion {
    let plain = plain(given);
    let distance = |name: &str| strsim::osa_distance(&plain, &self::plain(name));
    let misses = |name: &str| !self::plain(name).starts_with(&plain);
    let best =
        known.iter().map(|name| (distance(name), *name)).min_by_key(|(distance, name)| (*distance, misses(name)));
    // A third of the letters may be wrong, and one letter of a short name.
    let most = (plain.chars().count() / 3).clamp(1, 3);
    let has_letters = plain.contains(char::is_alphabetic);
    Suggestion(best.filter(|(distance, _)| *distance <= most && has_letters).map(|(_, name)| name))
}

/// A name without case, separators and other spelling differences.
fn plain(name: &str) -> String {
    let name = name.replace('*', "star").to_lowercase();
    name.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_nearly_right_are_recognised() {
        let known =
            ["astar", "weighted-astar", "jps", "rea-star", "theta-star", "lazy-theta-star", "hub-labels", "cpd"];
        for (given, meant) in [
            ("jsp", "jps"),
            ("JPS", "jps"),
            ("a*", "astar"),
            ("A*", "astar"),
            ("rea*", "rea-star"),
            ("Theta*", "theta-star"),
            ("lazy_theta_star", "lazy-theta-star"),
            ("hublabels", "hub-labels"),
            ("hub-lable", "hub-labels"),
            ("cdp", "cpd"),
        ] {
            assert_eq!(nearest(given, &known), Suggestion(Some(meant)), "{given}");
        }
        for given in ["", "*-*", "dijkstra", "xyz", "quadtree"] {
            assert_eq!(nearest(given, &known), Suggestion(None), "{given}");
        }
    }
}
