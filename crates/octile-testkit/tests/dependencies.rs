//! What octile is built from keeps to `deny.toml`: licences, sources, two versions of a crate, crates that nobody keeps
//! up. `cargo deny` checks the same and more; this needs neither that program nor a network.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The rules, as JSON.
fn rules() -> Value {
    let text = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    toml::from_str(&text).unwrap()
}

/// All packages of the lock file, and who uses whom. Packages for other systems may have to be fetched first.
fn metadata() -> Value {
    let output = ask_cargo(&["--offline"]).unwrap_or_else(|_| ask_cargo(&[]).unwrap_or_else(|fault| panic!("{fault}")));
    serde_json::from_slice(&output).unwrap()
}

fn ask_cargo(options: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--all-features", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .args(options)
        .output()
        .unwrap();
    if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// What breaks the rules, a line each.
fn faults(rules: &Value, metadata: &Value) -> Vec<String> {
    let packages = list(&metadata["packages"]);
    assert!(packages.iter().any(|package| package["name"] == "octile"));
    let mut faults: Vec<String> = packages.iter().flat_map(|package| package_faults(rules, package)).collect();
    faults.extend(duplicates(rules, packages));
    faults.extend(banned(rules, metadata));
    faults
}

/// Licence, source, and wildcards in what it asks for.
fn package_faults(rules: &Value, package: &Value) -> Vec<String> {
    let name = format!("{} {}", text(&package["name"]), text(&package["version"]));
    let mut faults = Vec::new();
    let exceptions = list(&rules["licenses"]["exceptions"]).iter().filter(|one| one["crate"] == package["name"]);
    let exceptions = exceptions.flat_map(|one| list(&one["allow"]));
    let allowed: Vec<&Value> = list(&rules["licenses"]["allow"]).iter().chain(exceptions).collect();
    let license = spdx::Expression::parse_mode(text(&package["license"]), spdx::ParseMode::LAX);
    if !license
        .is_ok_and(|license| license.evaluate(|one| allowed.iter().any(|allowed| one.to_string() == text(allowed))))
    {
        faults.push(format!("{name}: the licence `{}` is not among those allowed", text(&package["license"])));
    }
    let is_ours = package["source"].is_null();
    if !is_ours && !text(&package["source"]).starts_with("registry+") {
        faults.push(format!("{name}: from {}, not from a registry", package["source"]));
    }
    for other in list(&package["dependencies"]).iter().filter(|other| is_ours && other["path"].is_null()) {
        if other["req"] == "*" {
            faults.push(format!("{name}: any version of {} will do: name one", other["name"]));
        }
    }
    faults
}

/// Two versions of a crate, unless all but one are listed; and what is listed in vain.
fn duplicates(rules: &Value, packages: &[Value]) -> Vec<String> {
    let mut versions = BTreeMap::<&str, Vec<&str>>::new();
    for package in packages {
        versions.entry(text(&package["name"])).or_default().push(text(&package["version"]));
    }
    let mut unused: BTreeSet<&str> = list(&rules["bans"]["skip"]).iter().map(|skip| text(&skip["crate"])).collect();
    let mut faults = Vec::new();
    for (name, versions) in versions.into_iter().filter(|(_, versions)| versions.len() > 1) {
        let mut is_listed = |version: &str| {
            let skip = list(&rules["bans"]["skip"]).iter().map(|skip| text(&skip["crate"]));
            let mut fitting =
                skip.filter(|skip| skip.split_once('@').is_some_and(|skip| skip.0 == name && fits(version, skip.1)));
            let found = fitting.next();
            unused.retain(|skip| Some(*skip) != found);
            found.is_some()
        };
        if versions.iter().copied().filter(|version| !is_listed(version)).count() > 1 {
            faults.push(format!(
                "{name}: two versions, {}: `cargo tree -i {name}@VERSION` tells why",
                versions.join(" and ")
            ));
        }
    }
    faults.extend(
        unused.iter().map(|skip| format!("{skip}: there is no second version any more: remove it from `skip`")),
    );
    faults
}

/// Whether a version begins with these numbers.
fn fits(version: &str, numbers: &str) -> bool {
    version.strip_prefix(numbers).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Crates that are denied, unless only those use them that may.
fn banned(rules: &Value, metadata: &Value) -> Vec<String> {
    let names: BTreeMap<&str, &str> =
        list(&metadata["packages"]).iter().map(|package| (text(&package["id"]), text(&package["name"]))).collect();
    let mut faults = Vec::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        let user = names[text(&node["id"])];
        for used in list(&node["dependencies"]).iter().map(|id| names[text(id)]) {
            let ban = list(&rules["bans"]["deny"]).iter().find(|ban| ban["crate"] == used);
            if let Some(ban) = ban.filter(|ban| !list(&ban["wrappers"]).iter().any(|wrapper| wrapper == user)) {
                faults.push(format!("{used}, used by {user}: {}", text(&ban["reason"])));
            }
        }
    }
    faults
}

#[test]
fn dependencies_keep_to_the_rules() {
    let faults = faults(&rules(), &metadata());
    assert!(faults.is_empty(), "deny.toml:\n{}", faults.join("\n"));
}

/// The same packages under stricter rules: each check finds what it is for.
#[test]
fn what_breaks_a_rule_is_found() {
    let (rules, metadata) = (rules(), metadata());
    let found = |change: &dyn Fn(&mut Value, &mut Value), expected: &str| {
        let (mut rules, mut metadata) = (rules.clone(), metadata.clone());
        change(&mut rules, &mut metadata);
        let faults = faults(&rules, &metadata);
        assert!(faults.iter().any(|fault| fault.contains(expected)), "{expected}: {faults:?}");
    };
    found(&|rules, _| rules["licenses"]["allow"] = vec!["MIT"].into(), "the licence `BSL-1.0` is not among");
    found(&|rules, _| rules["licenses"]["exceptions"] = Value::Array(Vec::new()), "the licence `MPL-2.0` is not among");
    found(&|rules, _| rules["bans"]["skip"] = Value::Array(Vec::new()), "miniz_oxide: two versions, 0.8");
    found(&|rules, _| rules["bans"]["skip"][0]["crate"] = "png@0.1".into(), "png@0.1: there is no second version");
    found(
        &|rules, _| rules["bans"]["deny"] = serde_json::json!([{"crate": "png", "reason": "a test"}]),
        "png, used by octile: a test",
    );
    found(&|_, metadata| metadata["packages"][0]["source"] = "git+https://example.org".into(), "not from a registry");
    let ours = list(&metadata["packages"]).iter().position(|package| package["name"] == "octile").unwrap();
    found(&|_, metadata| metadata["packages"][ours]["dependencies"][0]["req"] = "*".into(), "will do: name one");
}
