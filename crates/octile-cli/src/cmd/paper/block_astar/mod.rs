//! Block A*: Tables 1 and 2 and Figure 4 of Yap, Burch, Holte & Schaeffer 2011

use anyhow::Result;

use super::plan::Plan;
use super::session::Session;
use super::{Common, Study};
use crate::exhibit::Section;

pub(super) const TITLE: &str = "Block A*";

/// Block A*: Tables 1 and 2 and Figure 4 of Yap, Burch, Holte & Schaeffer 2011
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
}

impl Args {
    pub(super) fn study(&self) -> BlockAstar {
        BlockAstar::default()
    }
}

/// What is measured.
#[derive(Default)]
pub(super) struct BlockAstar;

impl Study for BlockAstar {
    fn exhibits(&self) -> &'static [&'static str] {
        &[]
    }

    fn steps(&self, _plan: &Plan) -> Result<u64> {
        Ok(0)
    }

    fn run(&self, _plan: &Plan, _session: &mut Session) -> Result<Section> {
        Ok(Section::new("block-astar", TITLE))
    }
}
