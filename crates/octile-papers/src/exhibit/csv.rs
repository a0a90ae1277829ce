//! Tables and plots as comma-separated values, one file each.

use anyhow::Result;

use super::{Exhibit, Plot, Table, Value};

/// The files of an exhibit: their names without ending, and what they hold.
pub(crate) fn files(section: &str, exhibit: &Exhibit) -> Result<Vec<(String, Vec<u8>)>> {
    let name = format!("{section}-{}", exhibit.id);
    let tables = exhibit.table.iter().map(|rows| Ok((name.clone(), table(rows)?)));
    let plots = exhibit.plots.iter().zip(1..).map(|(points, nth)| Ok((format!("{name}-plot-{nth}"), plot(points)?)));
    tables.chain(plots).collect()
}

/// Names with their groups in the first line, then numbers as exact as they are; nothing where there is none.
fn table(table: &Table) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(table.columns.iter().map(|column| match &column.group {
        Some(group) => format!("{group}: {}", column.name),
        None => column.name.clone(),
    }))?;
    for row in &table.rows {
        writer.write_record(row.values.iter().map(written))?;
    }
    Ok(writer.into_inner()?)
}

fn written(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::None => String::new(),
    }
}

fn plot(plot: &Plot) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["series", &plot.x.name, &plot.y.name])?;
    for series in &plot.series {
        for (x, y) in &series.points {
            writer.write_record([&series.name, &x.to_string(), &y.to_string()])?;
        }
    }
    Ok(writer.into_inner()?)
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Pair, Row, Style};
    use super::*;

    #[test]
    fn fields_with_commas_are_quoted_and_missing_numbers_are_empty() {
        let mut rows = Table::new().text("maps").beside("time, ms", 1);
        rows.push(Row::new().text("a \"b\"").beside(Pair::new(1.25, None)));
        let points = Plot::new("", Axis::linear("x"), Axis::log("y")).series("s", Style::Line, vec![(1.0, 2.5)]);
        let exhibit = Exhibit::new("Table 5", "").table(rows).plot(points);
        let expected = "maps,\"time, ms: ours\",\"time, ms: paper\",\"time, ms: ratio\"\n\"a \"\"b\"\"\",1.25,,\n";
        let expected = [("x-table-5", expected), ("x-table-5-plot-1", "series,x,y\ns,1,2.5\n")];
        assert_eq!(files("x", &exhibit).unwrap(), expected.map(|(name, text)| (name.to_owned(), text.into())));
    }
}
