//! What a report shows, apart from how: tables, plots and pictures with their captions.
//!
//! Whoever measures makes [`Section`]s of [`Exhibit`]s; [`text`], [`html`], [`csv`] and JSON (by serialising the
//! [`Report`]) are ways to write the same.

pub(crate) mod csv;
pub(crate) mod finding;
pub(crate) mod html;
mod plot;
pub(crate) mod text;

use base64::prelude::{BASE64_STANDARD, Engine};
use octile::Cell;
use octile::formats::draw::Colour;
use serde::Serialize;

use crate::plan::Work;

use self::finding::{Account, Finding, Improvement};

/// A whole report.
#[derive(Serialize)]
pub(crate) struct Report<C> {
    pub(crate) schema: u32,
    pub(crate) title: String,
    /// What everything in it was measured with.
    pub(crate) conditions: C,
    /// What a reader must know before any number.
    pub(crate) notes: Vec<String>,
    /// What most readers want to know, in a number each.
    pub(crate) headlines: Vec<Headline>,
    pub(crate) sections: Vec<Section>,
}

/// A result in one number.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Headline {
    pub(crate) number: String,
    /// What it says, in a sentence.
    pub(crate) text: String,
}

impl Headline {
    pub(crate) fn new(number: impl Into<String>, text: impl Into<String>) -> Self {
        Self { number: number.into(), text: text.into() }
    }
}

/// A part of a report: a paper, or a subject.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Section {
    /// Short and fit for the name of a file, such as `rea-star`.
    pub(crate) id: &'static str,
    pub(crate) title: String,
    /// The paper, if it is about one.
    pub(crate) citation: Option<String>,
    /// Its results in a number each, for the top of the report.
    #[serde(skip)]
    pub(crate) headlines: Vec<Headline>,
    /// What the paper says, and whether it was found here.
    pub(crate) findings: Vec<Finding>,
    /// Where planners of ours improve on the paper.
    pub(crate) improvements: Vec<Improvement>,
    /// What was run of how much, in a full run.
    pub(crate) work: Vec<Work>,
    /// What is said of the paper besides.
    pub(crate) account: Option<&'static Account>,
    /// Paragraphs before the first exhibit.
    pub(crate) lead: Vec<String>,
    pub(crate) exhibits: Vec<Exhibit>,
}

impl Section {
    pub(crate) fn new(id: &'static str, title: impl Into<String>) -> Self {
        Self {
            id,
            title: title.into(),
            citation: None,
            headlines: Vec::new(),
            findings: Vec::new(),
            improvements: Vec::new(),
            work: Vec::new(),
            account: None,
            lead: Vec::new(),
            exhibits: Vec::new(),
        }
    }

    pub(crate) fn citation(mut self, citation: impl Into<String>) -> Self {
        self.citation = Some(citation.into());
        self
    }

    pub(crate) fn say(&mut self, paragraph: impl Into<String>) {
        self.lead.push(paragraph.into());
    }
}

/// A table or figure: any of a table, plots and pictures, under one caption.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Exhibit {
    /// Within its section; fit for the name of a file, such as `table-5`.
    pub(crate) id: String,
    /// The name it goes by, such as `Table 5`.
    pub(crate) label: String,
    pub(crate) title: String,
    /// What was measured on what, how often, and what to make of it.
    pub(crate) caption: String,
    /// Remarks below it.
    pub(crate) notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) plots: Vec<Plot>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) pictures: Vec<Picture>,
    /// What the colours of its pictures mean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) swatches: Vec<Swatch>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) table: Option<Table>,
    /// Whether a page shows the table only when asked, because plots tell the same.
    pub(crate) folded: bool,
}

impl Exhibit {
    /// One whose name is `Table 5`, `Figure 8` or a word; its id follows from that.
    pub(crate) fn new(label: impl Into<String>, title: impl Into<String>) -> Self {
        let label = label.into();
        let id = label.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-");
        Self { id, label, title: title.into(), ..Self::default() }
    }

    /// Whether there is nothing to show, or a table without rows.
    pub(crate) fn is_empty(&self) -> bool {
        let no_rows = self.table.as_ref().map(|table| table.rows.is_empty());
        let nothing_drawn = self.pictures.is_empty() && self.plots.iter().all(Plot::is_empty);
        no_rows.unwrap_or(nothing_drawn)
    }

    pub(crate) fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub(crate) fn table(mut self, table: Table) -> Self {
        self.table = Some(table);
        self
    }

    pub(crate) fn folded(mut self) -> Self {
        self.folded = true;
        self
    }

    pub(crate) fn plot(mut self, plot: Plot) -> Self {
        self.plots.push(plot);
        self
    }

    /// With what colours mean.
    pub(crate) fn legend<T: Into<String>>(mut self, colours: impl IntoIterator<Item = (Colour, T)>) -> Self {
        let swatch = |(colour, means): (Colour, T)| Swatch { colour: colour.to_string(), means: means.into() };
        self.swatches.extend(colours.into_iter().map(swatch));
        self
    }

    pub(crate) fn picture(mut self, picture: Picture) -> Self {
        self.pictures.push(picture);
        self
    }
}

/// A colour of pictures.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Swatch {
    pub(crate) colour: String,
    pub(crate) means: String,
}

/// Rows of values under named columns.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
}

/// A column of a table.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Column {
    /// What it and its neighbours of the same group have in common.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<String>,
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// To be printed of its numbers.
    #[serde(skip)]
    pub(crate) decimals: usize,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Text,
    Number,
    /// Numbers of ours that have one of the paper's beside them.
    Ours,
    Paper,
    /// Ours as a multiple of the paper's.
    Ratio,
}

impl Table {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// With one more column of words.
    pub(crate) fn text(self, name: impl Into<String>) -> Self {
        self.column(None, name, Kind::Text, 0)
    }

    /// With one more column of numbers.
    pub(crate) fn number(self, name: impl Into<String>, decimals: usize) -> Self {
        self.column(None, name, Kind::Number, decimals)
    }

    /// With one more column of numbers, of a group.
    pub(crate) fn grouped(self, group: &str, name: impl Into<String>, decimals: usize) -> Self {
        self.column(Some(group), name, Kind::Number, decimals)
    }

    /// With three more: our numbers, the paper's, and their ratio.
    pub(crate) fn beside(self, group: &str, decimals: usize) -> Self {
        self.column(Some(group), "ours", Kind::Ours, decimals)
            .column(Some(group), "paper", Kind::Paper, decimals)
            .column(Some(group), "ratio", Kind::Ratio, 2)
    }

    fn column(mut self, group: Option<&str>, name: impl Into<String>, kind: Kind, decimals: usize) -> Self {
        self.columns.push(Column { group: group.map(str::to_owned), name: name.into(), kind, decimals });
        self
    }

    pub(crate) fn push(&mut self, row: Row) {
        debug_assert_eq!(row.values.len(), self.columns.len(), "a row has a value for every column");
        self.rows.push(row);
    }

    pub(crate) fn rows(mut self, rows: impl IntoIterator<Item = Row>) -> Self {
        rows.into_iter().for_each(|row| self.push(row));
        self
    }

    /// A value as it is printed: a dash where there is none.
    pub(crate) fn printed(&self, column: usize, value: &Value) -> String {
        match value {
            Value::Text(text) => text.clone(),
            Value::Number(number) => {
                let Column { kind, decimals, .. } = self.columns[column];
                // Small ratios have two digits all the same.
                let zeros = if kind == Kind::Ratio { -number.abs().log10().floor() } else { 0.0 };
                let decimals = if (2.0..9.0).contains(&zeros) { zeros as usize + 1 } else { decimals };
                let printed = format!("{number:.decimals$}");
                let is_zero = printed.trim_matches(['-', '0', '.']).is_empty();
                if is_zero { printed.trim_start_matches('-').to_owned() } else { printed }
            }
            Value::None => "-".to_owned(),
        }
    }
}

/// A row of a table.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub(crate) struct Row {
    pub(crate) values: Vec<Value>,
    /// Whether it stands out, as one over all others does.
    #[serde(skip)]
    pub(crate) strong: bool,
    /// Whether it is of less than the other rows are of, so that its numbers stand beside no others.
    #[serde(skip)]
    pub(crate) partial: bool,
    /// Columns whose numbers differ from 1 by no more than noise.
    #[serde(skip)]
    pub(crate) in_noise: Vec<usize>,
}

impl Row {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn strong(mut self) -> Self {
        self.strong = true;
        self
    }

    pub(crate) fn partial(mut self) -> Self {
        self.partial = true;
        self
    }

    /// A ratio of two times, of which it may be known that noise is as large as the difference.
    pub(crate) fn measured(mut self, ratio: impl Into<Option<f64>>, in_noise: bool) -> Self {
        self.in_noise.extend(in_noise.then_some(self.values.len()));
        self.number(ratio)
    }

    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.values.push(Value::Text(text.into()));
        self
    }

    /// A number, or a dash if it is none.
    pub(crate) fn number(mut self, number: impl Into<Option<f64>>) -> Self {
        self.values.push(Value::from(number.into()));
        self
    }

    pub(crate) fn numbers(self, numbers: impl IntoIterator<Item = f64>) -> Self {
        numbers.into_iter().fold(self, Self::number)
    }

    pub(crate) fn count(self, count: usize) -> Self {
        self.number(count as f64)
    }

    /// As [`beside`](Row::beside), of ratios as in [`measured`](Row::measured).
    pub(crate) fn measured_beside(mut self, pair: Pair, in_noise: bool) -> Self {
        self.in_noise.extend(in_noise.then_some(self.values.len()));
        self.beside(pair)
    }

    /// The three values of [`Table::beside`].
    pub(crate) fn beside(self, Pair { ours, paper }: Pair) -> Self {
        let ratio = ours.zip(paper).filter(|(_, paper)| *paper != 0.0).map(|(ours, paper)| ours / paper);
        self.number(ours).number(paper).number(ratio)
    }
}

/// A value of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    Text(String),
    Number(f64),
    None,
}

impl From<Option<f64>> for Value {
    fn from(number: Option<f64>) -> Self {
        number.filter(|number| number.is_finite()).map_or(Self::None, Self::Number)
    }
}

/// A number of ours, and the paper's, as far as there is one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Pair {
    pub(crate) ours: Option<f64>,
    pub(crate) paper: Option<f64>,
}

impl Pair {
    pub(crate) fn new(ours: impl Into<Option<f64>>, paper: impl Into<Option<f64>>) -> Self {
        Self { ours: ours.into(), paper: paper.into() }
    }
}

/// Series of points over two axes.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
}

/// An axis of a plot.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Axis {
    pub(crate) name: String,
    pub(crate) scale: Scale,
    /// A place of their own, before the axis begins, for values below one that are next to nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lane: Option<Lane>,
}

/// What is below an axis.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Lane {
    pub(crate) below: f64,
    pub(crate) name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Scale {
    /// From 0 on.
    Linear,
    /// Only numbers above 0 have a place on it.
    Log,
}

/// Points that belong together.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) style: Style,
    pub(crate) points: Vec<(f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Style {
    /// Joined by a line.
    Line,
    /// Dots.
    Dots,
    /// A dot with the name of the series beside it.
    Named,
    /// What a paper says: dashed, and in grey.
    Paper,
}

impl Plot {
    pub(crate) fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { title: title.into(), x, y, series: Vec::new() }
    }

    /// With one more series, unless that has no points.
    pub(crate) fn series(mut self, name: impl Into<String>, style: Style, points: Vec<(f64, f64)>) -> Self {
        if !points.is_empty() {
            self.series.push(Series { name: name.into(), style, points });
        }
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.series.is_empty()
    }
}

impl Axis {
    pub(crate) fn linear(name: impl Into<String>) -> Self {
        Self { name: name.into(), scale: Scale::Linear, lane: None }
    }

    pub(crate) fn log(name: impl Into<String>) -> Self {
        Self { name: name.into(), scale: Scale::Log, lane: None }
    }

    /// With a lane for all that is below a value.
    pub(crate) fn lane(mut self, below: f64, name: impl Into<String>) -> Self {
        self.lane = Some(Lane { below, name: name.into() });
        self
    }
}

/// A drawing of a map.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Picture {
    pub(crate) caption: String,
    /// Written to a file of its own beside JSON.
    #[serde(skip)]
    pub(crate) svg: String,
}

/// How many cells stay around what a picture is cropped to.
const AROUND: u32 = 4;

impl Picture {
    pub(crate) fn new(caption: impl Into<String>, svg: String) -> Self {
        Self { caption: caption.into(), svg }
    }

    /// With no more of the map than the cells between two, and a few around them.
    pub(crate) fn cropped(mut self, low: Cell, high: Cell) -> Self {
        let Some((head, rest)) = self.svg.split_once(" viewBox=\"0 0 ") else { return self };
        let Some((size, rest)) = rest.split_once('"') else { return self };
        let numbers: Vec<u32> = size.split(' ').filter_map(|number| number.parse().ok()).collect();
        let (&[width, height], Some((start, _))) = (&numbers[..], head.split_once(" width=")) else { return self };
        let (left, top) = (low.x.saturating_sub(AROUND), low.y.saturating_sub(AROUND));
        let (wide, high) = ((high.x + 1 + AROUND).min(width) - left, (high.y + 1 + AROUND).min(height) - top);
        self.svg = format!("{start} viewBox=\"{left} {top} {wide} {high}\"{rest}");
        self
    }

    /// An SVG that holds a PNG: of a large map that is a fraction of its cells as shapes.
    pub(crate) fn raster(png: &[u8], width: u32, height: u32) -> String {
        let data = BASE64_STANDARD.encode(png);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <image width=\"{width}\" height=\"{height}\" href=\"data:image/png;base64,{data}\"/>\n</svg>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_cropped_to_what_matters() {
        let svg = Picture::raster(b"png", 512, 300);
        let cropped = |low, high| Picture::new("", svg.clone()).cropped(low, high).svg;
        let inner = cropped(Cell::new(100, 50), Cell::new(199, 99));
        assert!(inner.contains("viewBox=\"96 46 108 58\"") && inner.contains("<image width=\"512\""), "{inner}");
        assert!(!inner[..inner.find('>').unwrap()].contains("width=\"512"), "{inner}");
        assert!(cropped(Cell::new(1, 2), Cell::new(511, 299)).contains("viewBox=\"0 0 512 300\""));
    }

    #[test]
    fn small_ratios_are_not_printed_as_nothing() {
        let table = Table::new().beside("time", 1);
        let printed = |ratio: f64| table.printed(2, &Value::Number(ratio));
        assert_eq!([2.0, 0.1, 0.06, 0.000_561, 0.0].map(printed), ["2.00", "0.10", "0.060", "0.00056", "0.00"]);
        assert_eq!([-0.001, -0.1].map(|number| table.printed(0, &Value::Number(number))), ["0.0", "-0.1"]);
    }

    #[test]
    fn what_has_nothing_to_show_is_empty() {
        let exhibit = || Exhibit::new("Table 1", "");
        let plot = || Plot::new("", Axis::linear("x"), Axis::linear("y"));
        assert!(exhibit().is_empty() && exhibit().plot(plot()).is_empty());
        assert!(!exhibit().plot(plot().series("s", Style::Line, vec![(1.0, 1.0)])).is_empty());
        let picture = Picture::new("", String::new());
        assert!(!exhibit().picture(picture.clone()).is_empty());
        assert!(exhibit().picture(picture).table(Table::new().text("a")).is_empty(), "a table without rows");
        assert!(!exhibit().table(Table::new().text("a").rows([Row::new().text("b")])).is_empty());
    }
}
