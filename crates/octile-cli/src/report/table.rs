//! Aligned columns.

/// Rows under a header; the first `left` columns are aligned to the left, the others, numbers, to the right.
pub(crate) fn table<const N: usize>(header: [&str; N], rows: &[[String; N]], left: usize) -> String {
    let header = header.map(str::to_owned);
    let width = |column: usize| {
        std::iter::once(&header).chain(rows).map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let line = |row: &[String; N]| {
        let cell = |column: usize| {
            let (text, width) = (&row[column], widths[column]);
            if column < left { format!("{text:<width$}") } else { format!("{text:>width$}") }
        };
        (0..N).map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    std::iter::once(&header).chain(rows).map(line).collect()
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
