//! A report as one page that needs nothing else: no script, no font, no network.

mod table;

use anyhow::Result;
use askama::Template;
use askama::filters::{Html, escape};

use self::table::Sheet;
use super::finding::{Finding, RULE, Tally, Verdict};
use super::plot::{self, Key, Looks};
use super::{Exhibit, Headline, Plot, Report, Section};

/// The page; `facts` are what everything was measured with, as names and values.
pub(crate) fn page<C>(report: &Report<C>, facts: &[(String, String)]) -> Result<String> {
    let Report { title, notes, headlines, sections, .. } = report;
    let parts = sections.iter().map(Part::new).collect::<Result<_>>()?;
    Ok(Page { title, notes, headlines, facts, parts, rules: plot::rules(), rule: RULE }.render()?)
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    title: &'a str,
    notes: &'a [String],
    headlines: &'a [Headline],
    facts: &'a [(String, String)],
    parts: Vec<Part<'a>>,
    /// The colours of plots.
    rules: String,
    /// How verdicts are found.
    rule: &'static str,
}

impl Page<'_> {
    fn has_findings(&self) -> bool {
        self.parts.iter().any(|part| !part.section.findings.is_empty())
    }
}

/// A section, with its plots drawn.
struct Part<'a> {
    section: &'a Section,
    figures: Vec<Figure<'a>>,
}

/// An exhibit, with its plots drawn.
struct Figure<'a> {
    /// What links to it name.
    id: String,
    exhibit: &'a Exhibit,
    plots: Vec<Drawing<'a>>,
    /// The legend that all plots have in common.
    legend: Vec<Key<'a>>,
    table: Option<Sheet>,
}

struct Drawing<'a> {
    plot: &'a Plot,
    svg: Option<String>,
    /// Nothing if it is that of the other plots as well.
    legend: Vec<Key<'a>>,
}

impl Part<'_> {
    /// How many of the findings have a verdict.
    fn count(&self, verdict: Verdict) -> usize {
        self.section.findings.iter().filter(|finding| finding.verdict == verdict).count()
    }

    /// How many are reproduced, of how many.
    fn score(&self) -> String {
        let (reproduced, differ) = (self.count(Verdict::Reproduced), self.count(Verdict::Differs));
        match reproduced + differ {
            0 => String::new(),
            all => format!("{reproduced} of {all} reproduced"),
        }
    }

    /// The exhibit with this id, if it was made.
    fn exhibit(&self, id: &str) -> Option<&Figure<'_>> {
        self.figures.iter().find(|figure| figure.exhibit.id == id)
    }

    /// The findings of each exhibit.
    fn tallies(&self) -> Vec<Tally<'_>> {
        Tally::all(&self.section.findings)
    }
}

/// Findings, each with the cause that is told below it: that of all that differ since the last that was told.
fn told<'a>(findings: &[&'a Finding]) -> Vec<(&'a Finding, Option<&'a str>)> {
    let cause = |nth: usize| findings.get(nth).and_then(|finding| finding.cause.as_deref());
    let below = |nth| cause(nth).filter(|_| cause(nth) != cause(nth + 1));
    findings.iter().enumerate().map(|(nth, &finding)| (finding, below(nth))).collect()
}

impl<'a> Part<'a> {
    fn new(section: &'a Section) -> Result<Self> {
        let figures = section.exhibits.iter().map(|exhibit| Figure::new(section.id, exhibit)).collect::<Result<_>>()?;
        Ok(Self { section, figures })
    }
}

impl<'a> Figure<'a> {
    fn new(section: &str, exhibit: &'a Exhibit) -> Result<Self> {
        let looks = Looks::of(&exhibit.plots);
        let draw = |plot| Ok(Drawing { plot, svg: plot::svg(plot, &looks)?, legend: plot::legend(plot, &looks) });
        let mut plots: Vec<Drawing> = exhibit.plots.iter().map(draw).collect::<Result<_>>()?;
        let mut legend = Vec::new();
        if plots.len() > 1 && plots.iter().all(|drawing| drawing.legend == plots[0].legend) {
            legend = std::mem::take(&mut plots[0].legend);
            for drawing in &mut plots {
                drawing.legend.clear();
            }
        }
        let id = format!("{section}-{}", exhibit.id);
        Ok(Self { id, exhibit, plots, legend, table: exhibit.table.as_ref().map(Sheet::new) })
    }
}

/// Text as HTML: what is between backticks is code.
fn prose(text: &str) -> String {
    let mut html = String::new();
    let mut rest = text;
    while let Some((before, (code, after))) =
        rest.split_once('`').and_then(|(before, rest)| Some((before, rest.split_once('`')?)))
    {
        html.extend([&escaped(before), "<code>", &escaped(code), "</code>"]);
        rest = after;
    }
    html + &escaped(rest)
}

fn escaped(text: &str) -> String {
    escape(text, Html).map(|text| text.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod html_tests;
