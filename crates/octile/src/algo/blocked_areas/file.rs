//! Blocked areas as an index file: the joints of all areas, the end of each area's joints, and the strips.

use super::BlockedAreas;
use super::area::{Area, Strip};
use crate::artifact::{Artifact, ArtifactError, ArtifactWriter};
use crate::geometry::Cell;
use crate::grid::Grid;
use crate::planner::{IndexBuild, IndexKind};

/// The kind of index file.
pub(crate) const KIND: &str = "blocked-areas";
/// The version of the sections of an index file.
const VERSION: u32 = 1;

const JOINTS: &str = "joints";
const ENDS: &str = "ends";
const STRIPS: &str = "strips";

/// The entry of [`BlockedAreas`] in the table of index kinds.
pub(crate) const INDEX: IndexKind = IndexKind {
    kind: KIND,
    version: VERSION,
    summary: "polygons of walls with one open side (Jubair & Hawa 2020), those that are safe to prune",
    build: IndexBuild::ForMap(|build| Ok(BlockedAreas::build(build.grid()).to_bytes(build.grid()))),
    describe: |artifact| {
        artifact.verify()?;
        let areas = read(artifact)?;
        let wide = areas.iter().filter(|area| area.strip() == Strip::Wide).count();
        let joints: usize = areas.iter().map(|area| area.joints().len()).sum();
        Ok(vec![
            ("areas", areas.len().to_string()),
            ("with a wide strip", wide.to_string()),
            ("joints", joints.to_string()),
        ])
    },
};

impl BlockedAreas {
    /// The bytes of an index file for `grid`, the map the areas were built for.
    pub fn to_bytes(&self, grid: &Grid) -> Vec<u8> {
        let joints = self.areas.iter().flat_map(Area::joints).flat_map(|joint| [joint.x, joint.y]);
        let ends = self.areas.iter().scan(0, |end, area| {
            *end += area.joints().len() as u32;
            Some(*end)
        });
        let strips = self.areas.iter().map(|area| u32::from(area.strip() == Strip::Wide));
        ArtifactWriter::new(KIND, VERSION, grid)
            .words(JOINTS, &joints.collect::<Vec<_>>())
            .words(ENDS, &ends.collect::<Vec<_>>())
            .words(STRIPS, &strips.collect::<Vec<_>>())
            .finish()
    }

    /// Reads the areas of a map from an index file.
    ///
    /// ```
    /// use octile::algo::blocked_areas::BlockedAreas;
    /// use octile::artifact::Artifact;
    /// use octile::formats::generate;
    /// let grid = generate::rooms(32, 32, 8, 1)?;
    /// let areas = BlockedAreas::build(&grid);
    /// let artifact = Artifact::from_bytes(areas.to_bytes(&grid))?;
    /// assert_eq!(BlockedAreas::from_artifact(&artifact, &grid)?, areas);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the file is damaged, of another kind, or made for another map or movement rule.
    pub fn from_artifact<D: AsRef<[u8]>>(artifact: &Artifact<D>, grid: &Grid) -> Result<Self, ArtifactError> {
        artifact.check(KIND, VERSION, grid)?;
        artifact.verify()?;
        Ok(Self { areas: read(artifact)? })
    }
}

/// The areas of a file, checked against the map size that the file states.
fn read<D: AsRef<[u8]>>(artifact: &Artifact<D>) -> Result<Vec<Area>, ArtifactError> {
    let (joints, ends, strips) = (artifact.words(JOINTS)?, artifact.words(ENDS)?, artifact.words(STRIPS)?);
    let (joints, rest) = joints.as_chunks::<2>();
    if ends.len() != strips.len() || !rest.is_empty() || ends.last().map_or(0, |&end| end as usize) != joints.len() {
        return Err(artifact.malformed("its sections are inconsistent"));
    }
    let mut areas = Vec::with_capacity(ends.len());
    let mut first = 0;
    // Areas do not overlap: reject files whose areas would take longer to fill than a few passes over the map.
    let cells = u64::from(artifact.width()) * u64::from(artifact.height());
    let (mut filled, mut rows) = (0, 0);
    for (&end, &strip) in ends.iter().zip(&strips) {
        let end = end as usize;
        if end < first + 3 || end > joints.len() {
            return Err(artifact.malformed(format!("area {} has too few joints", areas.len())));
        }
        let joints: Vec<Cell> = joints[first..end].iter().map(|&[x, y]| Cell::new(x, y)).collect();
        if let Some(joint) = joints.iter().find(|joint| joint.x >= artifact.width() || joint.y >= artifact.height()) {
            return Err(artifact.malformed(format!("the joint {joint} of area {} is off the map", areas.len())));
        }
        let strip = match strip {
            0 => Strip::Thin,
            1 => Strip::Wide,
            _ => return Err(artifact.malformed(format!("area {} has an unknown strip {strip}", areas.len()))),
        };
        let area = Area::new(joints, strip);
        let (low, high) = area.bounds();
        filled += area.doubled_size();
        rows += u64::from(high.y - low.y + 1) * (end - first) as u64;
        if filled > 8 * cells || rows > 64 * cells {
            return Err(artifact.malformed("its areas overlap"));
        }
        first = end;
        areas.push(area);
    }
    Ok(areas)
}
