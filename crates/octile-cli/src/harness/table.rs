//! Aligned columns.

/// Rows under a header; the first `left` columns are aligned to the left, the others, numbers, to the right.
pub fn table<'a>(header: impl AsRef<[&'a str]>, rows: &[impl AsRef<[String]>], left: usize) -> String {
    let header: Vec<String> = header.as_ref().iter().map(|&name| name.to_owned()).collect();
    let lines = || std::iter::once(header.as_slice()).chain(rows.iter().map(AsRef::as_ref));
    let width = |column: usize| lines().filter_map(|row| row.get(column)).map(|text| text.chars().count()).max();
    let widths: Vec<usize> = (0..header.len()).map(|column| width(column).unwrap_or_default()).collect();
    let line = |row: &[String]| {
        let cell = |(column, (text, &width)): (usize, (&String, &usize))| {
            if column < left { format!("{text:<width$}") } else { format!("{text:>width$}") }
        };
        row.iter().zip(&widths).enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [["astar".to_owned(), "1.50".to_owned()], ["√".to_owned(), "12".to_owned()]];
        assert_eq!(table(["name", "us"], &rows, 1), "name     us\nastar  1.50\n√        12\n");
    }
}
