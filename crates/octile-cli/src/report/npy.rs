//! Tables of numbers for numpy, in the `.npy` format, version 1.0.

use std::io::{self, Write};

/// Writes a table, row by row, as 64-bit floating-point numbers; NaN for missing ones.
pub(crate) fn write(
    out: &mut impl Write,
    (rows, columns): (usize, usize),
    values: impl Iterator<Item = Option<f64>>,
) -> io::Result<()> {
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    let dictionary = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    // Magic, length, dictionary and line break together take a multiple of 64 bytes. Even with the longest two numbers
    // that is far below 2^16.
    let before = MAGIC.len() + 2;
    let header = (before + dictionary.len() + 1).next_multiple_of(64) - before;
    out.write_all(MAGIC)?;
    out.write_all(&(header as u16).to_le_bytes())?;
    writeln!(out, "{dictionary:<width$}", width = header - 1)?;
    for value in values {
        out.write_all(&value.unwrap_or(f64::NAN).to_le_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_a_header_of_whole_lines_of_64_bytes() {
        let mut bytes = Vec::new();
        write(&mut bytes, (2, 3), [Some(0.0), Some(1.5), None, Some(-1.0), Some(2.0), Some(3.0)].into_iter()).unwrap();
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        assert_eq!(bytes.len(), 128 + 48);
        let header = std::str::from_utf8(&bytes[10..128]).unwrap();
        assert!(header.starts_with("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"));
        assert!(header.ends_with(" \n"));
        let number = |place: usize| f64::from_le_bytes(*bytes[128 + 8 * place..].first_chunk().unwrap());
        assert_eq!([0, 1, 5].map(|place| number(place).to_bits()), [0.0, 1.5, 3.0].map(f64::to_bits));
        assert!(number(2).is_nan());
        let mut most = Vec::new();
        write(&mut most, (usize::MAX, usize::MAX), std::iter::empty()).unwrap();
        assert_eq!(most.len() % 64, 0);
    }
}
