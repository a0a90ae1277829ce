//! The reasons for the choice of a planner, in plain words.

use std::time::Duration;

use super::race::BEHIND;
use super::{Measured, Needs, Rate, Size, choice};
use crate::grid::Convention;
use crate::planner::OnEdit;

/// The reasons for choosing the candidate at an index.
pub(super) fn reasons(names: &[String], all: &[Measured], chosen: usize, needs: &Needs) -> Vec<String> {
    let (Some(name), Some(one)) = (names.get(chosen), all.get(chosen)) else { return Vec::new() };
    let mut reasons = Vec::new();
    if one.queries == 0 {
        reasons
            .push(format!("nothing could be asked, as no two cells are connected: {name} is the smallest that fits"));
    } else {
        let [mean, p99] = [one.mean, one.p99].map(duration);
        reasons.push(format!(
            "{name} answers a query in {mean} on average, 99 of 100 in at most {p99}; asked: {}",
            one.queries
        ));
        reasons.extend(needs.changes.map(|rate| assumption(one, needs, rate)));
        reasons.extend(beside_the_next(names, all, chosen, needs));
    }
    reasons.push(memory(one, needs));
    reasons.push(edits(one));
    reasons
}

/// The assumption behind the choice if the map changes.
fn assumption(one: &Measured, needs: &Needs, rate: Rate) -> String {
    let (both, Rate { queries, .. }) = (Duration::from_nanos(choice::time(one, needs) as u64), rate);
    format!(
        "with {queries} queries between changes of {} of the cells, these and a change take {}",
        rate.share(),
        duration(both)
    )
}

/// How much faster the chosen planner is than the next, or why it was chosen although it is not the fastest.
fn beside_the_next(names: &[String], all: &[Measured], chosen: usize, needs: &Needs) -> Option<String> {
    let time = |place: usize| all.get(place).map(|one| choice::time(one, needs));
    let others = choice::finalists(all).filter(|(place, _)| *place != chosen);
    let next = others.min_by(|(_, a), (_, b)| choice::order(a, b, needs));
    let Some((next, its)) = next else {
        let behind = format!("all others took more than {BEHIND} times as long over the queries that they were asked");
        return (all.len() > 1).then_some(behind);
    };
    let (ratio, name) = (time(next)? / time(chosen)?, names.get(next)?);
    Some(if ratio < 1.0 {
        format!(
            "{name} is about as fast, but takes {} of memory and {} to build",
            size(its.memory_bytes()),
            duration(its.build)
        )
    } else if ratio < 1.1 {
        format!("{name}, the next, is about as fast")
    } else {
        format!("that is {ratio:.1} times as fast as {name}, the next")
    })
}

fn memory(one: &Measured, needs: &Needs) -> String {
    let build = duration(one.build);
    let limit = needs.memory_bytes.map_or_else(String::new, |most| {
        let which = if one.memory_bytes() <= most { "within" } else { "more than" };
        format!(", {which} the limit of {}", Size(most))
    });
    let index = match one.index_bytes {
        0 => format!("it has no index and is built in {build}"),
        bytes => format!("its index takes {} of memory and {build} to build", size(bytes)),
    };
    format!("{index}; a thread that asks it takes {}{limit}", size(one.scratch_bytes))
}

fn edits(one: &Measured) -> String {
    match (one.on_edit, one.edit) {
        (OnEdit::GoesStale, Some(edit)) => format!(
            "it follows a change in {}; the index stays that of the map as it was and answers where that is certain, until it is built anew",
            duration(edit)
        ),
        (OnEdit::Refuses, _) => "it refuses edits: when the map changes it must be built again".to_owned(),
        (_, Some(edit)) => format!("it follows a change in {}", duration(edit)),
        (OnEdit::Follows, None) => "it follows edits".to_owned(),
        (OnEdit::Rebuilds, None) => "it follows edits by building its index again".to_owned(),
        (OnEdit::GoesStale, None) => "it follows edits, but has to search where the map has changed".to_owned(),
    }
}

/// Why other planners were not tried on a map with terrain costs.
pub(super) fn prices(convention: Convention) -> String {
    format!("the map has prices, under `{convention}`: only planners that take them were tried")
}

fn size(bytes: u64) -> String {
    Size(bytes).to_string()
}

/// Formats a time in a suitable unit.
fn duration(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    match micros {
        ..10.0 => format!("{micros:.2} us"),
        ..1e3 => format!("{micros:.0} us"),
        ..1e6 => format!("{:.1} ms", micros / 1e3),
        _ => format!("{:.1} s", micros / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::super::choice::tests::measured;
    use super::*;

    fn of(all: &[Measured], needs: &Needs) -> String {
        let names: Vec<String> = ["one", "two", "three"].map(str::to_owned).into();
        reasons(&names, all, choice::choose(all, needs), needs).join("\n")
    }

    #[test]
    fn the_winner_is_put_beside_the_next() {
        let hubs = Measured { on_edit: OnEdit::Refuses, build: Duration::from_millis(800), ..measured(2, 4_100_000) };
        let text = of(&[hubs, measured(6, 900), measured(40, 0)], &Needs::default());
        assert_eq!(
            text,
            "one answers a query in 2.00 us on average, 99 of 100 in at most 6.00 us; asked: 100\n\
             that is 3.0 times as fast as two, the next\n\
             its index takes 4.1 MB of memory and 800.0 ms to build; a thread that asks it takes 0 B\n\
             it refuses edits: when the map changes it must be built again"
        );
        let alone = [hubs, Measured { queries: 4, ..measured(90, 0) }];
        assert!(of(&alone, &Needs::default()).contains("all others took more than 4 times as long"));
        assert!(!of(&alone[..1], &Needs::default()).contains("others"));
    }

    #[test]
    fn a_smaller_index_decides_where_two_are_about_as_fast() {
        let text = of(&[measured(20, 5000), measured(21, 0)], &Needs::default());
        assert!(text.contains("one is about as fast, but takes 5.0 kB of memory and 1.0 ms to build"), "{text}");
        assert!(text.contains("it has no index and is built in 1.0 ms"), "{text}");
        let text = of(&[measured(20, 0), measured(21, 50)], &Needs::default());
        assert!(text.contains("two, the next, is about as fast"), "{text}");
    }

    #[test]
    fn limits_and_assumptions_are_named() {
        let needs = Needs { memory_bytes: Some(2_000_000), changes: Some(Rate::default()), ..Needs::default() };
        let edited = |mean| Measured { edit: Some(Duration::from_micros(30)), ..measured(mean, 700) };
        let text = of(&[edited(10), edited(90)], &needs);
        assert!(
            text.contains("with 100 queries between changes of 0.01% of the cells, these and a change take 1.0 ms")
        );
        assert!(
            text.contains("its index takes 700 B of memory and 1.0 ms to build; a thread that asks it takes 0 B, within the limit of 2.0 MB"),
            "{text}"
        );
        assert!(text.contains("it follows a change in 30 us"), "{text}");
    }
}
