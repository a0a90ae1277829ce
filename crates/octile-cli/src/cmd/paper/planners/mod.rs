//! All planners together, peers included: speed against preparation and memory, and which to use

use anyhow::Result;

use super::plan::Plan;
use super::session::Session;
use super::{Common, Study};
use crate::exhibit::Section;

pub(super) const TITLE: &str = "All planners together";

/// All planners together, peers included: speed against preparation and memory, and which to use
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
}

impl Args {
    pub(super) fn study(&self) -> Planners {
        Planners::default()
    }
}

/// What is measured.
#[derive(Default)]
pub(super) struct Planners;

impl Study for Planners {
    fn exhibits(&self) -> &'static [&'static str] {
        &[]
    }

    fn steps(&self, _plan: &Plan) -> Result<u64> {
        Ok(0)
    }

    fn run(&self, _plan: &Plan, _session: &mut Session) -> Result<Section> {
        Ok(Section::new("planners", TITLE))
    }
}
