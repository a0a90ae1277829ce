//! PGM images: a header of a few numbers, then the samples as text (P2) or as bytes (P5).

use crate::formats::image::read::{ImageError, Pixels, check_size, sample_bytes};
use crate::formats::text;

/// Reads a PGM image.
pub(super) fn decode(bytes: &[u8]) -> Result<Pixels, ImageError> {
    let mut words = Words { rest: &bytes[2..] };
    let mut field = |name: &str| {
        words.number().map_err(|found| match found {
            Some(found) => {
                damaged(format!("the {name} in its header is `{found}`: expected a whole number up to {}", u32::MAX))
            }
            None => damaged(format!("its header has no {name}")),
        })
    };
    let (width, height, full) = (field("width")?, field("height")?, field("largest value")?);
    if full == 0 || full > u32::from(u16::MAX) {
        return Err(damaged(format!("the largest value in its header is {full}: expected 1 to 65535")));
    }
    // In text form a sample takes a digit and a separator, which the last one does not need.
    let is_text = bytes[1] == b'2';
    let taken = if is_text { 2 } else { sample_bytes(full) };
    check_size(width, height, (bytes.len() / taken) as u64 + u64::from(is_text), bytes.len())?;
    let samples = width as usize * height as usize;
    let bytes = if is_text { words.samples(samples, full)? } else { packed(words.rest, samples, full)?.to_vec() };
    let pixels = Pixels { width, height, channels: 1, full, bytes };
    let over = pixels.samples().find(|&sample| sample > full);
    over.map_or(Ok(pixels), |over| Err(too_large(over, full)))
}

fn damaged(reason: String) -> ImageError {
    ImageError::Damaged { reason }
}

/// The bytes of all samples, after the one blank that ends the header.
fn packed(bytes: &[u8], samples: usize, full: u32) -> Result<&[u8], ImageError> {
    let body = bytes.get(1..).unwrap_or_default();
    body.get(..samples * sample_bytes(full)).ok_or_else(|| ends_early(body.len() / sample_bytes(full), samples))
}

fn too_large(sample: u32, full: u32) -> ImageError {
    damaged(format!("a sample of {sample} is above the largest value in its header, {full}"))
}

fn ends_early(found: usize, expected: usize) -> ImageError {
    damaged(format!("it ends after {found} of {expected} samples"))
}

/// Numbers between blanks and comments; a comment goes from `#` to the end of the line.
struct Words<'a> {
    rest: &'a [u8],
}

impl Words<'_> {
    /// The next number. If something else comes next, that text; `None` at the end.
    fn number(&mut self) -> Result<u32, Option<String>> {
        self.skip_blanks();
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        let parsed = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        let number = parsed.ok_or_else(|| self.word())?;
        self.rest = rest;
        Ok(number)
    }

    /// The next word, for a message.
    fn word(&self) -> Option<String> {
        let word = self.rest.split(u8::is_ascii_whitespace).next().filter(|word| !word.is_empty())?;
        // The header may be followed by any number of bytes that are not text.
        Some(text::excerpt(&String::from_utf8_lossy(&word[..word.len().min(200)])))
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

    /// The next samples, as bytes.
    fn samples(&mut self, samples: usize, full: u32) -> Result<Vec<u8>, ImageError> {
        let mut bytes = Vec::with_capacity(samples * sample_bytes(full));
        for found in 0..samples {
            match self.number() {
                Ok(value) if value <= full => bytes.extend(&value.to_be_bytes()[4 - sample_bytes(full)..]),
                Ok(over) => return Err(too_large(over, full)),
                Err(None) => return Err(ends_early(found, samples)),
                Err(Some(word)) => {
                    let sample = found + 1;
                    return Err(damaged(format!("sample {sample} is `{word}`: expected a whole number up to {full}")));
                }
            }
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(bytes: &[u8]) -> String {
        decode(bytes).map(drop).unwrap_err().to_string()
    }

    #[test]
    fn samples_are_read_in_both_forms_and_all_depths() {
        let samples = |bytes: &[u8]| decode(bytes).unwrap().samples().collect::<Vec<_>>();
        assert_eq!(samples(b"P2\n# two\n2 1 # wide\n9\n0\n# and\n9"), [0, 9]);
        assert_eq!(samples(b"P5 2 1 255 \x00\xff"), [0, 255]);
        assert_eq!(samples(b"P5\n2 1\n300\n\x01\x00\x00\xff"), [256, 255]);
    }

    #[test]
    fn faults_are_reported() {
        assert!(reason(b"P5\n2 ").ends_with("its header has no height"));
        assert!(
            reason(b"P5\n2 x").ends_with("the height in its header is `x`: expected a whole number up to 4294967295")
        );
        assert!(reason(b"P2 1 1 0\n0").ends_with("the largest value in its header is 0: expected 1 to 65535"));
        assert!(reason(b"P5 1 1 65536\n00").contains("65536"));
        assert!(reason(b"P2 2 1 9\n1").ends_with("it ends after 1 of 2 samples"));
        assert!(reason(b"P2 2 1 9\n1 -1").ends_with("sample 2 is `-1`: expected a whole number up to 9"));
        assert!(reason(b"P2 2 1 9\n1 10").ends_with("a sample of 10 is above the largest value in its header, 9"));
        assert!(reason(b"P5 2 1 9\n\x01").ends_with("it ends after 1 of 2 samples"));
        assert!(reason(b"P5 2 1 9\n\x01\x0a").ends_with("a sample of 10 is above the largest value in its header, 9"));
    }

    #[test]
    fn numbers_are_quoted_as_in_the_file() {
        const HUGE: &str = "18446744073709551617";
        for (name, image) in [("width", "P5 N 3 255 "), ("height", "P2 3 N 255 "), ("largest value", "P2 1 1 N 1")] {
            let reason = reason(image.replace('N', HUGE).as_bytes());
            assert!(reason.contains(&format!("the {name} in its header is `{HUGE}`")), "{reason}");
        }
        assert!(reason(format!("P2 1 1 255 {HUGE}").as_bytes()).contains(&format!("sample 1 is `{HUGE}`")));
        let long = reason(format!("P2 1{}", "0".repeat(1000)).as_bytes());
        assert!(long.len() < 200 && long.contains("000...`"), "{long}");
    }
}
