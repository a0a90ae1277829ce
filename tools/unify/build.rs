//! Empty: without a build script, cargo ignores build dependencies.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
