//! Which planners there are, and which one to use.

use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;

use octile::catalog::Paths;
use octile::catalog::advise::{Needs, Size, advise};
use octile::planner::About;
use octile::{Auto, Build, Catalog, PlannerSpec};

use crate::border::{Fault, call, octile_status, value, without_nul};
use crate::grid::octile_grid;
use crate::pointers::{fill_text, given, text};

/// Writes the planners that there are, a line for each with its name, a tab and what it is, as a text with the NUL that
/// ends it. length becomes that of the text without NUL: capacity must be greater. With capacity 0 only the length is
/// asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_planners(
    text: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> octile_status {
    call(|| {
        let length = given(length, "length")?;
        let catalog = Catalog::standard();
        let line = |about: &About| format!("{}\t{}\n", about.name, about.summary);
        let lines: String = catalog.planners().iter().map(|entry| line(entry.about())).collect();
        // SAFETY: the header asks for room for so many bytes.
        unsafe { fill_text(&lines, text, capacity, length) }
    })
}

/// Tries planners on a map and says which is the fastest that fits: the first line of the advice is what
/// octile_engine_new takes, the lines after it are the reasons. needs may be NULL, or keys of the planner "auto", such
/// as "memory=100MB,changes=0.01%/2000,paths=any-angle". It takes a second or three for a large map. Free the advice
/// with octile_string_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_advise(
    grid: Option<&octile_grid>,
    needs: *const c_char,
    advice: Option<&mut MaybeUninit<*mut c_char>>,
) -> octile_status {
    call(|| {
        let (grid, out) = (given(grid, "grid")?, given(advice, "advice")?);
        // SAFETY: the header asks for a text.
        let needs = needs_of(unsafe { text(needs, "needs") }?)?;
        let advice = advise(Build::new(&grid.grid), &needs)?;
        let mut lines = format!("{}\n", advice.spec);
        for reason in &advice.reasons {
            lines.push_str(reason);
            lines.push('\n');
        }
        out.write(without_nul(&lines).into_raw());
        Ok(())
    })
}

fn needs_of(keys: Option<&str>) -> Result<Needs, Fault> {
    let keys = keys.filter(|keys| !keys.is_empty()).map_or_else(String::new, |keys| format!(":{keys}"));
    let spec: PlannerSpec = format!("auto{keys}").parse()?;
    let Some(auto) = spec.config::<Auto>() else { return Ok(Needs::default()) };
    Ok(Needs {
        memory_bytes: auto.memory.map(|Size(bytes)| bytes),
        changes: auto.changes.0,
        any_angle: auto.paths == Paths::AnyAngle,
        squeeze: auto.squeeze,
        ends: auto.ends,
    })
}

/// Frees a text that octile has given out, which only octile_advise does. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_string_free(string: *mut c_char) {
    value(|| {
        if !string.is_null() {
            // SAFETY: the header asks for a text that was given out by `octile_advise`, which is one of
            // `CString::into_raw`.
            drop(unsafe { CString::from_raw(string) });
        }
        Some(())
    });
}
