//! PGM images: a header of a few numbers, then the samples as text (P2) or as bytes (P5).

use crate::formats::image::read::{ImageError, Pixels, check_size};

/// Reads a PGM image.
pub(super) fn decode(bytes: &[u8]) -> Result<Pixels, ImageError> {
    let mut words = Words { rest: &bytes[2..] };
    let mut field = |name: &str| words.number().ok_or_else(|| damaged(format!("its header has no {name}")));
    let (width, height, full) = (field("width")?, field("height")?, field("largest value")?);
    if full == 0 || full > u32::from(u16::MAX) {
        return Err(damaged(format!("the largest value in its header is {full}: expected 1 to 65535")));
    }
    let is_text = bytes[1] == b'2';
    let sample_bytes = if is_text || full > u32::from(u8::MAX) { 2 } else { 1 };
    // In text form a sample takes a digit and a separator, which the last one does not need.
    let room_for = bytes.len() as u64 / sample_bytes + u64::from(is_text);
    check_size(width, height, room_for, bytes.len())?;
    let samples = width as usize * height as usize;
    let samples = if is_text { words.samples(samples)? } else { packed(words.rest, samples, sample_bytes as usize)? };
    if let Some(over) = samples.iter().find(|&&sample| u32::from(sample) > full) {
        return Err(damaged(format!("a sample of {over} is above the largest value in its header, {full}")));
    }
    Ok(Pixels { width, height, channels: 1, full, samples })
}

fn damaged(reason: String) -> ImageError {
    ImageError::Damaged { reason }
}

/// So many samples of one or two bytes, the higher one first, behind the one blank that ends the header.
fn packed(bytes: &[u8], samples: usize, sample_bytes: usize) -> Result<Vec<u16>, ImageError> {
    let body = bytes.get(1..).unwrap_or_default();
    let body = body.get(..samples * sample_bytes).ok_or_else(|| ends_early(body.len() / sample_bytes, samples))?;
    let value = |sample: &[u8]| sample.iter().fold(0, |value, &byte| value << 8 | u16::from(byte));
    Ok(body.chunks_exact(sample_bytes).map(value).collect())
}

fn ends_early(found: usize, expected: usize) -> ImageError {
    damaged(format!("it ends after {found} of {expected} samples"))
}

/// Numbers between blanks and comments, which go from `#` to the end of a line.
struct Words<'a> {
    rest: &'a [u8],
}

impl Words<'_> {
    fn number(&mut self) -> Option<u32> {
        self.skip_blanks();
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        std::str::from_utf8(number).ok()?.parse().ok()
    }

    fn skip_blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_ascii_start();
            if self.rest.first() != Some(&b'#') {
                return;
            }
            let line = self.rest.iter().position(|&byte| byte == b'\n').unwrap_or(self.rest.len());
            self.rest = &self.rest[line..];
        }
    }

    fn samples(&mut self, samples: usize) -> Result<Vec<u16>, ImageError> {
        let mut values = Vec::with_capacity(samples);
        while values.len() < samples {
            self.skip_blanks();
            let is_at_end = self.rest.is_empty();
            match self.number().map(u16::try_from) {
                Some(Ok(value)) => values.push(value),
                None if is_at_end => return Err(ends_early(values.len(), samples)),
                _ => return Err(damaged(format!("sample {} is no number up to 65535", values.len() + 1))),
            }
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(bytes: &[u8]) -> String {
        decode(bytes).map(|pixels| pixels.samples).unwrap_err().to_string()
    }

    #[test]
    fn samples_are_read_in_both_forms_and_all_depths() {
        let samples = |bytes: &[u8]| decode(bytes).unwrap().samples;
        assert_eq!(samples(b"P2\n# two\n2 1 # wide\n9\n0\n# and\n9"), [0, 9]);
        assert_eq!(samples(b"P5 2 1 255 \x00\xff"), [0, 255]);
        assert_eq!(samples(b"P5\n2 1\n300\n\x01\x00\x00\xff"), [256, 255]);
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert!(reason(b"P5\n2 x").ends_with("its header has no height"));
        assert!(reason(b"P2 1 1 0\n0").ends_with("the largest value in its header is 0: expected 1 to 65535"));
        assert!(reason(b"P5 1 1 65536\n00").contains("65536"));
        assert!(reason(b"P2 2 1 9\n1").ends_with("it ends after 1 of 2 samples"));
        assert!(reason(b"P2 2 1 9\n1 -1").ends_with("sample 2 is no number up to 65535"));
        assert!(reason(b"P2 2 1 9\n1 99999").ends_with("sample 2 is no number up to 65535"));
        assert!(reason(b"P5 2 1 9\n\x01").ends_with("it ends after 1 of 2 samples"));
        assert!(reason(b"P5 2 1 9\n\x01\x0a").ends_with("a sample of 10 is above the largest value in its header, 9"));
    }
}
