//! `Index`: an index that was built beforehand, as the bytes of a file.

use std::sync::Arc;

use js_sys::{Array, Uint8Array};
use octile::Catalog;
use octile::artifact::Artifact;
use wasm_bindgen::prelude::*;

use crate::arrays;
use crate::errors::{Raise, Result};
use crate::grid::Grid;
use crate::handle::handle;
use crate::progress::BuildTerms;

/// An index that was built beforehand: an engine that is given one does not build it. Its bytes are those of a file
/// that `octile build` writes.
#[wasm_bindgen]
#[derive(Clone)]
pub struct Index {
    artifact: Arc<Artifact>,
}

/// The indexes of an option: one, or a list of them. They stay those of who gave them.
pub(crate) fn artifacts(value: &JsValue) -> Result<Vec<Arc<Artifact>>> {
    let list = if Array::is_array(value) { Array::from(value) } else { Array::of1(value) };
    let artifact = |value: JsValue| Ok(handle::<Index>(&value, "index", "an Index, or a list of them")?.artifact);
    list.iter().map(artifact).collect()
}

#[wasm_bindgen]
impl Index {
    /// An index from the bytes of a file, which are copied.
    pub fn from(#[wasm_bindgen(unchecked_param_type = "ArrayBuffer | Uint8Array")] bytes: &JsValue) -> Result<Index> {
        let artifact = Artifact::from_bytes(arrays::bytes(bytes, "bytes")?.into()).raised()?;
        Ok(Self { artifact: Arc::new(artifact) })
    }

    /// Builds the index of a map: kinds are those of `octile build`, such as `hub-labels` or `cpd`. It takes as long as
    /// it takes, unless `budget` says otherwise.
    pub fn build(
        kind: &str,
        grid: &Grid,
        #[wasm_bindgen(unchecked_optional_param_type = "BuildOptions")] options: &JsValue,
    ) -> Result<Index> {
        let (catalog, terms) = (Catalog::standard(), BuildTerms::new(options)?);
        let kind = catalog.index(kind).raised()?;
        let bytes = terms.build(&grid.grid, |build| kind.build_from(build))?;
        Ok(Self { artifact: Arc::new(Artifact::from_bytes(bytes.into()).raised()?) })
    }

    /// The kind of index.
    #[wasm_bindgen(getter)]
    pub fn kind(&self) -> String {
        self.artifact.kind().to_owned()
    }

    /// The bytes of its file: a copy.
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> Uint8Array {
        Uint8Array::from(self.artifact.bytes())
    }

    /// The width of its map.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.artifact.width()
    }

    /// The height of its map.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.artifact.height()
    }

    /// The fingerprint of its map: `Grid.fingerprint`.
    #[wasm_bindgen(getter)]
    pub fn fingerprint(&self) -> u64 {
        self.artifact.fingerprint()
    }

    /// Reads all of it, and throws `IndexFileError` if it is damaged; with a map, also if it was not made for exactly
    /// that.
    pub fn verify(&self, #[wasm_bindgen(unchecked_optional_param_type = "Grid")] grid: &JsValue) -> Result<()> {
        self.artifact.verify().raised()?;
        if grid.is_undefined() || grid.is_null() {
            return Ok(());
        }
        let grid: Grid = handle(grid, "grid", "a Grid")?;
        let kind = Catalog::standard().index(self.artifact.kind()).raised()?;
        kind.check(&self.artifact, &grid.grid).raised()
    }

    /// Another object for the same index.
    #[wasm_bindgen(js_name = _handle, skip_typescript)]
    pub fn handle(&self) -> Index {
        self.clone()
    }
}
