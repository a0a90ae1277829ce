//! Blocked areas: Tables 2, 3, 4 and A1 and Figures 1 to 4, 6 and 7 of Jubair & Hawa 2020

use anyhow::Result;

use super::plan::Plan;
use super::session::Session;
use super::{Common, Study};
use crate::exhibit::Section;

pub(super) const TITLE: &str = "Blocked areas";

/// Blocked areas: Tables 2, 3, 4 and A1 and Figures 1 to 4, 6 and 7 of Jubair & Hawa 2020
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
}

impl Args {
    pub(super) fn study(&self) -> BlockedAreas {
        BlockedAreas::default()
    }
}

/// What is measured.
#[derive(Default)]
pub(super) struct BlockedAreas;

impl Study for BlockedAreas {
    fn exhibits(&self) -> &'static [&'static str] {
        &[]
    }

    fn steps(&self, _plan: &Plan) -> Result<u64> {
        Ok(0)
    }

    fn run(&self, _plan: &Plan, _session: &mut Session) -> Result<Section> {
        Ok(Section::new("blocked-areas", TITLE))
    }
}
