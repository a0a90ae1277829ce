//! Digits and the few letters of legends, drawn as lines with round ends: pictures need no fonts, and SVG and PNG look
//! alike.

use super::{Colour, Position, Stroke};

/// The space between letters, in heights of a digit.
const SPACE: f64 = 0.24;

/// The width of lines, in heights of a digit.
const LINE: f64 = 0.12;

/// A character: its width and its lines. Digits have height 1, and their baseline is at 1.
struct Letter {
    width: f64,
    lines: Vec<Vec<Position>>,
}

/// The width of a text whose digits are `height` high.
pub(super) fn width(text: &str, height: f64) -> f64 {
    let letters = text.chars().map(|character| letter(character).width);
    height * (letters.sum::<f64>() + SPACE * text.chars().count().saturating_sub(1) as f64)
}

/// The lines of a text whose upper left corner is given, in pixels.
pub(super) fn write(text: &str, (left, top): Position, height: f64, colour: Colour) -> Vec<Stroke> {
    // A precision of a hundredth of a pixel is enough, and short in SVG.
    let hundredths = |place: f64| (100.0 * place).round() / 100.0;
    let (mut strokes, mut x) = (Vec::new(), left);
    for letter in text.chars().map(letter) {
        let place = |&(a, b): &Position| (hundredths(x + height * a), hundredths(top + height * b));
        let lines = letter.lines.iter().map(|line| line.iter().map(place).collect());
        strokes.extend(lines.map(|points| Stroke { points, width: LINE * height, colour }));
        x += height * (letter.width + SPACE);
    }
    strokes
}

/// An arc of an ellipse between two angles in degrees: 0 is to the right, 90 below.
fn arc((x, y): Position, (wide, high): Position, from: f64, to: f64) -> Vec<Position> {
    let steps = ((to - from).abs() / 18.0).ceil().max(1.0) as u32;
    let angle = |step: u32| (from + (to - from) * f64::from(step) / f64::from(steps)).to_radians();
    (0..=steps).map(angle).map(|angle| (x + wide * angle.cos(), y + high * angle.sin())).collect()
}

fn ellipse(middle: Position, radii: Position) -> Vec<Position> {
    arc(middle, radii, 0.0, 360.0)
}

/// Returns a letter without lines for a space and for unknown characters.
fn letter(character: char) -> Letter {
    let (width, lines) = match character {
        '0' => (0.56, vec![ellipse((0.28, 0.5), (0.28, 0.5))]),
        '1' => (0.34, vec![vec![(0.04, 0.2), (0.28, 0.0), (0.28, 1.0)]]),
        '2' => {
            let hook = arc((0.28, 0.28), (0.27, 0.28), 185.0, 400.0);
            (0.56, vec![[hook, vec![(0.0, 1.0), (0.56, 1.0)]].concat()])
        }
        '3' => {
            let upper = arc((0.26, 0.24), (0.24, 0.24), 205.0, 450.0);
            (0.54, vec![[upper, arc((0.26, 0.74), (0.28, 0.26), 270.0, 515.0)].concat()])
        }
        '4' => (0.58, vec![vec![(0.43, 1.0), (0.43, 0.0), (0.0, 0.7), (0.58, 0.7)]]),
        '5' => {
            let bowl = arc((0.26, 0.68), (0.29, 0.32), 225.0, 510.0);
            (0.55, vec![[vec![(0.5, 0.0), (0.09, 0.0)], bowl].concat()])
        }
        '6' => (0.56, six()),
        '7' => (0.54, vec![vec![(0.0, 0.0), (0.54, 0.0), (0.18, 1.0)]]),
        '8' => (0.56, vec![ellipse((0.28, 0.24), (0.23, 0.24)), ellipse((0.28, 0.74), (0.28, 0.26))]),
        '9' => {
            let turned = |line: Vec<Position>| line.into_iter().map(|(x, y)| (0.56 - x, 1.0 - y)).collect();
            (0.56, six().into_iter().map(turned).collect())
        }
        'c' => (0.46, vec![arc((0.26, 0.68), (0.26, 0.32), -48.0, -312.0)]),
        'e' => (0.52, vec![[vec![(0.0, 0.68)], arc((0.26, 0.68), (0.26, 0.32), 0.0, -312.0)].concat()]),
        'i' => (0.06, vec![vec![(0.03, 0.36), (0.03, 1.0)], vec![(0.03, 0.1)]]),
        'p' => (0.54, vec![vec![(0.03, 0.36), (0.03, 1.3)], ellipse((0.28, 0.68), (0.25, 0.32))]),
        'r' => (0.34, vec![vec![(0.03, 0.36), (0.03, 1.0)], arc((0.3, 0.68), (0.27, 0.32), 180.0, 280.0)]),
        _ => (0.5, Vec::new()),
    };
    Letter { width, lines }
}

/// A bowl, and an arc that leads down into it.
fn six() -> Vec<Vec<Position>> {
    vec![ellipse((0.28, 0.69), (0.27, 0.31)), arc((0.49, 0.69), (0.48, 0.69), 180.0, 266.0)]
}
