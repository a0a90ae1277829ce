//! `octile play`: serves the playground to a browser.

mod opened;
mod page;
mod server;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use octile::formats::{MapFile, MapFormat};
use octile::{Build, Movement, PlannerSpec};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use self::opened::Opened;
use self::page::Page;
use self::server::Site;
use crate::harness::args::{EndsArgs, MovementArg, ReadArgs};
use crate::harness::inputs::{self, Selection};
use crate::harness::{Outcome, output, signals};

/// Watch planners at work, in a browser
///
/// Serves a page to this machine only and opens it in the browser: there the planners run as WebAssembly, on maps that
/// you load, make and change. Prints the address of the page, and runs until Ctrl-C. Nothing leaves the machine. The
/// program contains the page if it was built with the cargo feature `playground`; otherwise --dir names a folder with
/// the page, made by `tools/playground build DIR`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile play
  octile play arena.map --from 1,12 --to 40,3 --planner jps
  octile play arena.map --scen arena.map.scen
  octile play swamp.map --prices tank.prices
  octile play robot.yaml --unknown free --no-open
  octile gen rooms | octile play - --port 8080")]
pub(crate) struct Args {
    /// The map that the page opens with, or `-` for standard input [default: one of the page's own maps]
    map: Option<PathBuf>,

    /// A scenario whose problems the page offers; if no map is given, its own map is opened
    #[arg(long, value_name = "FILE")]
    scen: Option<PathBuf>,

    #[command(flatten)]
    ends: EndsArgs,

    /// The planner that the page starts with: `name` or `name:key=value,...`; see `octile planners` [default: the
    /// page's choice]
    #[arg(long, value_name = "SPEC")]
    planner: Option<PlannerSpec>,

    #[command(flatten)]
    movement: MovementArg,

    #[command(flatten)]
    read: ReadArgs,

    /// Serve the page on this port [default: any free port]
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// Do not open the browser; the address is printed anyway
    #[arg(long)]
    no_open: bool,

    /// Serve the page from this folder, made by `tools/playground build DIR`, instead of the built-in one
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    // Check the inputs before anything is served: the library's own messages are the clearest.
    let (opened, query) = open(args)?;
    let page = Page::find(args.dir.as_deref())?;
    let listener = listen(args.port.unwrap_or(0))?;
    let address = format!("http://{}/{}", listener.local_addr().context("the port is not known")?, query.written());
    signals::ends_well();
    output::say(format_args!("{page} is served to this machine only, until Ctrl-C"));
    output::print(&format!("{address}\n"))?;
    if !args.no_open {
        show(address);
    }
    server::serve(&listener, Site { page, opened })
}

/// A socket that only this machine can reach; port 0 means any free port.
fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => anyhow::Error::msg(format!(
            "port {port} is in use: choose another, or leave out --port for one that is free"
        )),
        _ => anyhow::Error::new(error).context(format!("cannot serve on port {port}")),
    })
}

/// Opens an address in the browser while the page is already being served. If that fails, the address has been printed.
fn show(address: String) {
    /// After this time, a launcher has either failed or succeeded.
    const PATIENCE: Duration = Duration::from_secs(5);
    let opening = thread::Builder::new().name("browser".to_owned()).spawn(move || {
        if open::that_detached_with_timeout(address, PATIENCE).is_err() {
            output::say("note: no browser could be opened: open the address yourself");
        }
    });
    drop(opening);
}

/// The files that the page may fetch, and the query of its address.
fn open(args: &Args) -> Result<(Opened, Query)> {
    let (mut opened, mut query) = (Opened::default(), Query::default());
    let belonging = args.scen.as_deref().filter(|_| args.map.is_none()).map(inputs::map_of).transpose()?;
    if let Some(path) = args.map.as_ref().or(belonging.as_ref()) {
        open_map(args, path, &mut opened, &mut query)?;
    } else {
        ensure!(args.ends.ends().is_none(), "--from and --to are cells of a map: give the map too");
        let unused = args.read.written();
        ensure!(unused.is_empty(), "there is no map to read with{unused}: give the map too");
    }
    if let Some((from, to)) = args.ends.ends() {
        query.add("from", &from.to_string());
        query.add("to", &to.to_string());
    }
    if let Some(spec) = &args.planner {
        ensure!(spec.index_file().is_none(), "the page builds its indexes itself: leave out the key index of `{spec}`");
        query.add("planner", &spec.to_string());
    }
    if args.movement.movement != Movement::default() {
        query.add("movement", args.movement.movement.name());
    }
    Ok((opened, query))
}

/// Loads and checks the map and the arguments that refer to it.
fn open_map(args: &Args, path: &Path, opened: &mut Opened, query: &mut Query) -> Result<()> {
    let name = inputs::name(path);
    let (mut file, address) = if path == Path::new(inputs::STDIN) {
        let bytes = inputs::stdin()?;
        let file = inputs::load_bytes(&bytes, &args.read)?;
        let address = opened.offer_bytes(name_of_stdin(&file), bytes);
        (file, address)
    } else {
        (inputs::load(path, &args.read)?, opened.offer(path))
    };
    file.grid = file.grid.with_movement(args.movement.movement);
    query.add("map", &address);
    if file.format == MapFormat::Ros {
        query.add("image", &opened.offer(&inputs::ros_image(path)?));
    }
    if let Some(scen) = &args.scen {
        inputs::tasks(scen, &file.grid, Selection { every: NonZeroUsize::MIN })?;
        query.add("scen", &opened.offer(scen));
    }
    args.ends.ends_on(&file.grid).with_context(|| name.clone())?;
    if let Some(spec) = &args.planner {
        // Refuses planners that do not fit the map; nothing is built.
        spec.begin(&Build::new(&file.grid)).map(drop).context(name)?;
    }
    add_read(&args.read, opened, query);
    Ok(())
}

/// The name of a map from standard input; its ending tells the page the format.
fn name_of_stdin(file: &MapFile) -> &'static str {
    match file.format {
        MapFormat::Png => "stdin.png",
        MapFormat::Pgm => "stdin.pgm",
        MapFormat::MovingAi => "stdin.map",
        _ => "stdin.txt",
    }
}

/// Adds how the page should read the map, where that is not the default.
fn add_read(read: &ReadArgs, opened: &mut Opened, query: &mut Query) {
    if read.unknown != octile::formats::Unknown::default() {
        query.add("unknown", read.unknown.name());
    }
    if let Some(prices) = &read.prices {
        let named = prices.to_str().filter(|name| octile::formats::Pricing::named(name).is_some());
        query.add("prices", &named.map_or_else(|| opened.offer(prices), str::to_owned));
    }
    if let Some(convention) = read.convention {
        query.add("convention", convention.name());
    }
}

/// The query of an address, after the `?`.
#[derive(Debug, Default)]
struct Query(Vec<String>);

impl Query {
    /// Escape only what is necessary, so that addresses are readable.
    const ESCAPED: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/').remove(b',').remove(b':');

    fn add(&mut self, key: &str, value: &str) {
        self.0.push(format!("{key}={}", utf8_percent_encode(value, Self::ESCAPED)));
    }

    fn written(&self) -> String {
        if self.0.is_empty() { String::new() } else { format!("?{}", self.0.join("&")) }
    }
}
