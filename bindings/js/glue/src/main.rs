//! `octile-js-glue IN.wasm DIR`: writes `octile_bg.js`, `octile_bg.wasm` and their types into a folder.

mod neighbours;
mod panics;

use std::path::Path;
use std::{env, fs};

use anyhow::{Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, folder] = &arguments[..] else { bail!("usage: octile-js-glue IN.wasm DIR") };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(input)
        .out_name("octile")
        .typescript(true)
        .remove_producers_section(true)
        .remove_name_section(true);
    // The glue of bundlers leaves loading to whoever imports it: to `js/octile.js` and its like.
    bindgen.bundler(true)?;
    let mut output = bindgen.generate_output()?;
    panics::silence(output.wasm_mut());
    output.emit(folder)?;
    let binary = Path::new(folder).join("octile_bg.wasm");
    fs::write(&binary, neighbours::gather(&fs::read(&binary)?)?)?;
    Ok(())
}
