//! Plots as SVG for a page, which gives them its colours and its font.

mod axis;
mod labels;
mod look;

use anyhow::Result;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use self::axis::{LANE as LANE_PART, Ruler, has_place};
use self::labels::{Area, FONT, Named, Place, Side, places, width};
use self::look::{AXIS, GRID, LANE, Look, Mark, TEXT, kind_of};
use super::{Plot, Series, Style};

pub(super) use self::look::{Looks, rules};

/// Of a drawing, in tenths of a pixel: things are drawn at whole numbers only. Those with a lane have many names to
/// write.
fn size(plot: &Plot) -> (u32, u32) {
    if plot.x.lane.is_some() { (7800, 4600) } else { (4600, 3400) }
}

/// Above the plot, for the name of the vertical axis; below it, for ticks and the name of the horizontal one; and on
/// the right, for half of a label.
const ABOVE: u32 = 250;
const BELOW: u32 = 390;
const RIGHT: u32 = 130;

const TICK: i32 = 30;
const LINE: u32 = 17;
const DOT: u32 = 31;

/// In lines of many points, these are smaller.
const MANY: usize = 30;
const SMALL_DOT: u32 = 22;

/// From the middle to a corner of what stands alone for a paper.
const DIAMOND: i32 = 46;

type Area2d<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Ruler, Ruler>>;

/// A plot as the element of a page; none if no point has a place in it.
pub(super) fn svg(plot: &Plot, looks: &Looks) -> Result<Option<String>> {
    let mut series: Vec<Drawn> = plot.series.iter().map(|series| Drawn::new(plot, series, looks)).collect();
    // What papers say is in the background.
    series.sort_by_key(|drawn| drawn.series.style != Style::Paper);
    let points = || series.iter().flat_map(|series| &series.points);
    let x = Ruler::of(&plot.x, points().map(|point| point.0));
    let y = Ruler::of(&plot.y, points().map(|point| point.1));
    let Some((x, y)) = x.zip(y) else { return Ok(None) };
    let (mut svg, (wide, high)) = (String::new(), size(plot));
    {
        let area = SVGBackend::with_string(&mut svg, (wide, high)).into_drawing_area();
        let mut chart = frame(&area, plot, x, y)?;
        for drawn in &series {
            drawn.draw(&mut chart)?;
        }
        name_points(&area, &chart, &series)?;
        area.present()?;
    }
    let body = svg.split_once('>').map_or("", |(_, body)| body);
    Ok(Some(format!("<svg class=\"plot\" viewBox=\"0 0 {wide} {high}\">{body}")))
}

/// A series with the points that have a place in its plot.
struct Drawn<'a> {
    series: &'a Series,
    points: Vec<(f64, f64)>,
    look: Look,
    named: bool,
}

/// The axes, their names and the grid.
fn frame<'a>(area: &Area2d<'a>, plot: &Plot, x: Ruler, y: Ruler) -> Result<Chart<'a>> {
    let widest = y.ticks.iter().map(|tick| width(&tick.label)).max().unwrap_or(0);
    let (counts, has_lane) = ((x.ticks.len(), y.ticks.len()), x.has_lane());
    let mut chart = ChartBuilder::on(area)
        .margin_top(ABOVE)
        .margin_right(RIGHT)
        .x_label_area_size(BELOW)
        .y_label_area_size(widest + 2 * TICK + 20)
        .build_cartesian_2d(x, y)?;
    let across = chart.plotting_area().get_x_axis_pixel_range();
    if has_lane {
        let along = chart.plotting_area().get_y_axis_pixel_range();
        let end = across.start + (LANE_PART * f64::from(across.end - across.start)) as i32;
        area.draw(&Rectangle::new([(across.start, along.start), (end, along.end)], LANE.filled()))?;
    }
    chart
        .configure_mesh()
        .x_labels(counts.0)
        .y_labels(counts.1)
        .bold_line_style(GRID.stroke_width(10))
        .axis_style(AXIS.stroke_width(10))
        .set_all_tick_mark_size(TICK)
        .label_style(text(FONT, TEXT))
        .draw()?;
    let (wide, high) = (size(plot).0 as i32, size(plot).1 as i32);
    let middle = i32::midpoint(across.start, across.end);
    write(area, &plot.y.name, (20, 40), wide - 40, Pos::new(HPos::Left, VPos::Top))?;
    write(area, &plot.x.name, (middle, high - 30), wide - 40, Pos::new(HPos::Center, VPos::Bottom))?;
    Ok(chart)
}

/// Text of a size, as the crate counts it.
fn text(size: i32, colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", f64::from(size) * 1.24).into_font().color(&colour)
}

/// Draws the name of an axis, in smaller letters if it would be too long.
fn write(area: &Area2d, name: &str, at: (i32, i32), room: i32, pos: Pos) -> Result<()> {
    let wide = width(name).max(1);
    let size = if wide > room { FONT * room / wide } else { FONT };
    area.draw(&Text::new(name.to_owned(), at, text(size, TEXT).pos(pos)))?;
    Ok(())
}

impl<'a> Drawn<'a> {
    fn new(plot: &Plot, series: &'a Series, looks: &Looks) -> Self {
        let places = |&(x, y): &(f64, f64)| has_place(&plot.x, x) && has_place(&plot.y, y);
        let points = series.points.iter().copied().filter(places).collect();
        Self { series, points, look: looks.look(series), named: is_named(plot, series) }
    }

    fn draw(&self, chart: &mut Chart) -> Result<()> {
        let colour = self.look.colour();
        let paper = self.series.style == Style::Paper;
        if paper && self.points.len() == 1 {
            let corners = vec![(0, -DIAMOND), (DIAMOND, 0), (0, DIAMOND), (-DIAMOND, 0)];
            let diamond = |&at: &_| EmptyElement::at(at) + Polygon::new(corners.clone(), colour.filled());
            chart.draw_series(self.points.iter().map(diamond))?;
            return Ok(());
        }
        let joined = matches!(self.series.style, Style::Line | Style::Paper) && self.points.len() > 1;
        if joined {
            chart.draw_series(LineSeries::new(self.points.iter().copied(), colour.stroke_width(LINE)))?;
        }
        let size = if paper || joined && self.points.len() > MANY { SMALL_DOT } else { DOT };
        let points = self.points.iter().copied();
        let mark = self.look.mark();
        match mark.corners(size as i32) {
            Some(corners) => chart
                .draw_series(points.map(|at| EmptyElement::at(at) + Polygon::new(corners.clone(), colour.filled())))?,
            None if mark == Mark::Ring => {
                chart.draw_series(points.map(|at| Circle::new(at, size, colour.stroke_width(14))))?
            }
            None => chart.draw_series(points.map(|at| Circle::new(at, size, colour.filled())))?,
        };
        Ok(())
    }
}

/// Writes names beside points.
fn name_points(area: &Area2d, chart: &Chart, series: &[Drawn]) -> Result<()> {
    let plotting = chart.plotting_area();
    let places_of = |drawn: &Drawn| drawn.points.iter().map(|point| plotting.map_coordinate(point)).collect::<Vec<_>>();
    let points: Vec<_> = series.iter().flat_map(places_of).collect();
    let (named, looks): (Vec<_>, Vec<_>) = series
        .iter()
        .filter(|drawn| drawn.named)
        .filter_map(|drawn| Some((Named { at: *places_of(drawn).last()?, name: &drawn.series.name }, drawn.look)))
        .unzip();
    let (across, along) = (plotting.get_x_axis_pixel_range(), plotting.get_y_axis_pixel_range());
    let room = Area([across.start + 20, along.start, across.end + RIGHT as i32 - 10, along.end - 20]);
    for ((named, look), place) in named.iter().zip(looks).zip(places(&named, &points, room)) {
        name_point(area, named, place, look)?;
    }
    Ok(())
}

fn name_point(area: &Area2d, named: &Named, place: Place, look: Look) -> Result<()> {
    if place.far {
        area.draw(&PathElement::new(vec![named.at, place.foot()], AXIS.stroke_width(8)))?;
    }
    let anchor = match place.side {
        Side::Left => HPos::Right,
        Side::Middle => HPos::Center,
        Side::Right => HPos::Left,
    };
    let style = text(FONT, look.colour()).pos(Pos::new(anchor, VPos::Center));
    area.draw(&Text::new(named.name.to_owned(), place.at, style))?;
    Ok(())
}

/// Whether the name of a series is written beside its point: always for some, and for papers if there would be several
/// that look the same.
fn is_named(plot: &Plot, series: &Series) -> bool {
    let alone = |series: &Series| series.style == Style::Paper && series.points.len() == 1;
    let crowd = plot.series.iter().filter(|other| other.style == Style::Named || alone(other)).count();
    series.style == Style::Named || alone(series) && crowd > 1
}

/// What a legend says of a series.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Key<'a> {
    pub(super) name: &'a str,
    /// A small piece of it, as SVG.
    pub(super) sample: String,
}

/// The legend of a plot: all series whose names are not in the plot itself, and the kinds of those whose names are.
pub(super) fn legend<'a>(plot: &'a Plot, looks: &Looks) -> Vec<Key<'a>> {
    let key = |series: &'a Series| Key { name: &series.name, sample: sample(series, looks.look(series)) };
    let kind = |series: &'a Series| kind_of(series).map(|(name, look)| Key { name, sample: sample(series, look) });
    let (named, others): (Vec<&Series>, Vec<&Series>) = plot.series.iter().partition(|series| is_named(plot, series));
    let mut keys: Vec<Key> = others.into_iter().map(key).collect();
    for kind in named.into_iter().filter_map(kind) {
        if !keys.contains(&kind) {
            keys.push(kind);
        }
    }
    keys
}

fn sample(series: &Series, look: Look) -> String {
    let colour = look::hex(look.colour());
    let alone = series.points.len() == 1;
    let line = format!("<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{LINE}\" points=\"0,60 280,60\"/>");
    let mark = match look.mark().corners(DOT as i32) {
        Some(corners) => {
            let points: Vec<String> = corners.iter().map(|(x, y)| format!("{},{}", 140 + x, 60 + y)).collect();
            format!("<polygon fill=\"{colour}\" points=\"{}\"/>", points.join(" "))
        }
        None if look.mark() == Mark::Ring => {
            format!("<circle cx=\"140\" cy=\"60\" r=\"{DOT}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"14\"/>")
        }
        None => format!("<circle cx=\"140\" cy=\"60\" r=\"{DOT}\" fill=\"{colour}\"/>"),
    };
    let shown = match series.style {
        Style::Line => line + &mark,
        Style::Dots | Style::Named => mark,
        Style::Paper if alone => format!("<polygon fill=\"{colour}\" points=\"140,14 186,60 140,106 94,60\"/>"),
        Style::Paper => line,
    };
    format!("<svg class=\"plot\" viewBox=\"0 0 280 120\" aria-hidden=\"true\">{shown}</svg>")
}

#[cfg(test)]
mod tests {
    use super::super::Axis;
    use super::*;

    fn empty() -> Plot {
        Plot::new("", Axis::linear("x"), Axis::log("y"))
    }

    fn drawn(plot: Plot) -> Option<String> {
        let plots = [plot];
        svg(&plots[0], &Looks::of(&plots)).unwrap()
    }

    /// How many elements of a kind have an attribute.
    fn count(svg: &str, element: &str, attribute: &str) -> usize {
        let tags = svg.split('<').filter_map(|rest| rest.split('>').next());
        tags.filter(|tag| tag.split(' ').next() == Some(element) && tag.contains(attribute)).count()
    }

    #[test]
    fn every_series_has_its_line_and_its_dots() {
        let points: Vec<_> = (1..=9).map(|nth| (f64::from(nth), f64::from(nth * nth))).collect();
        let plots = [(0..14).fold(empty(), |plot, nth| plot.series(format!("s{nth}"), Style::Line, points.clone()))];
        let looks = Looks::of(&plots);
        let svg = svg(&plots[0], &looks).unwrap().unwrap();
        for series in &plots[0].series {
            let colour = look::hex(looks.look(series).colour());
            assert_eq!(count(&svg, "polyline", &format!("stroke=\"{colour}\"")), 1);
            assert_eq!(count(&svg, "circle", &format!("=\"{colour}\"")), points.len());
            assert!(rules().contains(&format!("[stroke='{colour}']{{stroke:var(--series-")));
        }
    }

    #[test]
    fn a_paper_is_a_dashed_line_or_a_diamond() {
        let line = empty().series("s", Style::Paper, vec![(1.0, 2.0), (3.0, 4.0)]);
        let line = drawn(line).unwrap();
        let grey = "#7A8088";
        assert_eq!(count(&line, "polyline", grey), 1);
        assert!(rules().contains(&format!("polyline[stroke='{grey}']{{stroke-dasharray:")));
        let point = drawn(empty().series("s", Style::Paper, vec![(1.0, 2.0)])).unwrap();
        assert_eq!((count(&point, "polyline", grey), count(&point, "polygon", grey)), (0, 1));
    }

    #[test]
    fn names_are_in_the_plot_or_in_the_legend() {
        let plots = [empty()
            .series("jps <b>", Style::Named, vec![(1.0, 2.0)])
            .series("other", Style::Named, vec![(1.0, 2.0)])
            .series("line", Style::Line, vec![(1.0, 2.0), (2.0, 3.0)])];
        let looks = Looks::of(&plots);
        let svg = svg(&plots[0], &looks).unwrap().unwrap();
        assert!(
            svg.contains("jps &lt;b&gt;\n</text>") && svg.contains("other\n</text>") && !svg.contains("line\n</text>")
        );
        let names: Vec<_> = legend(&plots[0], &looks).into_iter().map(|key| key.name).collect();
        assert_eq!(names, ["line"]);
        // Planners by their kinds.
        let plots = [["jps", "jump-graph", "hub-labels"]
            .into_iter()
            .fold(empty(), |plot, name| plot.series(name, Style::Named, vec![(1.0, 2.0)]))];
        let names: Vec<_> = legend(&plots[0], &Looks::of(&plots)).into_iter().map(|key| key.name).collect();
        assert_eq!(names, ["jump points", "answers from an index"]);
    }

    #[test]
    fn a_series_looks_the_same_in_all_plots_of_an_exhibit() {
        let series =
            |names: [&str; 2]| names.iter().fold(empty(), |p, name| p.series(*name, Style::Line, vec![(1.0, 2.0)]));
        let plots = [series(["a", "b"]), series(["b", "c"])];
        let looks = Looks::of(&plots);
        let [first, second] = plots.each_ref().map(|plot| legend(plot, &looks));
        assert_eq!(first[1], second[0]);
        assert_ne!(first[0].sample, second[1].sample);
    }

    #[test]
    fn points_without_a_place_are_left_out() {
        let odd = vec![(1.0, 0.0), (f64::NAN, 1.0), (2.0, f64::INFINITY), (3.0, -1.0), (1e300, 1.0)];
        assert_eq!(drawn(empty()), None);
        assert_eq!(drawn(empty().series("s", Style::Line, odd.clone())), None);
        for style in [Style::Line, Style::Dots, Style::Named, Style::Paper] {
            for good in [vec![(4.0, 5.0)], vec![(4.0, 5.0); 3], vec![(0.0, 1e-99), (1e99, 1e99)]] {
                let points = odd.iter().chain(&good).copied().collect();
                let svg = drawn(empty().series("s", style, points)).unwrap();
                let lone = style == Style::Paper && good.len() == 1;
                assert_eq!(count(&svg, if lone { "polygon" } else { "circle" }, "fill"), good.len());
                assert!(!svg.contains("NaN") && !svg.contains("inf"));
            }
        }
    }

    #[test]
    fn long_names_of_axes_are_made_to_fit() {
        let mut plot = empty().series("s", Style::Dots, vec![(1.0, 1.0)]);
        plot.x.name = "x".repeat(200);
        let svg = drawn(plot).unwrap();
        let size = svg.rsplit_once("xxx").and_then(|(before, _)| before.rsplit_once("font-size=\"")).unwrap().1;
        assert!(size.split_once('"').unwrap().0.parse::<f64>().unwrap() * 0.6 * 200.0 <= f64::from(4600));
    }
}
