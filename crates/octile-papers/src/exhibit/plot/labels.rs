//! Where names of points go: beside their points, in the way of no other name or point.

use std::cmp::Reverse;

/// Height of text.
pub(super) const FONT: i32 = 110;

/// Between a point and its name.
const GAP: i32 = 52;

/// How much farther names go with every try.
const STRIDE: i32 = 60;
const TRIES: i32 = 20;

/// A point and its name.
pub(super) struct Named<'a> {
    pub(super) at: (i32, i32),
    pub(super) name: &'a str,
}

/// Where a name goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The middle of its left side, its centre, or the middle of its right side.
    pub(super) at: (i32, i32),
    pub(super) side: Side,
    /// Whether it is so far from its point that a line must join them.
    pub(super) far: bool,
    above: bool,
    area: Area,
}

/// Where a name is, seen from its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Middle,
    Right,
}

impl Place {
    /// Where the line from the point ends.
    pub(super) fn foot(&self) -> (i32, i32) {
        let [_, top, _, bottom] = self.area.0;
        match self.side {
            Side::Left => (self.at.0 + 10, self.at.1),
            Side::Right => (self.at.0 - 10, self.at.1),
            Side::Middle if self.above => (self.at.0, bottom),
            Side::Middle => (self.at.0, top),
        }
    }
}

/// A rectangle: left, top, right and bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area(pub(super) [i32; 4]);

impl Area {
    fn around((x, y): (i32, i32), reach: i32) -> Self {
        Self([x - reach, y - reach, x + reach, y + reach])
    }

    /// How much two have in common.
    fn common(self, other: Self) -> i64 {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        i64::from((c.min(g) - a.max(e)).max(0)) * i64::from((d.min(h) - b.max(f)).max(0))
    }

    /// How much of it lies outside of another.
    fn outside(self, other: Self) -> i64 {
        self.common(self) - self.common(other)
    }
}

/// A place for every name, inside `room`: the names with most points around them choose first. `points` are all that
/// names should not cover.
pub(super) fn places(names: &[Named], points: &[(i32, i32)], room: Area) -> Vec<Place> {
    let crowd = |name: &Named| {
        let near = Area::around(name.at, 6 * FONT);
        points.iter().filter(|&&point| near.common(Area::around(point, 1)) > 0).count()
    };
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&nth| Reverse(crowd(&names[nth])));
    let dots: Vec<Area> = points.iter().map(|&point| Area::around(point, GAP - 12)).collect();
    let mut placed: Vec<Option<Place>> = vec![None; names.len()];
    for nth in order {
        let cost = |place: &Place| {
            let taken = placed.iter().flatten().map(|other| place.area.common(other.area)).sum::<i64>();
            let covered = dots.iter().map(|&dot| place.area.common(dot)).sum::<i64>();
            3 * place.area.outside(room) + 2 * taken + covered
        };
        // Of those that are equally good, the first.
        placed[nth] = candidates(&names[nth]).min_by_key(cost);
    }
    placed.into_iter().flatten().collect()
}

/// Places for a name, the best first.
fn candidates<'a>(named: &'a Named) -> impl Iterator<Item = Place> + 'a {
    let (x, y) = named.at;
    let (wide, high) = (width(named.name), FONT + 16);
    (0..TRIES).flat_map(move |try_| {
        let reach = GAP + try_ * STRIDE;
        let slant = reach * 3 / 4;
        let up = reach + high / 4;
        [
            (reach, 0, Side::Right),
            (-reach, 0, Side::Left),
            (0, -up, Side::Middle),
            (0, up, Side::Middle),
            (slant, -slant, Side::Right),
            (slant, slant, Side::Right),
            (-slant, -slant, Side::Left),
            (-slant, slant, Side::Left),
            (GAP, -up, Side::Right),
            (GAP, up, Side::Right),
            (-GAP, -up, Side::Left),
            (-GAP, up, Side::Left),
        ]
        .map(|(dx, dy, side)| {
            let left = match side {
                Side::Right => x + dx,
                Side::Middle => x - wide / 2,
                Side::Left => x + dx - wide,
            };
            let top = y + dy - high / 2;
            let area = Area([left, top, left + wide, top + high]);
            Place { at: (x + dx, y + dy), side, far: try_ > 0, above: dy < 0, area }
        })
    })
}

/// About how wide a text is: fonts differ, so rather too wide than too narrow.
pub(super) fn width(text: &str) -> i32 {
    let hundredths = |letter: char| match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 30,
        'f' | 'r' | 't' | ' ' | '(' | ')' | '-' | '/' => 42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 98,
        letter if letter.is_ascii_uppercase() => 70,
        letter if letter.is_ascii() => 65,
        _ => 100,
    };
    text.chars().map(hundredths).sum::<i32>() * FONT / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Area = Area([0, 0, 4000, 2500]);

    fn names<'a>(points: &[(i32, i32)], name: &'a str) -> Vec<Named<'a>> {
        points.iter().map(|&at| Named { at, name }).collect()
    }

    #[test]
    fn a_lone_point_has_its_name_on_the_right_or_on_the_left_at_the_right_edge() {
        for (x, side) in [(2000, Side::Right), (3950, Side::Left), (10, Side::Right)] {
            let places = places(&names(&[(x, 1000)], "jps"), &[(x, 1000)], ROOM);
            assert_eq!((places[0].side, places[0].far), (side, false));
        }
    }

    #[test]
    fn names_of_a_cluster_do_not_overlap() {
        let points: Vec<_> = (0..10).map(|nth| (2000 + nth % 3 * 20, 1200 + nth / 3 * 15)).collect();
        let places = places(&names(&points, "a-star-bucket"), &points, ROOM);
        assert_eq!(places.len(), points.len());
        for (nth, place) in places.iter().enumerate() {
            assert_eq!(place.area.outside(ROOM), 0);
            assert!(places[..nth].iter().all(|other| other.area.common(place.area) == 0));
        }
    }

    #[test]
    fn names_without_room_still_have_a_place() {
        let long = "x".repeat(500);
        let points = [(10, 10); 3];
        assert_eq!(places(&names(&points, &long), &points, ROOM).len(), 3);
    }
}
