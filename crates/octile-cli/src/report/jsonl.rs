//! `run --paths`: one line of JSON per problem.

use std::io::{self, Write};

use octile::{Path, PathQuery};
use serde::Serialize;

use super::json::{Point, cells, corners, points};

/// A problem with its answer.
#[derive(Serialize)]
struct Line {
    from: Point,
    to: Point,
    length: Option<f64>,
    path: Option<Vec<Point>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    corners: Option<Vec<Point>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Vec<(f64, f64)>>,
}

/// Writes the line of one problem: with every cell of a grid path, or the corners of an any-angle path, and all its
/// points if it begins and ends at centres.
pub(crate) fn write_line(out: &mut impl Write, query: PathQuery, path: Option<&Path>) -> io::Result<()> {
    let line = Line {
        from: query.start.into(),
        to: query.goal.into(),
        length: path.map(Path::length),
        path: path.and_then(cells),
        corners: path.and_then(corners),
        points: path.and_then(points),
    };
    serde_json::to_writer(&mut *out, &line)?;
    out.write_all(b"\n")
}
