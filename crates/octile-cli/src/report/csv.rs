//! The lines of `compare --csv`, one per query and planner; and tables of numbers.

use std::io::{self, Write};

use octile::PathQuery;

use crate::harness::race::{Asked, Entrant, Race};

const COLUMNS: [&str; 11] =
    ["map", "line", "from_x", "from_y", "to_x", "to_y", "planner", "found", "length", "expanded", "best_ns"];

/// The results of every planner for every query, map by map; planners that did not run on a map have no lines for it.
pub(crate) fn times(race: &Race) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for (place, course) in race.courses.iter().enumerate() {
        for (query, asked) in course.asked.iter().enumerate() {
            for entrant in &race.entrants {
                if let Some(stint) = &entrant.stints[place] {
                    writer.write_record(record(&course.name, asked, entrant, stint.queries.start + query))?;
                }
            }
        }
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// The result of an entrant for its `i`th query.
fn record(map: &str, asked: &Asked, entrant: &Entrant, i: usize) -> [String; 11] {
    let PathQuery { start, goal, .. } = asked.query;
    let length = entrant.lengths[i];
    [
        map.to_owned(),
        asked.line.to_string(),
        start.x.to_string(),
        start.y.to_string(),
        goal.x.to_string(),
        goal.y.to_string(),
        entrant.engine.to_string(),
        length.is_some().to_string(),
        length.map_or_else(String::new, |length| length.to_string()),
        entrant.expanded[i].to_string(),
        entrant.nanos[i].to_string(),
    ]
}

/// Writes a table of numbers, one row per line, without a header; missing numbers are empty.
pub(crate) fn table(
    out: &mut impl Write,
    rows: impl Iterator<Item = impl Iterator<Item = Option<f64>>>,
) -> io::Result<()> {
    for row in rows {
        for (column, number) in row.enumerate() {
            let comma = if column == 0 { "" } else { "," };
            match number {
                Some(number) => write!(out, "{comma}{number}")?,
                None => out.write_all(comma.as_bytes())?,
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_few_digits_as_identify_them() {
        let rows = [vec![Some(0.0), None, Some(2.0_f64.sqrt())], vec![Some(5.0), Some(0.1), None]];
        let mut text = Vec::new();
        table(&mut text, rows.into_iter().map(Vec::into_iter)).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "0,,1.4142135623730951\n5,0.1,\n");
    }
}
