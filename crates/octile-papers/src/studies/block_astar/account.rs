//! Where we depart from the paper, why numbers differ, and what cannot be had.

use crate::exhibit::finding::{Account, Impossible};

pub(super) static ACCOUNT: Account = Account { deviations: DEVIATIONS, causes: &[], impossible: IMPOSSIBLE };

const DEVIATIONS: &[&str] = &[];

const IMPOSSIBLE: &[Impossible] = &[];
