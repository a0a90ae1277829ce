//! The fields of a small YAML file: as much of YAML as ROS map files need.
//!
//! Comments, quotes, both kinds of lists and document markers are read. Unused fields may contain anything but aliases.
//! Nesting is limited, so that no file takes long to refuse.

use std::borrow::Cow;
use std::collections::BTreeMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, StrInput};

use crate::formats::text::excerpt;

/// The maximum nesting of lists and mappings.
const MAX_DEPTH: usize = 32;

/// A fault of a file, with its line.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("line {line}, column {column}: {reason}")]
    At { line: usize, column: usize, reason: String },
    #[error("duplicate field `{name}`: remove it from line {second} or from line {first}")]
    Duplicate { name: String, first: usize, second: usize },
}

impl Fault {
    fn at(place: &Marker, reason: impl Into<String>) -> Self {
        Self::At { line: place.line(), column: place.col() + 1, reason: reason.into() }
    }
}

impl From<ScanError> for Fault {
    fn from(error: ScanError) -> Self {
        Self::at(error.marker(), error.info())
    }
}

/// The value of a field.
#[derive(Debug, PartialEq)]
pub(super) enum Value<'a> {
    /// Text in quotes, or a block of lines.
    Quoted(Cow<'a, str>),
    /// Text without quotes: a word, a number, a flag, or nothing.
    Plain(Cow<'a, str>),
    List(Vec<Value<'a>>),
    Mapping,
}

/// A value, with its position in the file.
pub(super) struct Field<'a> {
    pub(super) value: Value<'a>,
    span: Span,
    line: usize,
}

impl Field<'_> {
    /// The value as it is written in the file.
    pub(super) fn written(&self, text: &str) -> String {
        let start = self.span.start.index();
        let end = self.span.end.index().max(start);
        text.chars().skip(start).take(end - start).collect::<String>().trim_end().to_owned()
    }
}

/// Replaces the tab after the name of a field by a space: YAML allows that tab, but the parser refuses it.
pub(super) fn without_tabs(text: &str) -> Cow<'_, str> {
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let spaced = |line: &'_ str| match line.split_once(":\t") {
        Some((name, rest)) if is_name(name) => format!("{name}: {rest}"),
        _ => line.to_owned(),
    };
    if text.contains(":\t") { text.split_inclusive('\n').map(spaced).collect() } else { Cow::Borrowed(text) }
}

/// The fields of the only document of a file by name, or `None` if it is not a mapping.
pub(super) fn fields(text: &str) -> Result<Option<BTreeMap<Cow<'_, str>, Field<'_>>>, Fault> {
    let mut reader = Reader { parser: Parser::new_from_str(text) };
    let mut found = None;
    let mut documents = 0;
    loop {
        match reader.next()? {
            (Event::StreamEnd, _) => return Ok(found),
            (Event::DocumentStart(_), span) => {
                documents += 1;
                if documents > 1 {
                    return Err(Fault::at(&span.start, "a second document begins here: expected one"));
                }
            }
            (Event::MappingStart(..), _) => found = Some(reader.top()?),
            (Event::StreamStart | Event::DocumentEnd, _) => {}
            (event, span) => drop(reader.value(event, span, 0)?),
        }
    }
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), Fault> {
        Ok(self.parser.next_event().unwrap_or_else(|| Ok((Event::StreamEnd, Span::default())))?)
    }

    /// The fields of the mapping that has just begun.
    fn top(&mut self) -> Result<BTreeMap<Cow<'a, str>, Field<'a>>, Fault> {
        let mut fields = BTreeMap::<_, Field<'_>>::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                return Ok(fields);
            }
            let second = span.start.line();
            let (key, _) = self.value(event, span, 1)?;
            let (event, span) = self.next()?;
            let (value, span) = self.value(event, span, 1)?;
            let (Value::Plain(name) | Value::Quoted(name)) = key else { continue };
            if let Some(Field { line: first, .. }) = fields.get(&name) {
                return Err(Fault::Duplicate { name: excerpt(&name), first: *first, second });
            }
            fields.insert(name, Field { value, span, line: second });
        }
    }

    /// The value that begins with an event, at this depth, and its position.
    fn value(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<(Value<'a>, Span), Fault> {
        match event {
            Event::Scalar(text, ScalarStyle::Plain, ..) => Ok((Value::Plain(text), span)),
            Event::Scalar(text, ..) => Ok((Value::Quoted(text), span)),
            Event::SequenceStart(..) | Event::MappingStart(..) if depth >= MAX_DEPTH => {
                Err(Fault::at(&span.start, format!("lists and mappings are nested more than {MAX_DEPTH} deep")))
            }
            Event::SequenceStart(..) => self.rest(&Event::SequenceEnd, span, depth),
            Event::MappingStart(..) => self.rest(&Event::MappingEnd, span, depth),
            Event::Alias(_) => Err(Fault::at(&span.start, "aliases are not read: write the value out")),
            _ => Err(Fault::at(&span.start, "expected a value")),
        }
    }

    /// The rest of a list or mapping, up to the event that ends it.
    fn rest(&mut self, end: &Event<'a>, begin: Span, depth: usize) -> Result<(Value<'a>, Span), Fault> {
        let mut values = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == *end {
                let value = if *end == Event::SequenceEnd { Value::List(values) } else { Value::Mapping };
                return Ok((value, Span::new(begin.start, span.end)));
            }
            values.push(self.value(event, span, depth + 1)?.0);
        }
    }
}
