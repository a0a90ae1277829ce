//! Has no code: it depends on octile, and on the crates below it, with the features of all parts of `./test`. A part that
//! depends on it uses the octile that the other parts have compiled.
