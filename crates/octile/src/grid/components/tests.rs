use super::*;
use crate::geometry::Dice;

/// A map as rows of bits, and its components.
struct Map {
    rows: BitLines,
    width: usize,
    height: usize,
    components: Components,
}

impl Map {
    fn new(width: usize, height: usize, contact: Contact, mut is_free: impl FnMut(usize, usize) -> bool) -> Self {
        let mut rows = BitLines::new(height + 2, width + 2);
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            rows.set(y + 1, x + 1, is_free(x, y));
        }
        let components = Components::label(&rows, width, height, contact);
        Self { rows, width, height, components }
    }

    /// Frees or blocks rectangles and updates the components.
    fn set(&mut self, rects: &[(Area, bool)]) {
        for &(area, free) in rects {
            for y in area.top..=area.bottom {
                self.rows.fill(y, area.left, area.right, free);
            }
        }
        self.components.follow(&self.rows, rects.iter().map(|&(area, _)| area));
    }

    fn is_free(&self, x: usize, y: usize) -> bool {
        self.rows.get(y + 1, x + 1)
    }

    /// Compares all cells with a flood fill, and all stored data with that of a new build.
    fn check(&self) {
        let Self { width, height, ref components, .. } = *self;
        let reach: &[(isize, isize)] = match components.contact {
            Contact::Sides => &[(0, 1), (1, 0), (0, -1), (-1, 0)],
            Contact::Corners => &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)],
        };
        let mut labels = vec![usize::MAX; width * height];
        let (mut sizes, mut stack, mut roots) = (Vec::new(), Vec::new(), Vec::new());
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            if self.is_free(x, y) && labels[y * width + x] == usize::MAX {
                labels[y * width + x] = sizes.len();
                stack.push((x, y));
                roots.push(components.root(components.nodes[components.node(cell(x, y))].component));
                sizes.push(0);
                while let Some((x, y)) = stack.pop() {
                    *sizes.last_mut().unwrap() += 1;
                    for &(dx, dy) in reach {
                        // The padding is blocked.
                        let to = ((x + 1).wrapping_add_signed(dx), (y + 1).wrapping_add_signed(dy));
                        if self.rows.get(to.1, to.0) && labels[(to.1 - 1) * width + to.0 - 1] == usize::MAX {
                            labels[(to.1 - 1) * width + to.0 - 1] = sizes.len() - 1;
                            stack.push((to.0 - 1, to.1 - 1));
                        }
                    }
                }
            }
        }
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let block = &components.blocks[y / SIDE * components.columns + x / SIDE];
            assert_eq!(block.label(x % SIDE, y % SIDE) != BLOCKED, self.is_free(x, y));
            if self.is_free(x, y) {
                let node = &components.nodes[components.node(cell(x, y))];
                assert_eq!(components.root(node.component), roots[labels[y * width + x]], "{x} {y}");
            }
        }
        let count = roots.len();
        roots.sort_unstable();
        roots.dedup();
        assert_eq!((roots.len(), components.count()), (count, count));
        assert_eq!(components.largest(), sizes.iter().copied().max().unwrap_or(0));
        for block in &components.blocks {
            assert_eq!(block.kept, NONE);
            let sides: Borders = std::array::from_fn(|side| {
                std::array::from_fn(|i| match side {
                    0 => block.label(i, 0),
                    1 => block.label(SIDE - 1, i),
                    2 => block.label(i, SIDE - 1),
                    _ => block.label(0, i),
                })
            });
            assert_eq!(block.borders, sides);
        }
        assert!(components.nodes.iter().all(|node| node.seen == NONE && (node.cells > 0 || node.component == NONE)));
    }
}

use super::block::Borders;

fn cell(x: usize, y: usize) -> Cell {
    Cell::new(x as u32, y as u32)
}

/// One cell or a rectangle to free or block.
fn rect(dice: &mut Dice, width: usize, height: usize, longest: usize) -> (Area, bool) {
    let mut below = |bound: usize| dice.below(bound as u64) as usize;
    let (left, top) = (below(width) + 1, below(height) + 1);
    let right = (left + below(longest)).min(width);
    let bottom = (top + below(longest)).min(height);
    (Area { left, right, top, bottom }, below(2) == 0)
}

const SIZES: [(usize, usize); 14] = [
    (1, 1),
    (1, 70),
    (100, 1),
    (9, 9),
    (31, 33),
    (32, 32),
    (33, 31),
    (64, 64),
    (65, 63),
    (96, 97),
    (97, 40),
    (34, 130),
    (2, 65),
    (150, 150),
];

/// Sizes around the side of a block, crowded and open maps, single cells and rectangles, one and many at a time.
#[test]
fn components_follow_random_edits() {
    let mut dice = Dice::new(1);
    for contact in [Contact::Sides, Contact::Corners] {
        for (width, height) in SIZES {
            for blocked in [0, 10, 35, 50, 65] {
                let mut map = Map::new(width, height, contact, |_, _| !dice.hits(blocked, 100));
                map.check();
                for _ in 0..if cfg!(miri) { 2 } else { 40 } {
                    let longest = [1, 1, 3, 12, 60][dice.below(5) as usize];
                    let count = [1, 1, 2, 20][dice.below(4) as usize];
                    let rects: Vec<_> = (0..count).map(|_| rect(&mut dice, width, height, longest)).collect();
                    map.set(&rects);
                    map.check();
                }
            }
        }
    }
}

/// Thousands of single cells, on maps of corridors and rooms, so that components often split and merge.
#[test]
fn components_follow_thousands_of_cells() {
    let mut dice = Dice::new(2);
    for contact in [Contact::Sides, Contact::Corners] {
        for (side, period) in [(70, 2), (70, 8), (130, 32)] {
            let is_wall = |x: usize, y: usize| x % period == period - 1 || y % period == period - 1;
            let mut map = Map::new(side, side, contact, |x, y| !is_wall(x, y));
            for step in 0..if cfg!(miri) { 5 } else { 3_000 } {
                let (x, y) = (dice.below(side as u64) as usize, dice.below(side as u64) as usize);
                // Mostly walls, so that rooms are connected by few doors.
                if is_wall(x, y) || dice.hits(1, 8) {
                    let area = Area { left: x + 1, right: x + 1, top: y + 1, bottom: y + 1 };
                    let free = if is_wall(x, y) { dice.hits(1, 3) } else { dice.hits(7, 8) };
                    map.set(&[(area, free)]);
                    if step % 7 == 0 {
                        map.check();
                    }
                }
            }
            map.check();
        }
    }
}

/// The same walls are closed and opened: along borders of blocks, across them, around corners of blocks.
#[test]
fn walls_that_come_and_go_restore_the_components() {
    for contact in [Contact::Sides, Contact::Corners] {
        let mut map = Map::new(97, 97, contact, |_, _| true);
        let walls =
            [(32, 32, 1, 97), (33, 33, 1, 97), (1, 97, 32, 32), (1, 97, 65, 65), (50, 50, 1, 97), (20, 70, 20, 70)];
        for round in 0..60 {
            for (nth, (left, right, top, bottom)) in walls.into_iter().enumerate() {
                if (round + nth) % 3 != 0 {
                    map.set(&[(Area { left, right, top, bottom }, (round >> nth) % 2 == 1)]);
                    map.check();
                }
            }
        }
    }
}

/// Cells that touch at a corner, where four blocks meet.
#[test]
fn corners_of_blocks_touch() {
    for (a, b) in [((31, 31), (32, 32)), ((32, 31), (31, 32))] {
        for contact in [Contact::Sides, Contact::Corners] {
            let mut map = Map::new(64, 64, contact, |x, y| [a, b].contains(&(x, y)));
            map.check();
            let connected = |map: &Map| map.components.connect(cell(a.0, a.1), cell(b.0, b.1));
            assert_eq!(connected(&map), contact == Contact::Corners);
            let between = Area { left: 33, right: 33, top: b.1 + 1, bottom: b.1 + 1 };
            let between = if b.0 == 32 { Area { left: 32, right: 32, ..between } } else { between };
            map.set(&[(between, true)]);
            assert!(connected(&map));
            map.set(&[(between, false)]);
            assert_eq!(connected(&map), contact == Contact::Corners);
            map.check();
        }
    }
}

/// A long wall with one door, on a map of many blocks: what is behind it is found on either side.
#[test]
fn doors_of_large_maps_open_and_close() {
    let side = if cfg!(miri) { 70 } else { 700 };
    for wall in [40, side / 2, side - 3] {
        let mut map = Map::new(side, side, Contact::Sides, |x, _| x != wall);
        for door in (0..side).step_by(side / 5) {
            let area = Area { left: wall + 1, right: wall + 1, top: door + 1, bottom: door + 1 };
            assert!(!map.components.connect(cell(0, 0), cell(side - 1, 3)));
            map.set(&[(area, true)]);
            assert!(map.components.connect(cell(0, 0), cell(side - 1, 3)));
            map.set(&[(area, false)]);
        }
        map.check();
    }
}
