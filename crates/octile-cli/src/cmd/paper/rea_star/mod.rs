//! REA*: Tables 5 and 6 and Figures 1, 5 and 8 of Zhang, Li & Bi 2016

use anyhow::Result;

use super::plan::Plan;
use super::session::Session;
use super::{Common, Study};
use crate::exhibit::Section;

pub(super) const TITLE: &str = "REA*";

/// REA*: Tables 5 and 6 and Figures 1, 5 and 8 of Zhang, Li & Bi 2016
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
}

impl Args {
    pub(super) fn study(&self) -> ReaStar {
        ReaStar::default()
    }
}

/// What is measured.
#[derive(Default)]
pub(super) struct ReaStar;

impl Study for ReaStar {
    fn exhibits(&self) -> &'static [&'static str] {
        &[]
    }

    fn steps(&self, _plan: &Plan) -> Result<u64> {
        Ok(0)
    }

    fn run(&self, _plan: &Plan, _session: &mut Session) -> Result<Section> {
        Ok(Section::new("rea-star", TITLE))
    }
}
