//! What a paper says in a number, what was measured here, and whether that is the same.

use serde::Serialize;

/// A number of a paper beside ours.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Finding {
    /// What the number is.
    pub(crate) claim: String,
    /// The paper's, in words.
    pub(crate) paper: String,
    /// Ours, in words, if it was measured.
    pub(crate) ours: Option<String>,
    pub(crate) verdict: Verdict,
    /// The exhibit of the section that has all of it.
    pub(crate) exhibit: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    Reproduced,
    Differs,
    NotMeasured,
    /// Measured on maps that stand in for the paper's, which says nothing of its numbers.
    OtherMaps,
}

impl Verdict {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Differs => "differs",
            Self::NotMeasured => "not measured",
            Self::OtherMaps => "other maps",
        }
    }
}

/// How verdicts are found.
pub(crate) const RULE: &str = "A number is reproduced if ours is within a factor of 1.5 of the paper's, or of its range; a bound, if ours keeps it; a \
                               count, if ours is equal. Anything else differs, to either side: a faster baseline leaves less to gain.";

/// As in [`RULE`].
const NEAR: f64 = 1.5;

/// What a paper says of a number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Says {
    /// About that much, or so much on each of several maps.
    About([f64; 2]),
    AtMost(f64),
    AtLeast(f64),
    /// Exactly so many.
    Equal(f64),
}

impl Says {
    fn holds(self, ours: f64) -> bool {
        match self {
            Self::About([from, to]) => (from / NEAR..=to * NEAR).contains(&ours),
            Self::AtMost(most) => ours <= most,
            Self::AtLeast(least) => ours >= least,
            Self::Equal(paper) => (ours - paper).abs() < 1e-9,
        }
    }

    fn words(self, print: impl Fn([f64; 2]) -> String) -> String {
        match self {
            Self::About(range) => print(range),
            Self::AtMost(most) => format!("at most {}", print([most; 2])),
            Self::AtLeast(least) => format!("at least {}", print([least; 2])),
            Self::Equal(paper) => print([paper; 2]),
        }
    }
}

impl Finding {
    /// Ours is the least and the largest of what was measured. Numbers are printed with so many decimals and this unit.
    pub(crate) fn new(
        (exhibit, claim): (&'static str, &str),
        (decimals, unit): (usize, &str),
        says: Says,
        ours: Option<[f64; 2]>,
    ) -> Self {
        let print = |[from, to]: [f64; 2]| {
            let [from, to] = [from, to].map(|number| format!("{number:.decimals$}"));
            if from == to { format!("{from}{unit}") } else { format!("{from} to {to}{unit}") }
        };
        let verdict = match ours {
            None => Verdict::NotMeasured,
            Some(ours) if ours.into_iter().all(|ours| says.holds(ours)) => Verdict::Reproduced,
            Some(_) => Verdict::Differs,
        };
        Self { claim: claim.to_owned(), paper: says.words(print), ours: ours.map(print), verdict, exhibit }
    }
}

/// The least and the largest of some numbers, if there are any.
pub(crate) fn range(numbers: impl IntoIterator<Item = f64>) -> Option<[f64; 2]> {
    numbers.into_iter().filter(|number| number.is_finite()).fold(None, |range: Option<[f64; 2]>, number| {
        Some(range.map_or([number; 2], |[least, most]| [least.min(number), most.max(number)]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_rule() {
        let verdict = |says, ours| Finding::new(("table-1", "x"), (1, " %"), says, ours).verdict;
        for (says, good, bad) in [
            (Says::About([2.0, 4.0]), [1.4, 5.9], [1.3, 3.0]),
            (Says::About([2.0, 4.0]), [3.0, 3.0], [3.0, 6.1]),
            (Says::AtMost(0.5), [0.1, 0.5], [0.1, 0.51]),
            (Says::AtLeast(100.0), [100.0, 900.0], [99.0, 900.0]),
            (Says::Equal(60.0), [60.0, 60.0], [59.0, 60.0]),
        ] {
            assert_eq!(verdict(says, Some(good)), Verdict::Reproduced, "{says:?} {good:?}");
            assert_eq!(verdict(says, Some(bad)), Verdict::Differs, "{says:?} {bad:?}");
            assert_eq!(verdict(says, None), Verdict::NotMeasured);
        }
        let finding = Finding::new(("table-1", "x"), (1, " %"), Says::AtMost(0.5), range([0.25, f64::NAN, 0.75]));
        assert_eq!((&*finding.paper, finding.ours.as_deref()), ("at most 0.5 %", Some("0.2 to 0.8 %")));
        assert_eq!(range([]), None);
    }
}
