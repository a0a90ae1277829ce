//! Reading PNG and PGM images as maps.
//!
//! Before memory is allocated for the pixels, the size in the header is checked against the limits of maps and the
//! number of bytes in the file. So neither a false header nor a small file that unpacks to a huge image does harm.

use std::io::Cursor;

use png::{BitDepth, Decoder, Limits, Transformations};

use crate::formats::image::pgm;
use crate::grid::{Grid, GridBuilder, GridError, Terrain};

/// The maximum number of bytes that the pixels of an image may take.
const MAX_DECODED_BYTES: u64 = 512 << 20;

/// The maximum number of pixels per byte of a PNG file: 8 per decoded byte, and deflate packs at most 1032 bytes into
/// one.
const MAX_PIXELS_A_BYTE: u64 = 8 * 1040;

/// The image is not a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// It is empty.
    #[error("the file is empty: expected a PNG or PGM image")]
    Empty,
    /// It is another kind of image, or not an image.
    #[error("this is neither a PNG nor a PGM image (P2 or P5)")]
    UnknownFormat,
    /// The image is empty or too large for a map.
    #[error("{0}")]
    Size(GridError),
    /// The file is too short for the size in its header.
    #[error(
        "the header says {width} x {height} pixels, but the {found} bytes of the file cannot hold them: it is truncated or damaged"
    )]
    TooShort {
        /// The number of pixels in a row.
        width: u32,
        /// The number of rows.
        height: u32,
        /// The number of bytes in the file.
        found: usize,
    },
    /// The pixels take too much memory.
    #[error(
        "{width} x {height} pixels take {needed} bytes of memory, more than {MAX_DECODED_BYTES}: save the image in 8-bit grey"
    )]
    TooManyBytes {
        /// The number of pixels in a row.
        width: u32,
        /// The number of rows.
        height: u32,
        /// The number of bytes for all pixels.
        needed: u64,
    },
    /// The image cannot be decoded.
    #[error("the image cannot be decoded: {reason}")]
    Damaged {
        /// The decoder's message.
        reason: String,
    },
}

impl From<png::DecodingError> for ImageError {
    fn from(error: png::DecodingError) -> Self {
        Self::Damaged { reason: error.to_string().replace('\n', " ") }
    }
}

/// Reads a PNG or PGM image as a map. A pixel is free if it is lighter than halfway between black and white (in 8 bits:
/// from 128) and its alpha is at least one half. Colours count by the mean of red, green and blue.
///
/// ```
/// let grid = octile::formats::image::parse(b"P2\n3 1\n255\n255 128 127\n")?;
/// assert_eq!(octile::formats::ascii::write(&grid), "..@\n");
/// # Ok::<(), octile::formats::image::ImageError>(())
/// ```
///
/// # Errors
/// If the bytes are not a PNG or PGM image, or it is too large.
pub fn parse(bytes: &[u8]) -> Result<Grid, ImageError> {
    Pixels::decode(bytes)?.to_grid(|shade| shade.is_some_and(|shade| shade.lightness() > 0.5))
}

/// Reads the grey levels of a PNG or PGM image, from 0, black, to 255, white, as terrain classes. Colours count by
/// their mean, and other depths are scaled to 8 bits. A pixel whose alpha is below one half counts as black.
///
/// ```
/// let terrain = octile::formats::image::terrain(b"P2\n3 1\n255\n255 128 7\n")?;
/// assert_eq!(terrain.classes(), [255, 128, 7]);
/// # Ok::<(), octile::formats::image::ImageError>(())
/// ```
///
/// # Errors
/// If the bytes are not a PNG or PGM image, or it is too large.
pub fn terrain(bytes: &[u8]) -> Result<Terrain, ImageError> {
    Pixels::decode(bytes)?.to_terrain(|shade| shade.map_or(0, Shade::level))
}

/// The lightness of a pixel: the sum of its colours, and the maximum of that sum.
#[derive(Clone, Copy)]
pub(super) struct Shade {
    light: u32,
    full: u32,
}

impl Shade {
    /// From 0, black, to 1, white.
    pub(super) fn lightness(self) -> f64 {
        f64::from(self.light) / f64::from(self.full)
    }

    /// From 0, black, to 255, white.
    pub(super) fn level(self) -> u8 {
        (255.0 * self.lightness()).round() as u8
    }

    /// From 0, white, to 1, black.
    pub(super) fn darkness(self) -> f64 {
        f64::from(self.full - self.light) / f64::from(self.full)
    }
}

/// A decoded image.
pub(super) struct Pixels {
    pub(super) width: u32,
    pub(super) height: u32,
    /// The number of samples of a pixel: grey, grey and alpha, RGB or RGBA.
    pub(super) channels: usize,
    /// The largest value of a sample. If it is above 255, samples have two bytes, the higher one first.
    pub(super) full: u32,
    pub(super) bytes: Vec<u8>,
}

impl Pixels {
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, ImageError> {
        match bytes {
            [] => Err(ImageError::Empty),
            [0x89, b'P', b'N', b'G', ..] => Self::decode_png(bytes),
            [b'P', b'2' | b'5', ..] => pgm::decode(bytes),
            _ => Err(ImageError::UnknownFormat),
        }
    }

    fn decode_png(bytes: &[u8]) -> Result<Self, ImageError> {
        // The size comes first in the file, so it can be checked before the decoder allocates memory.
        if let Some(&[a, b, c, d, e, f, g, h]) = bytes.get(16..24) {
            let (width, height) = (u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h]));
            check_size(width, height, MAX_PIXELS_A_BYTE * bytes.len() as u64, bytes.len())?;
        }
        check_palette(bytes)?;
        let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MAX_DECODED_BYTES as usize });
        // A map needs neither colour profiles nor texts, which may be compressed and inflate to gigabytes.
        decoder.set_ignore_iccp_chunk(true);
        decoder.set_ignore_text_chunk(true);
        decoder.set_transformations(Transformations::EXPAND); // palettes, less than 8 bits, and transparent colours
        let mut reader = decoder.read_info()?;
        let (width, height) = reader.info().size();
        let (colours, depth) = reader.output_color_type();
        let full = if depth == BitDepth::Sixteen { u16::MAX.into() } else { u8::MAX.into() };
        let channels = colours.samples();
        let needed = u64::from(width) * u64::from(height) * (channels * sample_bytes(full)) as u64;
        if needed > MAX_DECODED_BYTES {
            return Err(ImageError::TooManyBytes { width, height, needed });
        }
        let mut bytes = vec![0; needed as usize];
        reader.next_frame(&mut bytes)?;
        Ok(Self { width, height, channels, full, bytes })
    }

    /// All samples, row by row.
    pub(super) fn samples(&self) -> impl Iterator<Item = u32> {
        self.bytes.chunks_exact(sample_bytes(self.full)).map(sample)
    }

    /// The grid whose free cells are the pixels for whose shade `is_free` holds; transparent pixels have no shade.
    pub(super) fn to_grid(&self, is_free: impl Fn(Option<Shade>) -> bool) -> Result<Grid, ImageError> {
        let mut builder = GridBuilder::new(self.width, self.height).map_err(ImageError::Size)?;
        let pixel_bytes = self.channels * sample_bytes(self.full);
        let rows = self.bytes.chunks_exact(self.width as usize * pixel_bytes);
        for (y, row) in (0..self.height).zip(rows) {
            builder.set_row(y, row.chunks_exact(pixel_bytes).map(|pixel| is_free(self.shade(pixel))));
        }
        Ok(builder.build())
    }

    /// The classes of the pixels by their shade; transparent pixels have no shade.
    pub(super) fn to_terrain(&self, class: impl Fn(Option<Shade>) -> u8) -> Result<Terrain, ImageError> {
        let pixel_bytes = self.channels * sample_bytes(self.full);
        let classes: Vec<u8> = self.bytes.chunks_exact(pixel_bytes).map(|pixel| class(self.shade(pixel))).collect();
        Terrain::new(self.width, self.height, classes).map_err(ImageError::Size)
    }

    /// The shade of a pixel, or `None` if it is more transparent than opaque.
    fn shade(&self, pixel: &[u8]) -> Option<Shade> {
        let samples = pixel.chunks_exact(sample_bytes(self.full)).map(sample);
        let colours = self.channels - usize::from(self.channels.is_multiple_of(2));
        let is_opaque = samples.clone().nth(colours).is_none_or(|alpha| 2 * alpha >= self.full);
        is_opaque.then(|| Shade { light: samples.take(colours).sum(), full: colours as u32 * self.full })
    }
}

/// The number of bytes of a sample up to `full`.
pub(super) fn sample_bytes(full: u32) -> usize {
    if full > u8::MAX.into() { 2 } else { 1 }
}

fn sample(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |value, &byte| value << 8 | u32::from(byte))
}

/// Refuses a PNG whose palette is not a list of up to 256 colours: the decoder panics on some of them (image-png issue
/// 694, in its version 0.18.1).
fn check_palette(bytes: &[u8]) -> Result<(), ImageError> {
    let mut chunks = bytes.get(8..).unwrap_or_default();
    while let Some((&[a, b, c, d, ref name @ ..], rest)) = chunks.split_first_chunk::<8>() {
        let len = u32::from_be_bytes([a, b, c, d]) as usize;
        if name == b"PLTE" && (!len.is_multiple_of(3) || len > 3 * 256) {
            return Err(ImageError::Damaged { reason: format!("its palette has {len} bytes") });
        }
        chunks = rest.get(len.saturating_add(4)..).unwrap_or_default();
    }
    Ok(())
}

/// Checks a size against the limits of maps, and against the number of pixels that the file can contain.
pub(super) fn check_size(width: u32, height: u32, room_for: u64, found: usize) -> Result<(), ImageError> {
    GridBuilder::check_size(u64::from(width), u64::from(height)).map_err(ImageError::Size)?;
    if u64::from(width) * u64::from(height) > room_for {
        return Err(ImageError::TooShort { width, height, found });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use png::{ColorType, Encoder};

    use super::*;
    use crate::formats::ascii;

    /// A PNG with rows of `width` pixels, from its bytes.
    fn png(width: u32, colour: ColorType, depth: BitDepth, bytes: &[u8]) -> Vec<u8> {
        let mut file = Vec::new();
        let row_bytes = colour.samples() * width as usize * if depth == BitDepth::Sixteen { 2 } else { 1 };
        let mut encoder = Encoder::new(&mut file, width, (bytes.len() / row_bytes) as u32);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        encoder.write_header().unwrap().write_image_data(bytes).unwrap();
        file
    }

    fn grey(width: u32, shades: &[u8]) -> Vec<u8> {
        png(width, ColorType::Grayscale, BitDepth::Eight, shades)
    }

    fn draw(bytes: &[u8]) -> String {
        ascii::write(&parse(bytes).unwrap())
    }

    fn message(bytes: &[u8]) -> String {
        parse(bytes).unwrap_err().to_string()
    }

    #[test]
    fn light_is_free_in_every_depth() {
        let wide = [0_u16, 32_767, 32_768, 65_535];
        let repeated =
            |times: usize| wide.iter().flat_map(|shade| shade.to_be_bytes().repeat(times)).collect::<Vec<_>>();
        let colours = [0, 127, 128, 255].iter().flat_map(|&shade| [shade; 3]).collect::<Vec<_>>();
        assert_eq!(draw(&grey(4, &[0, 127, 128, 255])), "@@..\n");
        assert_eq!(draw(&png(4, ColorType::Grayscale, BitDepth::Sixteen, &repeated(1))), "@@..\n");
        assert_eq!(draw(&png(4, ColorType::Rgb, BitDepth::Eight, &colours)), "@@..\n");
        assert_eq!(draw(&png(4, ColorType::Rgb, BitDepth::Sixteen, &repeated(3))), "@@..\n");
        assert_eq!(draw(&png(2, ColorType::Rgb, BitDepth::Eight, &[255, 255, 0, 0, 255, 0])), ".@\n");
    }

    #[test]
    fn bits_and_palettes_are_read() {
        let encoded = |colour, depth, palette: Option<&'static [u8]>, bytes: &[u8]| {
            let mut file = Vec::new();
            let mut encoder = Encoder::new(&mut file, 4, 1);
            encoder.set_color(colour);
            encoder.set_depth(depth);
            if let Some(palette) = palette {
                encoder.set_palette(palette);
                encoder.set_trns(&[255_u8, 255, 0][..]);
            }
            encoder.write_header().unwrap().write_image_data(bytes).unwrap();
            file
        };
        assert_eq!(draw(&encoded(ColorType::Grayscale, BitDepth::One, None, &[0b0110_0000])), "@..@\n");
        // Black, white, white that is transparent, white.
        let palette = Some(&[0, 0, 0, 255, 255, 255, 255, 255, 255][..]);
        assert_eq!(draw(&encoded(ColorType::Indexed, BitDepth::Two, palette, &[0b0001_1001])), "@.@.\n");
    }

    #[test]
    fn transparent_is_blocked() {
        let alphas = [0, 127, 128, 255];
        let rgba: Vec<u8> = alphas.iter().flat_map(|&alpha| [255, 255, 255, alpha]).collect();
        let grey: Vec<u8> = alphas.iter().flat_map(|&alpha| [255, alpha]).collect();
        assert_eq!(draw(&png(4, ColorType::Rgba, BitDepth::Eight, &rgba)), "@@..\n");
        assert_eq!(draw(&png(4, ColorType::GrayscaleAlpha, BitDepth::Eight, &grey)), "@@..\n");
    }

    #[test]
    fn grey_levels_are_in_8_bits_whatever_the_depth() {
        let levels = |bytes: &[u8]| terrain(bytes).unwrap().classes().to_vec();
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(levels(&grey(16, &all)), all);
        assert_eq!(levels(b"P2\n4 1\n3\n0 1 2 3\n"), [0, 85, 170, 255]);
        assert_eq!(levels(&png(2, ColorType::Rgb, BitDepth::Eight, &[10, 20, 30, 255, 255, 0])), [20, 170]);
        assert_eq!(levels(&png(2, ColorType::GrayscaleAlpha, BitDepth::Eight, &[200, 255, 200, 127])), [200, 0]);
        assert!(matches!(terrain(b"hello"), Err(ImageError::UnknownFormat)));
    }

    #[test]
    fn pgm_is_read_in_both_forms_and_all_depths() {
        assert_eq!(draw(b"P5\n3 2\n255\n\x00\x7f\x80\xff\xff\x00"), "@@.\n..@\n");
        assert_eq!(draw(b"P2\n# a comment\n3 2\n9\n0 4 5\n9 9 0"), "@@.\n..@\n");
        assert_eq!(draw(b"P5\n2 1\n65535\n\x7f\xff\x80\x00"), "@.\n");
    }

    #[test]
    fn written_images_read_back() {
        let grid: Grid = "..@.\n@@..\n.@.@\n".parse().unwrap();
        assert_eq!(parse(&crate::formats::image::to_pgm(&grid)), Ok(grid));
    }

    #[test]
    fn a_false_header_allocates_nothing() {
        assert!(message(b"P5\n60000 4000\n255\n\x00\x01").contains("60000 x 4000 pixels, but the 20 bytes"));
        assert!(message(b"P2\n60000 4000\n255\n0 1").contains("60000 x 4000 pixels"));
        assert!(message(b"P5\n65536 65536\n255\n").contains("65536 x 65536 cells is too large"));
        let mut lying = grey(4, &[0; 16]);
        lying[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0x0f, 0xa0]);
        assert!(message(&lying).contains("60000 x 4000 pixels"), "{}", message(&lying));
        lying[16..24].copy_from_slice(&[0xff; 8]);
        assert!(message(&lying).contains("4294967295 x 4294967295 cells is too large"));
    }

    #[test]
    fn a_file_that_is_not_an_image_is_refused_in_one_sentence() {
        assert!(message(b"").starts_with("the file is empty"));
        assert!(message(b"hello").starts_with("this is neither a PNG nor a PGM image"));
        assert!(message(b"P6\n1 1\n255\n\x00\x00\x00").starts_with("this is neither"));
        assert!(message(b"P5\n").starts_with("the image cannot be decoded"));
        assert!(message(b"P5\n0 3\n255\n").contains("0 x 3 cells is empty"));
        let whole = grey(64, &(0..64 * 64).map(|i| ((i % 64) * (i / 64)) as u8).collect::<Vec<_>>());
        for len in 1..whole.len() - 12 {
            assert!(parse(&whole[..len]).is_err(), "{len} of {} bytes", whole.len());
        }
    }

    fn png_chunk(name: &str, data: &[u8]) -> Vec<u8> {
        let body = [name.as_bytes(), data].concat();
        let crc = body.iter().fold(u32::MAX, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
        });
        [&(data.len() as u32).to_be_bytes(), &body[..], &(!crc).to_be_bytes()].concat()
    }

    #[test]
    fn a_palette_that_is_not_a_list_of_colours_is_refused() {
        let header = png_chunk("IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 3, 0, 0, 0]);
        for len in [4, 5, 770, 771, 774] {
            let palette = png_chunk("PLTE", &vec![7; len]);
            let bytes = [b"\x89PNG\r\n\x1a\n", &header[..], &palette, &png_chunk("IDAT", &[0; 20])].concat();
            assert_eq!(message(&bytes), format!("the image cannot be decoded: its palette has {len} bytes"));
        }
    }

    #[test]
    fn an_image_that_unpacks_to_too_many_bytes_is_refused() {
        // 16000 x 16000 pixels of four 16-bit samples, and just enough bytes to make them possible.
        let header = png_chunk("IHDR", &[0, 0, 0x3e, 0x80, 0, 0, 0x3e, 0x80, 16, 6, 0, 0, 0]);
        let bomb = [b"\x89PNG\r\n\x1a\n", &header[..], &png_chunk("IDAT", &vec![0; 40_000])].concat();
        assert!(message(&bomb).starts_with("16000 x 16000 pixels take 2048000000 bytes"), "{}", message(&bomb));
    }
}
