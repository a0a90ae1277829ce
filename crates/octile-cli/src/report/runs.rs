//! Which queries a paper's table was made from.

use std::fmt;

use serde::Serialize;

use super::text::count;

/// Which queries were run, every Nth, and how often each was timed.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Runs {
    pub(crate) every: usize,
    pub(crate) rounds: usize,
}

impl Runs {
    /// Which queries.
    pub(crate) fn which(self) -> String {
        if self.every == 1 { "every query".to_owned() } else { format!("every {} query", ordinal(self.every)) }
    }

    /// Of how many times the best counts.
    pub(crate) fn best(self) -> String {
        format!("best of {}", count(self.rounds, "round", "rounds"))
    }
}

impl fmt::Display for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.which(), self.best())
    }
}

/// A number as a place in an order.
fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_have_their_endings() {
        assert_eq!([1, 2, 3, 4, 11, 13, 100, 121].map(ordinal).concat(), "1st2nd3rd4th11th13th100th121st");
    }

    #[test]
    fn runs_read_as_words() {
        assert_eq!(Runs { every: 1, rounds: 1 }.to_string(), "every query, best of 1 round");
        assert_eq!(Runs { every: 22, rounds: 3 }.to_string(), "every 22nd query, best of 3 rounds");
    }
}
