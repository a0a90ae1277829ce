use super::*;

fn picture() -> Grid {
    "..@.\n.@..\n...@".parse().unwrap()
}

#[test]
fn ids_and_cells_convert_both_ways() {
    for (width, height) in [(1, 1), (7, 3), (65, 64), (130, 2), (3, 500)] {
        let grid = Grid::open(width, height).unwrap();
        for cell in grid.cells() {
            assert_eq!(grid.cell(grid.id(cell)), cell);
        }
    }
}

#[test]
fn moves_follow_the_movement_rule() {
    for bits in 0_u32..1 << 9 {
        let plain = Grid::from_fn(3, 3, |cell| bits >> (cell.y * 3 + cell.x) & 1 == 1).unwrap();
        for movement in Movement::ALL {
            let grid = plain.with_movement(movement);
            for cell in grid.cells() {
                let expected: DirSet =
                    Dir::ALL.into_iter().filter(|&dir| movement.allows(|cell| grid.is_free(cell), cell, dir)).collect();
                assert_eq!(grid.moves(cell), expected, "{grid:?} {cell}");
            }
        }
    }
    assert_eq!(picture().moves(Cell::new(9, 9)), DirSet::default());
}

#[test]
fn movement_rules_differ_at_corners() {
    let open = |cell: Cell| cell.x < 2 && cell.y < 2;
    let corner = |cell: Cell| open(cell) && cell != Cell::new(1, 0);
    let gap = |cell: Cell| corner(cell) && cell != Cell::new(0, 1);
    let diagonal = |rule: Movement, free: &dyn Fn(Cell) -> bool| rule.allows(free, Cell::new(0, 0), Dir::SE);
    let legal = |rule| [diagonal(rule, &open), diagonal(rule, &corner), diagonal(rule, &gap)];
    assert_eq!(legal(Movement::Octile), [true, false, false]);
    assert_eq!(legal(Movement::OctileCutting), [true, true, false]);
    assert_eq!(legal(Movement::Tile), [false, false, false]);
}

#[test]
fn sizes_out_of_range_are_refused_before_anything_is_allocated() {
    assert_eq!(Grid::open(0, 5).unwrap_err(), GridError::Empty { width: 0, height: 5 });
    assert!(matches!(Grid::open(u32::MAX, 1), Err(GridError::TooLarge { .. })));
    assert!(matches!(Grid::open(MAX_SIDE + 1, 1), Err(GridError::TooLarge { .. })));
    let error = Grid::open(60_000, 60_000).unwrap_err();
    assert!(error.to_string().contains("60000 x 60000"), "{error}");
}

#[test]
fn fingerprints_differ_between_maps_and_rules() {
    let grid = picture();
    let mut other = grid.clone();
    assert_eq!(grid.fingerprint(), picture().fingerprint());
    // Pinned: index files are refused when this changes.
    assert_eq!(grid.fingerprint(), 16_097_767_649_191_120_701);
    other.apply(Edits::new().free(Cell::new(1, 1))).unwrap();
    assert_ne!(grid.fingerprint(), other.fingerprint());
    other.apply(Edits::new().block(Cell::new(1, 1))).unwrap();
    assert_eq!(grid.fingerprint(), other.fingerprint());
    assert_ne!(grid.fingerprint(), grid.with_movement(Movement::Tile).fingerprint());
    // The same cells in another shape.
    let (wide, tall) = (Grid::open(6, 2).unwrap(), Grid::open(2, 6).unwrap());
    assert_ne!(wide.fingerprint(), tall.fingerprint());
}

#[test]
fn edits_copy_only_a_shared_grid() {
    let mut grid = picture();
    let address = |grid: &Grid| Arc::as_ptr(&grid.data);
    let before = address(&grid);
    grid.apply(Edits::new().free(Cell::new(1, 1))).unwrap();
    assert_eq!(address(&grid), before, "not shared: changed in place");
    let kept = grid.clone();
    grid.apply(Edits::new().free(Cell::new(1, 1))).unwrap();
    assert_eq!(address(&grid), before, "no cell changes: still shared");
    grid.apply(Edits::new().block(Cell::new(0, 0))).unwrap();
    assert_ne!(address(&grid), before);
    assert!(kept.is_free(Cell::new(0, 0)) && !grid.is_free(Cell::new(0, 0)));
}

#[test]
fn an_edit_off_the_map_changes_nothing() {
    let mut grid = picture();
    let error = grid.apply(Edits::new().block(Cell::new(0, 0)).block(Cell::new(4, 1))).unwrap_err();
    assert_eq!(error.to_string(), "edited cell 4,1 is off the map: x must be below 4 and y below 3");
    assert_eq!(grid, picture());
    let everything = Edits::new().free_rect(Cell::new(0, 0), Cell::new(u32::MAX, u32::MAX)).clone();
    assert!(grid.apply(&everything).is_err());
}

#[test]
fn the_last_edit_of_a_cell_wins() {
    let mut grid = Grid::open(5, 5).unwrap();
    grid.apply(Edits::new().block_rect(Cell::new(1, 1), Cell::new(3, 3)).free(Cell::new(2, 2))).unwrap();
    assert_eq!(grid.free_cells(), 25 - 8);
    assert!(!grid.may_connect(Cell::new(0, 0), Cell::new(2, 2)));
}

/// Compares rows, columns, moves, counts and components after rectangles of all sizes in any order, overlapping.
#[test]
fn edits_equal_a_new_build() {
    let mut dice = crate::geometry::Dice::new(7);
    let mut random = |below: u32| dice.below(below.into()) as u32;
    for (width, height) in [(1, 1), (7, 90), (64, 64), (150, 20), (200, 3)] {
        for movement in Movement::ALL {
            let mut grid = Grid::from_fn(width, height, |_| random(4) > 0).unwrap().with_movement(movement);
            for _ in 0..20 {
                let mut edits = Edits::new();
                for _ in 0..=random(6) {
                    let reach = [1, 4, 200][random(3) as usize];
                    let from = Cell::new(random(width), random(height));
                    let to =
                        Cell::new((from.x + random(reach)).min(width - 1), (from.y + random(reach)).min(height - 1));
                    if random(2) == 0 {
                        edits.block_rect(from, to)
                    } else {
                        edits.free_rect(to, from)
                    };
                }
                let before = grid.clone();
                let mut builder = grid.edit();
                for (cell, free) in edits.iter() {
                    builder.set(cell, free);
                }
                let fresh = builder.build();
                assert!(grid.apply(&edits).unwrap() || fresh == before);
                assert_eq!(grid, fresh, "{edits:?}");
                assert!(grid.data.columns == fresh.data.columns && grid.data.moves == fresh.data.moves, "{edits:?}");
                assert_eq!(grid.free_cells(), fresh.free_cells());
                for (a, b) in grid.cells().zip(grid.cells().skip(random(width * height) as usize)) {
                    assert_eq!(grid.may_connect(a, b), fresh.may_connect(a, b), "{grid:?} {a} {b}");
                }
            }
        }
    }
}

/// Connectivity is exact after every edit.
#[test]
fn components_follow_edits() {
    let mut grid = Grid::open(9, 9).unwrap();
    let mut dice = crate::geometry::Dice::new(12_345);
    let mut random = move |below: u32| dice.below(below.into()) as u32;
    for _ in 0..2_000 {
        let cell = Cell::new(random(9), random(9));
        let mut edits = Edits::new();
        if random(2) == 0 {
            edits.free(cell)
        } else {
            edits.block(cell)
        };
        grid.apply(&edits).unwrap();
        let fresh = grid.edit().build();
        assert_eq!(grid.free_cells(), fresh.free_cells());
        let cells: Vec<Cell> = grid.cells().collect();
        for (&a, &b) in cells.iter().zip(cells.iter().cycle().skip(random(81) as usize)) {
            assert_eq!(grid.may_connect(a, b), fresh.may_connect(a, b), "{grid:?} {a} {b}");
        }
        assert_eq!((grid.components(), grid.largest_component()), (fresh.components(), fresh.largest_component()));
    }
}

#[test]
fn components_agree_with_a_flood_fill() {
    for bits in (0_u32..1 << 16).step_by(7) {
        let grid = Grid::from_fn(4, 4, |cell| bits >> (cell.y * 4 + cell.x) & 1 == 1).unwrap();
        let grid = grid.with_movement(Movement::Tile);
        let mut unseen: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
        let mut count = 0;
        while let Some(seed) = unseen.pop() {
            count += 1;
            let mut stack = vec![seed];
            while let Some(cell) = stack.pop() {
                assert!(grid.may_connect(seed, cell));
                for next in grid.moves(cell).into_iter().map(|dir| dir.step(cell, 1)) {
                    if let Some(at) = unseen.iter().position(|&other| other == next) {
                        stack.push(unseen.swap_remove(at));
                    }
                }
            }
            assert!(unseen.iter().all(|&other| !grid.may_connect(seed, other)));
        }
        assert_eq!(grid.components(), count);
    }
}
