//! Numbers, times and sizes in words.

use std::time::Duration;

/// A number with its noun.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A size in a suitable unit.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0 => "none".to_owned(),
        1..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// A time in a suitable unit.
pub fn duration(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    match micros {
        ..1e3 => format!("{micros:.1} us"),
        ..1e6 => format!("{:.1} ms", micros / 1e3),
        _ => format!("{:.1} s", micros / 1e6),
    }
}

/// The maximum number of disagreements or wrong answers to list.
pub const MOST_LISTED: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_in_units_that_suit_them() {
        assert_eq!(duration(Duration::from_nanos(1500)), "1.5 us");
        assert_eq!(duration(Duration::from_micros(2500)), "2.5 ms");
        assert_eq!(duration(Duration::from_millis(1500)), "1.5 s");
        assert_eq!([0, 500, 20_000, 20_000_000].map(bytes), ["none", "500 B", "20.0 kB", "20.0 MB"]);
    }
}
