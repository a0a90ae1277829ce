//! A short run of the fuzz targets with any compiler: every seed, and a few thousand inputs derived from the seeds by
//! flipping, cutting, doubling and mixing. The inputs are the same every time.

use std::fs;
use std::path::Path;

use octile::geometry::Dice;
use rayon::prelude::*;

use octile_testkit::setting;

#[path = "../../../../fuzz/src/lib.rs"]
#[allow(unreachable_pub)] // there they are a library's interface
mod bodies;

/// The number of inputs per target in addition to its seeds.
const INPUTS: usize = 4000;

/// The number of inputs for planners, each of which builds all planners; `OCTILE_FUZZ_PLANS` overrides it.
const PLANS: usize = 250;

/// The number of inputs for programs, which take longer.
const MODELS: usize = 300;

/// Pieces of the formats that random bytes rarely produce.
const WORDS: &[&[u8]] = &[
    b"type octile\n",
    b"height 4294967295\n",
    b"width 65534\n",
    b"map\n",
    b"version 1\n",
    b"version 2\n",
    b"commands\n",
    b"cost 4294967295 octile\n",
    b"patches 18446744073709551615\n",
    b"patch 1\nheight 1\nwidth 2\nmap\n.@\n",
    b"\nP 1 0 3 3\nQ 1 0 0 1 1 -1\n",
    b"\t-1\t",
    b"\tNaN\t",
    b" 1e999 ",
    b"\r\n",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"0-255 7\n",
    b"S 4 // swamp\n",
    b"P5\n99999 99999\n255\n",
    b"P2 1 1 65535 65535",
    b"resolution: .nan\n",
    b"origin: [0, 0, 0]\n",
    b"&a [*a, *a]\n",
    b":weight=",
    b",open=",
    b"18446744073709551616",
    b"\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\x89octx\r\n\x1a\x01\0\0\0\x04\x03\x02\x01",
];

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// A number below `bound`.
fn below(random: &mut Dice, bound: usize) -> usize {
    random.below(bound as u64) as usize
}

/// Changes the input in one place.
fn mutate(random: &mut Dice, input: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let at = below(random, input.len() + 1);
    let end = (at + below(random, 16)).min(input.len());
    match below(random, 7) {
        0 => input.truncate(at),
        1 => drop(input.drain(at..end)),
        2 => input.extend_from_within(at..end),
        3 => drop(input.splice(at..at, WORDS[below(random, WORDS.len())].iter().copied())),
        4 => drop(input.splice(at.., seeds[below(random, seeds.len())].iter().skip(at).copied())),
        5 => input.insert(at, below(random, 256) as u8),
        _ if at < input.len() => input[at] ^= 1 << below(random, 8),
        _ => input.push(b'\n'),
    }
}

/// Runs a target on its seeds, on mutations of them and on noise.
fn run(target: &str, body: fn(&[u8])) {
    inputs(target, INPUTS).for_each(|input| body(&input));
}

fn inputs(target: &str, count: usize) -> impl Iterator<Item = Vec<u8>> {
    let seeds = seeds(target);
    assert!(!seeds.is_empty());
    let (mut random, of) = (Dice::new(1), seeds.clone());
    let made = (0..count).map(move |i| {
        let mut input = of[below(&mut random, of.len())].clone();
        if i % 16 == 0 {
            input = (0..below(&mut random, 200)).map(|_| below(&mut random, 256) as u8).collect();
        }
        for _ in 0..=below(&mut random, 4) {
            mutate(&mut random, &mut input, &of);
        }
        input
    });
    seeds.into_iter().chain(made)
}

#[test]
fn maps() {
    run("map", bodies::map);
}

#[test]
fn price_files() {
    run("prices", bodies::prices);
}

#[test]
fn scenarios() {
    run("scen", bodies::scen);
}

#[test]
fn dynamic_scenarios() {
    run("dynamic", bodies::dynamic);
}

#[test]
fn patches() {
    run("patch", bodies::patch);
}

#[test]
fn drawings() {
    run("ascii", bodies::ascii);
}

#[cfg(feature = "image")]
#[test]
fn images() {
    run("image", bodies::image);
}

#[cfg(feature = "image")]
#[test]
fn ros_maps() {
    run("ros", bodies::ros);
}

#[test]
fn indexes() {
    run("index", bodies::index);
}

#[test]
fn specs() {
    run("spec", bodies::spec);
}

#[test]
fn plans() {
    // Each input takes long, so use all cores.
    inputs("plan", setting("OCTILE_FUZZ_PLANS", PLANS))
        .collect::<Vec<_>>()
        .into_par_iter()
        .for_each(|input| bodies::plan(&input));
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn engines() {
    run("engine", bodies::engine);
}

#[test]
fn changes() {
    run("changes", bodies::changes);
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn programs() {
    inputs("model", MODELS).for_each(|input| bodies::model(&input));
}

#[test]
fn sections() {
    run("sections", bodies::sections);
}
