//! Puts functions that look alike side by side.
//!
//! Programs are sent compressed, and gzip knows of what it has seen the last 32 kB only: an instance of generic code is
//! nearly free if another one stands right before it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::{Result, anyhow};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection};
use wasmparser::{CodeSectionReader, FunctionBody, FunctionSectionReader, Parser, Payload, TypeRef};

/// The same program with its functions in another order.
pub(crate) fn gather(program: &[u8]) -> Result<Vec<u8>> {
    let (mut imports, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(program) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    imports += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    let order = chain(&bodies.into_iter().map(pieces).collect::<Vec<_>>());
    let mut places = vec![0; order.len()];
    for (place, &function) in (0..).zip(&order) {
        places[function] = place;
    }
    let mut module = wasm_encoder::Module::new();
    let mut reorder = Reorder { imports, order, places };
    reorder.parse_core_module(&mut module, Parser::new(0), program).map_err(|error| anyhow!("{error}"))?;
    Ok(module.finish())
}

/// The pieces of this length that a function has. gzip needs three bytes at least; shorter ones than these every
/// function has.
const PIECE: usize = 5;

/// A piece that more functions have tells nothing of them.
const MOST_OWNERS: usize = 1000;

fn pieces(body: &[u8]) -> BTreeSet<u64> {
    body.windows(PIECE).map(|piece| piece.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))).collect()
}

/// An order in which every function comes after the one that is most like it, of those that are left; where none is,
/// the largest is next.
fn chain(all: &[BTreeSet<u64>]) -> Vec<usize> {
    let mut owners: HashMap<u64, Vec<usize>> = HashMap::new();
    for (function, pieces) in all.iter().enumerate() {
        for &piece in pieces {
            owners.entry(piece).or_default().push(function);
        }
    }
    owners.retain(|_, owners| (2..=MOST_OWNERS).contains(&owners.len()));
    let mut left: BTreeSet<usize> = (0..all.len()).collect();
    let mut order = Vec::with_capacity(all.len());
    let mut next = left.first().copied();
    while let Some(function) = next {
        left.remove(&function);
        order.push(function);
        let mut common: BTreeMap<usize, usize> = BTreeMap::new();
        for other in all[function].iter().filter_map(|piece| owners.get(piece)).flatten() {
            if left.contains(other) {
                *common.entry(*other).or_default() += 1;
            }
        }
        let likeness =
            |&(other, common): &(usize, usize)| common * 1_000_000 / (all[function].len() + all[other].len());
        let alike = common.into_iter().max_by_key(likeness).map(|(other, _)| other);
        next = alike.or_else(|| left.first().copied());
    }
    order
}

/// Writes a program with its functions in another order.
struct Reorder {
    /// How many functions are imported: these come first, as they are.
    imports: u32,
    /// The functions in their new order, and the new place of each.
    order: Vec<usize>,
    places: Vec<u32>,
}

impl Reencode for Reorder {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Self::Error>> {
        let own = function.checked_sub(self.imports);
        Ok(own.map_or(function, |own| self.imports + self.places[own as usize]))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Self::Error>> {
        let types: Vec<u32> = section.into_iter().collect::<Result<_, _>>()?;
        for at in 0..types.len() {
            functions.function(self.type_index(types[self.order[at]])?);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Self::Error>> {
        let bodies: Vec<FunctionBody<'_>> = section.into_iter().collect::<Result<_, _>>()?;
        for at in 0..bodies.len() {
            self.parse_function_body(code, bodies[self.order[at]].clone())?;
        }
        Ok(())
    }
}
