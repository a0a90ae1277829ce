//! What to build, as on the command line: `gates`, or `cpd:layout=rectangles`.

use std::ffi::OsStr;

use anyhow::{Context, Result, ensure};
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use octile::algo::cpd;
use octile::index::{self, Build, Entry, INDEXES};

/// A kind of index, and what it shall be like.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) entry: &'static Entry,
    /// As in a planner spec behind the colon; empty for what is customary.
    pub(crate) settings: String,
}

impl Kind {
    fn new(text: &str) -> Result<Self> {
        let (kind, settings) = text.split_once(':').map_or((text, None), |(kind, settings)| (kind, Some(settings)));
        let entry = index::find(kind)?;
        let Some(settings) = settings else { return Ok(Self { entry, settings: String::new() }) };
        ensure!(
            matches!(entry.build, Build::InParts(_)),
            "an index of kind `{kind}` has no settings: write `{kind}` alone"
        );
        ensure!(!settings.is_empty(), "there is nothing behind the colon: write `{kind}`, or `{kind}:key=value,...`");
        settings.parse::<cpd::Settings>().context("its settings are wrong")?;
        Ok(Self { entry, settings: settings.to_owned() })
    }
}

/// Reads a [`Kind`], and knows the kinds of the table with what they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct KindParser;

fn kinds() -> impl Iterator<Item = PossibleValue> {
    INDEXES.iter().map(|entry| PossibleValue::new(entry.kind).help(entry.summary))
}

impl TypedValueParser for KindParser {
    type Value = Kind;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Kind, clap::Error> {
        let kind = value.to_str().and_then(|text| text.split(':').next());
        PossibleValuesParser::new(kinds()).parse_ref(command, arg, kind.map_or(value, OsStr::new))?;
        // As the causes of an error are not shown, it has them all in its text.
        let read = |text: String| Kind::new(&text).map_err(|error| format!("{error:#}"));
        StringValueParser::new().try_map(read).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(kinds()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_built_in_parts_may_have_settings() {
        let kind = Kind::new("cpd:layout=rectangles,ties=mask").unwrap();
        assert_eq!((kind.entry.kind, kind.settings.as_str()), ("cpd", "layout=rectangles,ties=mask"));
        assert_eq!(Kind::new("cpd").unwrap().settings, "");
        for (text, part) in [
            ("gates:a=b", "`gates` has no settings: write `gates` alone"),
            ("gates:", "has no settings"),
            ("cpd:", "nothing behind the colon"),
            ("cpd:layout=zip", "`layout=zip` of planner `cpd`: expected runs, rectangles"),
            ("cpd:zip", "wrong"),
            ("doors:a=b", "unknown kind of index `doors`"),
        ] {
            let message = format!("{:#}", Kind::new(text).unwrap_err());
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
