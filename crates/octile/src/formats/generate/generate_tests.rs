use crate::formats::generate::*;
use crate::grid::{MAX_SIDE, Movement};

fn blocked(grid: &Grid) -> u32 {
    grid.width() * grid.height() - grid.free_cells()
}

/// Map sizes that cut the pattern anywhere between two walls.
fn sizes() -> impl Iterator<Item = (u32, u32)> {
    (2..20).flat_map(|width| (2..14).map(move |height| (width, height)))
}

#[test]
fn maps_of_a_seed_never_change() {
    let fingerprints = [
        open(512, 512).unwrap(),
        rooms(512, 512, 8, 0).unwrap(),
        rooms(300, 200, 64, 1).unwrap(),
        maze(512, 512, 1, 0).unwrap(),
        maze(300, 200, 8, 1).unwrap(),
        random(512, 512, 10, 0).unwrap(),
        random(300, 200, 40, u64::MAX).unwrap(),
        caves(512, 512, 45, 0).unwrap(),
        caves(300, 200, 40, 1).unwrap(),
    ]
    .map(|grid| grid.fingerprint());
    let golden = [
        0xc485_70e2_62be_b296,
        0xdb1e_1fca_1f89_25c1,
        0x107f_47a0_3844_7c98,
        0xff51_c70f_e7b9_120a,
        0xc983_4895_0c9c_a57d,
        0xc3df_3b23_e791_d064,
        0xd6b2_a2ef_456d_8878,
        0x46c2_f944_835e_3735,
        0x4140_b61c_6caa_b0cc,
    ];
    assert_eq!(fingerprints, golden);
}

#[test]
fn rooms_are_connected_whatever_the_size() {
    for (width, height) in sizes() {
        for room in 2..=width.min(height) {
            let grid = rooms(width, height, room, 3).unwrap();
            assert_eq!(grid.components(), 1, "room {room} {grid:?}");
        }
    }
}

#[test]
fn rooms_have_walls_and_doors_like_the_benchmark() {
    let grid = rooms(512, 512, 16, 5).unwrap();
    let is_wall = |cell: Cell| cell.x.is_multiple_of(16) || cell.y.is_multiple_of(16);
    assert!(grid.cells().all(|cell| is_wall(cell) || grid.is_free(cell)));
    let mut doors = 0;
    for (x, y) in (0..32).flat_map(|row| (0..32).map(move |column| (column * 16, row * 16))) {
        assert!(!grid.is_free(Cell::new(x, y)), "corner {x},{y}");
        let beside = (y + 1..y + 16).filter(|&y| grid.is_free(Cell::new(x, y))).count();
        let above = (x + 1..x + 16).filter(|&x| grid.is_free(Cell::new(x, y))).count();
        assert!(beside <= usize::from(x > 0) && above <= usize::from(y > 0), "doors at {x},{y}");
        doors += beside + above;
    }
    // Four in five of the 2 * 32 * 31 inner walls: the benchmark's 16room_000 has 1629.
    assert!((1520..1660).contains(&doors), "{doors}");
}

#[test]
fn mazes_are_connected_whatever_the_size() {
    for (width, height) in sizes() {
        for corridor in 1..width.min(height) {
            let grid = maze(width, height, corridor, 3).unwrap();
            assert_eq!(grid.components(), 1, "corridor {corridor} {grid:?}");
        }
    }
}

#[test]
fn mazes_are_trees_of_corridors_of_the_requested_width() {
    for corridor in [1, 2, 8, 32] {
        let pitch = corridor + 1;
        let squares = 10;
        let grid = maze(squares * pitch + 1, squares * pitch + 1, corridor, 11).unwrap();
        let is_post = |cell: &Cell| cell.x.is_multiple_of(pitch) && cell.y.is_multiple_of(pitch);
        assert!(!grid.cells().filter(is_post).any(|cell| grid.is_free(cell)), "{grid:?}");
        // A tree of n squares has n - 1 gaps, each as wide as the corridor.
        let inside = squares * squares * corridor * corridor;
        assert_eq!(grid.free_cells(), inside + (squares * squares - 1) * corridor, "{grid:?}");
        let edge = squares * pitch;
        assert!(
            (0..=edge)
                .all(|i| [(0, i), (i, 0), (edge, i), (i, edge)].iter().all(|&(x, y)| !grid.is_free(Cell::new(x, y))))
        );
    }
}

#[test]
fn mazes_have_as_many_dead_ends_as_the_benchmarks() {
    let grid = maze(512, 512, 1, 2).unwrap();
    let dead_ends = grid.cells().filter(|&cell| grid.moves(cell).into_iter().count() == 1).count();
    // maze512-1-0 has 12,190 among its 65,536 squares.
    assert!((11_000..13_500).contains(&dead_ends), "{dead_ends}");
}

#[test]
fn random_maps_block_the_requested_share_and_what_it_cuts_off() {
    for percent in [0, 1, 10, 25, 40, 99, 100] {
        let grid = random(128, 100, percent, 9).unwrap();
        let requested = 128 * 100 * percent / 100;
        assert!(blocked(&grid) >= requested, "{percent}");
        assert!(percent > 25 || blocked(&grid) < requested + 200, "{percent}: {}", blocked(&grid));
        assert_eq!(grid.components(), usize::from(percent < 100), "{percent}");
    }
    assert_eq!(random(512, 512, 100, 0).unwrap().free_cells(), 0);
}

#[test]
fn caves_are_one_area_of_the_requested_size() {
    for (percent, least) in [(30, 0.65), (40, 0.5), (45, 0.4)] {
        for seed in 0..4 {
            let grid = caves(300, 256, percent, seed).unwrap();
            let free = f64::from(grid.free_cells()) / (300.0 * 256.0);
            assert_eq!(grid.components(), 1, "{percent}, seed {seed}");
            assert!((least..1.02 - f64::from(percent) / 100.0).contains(&free), "{percent}, seed {seed}: {free}");
        }
    }
    for (width, height) in sizes() {
        assert!(caves(width, height, 45, 3).unwrap().components() <= 1, "{width} x {height}");
    }
    assert_eq!(caves(30, 20, 0, 0).unwrap(), open(30, 20).unwrap());
    assert_eq!(caves(30, 20, 100, 0).unwrap().free_cells(), 0);
}

#[test]
fn caves_have_halls_not_noise() {
    let grid = caves(256, 256, 45, 1).unwrap();
    let is_hall = |cell: &Cell| grid.is_free(*cell) && grid.moves(*cell).into_iter().count() == 8;
    let inside = grid.cells().filter(is_hall).count() as f64 / f64::from(grid.free_cells());
    // Scattered cells of the same number have one such cell in a hundred.
    assert!(inside > 0.7, "{inside}");
}

#[test]
fn the_first_of_the_largest_areas_is_kept() {
    let kept = |map: &str| {
        let mut builder = map.parse::<Grid>().unwrap().edit();
        builder.keep_largest_area();
        builder.build()
    };
    assert_eq!(kept("..@.\n@@@.\n...."), "@@@.\n@@@.\n....".parse().unwrap());
    assert_eq!(kept(".@."), ".@@".parse().unwrap());
    assert_eq!(kept("@@@"), "@@@".parse().unwrap());
}

#[test]
fn prices_of_a_seed_never_change() {
    let base = rooms(300, 200, 16, 1).unwrap();
    let fingerprints = [
        regions(&open(512, 512).unwrap(), &[1, 2, 5], 32, Convention::Average, 0).unwrap(),
        regions(&base, &[1, 9], 7, Convention::Enter, 1).unwrap(),
        noise(&base, &[1, 2, 3, 4, 5], Convention::Average, 0).unwrap(),
        roads(&base, (1, 5), 3, 12, Convention::Average, 1).unwrap(),
    ]
    .map(|grid| grid.fingerprint());
    let golden = [0x7133_8faf_4c5a_b7d5, 0x72d4_8424_a96a_92c2, 0x958c_d9b9_d322_7d92, 0xffa5_ea99_7189_63e8];
    assert_eq!(fingerprints, golden);
}

/// The number of free cells of each price.
fn counts(grid: &Grid) -> std::collections::BTreeMap<u8, usize> {
    let mut counts = std::collections::BTreeMap::new();
    for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
        *counts.entry(grid.price(cell)).or_default() += 1;
    }
    counts
}

#[test]
fn setting_prices_keeps_blocked_cells_and_the_rule() {
    let base = caves(70, 50, 40, 1).unwrap().with_movement(Movement::Tile);
    for convention in Convention::ALL {
        for grid in [
            regions(&base, &[1, 2, 5], 9, convention, 3).unwrap(),
            noise(&base, &[3, 200], convention, 3).unwrap(),
            roads(&base, (2, 7), 3, 5, convention, 3).unwrap(),
        ] {
            assert_eq!(grid.without_prices(), base);
            assert_eq!((grid.convention(), grid.movement()), (Some(convention), Movement::Tile));
        }
    }
}

#[test]
fn regions_are_large_and_share_the_cells_evenly() {
    let base = rooms(200, 150, 25, 1).unwrap();
    for (size, least) in [(20, 0.9), (5, 0.6)] {
        let grid = regions(&base, &[1, 4, 16], size, Convention::Average, 5).unwrap();
        let shares: Vec<usize> = counts(&grid).into_values().collect();
        assert!(shares.len() == 3 && shares.iter().max().unwrap() - shares.iter().min().unwrap() <= 1, "{shares:?}");
        let pairs = grid.cells().map(|cell| (grid.price(cell), grid.price((cell.x + 1, cell.y))));
        let (same, all) = pairs
            .filter(|&(a, b)| a != 0 && b != 0)
            .fold((0, 0), |(same, all), (a, b)| (same + u32::from(a == b), all + 1));
        assert!(f64::from(same) / f64::from(all) > least, "size {size}: {same} of {all}");
    }
    for (width, height) in sizes() {
        for size in [1, 2, 7, 1000, u32::MAX] {
            let grid = regions(&open(width, height).unwrap(), &[1, 2], size, Convention::Average, 1).unwrap();
            assert_eq!(counts(&grid)[&1], ((width * height) as usize).div_ceil(2), "{width} x {height}, {size}");
        }
    }
}

#[test]
fn roads_have_the_requested_width_and_are_connected() {
    for width in [1, 2, 3, 5] {
        let grid = roads(&open(120, 90).unwrap(), (1, 5), width, 8, Convention::Average, 2).unwrap();
        let on_road = Grid::from_fn(120, 90, |cell| grid.price(cell) == 1).unwrap();
        // Cells of roads of width 1 touch only at corners where the road is diagonal.
        assert!(width == 1 || on_road.components() == 1, "{width}");
        assert!((120 * width..90 * 120).contains(&on_road.free_cells()), "{width}: {}", on_road.free_cells());
    }
    let none = roads(&open(9, 9).unwrap(), (1, 5), 1, 0, Convention::Average, 2).unwrap();
    assert_eq!(counts(&none).into_keys().collect::<Vec<_>>(), [5]);
    let blocked = open(9, 9).unwrap().with_prices(Convention::Average, |_| 0);
    assert_eq!(roads(&blocked, (1, 5), 1, 9, Convention::Average, 2).unwrap().free_cells(), 0);
    assert_eq!(regions(&blocked, &[1], 1, Convention::Average, 2).unwrap().free_cells(), 0);
}

#[test]
fn invalid_prices_are_refused() {
    let base = open(20, 8).unwrap();
    for prices in [&[][..], &[0], &[1, 0]] {
        let expected = Err(GenerateError::Prices { prices: prices.to_vec() });
        assert_eq!(regions(&base, prices, 4, Convention::Average, 0), expected);
        assert_eq!(noise(&base, prices, Convention::Average, 0), expected);
    }
    assert_eq!(regions(&base, &[1], 0, Convention::Average, 0), Err(GenerateError::Patch));
    assert!(matches!(roads(&base, (0, 1), 1, 1, Convention::Average, 0), Err(GenerateError::Prices { .. })));
    for road in [0, 21, u32::MAX] {
        assert_eq!(
            roads(&base, (1, 2), road, 1, Convention::Average, 0),
            Err(GenerateError::Road { road, width: 20, height: 8 })
        );
    }
}

#[test]
fn invalid_sizes_are_refused_with_the_numbers() {
    let too_large = |result: Result<Grid, GenerateError>| {
        assert!(matches!(result, Err(GenerateError::Size(GridError::TooLarge { .. }))), "{result:?}");
    };
    too_large(open(MAX_SIDE + 1, 1));
    too_large(rooms(u32::MAX, u32::MAX, 8, 0));
    too_large(maze(60_000, 60_000, 1, 0));
    too_large(random(u32::MAX, u32::MAX, 10, 0));
    too_large(caves(u32::MAX, u32::MAX, 10, 0));
    assert!(matches!(caves(7, 0, 10, 0), Err(GenerateError::Size(GridError::Empty { .. }))));
    assert!(matches!(random(0, 7, 10, 0), Err(GenerateError::Size(GridError::Empty { .. }))));
    for room in [0, 1, 9, u32::MAX] {
        assert_eq!(rooms(20, 8, room, 0), Err(GenerateError::Room { room, width: 20, height: 8 }));
    }
    for corridor in [0, 8, u32::MAX] {
        assert_eq!(maze(20, 8, corridor, 0), Err(GenerateError::Corridor { corridor, width: 20, height: 8 }));
    }
    assert_eq!(random(20, 8, 101, 0), Err(GenerateError::Percent { percent: 101 }));
    assert_eq!(caves(20, 8, 101, 0), Err(GenerateError::Percent { percent: 101 }));
    let message = maze(20, 8, 9, 0).unwrap_err().to_string();
    assert!(message.contains("width 9") && message.contains("20 x 8"), "{message}");
}
