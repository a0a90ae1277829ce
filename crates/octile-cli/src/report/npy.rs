//! Tables of numbers as numpy reads them: the format `.npy`, version 1.0.

/// A table of so many rows and columns, row by row, as 64-bit floating-point numbers.
pub(crate) fn write(rows: usize, columns: usize, values: impl Iterator<Item = f64>) -> Vec<u8> {
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    let dictionary = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    // Magic, length, dictionary and a line break together are a multiple of 64 bytes. The longest two numbers leave it far below 2^16.
    let before = MAGIC.len() + 2;
    let header = (before + dictionary.len() + 1).next_multiple_of(64) - before;
    let mut bytes = Vec::with_capacity(before + header + rows.saturating_mul(columns).saturating_mul(8).min(1 << 30));
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&(header as u16).to_le_bytes());
    bytes.extend_from_slice(format!("{dictionary:<width$}\n", width = header - 1).as_bytes());
    bytes.extend(values.flat_map(f64::to_le_bytes));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_a_header_of_whole_lines_of_64_bytes() {
        let bytes = write(2, 3, [0.0, 1.5, f64::NAN, -1.0, 2.0, 3.0].into_iter());
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        assert_eq!(bytes.len(), 128 + 48);
        let header = std::str::from_utf8(&bytes[10..128]).unwrap();
        assert!(header.starts_with("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"));
        assert!(header.ends_with(" \n"));
        let number = |place: usize| f64::from_le_bytes(*bytes[128 + 8 * place..].first_chunk().unwrap());
        assert_eq!([0, 1, 5].map(|place| number(place).to_bits()), [0.0, 1.5, 3.0].map(f64::to_bits));
        assert!(number(2).is_nan());
        let most = write(usize::MAX, usize::MAX, std::iter::empty());
        assert_eq!(most.len() % 64, 0);
    }
}
