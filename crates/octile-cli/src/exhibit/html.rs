//! Pages.

use anyhow::Result;

use super::Report;

pub(crate) fn page<C>(report: &Report<C>, _facts: &[(String, String)]) -> Result<String> {
    Ok(report.title.clone())
}
