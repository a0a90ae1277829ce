//! The name by which programs look for the shared library when they are started: that of `bindings/c/install`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("windows") => {}
        Ok("macos") => println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/liboctile.dylib"),
        _ => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,liboctile.so"),
    }
}
