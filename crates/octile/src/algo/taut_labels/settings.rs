//! The settings of an index: the squeeze rule, and the points that stand for cells.

use std::fmt;
use std::str::FromStr;

use super::{KIND, TautLabels};
use crate::artifact::{Artifact, ArtifactError};
use crate::geometry::Endpoints;
use crate::grid::Squeeze;
use crate::planner::SpecError;
use crate::planner::keys::{self, ENDS, SQUEEZE};

/// The section of a file with the settings.
pub(super) const SETTINGS: &str = "settings";

/// The settings of an index. Their text has the form of a spec.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) squeeze: Squeeze,
    pub(super) ends: Endpoints,
}

impl Settings {
    pub(super) fn of(config: &TautLabels) -> Self {
        Self { squeeze: config.squeeze, ends: config.ends }
    }

    /// The numbers of the section.
    pub(super) fn words(self) -> [u32; 2] {
        [u32::from(self.squeeze == Squeeze::Forbidden), u32::from(self.ends == Endpoints::Centres)]
    }

    pub(super) fn read(artifact: &Artifact) -> Result<Self, ArtifactError> {
        let words: Vec<u32> = artifact.records(SETTINGS)?.iter().map(|&word| u32::from_le_bytes(word)).collect();
        let all = Squeeze::ALL.iter().flat_map(|&squeeze| Endpoints::ALL.map(|ends| Self { squeeze, ends }));
        let known = all.into_iter().find(|settings| settings.words() == *words);
        known.ok_or_else(|| {
            let first = &words[..words.len().min(2)];
            artifact.malformed(format!("section `{SETTINGS}` has {} numbers that begin with {first:?}", words.len()))
        })
    }
}

impl From<Settings> for TautLabels {
    fn from(Settings { squeeze, ends }: Settings) -> Self {
        Self { squeeze, ends }
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "squeeze={},ends={}", self.squeeze, self.ends)
    }
}

impl FromStr for Settings {
    type Err = SpecError;

    /// Parses the part of a spec after the colon. Missing keys have their defaults.
    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut settings = Self::default();
        keys::settings(KIND, text, &[&SQUEEZE, &ENDS], |key, value| {
            if key.name == SQUEEZE.name {
                settings.squeeze = key.parse(KIND, value)?;
            } else {
                settings.ends = key.parse(KIND, value)?;
            }
            Ok(())
        })?;
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_a_round_trip_through_text() {
        for squeeze in Squeeze::ALL {
            for ends in Endpoints::ALL {
                let settings = Settings { squeeze, ends };
                assert_eq!(settings.to_string().parse(), Ok(settings));
            }
        }
        assert_eq!("".parse(), Ok(Settings::default()));
        assert!("ends=sides".parse::<Settings>().unwrap_err().to_string().contains("expected corners or centres"));
        let error = "smooth=greedy".parse::<Settings>().unwrap_err().to_string();
        assert_eq!(error, "`smooth` is not a setting of index kind `taut-labels`; its settings: squeeze, ends");
    }
}
