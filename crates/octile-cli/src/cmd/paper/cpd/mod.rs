//! Compressed path databases: Figures 2 to 6 of Botea 2011

use anyhow::Result;

use super::plan::Plan;
use super::session::Session;
use super::{Common, Study};
use crate::exhibit::Section;

pub(super) const TITLE: &str = "Compressed path databases";

/// Compressed path databases: Figures 2 to 6 of Botea 2011
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
}

impl Args {
    pub(super) fn study(&self) -> Cpd {
        Cpd::default()
    }
}

/// What is measured.
#[derive(Default)]
pub(super) struct Cpd;

impl Study for Cpd {
    fn exhibits(&self) -> &'static [&'static str] {
        &[]
    }

    fn steps(&self, _plan: &Plan) -> Result<u64> {
        Ok(0)
    }

    fn run(&self, _plan: &Plan, _session: &mut Session) -> Result<Section> {
        Ok(Section::new("cpd", TITLE))
    }
}
