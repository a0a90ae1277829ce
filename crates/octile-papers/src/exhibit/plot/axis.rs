//! Axes: what they span, where their ticks are and how these are labelled.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use super::super::{Axis, Scale};

/// Numbers beyond this have no place on any axis, nor have those below its inverse on a logarithmic one.
const LARGEST: f64 = 1e99;

/// Intervals between ticks of a linear axis, at most.
const INTERVALS: f64 = 5.0;

/// A logarithmic axis of more decades has ticks at powers of ten only.
const FEW_DECADES: f64 = 2.0;

/// Powers of ten with ticks, at most.
const DECADES: f64 = 7.0;

/// What is between the outermost points of a logarithmic axis and its ends, at least.
const SLACK: f64 = 1.25;

/// What part of an axis a lane before it takes.
pub(super) const LANE: f64 = 0.17;

/// An axis of known length.
#[derive(Clone)]
pub(super) struct Ruler {
    scale: Scale,
    low: f64,
    high: f64,
    pub(super) ticks: Vec<Tick>,
    /// Values below this are in the lane.
    lane: Option<f64>,
}

#[derive(Clone, Debug)]
pub(super) struct Tick {
    value: f64,
    pub(super) label: String,
}

impl Ruler {
    /// The axis that has room for all of some values, if there are any; those below its lane are in that.
    pub(super) fn of(axis: &Axis, values: impl Iterator<Item = f64>) -> Option<Self> {
        let Some(lane) = &axis.lane else { return Self::over(axis.scale, values) };
        let (below, above): (Vec<f64>, Vec<f64>) = values.partition(|&value| value < lane.below);
        if below.is_empty() {
            return Self::over(axis.scale, above.into_iter());
        }
        let above = if above.is_empty() { vec![lane.below, 10.0 * lane.below] } else { above };
        let mut ruler = Self::over(axis.scale, above.into_iter())?;
        ruler.lane = Some(lane.below);
        ruler.ticks.insert(0, Tick { value: below[0], label: lane.name.clone() });
        Some(ruler)
    }

    /// Whether values are in the lane.
    pub(super) fn has_lane(&self) -> bool {
        self.lane.is_some()
    }

    /// The axis that has room for all of some values, if there are any.
    fn over(scale: Scale, values: impl Iterator<Item = f64>) -> Option<Self> {
        let (low, high) = values.fold(None, |span: Option<(f64, f64)>, value| {
            Some(span.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
        })?;
        Some(match scale {
            Scale::Linear => Self::linear(low.min(0.0), high.max(0.0)),
            Scale::Log => Self::log(low / SLACK, high * SLACK),
        })
    }

    fn linear(low: f64, high: f64) -> Self {
        let high = if low < high { high } else { low + 1.0 };
        let (digit, power) = round_up((high - low) / INTERVALS);
        let step = f64::from(digit) * 10_f64.powi(power);
        let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
        let (letter, unit) = unit(low.abs().max(high));
        let tick = |nth: i64| {
            let value = nth as f64 * step;
            let decimals = usize::try_from(unit - power).unwrap_or(0);
            let label = match nth {
                0 => "0".to_owned(),
                _ if decimals > 5 || high >= 1e15 => format!("{value:.1e}"),
                _ => format!("{:.decimals$}{letter}", value / 10_f64.powi(unit)),
            };
            Tick { value, label }
        };
        let ticks = (first..=last).map(tick).collect();
        Self { scale: Scale::Linear, low: first as f64 * step, high: last as f64 * step, ticks, lane: None }
    }

    /// From one of 1, 2 and 5 times a power of ten to another.
    fn log(low: f64, high: f64) -> Self {
        let (low, high) = (round_down(low), round_up(high));
        let decades = (number(high) / number(low)).log10();
        let stride = (decades / DECADES).ceil().max(1.0) as i32;
        let digits: &[u32] = if decades > FEW_DECADES { &[1] } else { &[1, 2, 5] };
        let ticks = (low.1..=high.1)
            .filter(|power| decades <= FEW_DECADES || power.rem_euclid(stride) == 0)
            .flat_map(|power| digits.iter().map(move |&digit| (digit, power)))
            .filter(|&tick| number(low) <= number(tick) && number(tick) <= number(high))
            .map(|tick| Tick { value: number(tick), label: short(tick) })
            .collect();
        Self { scale: Scale::Log, low: number(low), high: number(high), ticks, lane: None }
    }

    /// Where on the axis a value is: from 0 at the lower end to 1 at the upper.
    fn part(&self, value: f64) -> f64 {
        let part = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        match self.lane {
            Some(below) if value < below => LANE / 2.0,
            Some(_) => LANE + (1.0 - LANE) * part,
            None => part,
        }
    }
}

/// Whether a value has a place on an axis.
pub(super) fn has_place(axis: &Axis, value: f64) -> bool {
    axis.lane.as_ref().is_some_and(|lane| (0.0..lane.below).contains(&value)) || is_on(axis.scale, value)
}

fn is_on(scale: Scale, value: f64) -> bool {
    match scale {
        Scale::Linear => (-LARGEST..=LARGEST).contains(&value),
        Scale::Log => (1.0 / LARGEST..=LARGEST).contains(&value),
    }
}

/// A digit times a power of ten.
fn number((digit, power): (u32, i32)) -> f64 {
    f64::from(digit) * 10_f64.powi(power)
}

/// The least of 1, 2 and 5 times a power of ten that is no less than a value.
fn round_up(value: f64) -> (u32, i32) {
    let power = value.log10().floor() as i32;
    let fits = |&digit: &u32| value <= number((digit, power)) * (1.0 + 1e-9);
    [1, 2, 5].into_iter().find(fits).map_or((1, power + 1), |digit| (digit, power))
}

/// The largest of 1, 2 and 5 times a power of ten that is no more than a value.
fn round_down(value: f64) -> (u32, i32) {
    let power = value.log10().floor() as i32;
    let fits = |&digit: &u32| number((digit, power)) <= value * (1.0 + 1e-9);
    [5, 2, 1].into_iter().find(fits).map_or((5, power - 1), |digit| (digit, power))
}

/// What numbers up to one are counted in: its letter and power of ten.
fn unit(largest: f64) -> (&'static str, i32) {
    match largest {
        1e12.. => ("T", 12),
        1e9.. => ("G", 9),
        1e6.. => ("M", 6),
        1e4.. => ("k", 3),
        _ => ("", 0),
    }
}

/// A tick of a logarithmic axis in few letters.
fn short((digit, power): (u32, i32)) -> String {
    let zeros = |power: i32| "0".repeat(power as usize);
    match power {
        ..=-5 | 15.. => format!("{digit}e{power}"),
        -4..=-1 => format!("0.{}{digit}", zeros(-power - 1)),
        _ => format!("{digit}{}{}", zeros(power % 3), ["", "k", "M", "G", "T"][power as usize / 3]),
    }
}

impl Ranged for Ruler {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        start + (self.part(*value) * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // No light lines between those of the ticks.
        let ticks = if hint.weight().allow_light_points() { &[] } else { &self.ticks[..] };
        ticks.iter().map(|tick| tick.value).collect()
    }

    fn range(&self) -> Range<f64> {
        self.ticks.first().filter(|_| self.has_lane()).map_or(self.low, |tick| tick.value)..self.high
    }
}

impl ValueFormatter<f64> for Ruler {
    fn format_ext(&self, value: &f64) -> String {
        let nearest = |a: &&Tick, b: &&Tick| (a.value - value).abs().total_cmp(&(b.value - value).abs());
        self.ticks.iter().min_by(nearest).map(|tick| tick.label.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, values: &[f64]) -> String {
        let ruler = Ruler::over(scale, values.iter().copied()).unwrap();
        for &value in values {
            let part = ruler.part(value);
            assert!((0.0..=1.0).contains(&part), "{value} is at {part}");
        }
        ruler.ticks.iter().map(|tick| tick.label.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn linear_axes_begin_at_zero_and_end_at_a_round_number() {
        assert_eq!(labels(Scale::Linear, &[3.0, 7.5]), "0 2 4 6 8");
        assert_eq!(labels(Scale::Linear, &[0.31]), "0 0.1 0.2 0.3 0.4");
        assert_eq!(labels(Scale::Linear, &[81_000.0, 12.0]), "0 20k 40k 60k 80k 100k");
        assert_eq!(labels(Scale::Linear, &[12_000.0]), "0 5k 10k 15k");
        assert_eq!(labels(Scale::Linear, &[2_300_000.0]), "0 0.5M 1.0M 1.5M 2.0M 2.5M");
        assert_eq!(labels(Scale::Linear, &[-4.0, 4.0]), "-4 -2 0 2 4");
        assert_eq!(labels(Scale::Linear, &[0.0, 0.0]), "0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(labels(Scale::Linear, &[3e-9]), "0 1.0e-9 2.0e-9 3.0e-9");
    }

    #[test]
    fn log_axes_have_ticks_at_powers_of_ten_or_more_if_these_are_few() {
        assert_eq!(labels(Scale::Log, &[0.013, 850.0]), "0.01 0.1 1 10 100 1k");
        assert_eq!(labels(Scale::Log, &[0.9, 11.0]), "0.5 1 2 5 10 20");
        assert_eq!(labels(Scale::Log, &[7.0]), "5 10");
        assert_eq!(labels(Scale::Log, &[3e-6, 4e4]), "0.0001 0.01 1 100 10k");
        assert_eq!(labels(Scale::Log, &[2e3, 3e7]), "1k 10k 100k 1M 10M");
    }

    #[test]
    fn extreme_values_keep_ticks_few() {
        for scale in [Scale::Linear, Scale::Log] {
            for values in [[1e-99, 1e99], [1e99, 1e99], [1e-99, 1e-99], [1.0, 1.0 + 1e-15]] {
                assert!(values.iter().all(|&value| is_on(scale, value)));
                let count = labels(scale, &values).split(' ').count();
                assert!((2..=9).contains(&count), "{scale:?} {values:?}: {count} ticks");
            }
            assert!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].iter().all(|&value| !is_on(scale, value)));
        }
        assert!(!is_on(Scale::Log, 0.0) && !is_on(Scale::Log, -1.0));
    }

    #[test]
    fn what_is_next_to_nothing_is_in_a_lane_before_the_axis() {
        let axis = Axis::log("memory, kB").lane(1.0, "under 1 kB");
        let ruler = Ruler::of(&axis, [0.0, 0.5, 1.0, 2000.0].into_iter()).unwrap();
        let places = [0.0, 0.5].map(|value| ruler.part(value));
        assert!(places.iter().all(|place| (place - LANE / 2.0).abs() < 1e-9) && has_place(&axis, 0.0));
        assert!(ruler.part(1.0) > LANE && ruler.part(2000.0) <= 1.0 && !has_place(&axis, -1.0));
        let labels: Vec<&str> = ruler.ticks.iter().map(|tick| &*tick.label).collect();
        assert_eq!(labels[..2], ["under 1 kB", "1"]);
        // None without need, and never nothing else.
        assert!(!Ruler::of(&axis, [3.0, 4.0].into_iter()).unwrap().has_lane());
        assert!(Ruler::of(&axis, [0.0].into_iter()).unwrap().ticks.len() > 2);
    }
}
