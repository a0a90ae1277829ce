//! Takes out of a program what its panics would say.
//!
//! In WebAssembly for pages a panic is a trap, and what it says goes nowhere: there is no standard error, and the
//! package sets no hook. Yet the program has the code that puts the message together, at every place that may panic,
//! and the names of source files. Here calls of functions that can only trap become traps.

use std::collections::{HashMap, HashSet};

use walrus::ir::{self, Instr, InstrSeq, InstrSeqId, Visitor, VisitorMut};
use walrus::{ConstExpr, Data, DataId, DataKind, Function, FunctionId, FunctionKind, LocalFunction, Module};

/// Makes traps of all panics.
pub(crate) fn silence(module: &mut Module) {
    let mut traps = Traps { of: functions_that_trap(module) };
    for (_, function) in module.funcs.iter_local_mut() {
        let entry = function.entry_block();
        ir::dfs_pre_order_mut(&mut traps, function, entry);
    }
    walrus::passes::gc::run(module);
    forget_places(module);
}

/// Functions that never return and never call JavaScript: if one of them does not run for ever, it traps.
fn functions_that_trap(module: &Module) -> HashSet<FunctionId> {
    let outlines: HashMap<FunctionId, Outline> =
        module.funcs.iter_local().map(|(id, function)| (id, Outline::of(function))).collect();
    let mut loud: HashSet<FunctionId> =
        module.funcs.iter().filter(|it| !matches!(it.kind, FunctionKind::Local(_))).map(Function::id).collect();
    loop {
        let calls_loud = |outline: &Outline| outline.calls.iter().any(|call| loud.contains(call));
        let more: Vec<FunctionId> =
            outlines.iter().filter(|(id, it)| !loud.contains(id) && calls_loud(it)).map(|(id, _)| *id).collect();
        if more.is_empty() {
            break;
        }
        loud.extend(more);
    }
    outlines.iter().filter(|(id, it)| !it.returns && !loud.contains(id)).map(|(id, _)| *id).collect()
}

/// What is known of a function.
struct Outline {
    entry: InstrSeqId,
    returns: bool,
    calls: Vec<FunctionId>,
}

impl Outline {
    fn of(function: &LocalFunction) -> Self {
        let entry = function.entry_block();
        let ends_in_trap = matches!(function.block(entry).last(), Some((Instr::Unreachable(_), _)));
        let mut outline = Self { entry, returns: !ends_in_trap, calls: Vec::new() };
        ir::dfs_in_order(&mut outline, function, entry);
        outline
    }
}

impl Visitor<'_> for Outline {
    fn visit_call(&mut self, call: &ir::Call) {
        self.calls.push(call.func);
    }

    fn visit_return(&mut self, _: &ir::Return) {
        self.returns = true;
    }

    fn visit_br(&mut self, br: &ir::Br) {
        self.returns |= br.block == self.entry;
    }

    fn visit_br_if(&mut self, br: &ir::BrIf) {
        self.returns |= br.block == self.entry;
    }

    fn visit_br_table(&mut self, br: &ir::BrTable) {
        self.returns |= br.default == self.entry || br.blocks.contains(&self.entry);
    }
}

/// Puts traps in the place of calls of such functions.
struct Traps {
    of: HashSet<FunctionId>,
}

impl VisitorMut for Traps {
    fn start_instr_seq_mut(&mut self, sequence: &mut InstrSeq) {
        let is_trap = |instruction: &Instr| match instruction {
            Instr::Unreachable(_) => true,
            Instr::Call(call) => self.of.contains(&call.func),
            _ => false,
        };
        if let Some(trap) = sequence.iter().position(|(instruction, _)| is_trap(instruction)) {
            // What is done right before a trap was for it.
            let end =
                sequence[..trap].iter().rposition(|(instruction, _)| !is_plain(instruction)).map_or(0, |at| at + 1);
            let place = sequence[trap].1;
            sequence.truncate(end);
            sequence.push((Instr::Unreachable(ir::Unreachable {}), place));
        }
    }
}

/// Whether an instruction only computes, or writes to memory.
fn is_plain(instruction: &Instr) -> bool {
    matches!(
        instruction,
        Instr::LocalGet(_)
            | Instr::LocalSet(_)
            | Instr::LocalTee(_)
            | Instr::GlobalGet(_)
            | Instr::GlobalSet(_)
            | Instr::Const(_)
            | Instr::Binop(_)
            | Instr::Unop(_)
            | Instr::Select(_)
            | Instr::Drop(_)
            | Instr::Load(_)
            | Instr::Store(_)
    )
}

/// A place in a source file, as compilers write it: where the name of the file is and how long, line and column. All in
/// words of four bytes.
const PLACE: usize = 16;

/// Erases places in source files, and the names of these files: only panics read them.
fn forget_places(module: &mut Module) {
    let segments: Vec<DataId> = module.data.iter().map(Data::id).collect();
    for segment in segments {
        let data = module.data.get_mut(segment);
        let DataKind::Active { offset: ConstExpr::Value(ir::Value::I32(begin)), .. } = data.kind else { continue };
        let bytes = &mut data.value;
        let places: Vec<(usize, usize, usize)> = (0..bytes.len().saturating_sub(PLACE - 1))
            .step_by(4)
            .filter_map(|at| name_of_file(bytes, at, begin as usize).map(|(name, len)| (at, name, len)))
            .collect();
        for (at, name, len) in places {
            bytes[at..at + PLACE].fill(0);
            bytes[name..name + len].fill(0);
        }
    }
}

/// Where the name of the file is, if there is a place at `at`. Data begins at the address `begin`.
fn name_of_file(bytes: &[u8], at: usize, begin: usize) -> Option<(usize, usize)> {
    let word = |number: usize| {
        let from = at + 4 * number;
        u32::from_le_bytes(bytes[from..from + 4].try_into().expect("four bytes")) as usize
    };
    let (name, len, line, column) = (word(0).checked_sub(begin)?, word(1), word(2), word(3));
    let is_name = bytes.get(name..name.checked_add(len)?)?.ends_with(b".rs");
    (is_name && (1..100_000).contains(&line) && (1..1000).contains(&column)).then_some((name, len))
}
