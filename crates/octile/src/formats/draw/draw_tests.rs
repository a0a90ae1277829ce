use crate::formats::draw::*;
use crate::formats::generate;
use crate::grid::{Convention, GridError};

fn small() -> Grid {
    "
    ....
    .@@.
    ...."
        .parse()
        .unwrap()
}

fn around_the_wall() -> Path {
    Path::through([Cell::new(0, 0), Cell::new(3, 0), Cell::new(3, 2)]).unwrap()
}

/// The quoted values of an attribute, in order.
fn attributes<'a>(svg: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    svg.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn default_scales_suit_screens() -> Result<(), GridError> {
    for (side, scale) in [(1, 80), (10, 80), (100, 16), (512, 3), (800, 2), (801, 1), (5000, 1)] {
        assert_eq!(Picture::new(&Grid::open(side, 1)?).scale, scale, "{side}");
        assert_eq!(Picture::new(&Grid::open(1, side)?).scale, scale, "{side}");
    }
    assert_eq!(Picture::new(&small()).scale(0).scale, 1);
    Ok(())
}

#[test]
fn later_colours_cover_earlier_ones() {
    let (a, b, c) = (Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0));
    let off_map = Cell::new(9, 9);
    let own = Colour(1, 2, 3);
    let picture = Picture::new(&small()).expanded(&[a, b]).cells(&[b, off_map], own).seen(&[a, b, c, off_map]);
    let colours = picture.cell_colours();
    assert_eq!(colours[..4], [Colour::EXPANDED_FIRST, own, Colour::SEEN, Colour::FREE]);
    assert_eq!(colours[5], Colour::WALL);
    assert_eq!(colours.len(), 12);
}

#[test]
fn ground_is_below_all_other_colours() {
    let (a, b, c) = (Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0));
    let picture = Picture::new(&small()).cells(&[a], Colour::PATH).seen(&[b]);
    let colours = picture.ground(&[a, b, c], Colour::AREA).ground(&[c], Colour::PRUNED).cell_colours();
    assert_eq!(colours[..4], [Colour::PATH, Colour::SEEN, Colour::PRUNED, Colour::FREE]);
}

#[test]
fn cells_are_tinted_if_one_point_sees_their_corners() {
    let (a, b) = (Point::corner(Corner::new(0, 0)), Point::centre(Cell::new(3, 2)));
    let row = |from, y, first, last| (from, Corner::new(first, y), Corner::new(last, y));
    // All corners of the first cell and three of the second are visible. Of the third, one point sees two corners and
    // another point one more.
    let sights =
        [row(a, 0, 0, 4), row(a, 1, 0, 1), row(a, 1, 1, 1), row(b, 1, 3, 3), row(b, 9, 0, 99), row(b, 0, 9, 3)];
    let colours = Picture::new(&small()).sight(sights, Colour::START).cell_colours();
    let [whole, part] = [0.24, 0.12].map(|part| Colour::FREE.towards(Colour::START, part));
    assert_eq!(colours[..6], [whole, part, Colour::FREE, Colour::FREE, Colour::FREE, Colour::WALL]);
    let more = [&sights[..], &[row(b, 1, 2, 3)]].concat();
    assert_eq!(Picture::new(&small()).sight(more, Colour::START).cell_colours()[2], whole, "two points see two each");
    let twice = Picture::new(&small()).sight(sights, Colour::START).sight(sights, Colour::GOAL).cell_colours();
    assert_eq!(twice[0], whole.towards(Colour::GOAL, 0.24), "tints mix");
}

#[test]
fn hops_are_thin_lines_with_one_dot_per_start() {
    let (a, b, c) =
        (Point::centre(Cell::new(0, 0)), Point::corner(Corner::new(3, 1)), Point::corner(Corner::new(3, 2)));
    let picture = Picture::new(&small()).scale(10).path(&around_the_wall()).hops(&[(a, b), (a, c), (b, c)]);
    let svg = picture.to_svg().unwrap();
    assert_eq!(attributes(&svg, "points")[..4], ["0.5,0.5 3,1", "0.5,0.5 3,2", "3,1 3,2", "0.5,0.5 3.5,0.5 3.5,2.5"]);
    assert_eq!((attributes(&svg, "cx"), attributes(&svg, "cy")), (vec!["0.5", "3"], vec!["0.5", "1"]));
    assert_eq!(attributes(&svg, "stroke-width")[0], "0.080");
}

#[test]
fn discs_are_to_scale_below_lines() {
    let picture = Picture::new(&Grid::open(10, 10).unwrap()).scale(10).path(&around_the_wall());
    let svg = picture.discs([(5.0, 6.5)], 3.0, Colour::START).to_svg().unwrap();
    // An edge of 1.8 pixels, inside the radius.
    assert_eq!((attributes(&svg, "r")[0], attributes(&svg, "stroke-width")[0]), ("2.910", "0.180"));
    assert!(svg.find("<circle") < svg.find("<polyline"), "{svg}");
}

#[test]
fn discs_with_invalid_radius_or_position_are_ignored() {
    let (nowhere, here) = ([(f64::NAN, 1.0), (1.0, f64::INFINITY)], [(1.0, 1.0)]);
    let picture = Picture::new(&small()).discs(nowhere, 2.0, Colour::START);
    let picture = [0.0, -1.0, f64::NAN, f64::INFINITY]
        .iter()
        .fold(picture, |picture, &radius| picture.discs(here, radius, Colour::START));
    assert_eq!(picture.to_svg().unwrap(), Picture::new(&small()).to_svg().unwrap());
}

#[test]
fn outlines_are_below_lines_and_may_be_dashed() {
    let (a, b) = (Cell::new(0, 0), Cell::new(3, 0));
    let picture = Picture::new(&small()).scale(10).line(&[a, b], Colour::PATH);
    let svg = picture.clone().outline(&[a, b, Cell::new(3, 2)], Colour::AREA_WALL).to_svg().unwrap();
    assert_eq!(attributes(&svg, "points"), ["0.5,0.5 3.5,0.5 3.5,2.5", "0.5,0.5 3.5,0.5", "0.5,0.5 3.5,0.5"]);
    assert_eq!(attributes(&svg, "stroke")[0], Colour::AREA_WALL.to_string());
    // A line of 30 pixels and a width of 2.5: dashes of 5 with gaps near 10.
    let svg = picture.dashed(&[a, b], Colour::ENTRANCE).to_svg().unwrap();
    assert_eq!(attributes(&svg, "points")[..3], ["0.5,0.5 1,0.5", "1.75,0.5 2.25,0.5", "3,0.5 3.5,0.5"]);
    assert_eq!(attributes(&svg, "stroke")[2..4], [Colour::ENTRANCE, Colour::RIM].map(|colour| colour.to_string()));
}

#[test]
fn dashes_reach_from_end_to_end_and_no_further() {
    for length in 0..40 {
        let (a, b) = ((1.0, 2.0), (1.0, 2.0 + 0.1 * f64::from(length)));
        let dashes: Vec<_> = dashes(a, b, 0.2, 0.4).collect();
        assert_eq!((dashes[0][0], dashes.len() > 1), (a, length > 5), "{length}");
        let end = dashes[dashes.len() - 1][1];
        assert!((end.1 - b.1).abs() < 1e-9, "{length}: {end:?}");
    }
}

#[test]
fn expanded_cells_darken_with_time() {
    let grid = Grid::open(200, 1).unwrap();
    let cells: Vec<Cell> = grid.cells().collect();
    let colours = Picture::new(&grid).expanded(&cells).cell_colours();
    assert_eq!((colours[0], colours[199]), (Colour::EXPANDED_FIRST, Colour::EXPANDED_LAST));
    assert!(colours.windows(2).all(|pair| pair[0].0 >= pair[1].0 && pair[0].1 >= pair[1].1));
}

#[test]
fn svg_draws_walls_path_and_ends() {
    let picture = Picture::new(&small()).scale(10).path(&around_the_wall()).ends(Cell::new(0, 0), Cell::new(3, 2));
    let svg = picture.to_svg().unwrap();
    assert!(svg.contains("width=\"40\" height=\"30\" viewBox=\"0 0 4 3\""), "{svg}");
    assert_eq!(attributes(&svg, "d"), ["M1 1h2v1h-2z"]);
    assert_eq!(attributes(&svg, "points"), ["0.5,0.5 3.5,0.5 3.5,2.5"; 2]);
    assert_eq!(attributes(&svg, "cx"), ["0.5", "0.5", "3.5", "3.5", "3.5"]);
    assert_eq!(attributes(&svg, "stroke"), [Colour::RIM.to_string(), Colour::PATH.to_string()]);
}

#[test]
fn svg_rectangles_cover_just_the_coloured_cells() {
    let grid = generate::random(40, 30, 35, 1).unwrap();
    let svg = Picture::new(&grid).to_svg().unwrap();
    let mut covered = vec![0; 40 * 30];
    for rectangle in attributes(&svg, "d").concat().split_terminator('z') {
        let numbers: Vec<usize> =
            rectangle.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect();
        let [x, y, width, height, back] = numbers[..] else { panic!("{rectangle}") };
        assert_eq!(width, back);
        (y..y + height).for_each(|y| (x..x + width).for_each(|x| covered[y * 40 + x] += 1));
    }
    let walls: Vec<i32> = grid.cells().map(|cell| i32::from(!grid.is_free(cell))).collect();
    assert_eq!(covered, walls);
}

#[test]
fn svg_of_a_large_map_stays_small() {
    let grid = generate::rooms(512, 512, 16, 0).unwrap();
    let svg = Picture::new(&grid).to_svg().unwrap();
    assert!(svg.len() < 100_000, "{}", svg.len());
}

#[test]
fn svg_is_well_formed() {
    let picture =
        Picture::new(&small()).path(&around_the_wall()).path(&Path::new()).ends(Cell::new(0, 0), Cell::new(3, 2));
    let svg = picture.seen(&[Cell::new(0, 2)]).to_svg().unwrap();
    let mut open = Vec::new();
    for element in svg.split('<').skip(1) {
        let (tag, text) = element.split_once('>').expect("every element ends");
        assert!(text.trim().is_empty(), "{text}");
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap()),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// A map of one row with these prices.
fn priced(prices: &[u8]) -> Grid {
    Grid::from_prices(prices.len() as u32, 1, Convention::Average, |cell| prices[cell.x as usize]).unwrap()
}

fn lightness(Colour(r, g, b): Colour) -> u32 {
    299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b)
}

#[test]
fn higher_prices_are_darker_but_never_as_dark_as_a_wall() {
    let all: Vec<u8> = (1..=u8::MAX).collect();
    for prices in [&[1, 2][..], &[1, 2, 3, 255], &[100, 101, 255], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255], &all] {
        let colours = Picture::new(&priced(prices)).cell_colours();
        assert_eq!(colours[0], Colour::FREE, "{prices:?}");
        let is_few = prices.len() <= 12;
        for pair in colours.windows(2).map(|pair| [lightness(pair[0]), lightness(pair[1])]) {
            assert!(pair[0] >= pair[1], "{prices:?}");
            assert!(!is_few || pair[0] >= pair[1] + 4000, "{prices:?}: two prices look the same");
        }
        assert!(lightness(colours[prices.len() - 1]) > lightness(Colour::WALL) + 40_000, "{prices:?}");
    }
    assert_eq!(Picture::new(&priced(&[7, 0, 7])).cell_colours(), [Colour::FREE, Colour::WALL, Colour::FREE]);
}

#[test]
fn prices_show_through_searches_and_nothing_else() {
    let cells: Vec<Cell> = (0..3).map(|x| Cell::new(x, 0)).collect();
    let grid = priced(&[1, 5, 0]);
    let searched = Picture::new(&grid).seen(&cells[..2]).cell_colours();
    assert_eq!(searched[0], Colour::SEEN);
    assert!(lightness(searched[1]) < lightness(Colour::SEEN));
    let both = Picture::new(&grid).expanded(&cells[..2]);
    assert_eq!(both.clone().seen(&cells[..2]).cell_colours(), both.cell_colours(), "expanded cells cover seen ones");
    assert_eq!(Picture::new(&grid).cells(&cells, Colour::PATH).cell_colours(), [Colour::PATH; 3]);
    assert_eq!(Picture::new(&grid).ground(&cells, Colour::AREA).cell_colours(), [Colour::AREA; 3]);
}

#[test]
fn a_legend_lists_the_prices_of_free_cells() {
    let legend = |prices: &[u8], scale| Picture::new(&priced(prices)).scale(scale).legend().unwrap();
    // The background, and two rectangles for each entry; below a wide map all in one row.
    let wide = legend(&[3, 1, 0, 9, 9], 200);
    assert_eq!((wide.width, wide.patches.len()), (1000, 1 + 2 * 3));
    let rows = |legend: &legend::Legend| {
        let mut tops: Vec<u64> = legend.patches[1..].iter().filter(|patch| patch.x > 0).map(|patch| patch.y).collect();
        tops.retain(|&top| top > 0);
        tops.dedup();
        tops.len() / 2
    };
    assert_eq!(wide.patches.iter().filter(|patch| patch.colour == Colour::RECTANGLE).count(), 3);
    // Below a narrow map they are in rows, and the picture is wider than the map.
    let narrow = legend(&[3, 1, 0, 9, 9], 1);
    assert!(narrow.width > 5 && rows(&narrow) == 3, "{}", narrow.width);
    assert!(narrow.height > wide.height - 200);
    // Many prices make a scale.
    let all: Vec<u8> = (1..=60).collect();
    assert_eq!(legend(&all, 20).patches.iter().filter(|patch| patch.colour == Colour::RECTANGLE).count(), 1);
}

#[test]
fn maps_without_prices_have_no_legend() {
    let grid = priced(&[1, 0, 9]);
    assert!(Picture::new(&grid).legend().is_some());
    assert!(Picture::new(&grid).without_legend().legend().is_none());
    assert!(Picture::new(&grid.without_prices()).legend().is_none());
    assert!(Picture::new(&priced(&[0, 0])).legend().is_none(), "nor have those without a free cell");
    let field = crate::services::Field::new(&grid.without_prices(), &[(0, 0)]).unwrap();
    assert!(Picture::new(&grid).field(&field).legend().is_none(), "nor do those of fields, which hide prices");
}

#[test]
fn svg_has_the_legend_below_the_map_in_pixels() {
    let picture = Picture::new(&priced(&[1, 2])).scale(100);
    let (svg, legend) = (picture.to_svg().unwrap(), picture.legend().unwrap());
    assert_eq!((legend.width, legend.height), (200, 138));
    assert!(svg.contains("width=\"200\" height=\"138\" viewBox=\"0 0 2 1.38\""), "{svg}");
    assert!(
        svg.contains("<g transform=\"scale(0.01)\"") && svg.contains("<rect x=\"0\" y=\"100\" width=\"200\""),
        "{svg}"
    );
    let plain = picture.without_legend().to_svg().unwrap();
    assert!(plain.contains("viewBox=\"0 0 2 1\"") && !plain.contains("transform"), "{plain}");
}

#[test]
fn maps_too_large_for_svg_are_refused() {
    let picture = Picture::new(&Grid::open(4097, 4096).unwrap());
    assert_eq!(picture.to_svg(), Err(DrawError::TooManyCells { width: 4097, height: 4096 }));
}

#[cfg(feature = "image")]
mod png {
    use super::*;

    /// Rows of pixels, three bytes each.
    struct Image {
        size: (u32, u32),
        bytes: Vec<u8>,
    }

    fn render(picture: &Picture) -> Image {
        let file = picture.to_png().unwrap();
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut bytes).unwrap();
        Image { size: (frame.width, frame.height), bytes }
    }

    fn is(image: &Image, x: u32, y: u32, colour: Colour) -> bool {
        let pixel = 3 * (y * image.size.0 + x) as usize;
        image.bytes[pixel..pixel + 3] == [colour.0, colour.1, colour.2]
    }

    #[test]
    fn cells_are_squares_of_pixels() {
        let image = render(&Picture::new(&small()).scale(5).seen(&[Cell::new(3, 2)]));
        assert_eq!(image.size, (20, 15));
        for (x, y) in (0..20).flat_map(|x| (0..15).map(move |y| (x, y))) {
            let colour = match (x / 5, y / 5) {
                (1 | 2, 1) => Colour::WALL,
                (3, 2) => Colour::SEEN,
                _ => Colour::FREE,
            };
            assert!(is(&image, x, y, colour), "{x},{y}");
        }
    }

    #[test]
    fn the_legend_covers_lines_that_leave_the_map() {
        let picture = Picture::new(&priced(&[1, 9])).scale(30).line(&[Cell::new(0, 0), Cell::new(8, 8)], Colour::PATH);
        let (image, legend) = (render(&picture), picture.legend().unwrap());
        assert_eq!((u64::from(image.size.0), u64::from(image.size.1)), (legend.width, legend.height));
        assert!(legend.width > 60, "wider than the map");
        assert!(is(&image, 15, 15, Colour::PATH) && is(&image, 40, 40, Colour::RIM) && is(&image, 61, 0, Colour::RIM));
        let entry = legend.patches.iter().rfind(|patch| patch.colour != Colour::FREE).unwrap();
        assert!(is(&image, entry.x as u32 + 2, entry.y as u32 + 2, entry.colour));
        let ink = image.bytes.chunks_exact(3).filter(|pixel| *pixel == [0x2b, 0x30, 0x3a]).count();
        assert!(ink > 20, "it has text: {ink}");
        let (plain, size) = (render(&picture.without_legend()), (60, 30));
        assert_eq!(plain.size, size);
    }

    #[test]
    fn a_path_is_a_line_with_a_rim_and_the_ends_are_marked() {
        let path = around_the_wall();
        let image = render(&Picture::new(&small()).scale(40).path(&path).ends(Cell::new(0, 0), Cell::new(3, 2)));
        assert!(is(&image, 80, 20, Colour::PATH), "on the first leg");
        assert!(is(&image, 140, 60, Colour::PATH), "on the second leg");
        assert!(is(&image, 140, 20, Colour::PATH), "on the corner");
        assert!(is(&image, 80, 27, Colour::RIM), "beside the first leg");
        assert!(is(&image, 80, 35, Colour::FREE), "away from it");
        assert!(is(&image, 20, 20, Colour::START) && is(&image, 30, 20, Colour::START));
        assert!(is(&image, 140, 100, Colour::RIM) && is(&image, 150, 100, Colour::GOAL));
        assert!(is(&image, 60, 60, Colour::WALL));
    }

    #[test]
    fn a_disc_has_an_edge_at_its_radius_and_a_tint_inside() {
        let image =
            render(&Picture::new(&Grid::open(10, 10).unwrap()).scale(10).discs([(5.0, 5.0)], 3.0, Colour::START));
        let tint = Colour::FREE.towards(Colour::START, Disc::OPACITY);
        let row: Vec<u32> = (0..100).filter(|&x| !is(&image, x, 50, Colour::FREE)).collect();
        assert_eq!((row[0], row[row.len() - 1]), (20, 79), "from edge to edge");
        // The outermost pixels are almost fully covered, and the edge is darker than the inside.
        let is_edge = |x: u32, y: u32| !is(&image, x, y, tint) && !is(&image, x, y, Colour::FREE);
        assert!(is_edge(20, 50) && is_edge(50, 79) && !is_edge(19, 50));
        assert!(is(&image, 50, 50, tint) && is(&image, 23, 50, tint));
    }

    #[test]
    fn slanted_lines_have_the_same_width_everywhere() {
        let grid = Grid::open(8, 8).unwrap();
        let [start, goal] = [Cell::new(0, 0), Cell::new(7, 7)];
        let image = render(&Picture::new(&grid).scale(20).line(&[goal, start], Colour::PATH));
        let across = |y: u32| (0..160).filter(|&x| is(&image, x, y, Colour::PATH)).count();
        assert_eq!(across(40), across(41));
        assert_eq!(across(40), across(120));
        assert!((7..=9).contains(&across(80)), "a width of 6 cut at 45 degrees: {}", across(80));
    }

    #[test]
    fn lines_beyond_the_edge_are_cut_off() {
        let picture = Picture::new(&small()).scale(1).line(&[Cell::new(0, 0), Cell::new(90, 40)], Colour::PATH);
        assert!(is(&render(&picture.ends(Cell::new(50, 0), Cell::new(0, 50))), 0, 0, Colour::PATH));
    }

    #[test]
    fn pictures_with_too_many_pixels_are_refused() {
        let picture = Picture::new(&small());
        let refused = DrawError::TooManyPixels { width: 40_000, height: 30_000 };
        assert_eq!(picture.clone().scale(10_000).to_png(), Err(refused));
        let refused = DrawError::TooManyPixels { width: 4 * u64::from(u32::MAX), height: 3 * u64::from(u32::MAX) };
        assert_eq!(picture.scale(u32::MAX).to_png(), Err(refused));
    }
}
