//! The layers of the library: each module uses only layers above it. Reads every `crate::` path in the code of all
//! files; tests may use everything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, File, ImplItem, Item, ItemImpl, ItemMod, Stmt, TraitItem};

/// The layers from the top down: a layer may use those before it, and itself. `ARCHITECTURE.md` gives the reasons.
const LAYERS: [&str; 12] = [
    "geometry", "files", "grid", "artifact", "path", "planner", "kernels", "algo", "services", "catalog", "engine",
    "formats",
];

/// Names in the root of the crate that belong to no layer: macros for other crates.
const MACROS: [&str; 1] = ["config"];

/// Modules of `algo` that all planners may use: A\*, of which Dijkstra's search is a special case and to which others
/// fall back, and pruners. All others belong to one planner, and no other may use them.
const SHARED: [&str; 4] = ["astar", "blocked_areas", "pruners", "Heuristic"];

fn sources() -> Vec<(PathBuf, String)> {
    fn visit(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                visit(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    visit(&root, &mut files);
    let is_test = |path: &PathBuf| path.file_stem().is_some_and(|name| name.to_string_lossy().ends_with("tests"));
    files.retain(|path| !is_test(path));
    files.sort();
    let read = |path: PathBuf| {
        let code = code_of(&fs::read_to_string(&path).unwrap());
        (path.strip_prefix(&root).unwrap().to_owned(), code)
    };
    files.into_iter().map(read).collect()
}

/// The code of a file as tokens, without comments and test-only code.
fn code_of(text: &str) -> String {
    let mut file = syn::parse_file(text).expect("the file is Rust");
    WithoutTests.visit_file_mut(&mut file);
    file.to_token_stream().to_string().replace(" :: ", "::").replace("$ crate", "$crate")
}

/// Removes test-only items and documentation.
struct WithoutTests;

impl VisitMut for WithoutTests {
    fn visit_file_mut(&mut self, file: &mut File) {
        file.items.retain(|item| !is_test_item(item));
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain(|item| !is_test_item(item));
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        item.items.retain(|item| match item {
            ImplItem::Fn(function) => !is_for_tests(&function.attrs),
            ImplItem::Const(constant) => !is_for_tests(&constant.attrs),
            _ => true,
        });
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        item.items.retain(|item| !matches!(item, TraitItem::Fn(function) if is_for_tests(&function.attrs)));
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain(|statement| match statement {
            Stmt::Item(item) => !is_test_item(item),
            Stmt::Local(local) => !is_for_tests(&local.attrs),
            _ => true,
        });
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| !attribute.path().is_ident("doc"));
    }
}

fn is_test_item(item: &Item) -> bool {
    is_for_tests(match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return false,
    })
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.to_token_stream().to_string().contains("cfg (test)")
    })
}

/// The layer, or the planner's module in `algo`, that a file belongs to.
fn parts(file: &Path) -> Vec<String> {
    let stem = file.with_extension("");
    stem.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).filter(|part| part != "mod").collect()
}

/// Every path after `crate::` in the code: the first two names of each, with `use` trees expanded.
fn used(code: &str) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let is_other = code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == '$');
        if !is_other {
            open(&code[at + "crate::".len()..], &mut Vec::new(), &mut found);
        }
    }
    found
}

/// Reads one `use` tree after the names `before`; returns the rest of the text.
fn open<'a>(text: &'a str, before: &mut Vec<String>, found: &mut BTreeSet<(String, String)>) -> &'a str {
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = open(rest.trim_start(), before, found).trim_start();
            match rest.strip_prefix(',') {
                Some(next) => rest = next.trim_start(),
                None => return rest.strip_prefix('}').unwrap_or(rest),
            }
            if let Some(end) = rest.strip_prefix('}') {
                return end;
            }
        }
    }
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    before.push(text[..end].to_owned());
    let rest = match text[end..].strip_prefix("::") {
        Some(next) if next.starts_with(|letter: char| letter.is_alphabetic() || letter == '{') => {
            open(next, before, found)
        }
        _ => {
            let name = |place: usize| before.get(place).cloned().unwrap_or_default();
            found.insert((name(0), name(1)));
            &text[end..]
        }
    };
    before.pop();
    rest
}

/// The forbidden `crate::` paths of a file.
fn faults(file: &Path, code: &str) -> Vec<String> {
    let parts = parts(file);
    let Some(own) = LAYERS.iter().position(|layer| *layer == parts[0]) else {
        let is_root = parts[0] == "lib";
        return if is_root { Vec::new() } else { vec![format!("{} belongs to no layer", file.display())] };
    };
    let mut faults = Vec::new();
    for (layer, name) in used(code) {
        match LAYERS.iter().position(|known| *known == layer) {
            Some(other) if other > own => faults.push(format!(
                "{} uses crate::{layer}::{name}: `{}` may use only layers above it in {LAYERS:?}",
                file.display(),
                parts[0]
            )),
            None if !MACROS.contains(&layer.as_str()) => faults.push(format!(
                "{} uses crate::{layer}: name the layer that it is in, not the root of the crate",
                file.display()
            )),
            _ => {}
        }
        let is_other_planner = layer == "algo" && parts.get(1) != Some(&name) && !SHARED.contains(&name.as_str());
        if parts[0] == "algo" && is_other_planner && !name.is_empty() {
            faults.push(format!("{} knows the planner crate::algo::{name}: only the catalog may", file.display()));
        }
    }
    faults
}

#[test]
fn every_layer_uses_only_those_above() {
    let sources = sources();
    assert!(sources.len() > 100, "the files were not found");
    let faults: Vec<String> = sources.iter().flat_map(|(file, code)| faults(file, code)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The test of the rule itself: a reversed `use` line is a fault, and so is a path around the layers.
#[test]
fn a_reversed_use_line_is_found() {
    let faults = |file: &str, code: &str| faults(Path::new(file), &code_of(code)).len();
    assert_eq!(faults("algo/jps.rs", "use crate::grid::Grid;\nuse crate::planner::{Planner, config};\n"), 0);
    assert_eq!(faults("grid/mod.rs", "use crate::planner::Planner;\n"), 1);
    assert_eq!(faults("grid/mod.rs", "use crate::{geometry::Cell, path::{Output, Path}};\n"), 2);
    assert_eq!(faults("planner/contract.rs", "fn f() -> crate::engine::Engine { todo!() }\n"), 1);
    assert_eq!(faults("planner/contract.rs", "//! See [`Engine`](crate::Engine).\n"), 0);
    assert_eq!(faults("kernels/gates/mod.rs", "use crate::Grid;\n"), 1);
    assert_eq!(faults("algo/cpd/mod.rs", "use crate::algo::jps::Jps;\n"), 1);
    assert_eq!(faults("algo/cpd/walk.rs", "use crate::algo::cpd::Cpd;\nuse crate::kernels::taut::search;\n"), 0);
    assert_eq!(faults("kernels/hubs/mod.rs", "use crate::algo::cpd::Cpd;\n"), 1);
    // Code after a test module is read too; code inside is not.
    let around_a_test = "#[cfg(test)]\nmod tests { use crate::engine::Engine; }\nfn f() { crate::catalog::of() }\n";
    assert_eq!(faults("grid/mod.rs", around_a_test), 1);
    let in_an_impl = "impl A { #[cfg(test)] fn f() { crate::engine::f() } fn g() { crate::engine::g() } }\n";
    assert_eq!(faults("grid/mod.rs", in_an_impl), 1);
    assert_eq!(faults("elsewhere.rs", ""), 1);
}

/// A planner's module does not use another planner's through `super` either.
#[test]
fn planners_do_not_use_each_other_by_super() {
    for (file, code) in sources() {
        let parts = parts(&file);
        let is_planner = parts[0] == "algo" && parts.len() == 2 && !SHARED.contains(&parts[1].as_str());
        for (at, _) in code.match_indices("use super::").filter(|_| is_planner) {
            let mut found = BTreeSet::new();
            open(&code[at + "use super::".len()..], &mut Vec::new(), &mut found);
            for (name, _) in found {
                assert!(SHARED.contains(&name.as_str()), "{} uses algo::{name}: only the catalog may", file.display());
            }
        }
    }
}

/// The graph of top modules has no cycle. This follows from the layers, and the graph itself shows it.
#[test]
fn top_modules_form_no_cycle() {
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, code) in sources() {
        let own = parts(&file)[0].clone();
        let others = used(&code).into_iter().map(|(layer, _)| layer).filter(|layer| LAYERS.contains(&layer.as_str()));
        graph.entry(own.clone()).or_default().extend(others.filter(|layer| *layer != own));
    }
    graph.remove("lib");
    while !graph.is_empty() {
        let free: Vec<String> =
            graph.iter().filter(|(_, uses)| uses.is_empty()).map(|(name, _)| name.clone()).collect();
        assert!(!free.is_empty(), "these modules form a cycle: {graph:?}");
        graph.retain(|name, _| !free.contains(name));
        for uses in graph.values_mut() {
            uses.retain(|used| !free.contains(used));
        }
    }
}

/// The library does not mention the command, which itself adds what to run.
#[test]
fn the_library_does_not_mention_the_command() {
    for (file, code) in sources() {
        for word in ["octile build", "octile merge", "octile solve", "octile compare", "octile run", "octile paper"] {
            assert!(!code.contains(word), "{} mentions `{word}`", file.display());
        }
    }
}

/// The root of the crate has the names that most programs use; the others are in the modules.
#[test]
fn the_root_has_few_names() {
    fn leaves(tree: &syn::UseTree) -> usize {
        match tree {
            syn::UseTree::Path(path) => leaves(&path.tree),
            syn::UseTree::Group(group) => group.items.iter().map(leaves).sum(),
            _ => 1,
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let items = syn::parse_file(&fs::read_to_string(root).unwrap()).unwrap().items;
    let names: usize = items
        .iter()
        .map(|item| match item {
            Item::Use(item) => leaves(&item.tree),
            _ => 1,
        })
        .sum();
    assert!(names + MACROS.len() <= 60, "{names} names and {MACROS:?} in the root: put new ones into a module");
}
