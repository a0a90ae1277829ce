//! The kind of index to build, as on the command line: `gates`, or `cpd:layout=rectangles`.

use std::ffi::OsStr;

use anyhow::{Error, Result, ensure};
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use octile::planner::IndexKind;
use octile::{Build, BuildError, Catalog, Grid};

use super::hints;

/// A kind of index, with settings.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) index: IndexKind,
    /// As in a planner spec after the colon; empty for the defaults.
    pub(crate) settings: String,
}

impl Kind {
    fn new(text: &str, catalog: &Catalog) -> Result<Self> {
        let (kind, settings) = text.split_once(':').map_or((text, None), |(kind, settings)| (kind, Some(settings)));
        let index = catalog.index(kind)?;
        let Some(settings) = settings else { return Ok(Self { index, settings: String::new() }) };
        ensure!(index.has_settings(), "an index of kind `{kind}` has no settings: write `{kind}` alone");
        ensure!(!settings.is_empty(), "there is nothing after the colon: write `{kind}`, or `{kind}:key=value,...`");
        // Settings can be checked on any map.
        if let Err(BuildError::Spec(error)) = index.build_with(&Build::new(&Grid::open(1, 1)?), settings) {
            return Err(Error::new(error).context("its settings are wrong"));
        }
        Ok(Self { index, settings: settings.to_owned() })
    }
}

/// Parses a [`Kind`] of a catalog, and lists the kinds with descriptions.
#[derive(Clone, Debug)]
pub(crate) struct KindParser {
    catalog: Catalog,
}

impl KindParser {
    pub(crate) fn new(catalog: Catalog) -> Self {
        Self { catalog }
    }

    fn kinds(&self) -> Vec<PossibleValue> {
        self.catalog.indexes().iter().map(|index| PossibleValue::new(index.kind).help(index.summary)).collect()
    }
}

impl TypedValueParser for KindParser {
    type Value = Kind;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Kind, clap::Error> {
        let kind = value.to_str().and_then(|text| text.split(':').next());
        PossibleValuesParser::new(self.kinds()).parse_ref(command, arg, kind.map_or(value, OsStr::new))?;
        // Clap does not show the causes of an error, so its text includes them.
        let catalog = self.catalog.clone();
        let read = move |text: String| Kind::new(&text, &catalog).map_err(|error| hints::message(&error, &catalog));
        StringValueParser::new().try_map(read).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.kinds().into_iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_may_have_settings() {
        let catalog = Catalog::standard();
        let kind = Kind::new("cpd:layout=rectangles,ties=mask", &catalog).unwrap();
        assert_eq!((kind.index.kind, kind.settings.as_str()), ("cpd", "layout=rectangles,ties=mask"));
        assert_eq!(Kind::new("taut-labels:ends=centres", &catalog).unwrap().settings, "ends=centres");
        assert_eq!(Kind::new("cpd", &catalog).unwrap().settings, "");
        for (text, part) in [
            ("gates:a=b", "`gates` has no settings: write `gates` alone"),
            ("gates:", "has no settings"),
            ("cpd:", "nothing after the colon"),
            ("cpd:layout=zip", "`layout=zip` of planner `cpd`: expected runs, rectangles"),
            ("cpd:zip", "wrong"),
            ("taut-labels:ends=sides", "expected corners or centres"),
            ("doors:a=b", "unknown kind of index `doors`"),
        ] {
            let message = hints::message(&Kind::new(text, &catalog).unwrap_err(), &catalog);
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
