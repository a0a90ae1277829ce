//! Typed and written specs are equal, and configs survive serialization.

use octile::algo::astar::{On, OpenList};
use octile::algo::block_astar::{BlockSize, Db, Priority};
use octile::algo::blocked_areas::Lookup;
use octile::algo::core_search::Landmarks;
use octile::algo::cpd::{Follow, Layout, Repair, Ties};
use octile::algo::jump_graph::When;
use octile::algo::pruners::GateUse;
use octile::algo::pruners::Pruners;
use octile::algo::rea_star::{Fronts, Origin, Rescan, SemiClosed};
use octile::algo::{Heuristic, cpd};
use octile::catalog::{COMMON_KEYS, Paths};
use octile::geometry::Endpoints;
use octile::grid::Squeeze;
use octile::planner::{Entry, OnEdit, SpecError};
use octile::planner::{Key, Requirement, Takes};
use octile::{
    Astar, Auto, BlockAstar, BuildError, Catalog, CoreSearch, CoreTable, CornerSweep, Cpd, Dijkstra, Engine, Grid,
    HubLabels, Jps, JumpGraph, LazyThetaStar, Movement, PlannerSpec, ReaStar, TautGraph, TautLabels, TautSight,
    TerrainJump, ThetaStar, WeightedAstar,
};

/// Every planner with every key, as a typed config and as text.
fn pairs() -> Vec<(PlannerSpec, &'static str)> {
    vec![
        (
            spec_of(Dijkstra::default().prune(Pruners::BlockedAreas).lookup(Lookup::Tree)),
            "dijkstra:prune=blocked-areas,lookup=tree",
        ),
        (spec_of(Astar::default().open(OpenList::Buckets)), "astar:open=buckets"),
        (
            spec_of(
                Astar::default().heuristic(Heuristic::Zero).prune(Pruners::BlockedAreasAndGates).gates(GateUse::Always),
            ),
            "astar:heuristic=zero,prune=blocked-areas+gates,gates=always",
        ),
        (
            spec_of(Astar::default().on(On::Corners).heuristic(Heuristic::Euclidean).squeeze(Squeeze::Forbidden)),
            "astar:on=corners,heuristic=euclidean,squeeze=forbidden",
        ),
        (
            spec_of(
                WeightedAstar::default().weight(octile::geometry::Weight::try_from(1.5).unwrap()).prune(Pruners::Gates),
            ),
            "weighted-astar:weight=1.5,prune=gates",
        ),
        (spec_of(Jps::default().prune(Pruners::Gates).gates(GateUse::Always)), "jps:prune=gates,gates=always"),
        (spec_of(Jps::default()).smoothed(Squeeze::Forbidden), "jps:smooth=greedy,squeeze=forbidden"),
        (spec_of(Jps::default()).smoothed(Squeeze::Allowed).centred(), "jps:smooth=greedy,ends=centres"),
        (spec_of(Jps::default().prune(Pruners::Gates)).with_index("maps/a.octx"), "jps:prune=gates,index=maps/a.octx"),
        (spec_of(CornerSweep::default().cache(true).prune(Pruners::Gates)), "corner-sweep:cache=on,prune=gates"),
        (spec_of(TerrainJump::default().cache(true)), "terrain-jump:cache=on"),
        (
            spec_of(JumpGraph::default().contract(When::Always).gates(When::Never)),
            "jump-graph:contract=always,gates=never",
        ),
        (
            spec_of(
                ReaStar::default()
                    .fronts(Fronts::Cells)
                    .rescan(Rescan::Stop)
                    .origin(Origin::Cross)
                    .swap(true)
                    .semi_closed(SemiClosed::Search)
                    .prune(Pruners::Gates),
            ),
            "rea-star:fronts=cells,rescan=stop,origin=cross,swap=on,semi-closed=search,prune=gates",
        ),
        (spec_of(ThetaStar::default().heuristic(Heuristic::Zero)), "theta-star:heuristic=zero"),
        (
            spec_of(LazyThetaStar::default().heuristic(Heuristic::Octile).squeeze(Squeeze::Forbidden)),
            "lazy-theta-star:heuristic=octile,squeeze=forbidden",
        ),
        (
            spec_of(
                BlockAstar::default()
                    .db(Db::AnyAngle)
                    .block(BlockSize::square(4).unwrap())
                    .heuristic(Heuristic::Zero)
                    .priority(Priority::Exact),
            ),
            "block-astar:db=any-angle,block=4,heuristic=zero,priority=exact",
        ),
        (spec_of(BlockAstar::default().block(BlockSize::new(5, 3).unwrap())), "block-astar:block=5x3"),
        (
            spec_of(
                Cpd::default()
                    .layout(Layout::Rectangles)
                    .order(cpd::Order::Dfs)
                    .ties(Ties::Mask)
                    .symbol(true)
                    .default_move(true)
                    .share(true)
                    .follow(Follow::Moves)
                    .repair(Repair::Unit),
            ),
            "cpd:layout=rectangles,order=dfs,ties=mask,symbol=heuristic,default=move,share=rows,follow=moves,repair=unit",
        ),
        (spec_of(CoreSearch::default().landmarks(Landmarks::Four)), "core-search:landmarks=4"),
        (spec_of(HubLabels::default()), "hub-labels"),
        (spec_of(CoreTable::default()), "core-table"),
        (spec_of(TautGraph::default().squeeze(Squeeze::Forbidden)), "taut-graph:squeeze=forbidden"),
        (
            spec_of(TautSight::default().memory(octile::catalog::advise::Size(5)).ends(Endpoints::Centres)),
            "taut-sight:memory=5,ends=centres",
        ),
        (
            spec_of(TautLabels::default().squeeze(Squeeze::Forbidden).ends(Endpoints::Centres)),
            "taut-labels:squeeze=forbidden,ends=centres",
        ),
        (
            spec_of(Auto::default().memory(octile::catalog::advise::Size(1000)).changes(true).paths(Paths::AnyAngle)),
            "auto:memory=1000,changes=yes,paths=any-angle",
        ),
    ]
}

fn spec_of(config: impl octile::Config) -> PlannerSpec {
    config.into()
}

#[test]
fn typed_and_written_specs_are_equal() {
    let pairs = pairs();
    for (typed, written) in &pairs {
        let parsed: PlannerSpec = written.parse().unwrap();
        assert_eq!((&parsed, typed.to_string().as_str()), (typed, *written));
        assert_eq!((parsed.guarantee(), parsed.movements()), (typed.guarantee(), typed.movements()));
        assert_eq!((parsed.index_kinds(), parsed.on_edit()), (typed.index_kinds(), typed.on_edit()));
    }
    // The list must contain every key of every planner.
    for entry in Catalog::standard().planners() {
        for key in entry.keys() {
            let is_said = |written: &str| {
                let (name, options) = written.split_once(':').unwrap_or((written, ""));
                name == entry.name() && options.split(',').any(|option| option.split('=').next() == Some(key.name))
            };
            let shared = ["prune", "lookup", "gates"].contains(&key.name);
            assert!(shared || pairs.iter().any(|(_, written)| is_said(written)), "{}:{}", entry.name(), key.name);
        }
    }
}

/// Typed configs are refused for the same reasons, with the same messages.
#[test]
fn conflicting_keys_are_refused_in_both_forms() {
    let grid = Grid::open(4, 4).unwrap();
    let refused = |spec: PlannerSpec, written: &str| {
        let typed = Engine::new(spec, &grid).unwrap_err();
        assert!(matches!(typed, BuildError::Spec(SpecError::Refused { .. })), "{typed}");
        assert_eq!(typed.to_string(), written.parse::<PlannerSpec>().unwrap_err().to_string());
    };
    refused(Jps::default().prune(Pruners::BlockedAreas).into(), "jps:prune=blocked-areas");
    refused(Astar::default().on(On::Corners).prune(Pruners::Gates).into(), "astar:on=corners,prune=gates");
    refused(Astar::default().lookup(Lookup::Tree).into(), "astar:lookup=tree");
    refused(CornerSweep::default().gates(GateUse::Always).into(), "corner-sweep:gates=always");
    refused(
        BlockAstar::default().db(Db::AnyAngle).heuristic(Heuristic::Octile).into(),
        "block-astar:db=any-angle,heuristic=octile",
    );
    refused(BlockAstar::default().priority(Priority::Exact).into(), "block-astar:priority=exact");
    refused(Cpd::default().default_move(true).into(), "cpd:default=move");
    refused(ReaStar::default().rescan(Rescan::Stop).into(), "rea-star:rescan=stop");
    refused(ReaStar::default().origin(Origin::Rectangle).into(), "rea-star:origin=rectangle");
    refused(ReaStar::default().swap(false).into(), "rea-star:fronts=roots,swap=off");
    refused(ReaStar::default().semi_closed(SemiClosed::Skip).into(), "rea-star:semi-closed=skip");
    refused(
        spec_of(BlockAstar::default().db(Db::Tile)).smoothed(Squeeze::Allowed),
        "block-astar:db=tile,smooth=greedy",
    );
    refused(spec_of(Jps::default()).with_index("a.octx"), "jps:index=a.octx");
    refused(spec_of(Jps::default()).centred(), "jps:ends=centres");
    // The planner itself refuses too, without a spec.
    let error = Jps::default().prune(Pruners::BlockedAreas).planner(&grid).map(drop).unwrap_err();
    assert!(error.to_string().contains("use prune=gates"), "{error}");
    let error = Jps::default().planner(&grid.with_movement(Movement::Tile)).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "planner `jps` does not support movement `tile`; it supports octile");
}

/// A catalog accepts foreign planners, under a new name or in place of an existing one.
#[test]
fn catalogs_can_be_extended() {
    let few = Catalog::empty().with(Jps::ENTRY).with(Jps::ENTRY).with(Astar::ENTRY);
    assert_eq!(few.planners().iter().map(octile::planner::Entry::name).collect::<Vec<_>>(), ["jps", "astar"]);
    assert!(few.parse("jps:prune=gates").is_ok());
    assert_eq!(few.parse("cpd").unwrap_err().to_string(), "unknown planner `cpd`; known planners: jps, astar");
    let error = Catalog::standard().index("gate").map(drop).unwrap_err().to_string();
    assert!(error.starts_with("unknown kind of index `gate` (did you mean `gates`?); known kinds: "), "{error}");
    for entry in Catalog::standard().planners() {
        let config = entry.config();
        assert_eq!(config.about().name, entry.name());
        assert!(config.keys().iter().all(|key| config.get(key.name) == config.get_default(key.name)));
    }
    assert_eq!("cpd".parse::<PlannerSpec>().unwrap().on_edit(), OnEdit::GoesStale);
}

#[cfg(feature = "serde")]
mod data {
    use octile::formats::Unknown;
    use octile::geometry::{Corner, Dir, Weight};
    use octile::grid::{Agent, Room};
    use octile::{Cell, Edits, GridCost, Guarantee, Output, Path, PathCost, PathQuery};
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use super::*;

    /// Checks that a value serializes to this text, and parses back.
    fn survives<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T, json: &str) {
        assert_eq!(serde_json::to_string(value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), *value);
    }

    #[test]
    fn plain_data_survives_serde() {
        survives(&Cell::new(3, 4), r#"{"x":3,"y":4}"#);
        survives(&Corner::new(3, 4), r#"{"x":3,"y":4}"#);
        survives(&GridCost::new(1, 2), r#"{"straight":1,"diagonal":2}"#);
        survives(&PathCost::AnyAngle(2.5), r#"{"any-angle":2.5}"#);
        survives(&PathCost::Grid(GridCost::new(1, 0)), r#"{"grid":{"straight":1,"diagonal":0}}"#);
        survives(&Weight::try_from(1.5).unwrap(), "1.5");
        assert!(serde_json::from_str::<Weight>("0.5").is_err());
        survives(&Dir::NE, r#""NE""#);
        survives(&Movement::OctileCutting, r#""octile-cutting""#);
        survives(&Squeeze::Forbidden, r#""forbidden""#);
        survives(&Agent::disc(3.5).unwrap(), r#""disc:3.5""#);
        survives(&Agent::POINT, r#""point""#);
        assert!(serde_json::from_str::<Agent>(r#""disc:-1""#).is_err());
        survives(&Room::Cell, r#""cell""#);
        survives(&Unknown::Free, r#""free""#);
        survives(&Guarantee::Bounded(Weight::ONE), r#"{"bounded":1.0}"#);
        survives(&OnEdit::GoesStale, r#""goes-stale""#);
        survives(
            &PathQuery::new((0, 1), (2, 3)).output(Output::Cells),
            r#"{"start":{"x":0,"y":1},"goal":{"x":2,"y":3},"output":"cells"}"#,
        );
        let mut edits = Edits::new();
        edits.block((1, 1)).free_rect((2, 2), (4, 3));
        let json = serde_json::to_string(&edits).unwrap();
        assert_eq!(serde_json::from_str::<Edits>(&json).unwrap(), edits);
    }

    #[test]
    fn partial_and_complete_configs_survive_serde() {
        survives(&CornerSweep::default().cache(true), r#"{"cache":true,"prune":"none","gates":null}"#);
        let jps: Jps = serde_json::from_str(r#"{"prune":"gates"}"#).unwrap();
        assert_eq!(jps, Jps::default().prune(Pruners::Gates));
        assert!(serde_json::from_str::<Jps>(r#"{"prone":"gates"}"#).unwrap_err().to_string().contains("prone"));
        assert!(
            serde_json::from_str::<Jps>(r#"{"prune":"grates"}"#).unwrap_err().to_string().contains("blocked-areas")
        );
        let rea_star = ReaStar::default().fronts(Fronts::Cells).semi_closed(SemiClosed::Search);
        let json = serde_json::to_string(&rea_star).unwrap();
        assert!(json.contains(r#""semi-closed":"search""#), "{json}");
        assert_eq!(serde_json::from_str::<ReaStar>(&json).unwrap(), rea_star);
        for (spec, written) in pairs() {
            survives(&spec, &format!("{written:?}"));
        }
    }

    #[test]
    fn paths_survive_serde_and_broken_ones_are_refused() {
        let grid: Grid = "....\n.@@.\n....".parse().unwrap();
        for spec in ["jps", "theta-star:squeeze=forbidden", "theta-star:ends=centres"] {
            let engine = Engine::new(spec, &grid).unwrap();
            for output in [Output::Waypoints, Output::Cells, Output::Cost] {
                let mut path = Path::new();
                assert!(engine.plan(PathQuery::new((0, 0), (3, 2)).output(output), &mut path).unwrap());
                let json = serde_json::to_string(&path).unwrap();
                assert_eq!(serde_json::from_str::<Path>(&json).unwrap(), path, "{json}");
            }
        }
        for broken in [
            r#"{"grid":{"points":[{"x":0,"y":0},{"x":2,"y":1}],"cost":{"straight":1,"diagonal":1}}}"#,
            r#"{"grid":{"points":[{"x":0,"y":0},{"x":2,"y":0}],"cost":{"straight":1,"diagonal":1}}}"#,
            r#"{"grid":{"points":[{"x":0,"y":0}]}}"#,
            r#"{"centred":{"centres":null,"corners":[{"x":0,"y":0}],"length":1.0,"squeeze":"allowed"}}"#,
        ] {
            assert!(serde_json::from_str::<Path>(broken).is_err(), "{broken}");
        }
    }
}

/// Specs that give a key each of its values, after other options.
fn specs_with(entry: Entry, key: &Key, before: &[&str]) -> Vec<String> {
    let other = match key.takes {
        Takes::Words(_) => None,
        Takes::Number { from, .. } => Some(from.to_string()),
        Takes::Size => Some("100kB".to_owned()),
        Takes::IndexFile => Some("a.octx".to_owned()),
        Takes::Other { .. } if key.name == "block" => Some("5x3".to_owned()),
        Takes::Other { .. } => Some("0.01%/2000".to_owned()),
        other => panic!("no value for a key that takes {other}"),
    };
    let values = key.takes.words().iter().map(|&word| word.to_owned()).chain(other);
    let spec = |value: String| {
        let options = before.iter().map(|&option| option.to_owned()).chain([format!("{}={value}", key.name)]);
        format!("{}:{}", entry.name(), options.collect::<Vec<_>>().join(","))
    };
    values.map(spec).collect()
}

/// The options that a planner requires.
fn required(entry: Entry, key: &Key) -> Vec<&'static str> {
    if entry.name() == "weighted-astar" && key.name != "weight" { vec!["weight=2"] } else { Vec::new() }
}

/// Every key accepts each of its values alone if it has no requirement. If it has one, it is refused without it, and
/// accepted with it.
#[test]
fn keys_need_what_they_say() {
    let (is_fine, is_refused) = (
        |spec: &str| assert!(spec.parse::<PlannerSpec>().is_ok(), "{spec}: {:?}", spec.parse::<PlannerSpec>()),
        |spec: &str, says: &str| {
            let error = spec.parse::<PlannerSpec>().unwrap_err();
            assert!(matches!(error, SpecError::Refused { .. }), "{spec}: {error}");
            assert!(error.to_string().contains(says), "{spec}: {error}");
        },
    );
    for &entry in Catalog::standard().planners() {
        let plain: PlannerSpec = Catalog::standard().specs(&entry)[0].parse().unwrap();
        for key in entry.keys().iter().chain(&COMMON_KEYS) {
            let required = required(entry, key);
            let with = |needed: &str| specs_with(entry, key, &[&required[..], &[needed]].concat());
            for (place, spec) in specs_with(entry, key, &required).iter().enumerate() {
                match key.needs {
                    Some(Requirement::Value { key: other, value, only, .. }) => {
                        if only.is_none_or(|only| spec.ends_with(&format!("={only}"))) {
                            is_refused(spec, &format!("add {other}={value}"));
                        } else {
                            is_fine(spec);
                        }
                        is_fine(&with(&format!("{other}={value}"))[place]);
                    }
                    Some(Requirement::AnyAngle) if plain.squeeze().is_none() => {
                        is_refused(spec, "add smooth=greedy, or use an any-angle planner");
                        is_fine(&with("smooth=greedy")[place]);
                    }
                    Some(Requirement::Index) if plain.index_kinds().is_empty() => {
                        is_refused(spec, "it uses no index file");
                    }
                    None | Some(Requirement::AnyAngle | Requirement::Index) => is_fine(spec),
                    Some(needs) => panic!("unknown: {needs:?}"),
                }
            }
        }
    }
    // One of several joined values is enough, and the same holds for typed configs.
    is_fine("astar:prune=blocked-areas+gates,lookup=tree,gates=always");
    is_refused("astar:prune=blocked-areas,gates=always", "there are no gates to use; add prune=gates");
    let error = ReaStar::default().swap(true).planner(&Grid::open(4, 4).unwrap()).map(drop).unwrap_err();
    assert_eq!(
        error.to_string(),
        "planner `rea-star` cannot take `swap=on`: it is for the search with costs on every cell; add fronts=cells"
    );
}

/// Every word can be set and read back. Invalid values are refused, and the message lists the words.
#[test]
fn keys_take_what_they_say() {
    for &entry in Catalog::standard().planners() {
        for key in entry.keys() {
            for &word in key.takes.words() {
                let (mut config, mut again) = (entry.config(), entry.config());
                assert!(config.set(key.name, word), "{}:{}={word}", entry.name(), key.name);
                assert!(again.set(key.name, &config.get(key.name).unwrap()));
                assert_eq!(format!("{config:?}"), format!("{again:?}"));
            }
        }
        for key in entry.keys().iter().chain(&COMMON_KEYS).filter(|key| key.takes != Takes::IndexFile) {
            let options = [&required(entry, key)[..], &[&format!("{}=nonsense", key.name)]].concat().join(",");
            let error = format!("{}:{options}", entry.name()).parse::<PlannerSpec>().unwrap_err();
            let said = format!("`{}=nonsense` of planner `{}`: expected ", key.name, entry.name());
            assert_eq!(error.to_string(), said + &key.expected());
            assert!(key.takes.words().iter().all(|word| error.to_string().contains(word)), "{error}");
        }
    }
}

#[test]
fn values_that_are_nearly_right_are_suggested() {
    for (spec, end) in [
        ("astar:open=bucket", "expected heap or buckets (did you mean `buckets`?)"),
        ("jps:prune=gate", "expected gates (did you mean `gates`?)"),
        ("jps:smooth=Greedy", "expected greedy (did you mean `greedy`?)"),
        ("theta-star:ends=centers", "(did you mean `centres`?)"),
        ("rea-star:swap=of", "expected on or off, together with fronts=cells (did you mean `off`?)"),
        ("block-astar:block=9", "expected 2, 3, 4, 5, 6, 7, 8, auto, or columns x rows such as 5x3"),
        ("weighted-astar:weight=0.9", "expected a number from 1 to 1000 with at most three decimals"),
        ("weighted-astar", "needs the key `weight`: a number from 1 to 1000 with at most three decimals"),
    ] {
        let error = spec.parse::<PlannerSpec>().unwrap_err().to_string();
        assert!(error.ends_with(end), "{error}");
    }
}
