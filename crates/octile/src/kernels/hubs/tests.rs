use super::search::{NONE, Preorder, Visit};

#[test]
fn trees_are_in_preorder_with_the_largest_child_first() {
    let visit = |parent| Visit { site: 0, parent, cost: 0 };
    // 0 has the children 1, 2 and 3; 2 has 4 and 5, 5 has 6.
    let tree = [NONE, 0, 0, 0, 2, 2, 5].map(visit);
    let mut preorder = Preorder::default();
    for _ in 0..2 {
        preorder.arrange(&tree);
        assert_eq!(preorder.sizes, [7, 1, 4, 1, 1, 2, 1]);
        assert_eq!(preorder.positions, [0, 5, 1, 6, 4, 2, 3]);
        preorder.arrange(&[visit(NONE)]);
        assert_eq!((&preorder.sizes[..], &preorder.positions[..]), (&[1][..], &[0][..]));
    }
}
