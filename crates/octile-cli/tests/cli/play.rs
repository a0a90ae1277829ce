//! The page of `octile play` as browsers get it, and what other clients get.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use octile_testkit::process::{Place, RING, wait_until};

use crate::{place, place_with_ring};

/// The files of a small page, each with its media type.
const PAGE: [(&str, &str); 7] = [
    ("index.html", "text/html; charset=utf-8"),
    ("app.js", "text/javascript; charset=utf-8"),
    ("style.css", "text/css; charset=utf-8"),
    ("icon.png", "image/png"),
    ("octile/octile.js", "text/javascript; charset=utf-8"),
    ("octile/octile_bg.wasm", "application/wasm"),
    ("notes", "application/octet-stream"),
];

/// Writes the page into the folder `page` of a place; the content of a file is its name.
fn write_page(place: &Place) {
    fs::create_dir_all(place.path("page/octile")).unwrap();
    for (file, _) in PAGE {
        place.write(&format!("page/{file}"), file);
    }
}

/// A command that serves the page; dropping this ends it.
struct Served {
    child: Child,
    /// The address that it printed.
    address: String,
}

impl Served {
    #[track_caller]
    fn new(place: &Place, args: &str) -> Self {
        Self::spawn(place.command(&format!("play --dir page --no-open {args}")).stdin(Stdio::null()))
    }

    #[track_caller]
    fn spawn(command: &mut Command) -> Self {
        Self::try_spawn(command).unwrap_or_else(|said| panic!("{said}"))
    }

    /// Waits for the address, or returns the error message.
    fn try_spawn(command: &mut Command) -> Result<Self, String> {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut address).unwrap();
        let served = Self { child, address: address.trim_end().to_owned() };
        if served.address.starts_with("http://127.0.0.1:") && address.ends_with('\n') {
            return Ok(served);
        }
        Err(address + &served.end())
    }

    /// Ends the server and returns its messages.
    fn end(mut self) -> String {
        let _ = self.child.kill();
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        said
    }

    fn port(&self) -> u16 {
        self.address["http://127.0.0.1:".len()..].split('/').next().unwrap().parse().unwrap()
    }

    /// The query of the address, after the `?`.
    fn query(&self) -> &str {
        self.address.split_once("/?").map_or("", |(_, query)| query)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port())).unwrap();
        stream.set_read_timeout(Some(HANG)).unwrap();
        stream
    }

    /// Sends bytes and returns the answer.
    fn send(&self, bytes: impl AsRef<[u8]>) -> Got {
        let mut stream = self.connect();
        stream.write_all(bytes.as_ref()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("there is a head");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        Got { head, body: bytes[end + 4..].to_vec() }
    }

    fn get(&self, target: &str) -> Got {
        self.send(format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port()))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer.
#[derive(Debug)]
struct Got {
    head: String,
    body: Vec<u8>,
}

impl Got {
    fn status(&self) -> u32 {
        self.head.strip_prefix("HTTP/1.1 ").unwrap()[..3].parse().unwrap()
    }

    fn header(&self, name: &str) -> &str {
        let mut headers = self.head.lines().skip(1).map(|line| line.split_once(": ").unwrap());
        headers.find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    fn text(&self) -> &str {
        str::from_utf8(&self.body).unwrap()
    }
}

#[test]
fn a_browser_gets_the_page() {
    let place = place();
    write_page(&place);
    let served = Served::new(&place, "");
    assert_eq!(served.query(), "");
    for (file, kind) in PAGE {
        let got = served.get(&format!("/{file}"));
        assert_eq!((got.status(), got.header("Content-Type"), got.text()), (200, kind, file));
        assert_eq!(got.header("Content-Length"), file.len().to_string());
        for (header, value) in [
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Embedder-Policy", "require-corp"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-store"),
        ] {
            assert_eq!(got.header(header), value, "{file}");
        }
        let policy = got.header("Content-Security-Policy");
        assert!(policy.starts_with("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "), "{policy}");
    }
    assert_eq!(served.get("/").text(), "index.html");
    assert_eq!(served.get("/?map=open/a.map#scene").text(), "index.html");
    assert_eq!(served.get("/%61pp%2Ejs?1").text(), "app.js");
    let head = served.send("HEAD / HTTP/1.1\r\nhost: localhost:1\r\n\r\n");
    assert_eq!((head.status(), head.header("Content-Length"), head.text()), (200, "10", ""));
}

#[test]
fn only_the_page_is_served() {
    let place = place_with_ring();
    write_page(&place);
    place.write("secret", "secret");
    place.write("page/.hidden", "secret");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret", place.path("page/link")).unwrap();
    let served = Served::new(&place, "");
    let absolute = place.path("secret").display().to_string();
    for target in [
        "/nothing",
        "/../secret",
        "/%2e%2e/secret",
        "/%2E%2E%2Fsecret",
        "/..%2fsecret",
        "/octile/../../secret",
        "/octile/%2e%2e/%2e%2e/secret",
        "/..%5csecret",
        "/.hidden",
        "/link",
        "//",
        "/octile",
        "/octile/",
        "/open",
        "/open/",
        "/open/ring.map",
        "/open/../secret",
        "/%00",
        "/%ff",
        &format!("/{absolute}"),
        &format!("/%2f{absolute}"),
        "secret",
        "http://127.0.0.1/",
        "*",
        "/Index.html%20",
    ] {
        let got = served.get(target);
        assert_eq!(
            (got.status(), got.header("Content-Type")),
            (404, "text/plain; charset=utf-8"),
            "{target}: {}",
            got.head
        );
        assert!(!got.text().contains("secret"), "{target}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT"] {
        let got = served.send(format!("{method} / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"));
        assert_eq!((got.status(), got.header("Allow")), (405, "GET, HEAD"), "{method}");
    }
    for host in ["example.org", "127.0.0.1.example.org", "0.0.0.0", "localhost.", "192.168.0.1:80", ""] {
        assert_eq!(served.send(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")).status(), 403, "{host}");
    }
    for wrong in [
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        "\x16\x03\x01\x02\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "so what?\r\n\r\n",
        &format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "A: b\r\n".repeat(200)),
    ] {
        assert_eq!(served.send(wrong).status(), 400, "{wrong}");
    }
    assert_eq!(served.send(format!("GET /{} HTTP/1.1\r\n", "a".repeat(20_000))).status(), 431);
    assert_eq!(served.get("/").status(), 200);
}

#[test]
fn slow_and_broken_clients_do_not_block_others() {
    let place = place();
    write_page(&place);
    place.write("page/large.wasm", vec![7; LARGE]);
    let served = Served::new(&place, "");
    // The server waits ten seconds for each silent client. If it had only a few threads, the next client would wait
    // longer than `HANG`.
    let mut others: Vec<TcpStream> = (0..120).map(|_| served.connect()).collect();
    for nth in 0..60 {
        let mut other = served.connect();
        match nth % 4 {
            0 => {}
            1 => other.write_all(b"GET / HT").unwrap(),
            2 => other.write_all(b"GET /large.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap(),
            _ => {
                other.write_all(b"GET /large.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
                drop(other);
                continue;
            }
        }
        others.push(other);
    }
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(served.get("/app.js").text(), "app.js"));
        }
    });
    assert_eq!(served.get("/large.wasm").body.len(), LARGE);
}

#[test]
fn the_page_opens_with_a_map() {
    let place = place_with_ring();
    write_page(&place);
    let served = Served::new(
        &place,
        "ring.map --scen ring.map.scen --from 0,0 --to 3,2 --planner jps:prune=gates --movement octile",
    );
    assert_eq!(served.query(), "map=open/ring.map&scen=open/ring.map.scen&from=0,0&to=3,2&planner=jps:prune%3Dgates");
    let got = served.get("/open/ring.map");
    assert_eq!((got.status(), got.header("Content-Type"), got.text()), (200, "text/plain; charset=utf-8", RING));
    assert_eq!(served.get("/open/ring.map.scen").text(), place.read("ring.map.scen"));
    assert_eq!(served.get("/ring.map").status(), 404);
    // Reloading the page shows the current map.
    place.write("ring.map", "changed");
    assert_eq!(served.get("/open/ring.map").text(), "changed");
    fs::remove_file(place.path("ring.map")).unwrap();
    assert_eq!(served.get("/open/ring.map").status(), 404);
}

#[test]
fn files_of_a_map_are_found_beside_it() {
    let place = place_with_ring();
    write_page(&place);
    fs::create_dir_all(place.path("maps/images")).unwrap();
    place.write("maps/images/room.pgm", b"P5\n3 1\n255\n\xfe\xcd\x00");
    place.write("maps/room.yaml", "image: images/room.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n");
    let served = Served::new(&place, "maps/room.yaml --unknown free --movement tile");
    assert_eq!(served.query(), "map=open/room.yaml&image=open/room.pgm&unknown=free&movement=tile");
    let got = served.get("/open/room.pgm");
    assert_eq!(
        (got.header("Content-Type"), &got.body[..]),
        ("image/x-portable-graymap", &b"P5\n3 1\n255\n\xfe\xcd\x00"[..])
    );
    let served = Served::new(&place, "maps/room.yaml --prices occupancy --convention enter");
    assert_eq!(served.query(), "map=open/room.yaml&image=open/room.pgm&prices=occupancy&convention=enter");
    // A scenario names its map.
    let served = Served::new(&place, "--scen ring.map.scen");
    assert_eq!(served.query(), "map=open/ring.map&scen=open/ring.map.scen");
    // Names with special characters of addresses, and two files of the same name.
    place.write("maps/a%2e&b=1 #ü.txt", ".~\n");
    place.write("a%2e&b=1 #ü.txt", ". 1\n~ 3\n");
    let mut command = place.command("play --dir page --no-open");
    let served = Served::spawn(command.args(["maps/a%2e&b=1 #ü.txt", "--prices", "a%2e&b=1 #ü.txt"]));
    let name = "a%25252e%2526b%253D1%2520%2523%25C3%25BC.txt";
    assert_eq!(served.query(), format!("map=open/{name}&prices=open/2/{name}"));
    let name = name.replace("%25", "%");
    assert_eq!(served.get(&format!("/open/{name}")).text(), ".~\n");
    assert_eq!(served.get(&format!("/open/2/{name}")).text(), ". 1\n~ 3\n");
}

#[test]
fn a_map_comes_through_a_pipe() {
    let place = place();
    write_page(&place);
    for (map, name) in
        [(RING.as_bytes(), "stdin.map"), (b"..@\n", "stdin.txt"), (b"P5\n3 1\n255\n\xfe\xcd\x00", "stdin.pgm")]
    {
        place.write("input", map);
        let input = fs::File::open(place.path("input")).unwrap();
        let served = Served::spawn(place.command("play - --dir page --no-open").stdin(input));
        assert_eq!(served.query(), format!("map=open/{name}"));
        assert_eq!(served.get(&format!("/open/{name}")).body, map);
    }
}

#[test]
fn errors_are_reported_before_anything_is_served() {
    let place = place_with_ring();
    write_page(&place);
    place.write("bad.map", "type octile\nheight 3\n");
    place.write("far.scen", "version 1\n0\tring.map\t6\t3\t0\t0\t9\t9\t5\n");
    for (args, message) in [
        ("nowhere.map", "nowhere.map: no such file"),
        ("bad.map", "bad.map: the header has no `map` line"),
        ("ring.map.scen", "is a scenario, not a map"),
        ("ring.map --scen nowhere.scen", "nowhere.scen"),
        ("ring.map --scen far.scen", "far.scen, line 2"),
        ("--scen far.scen", "far.scen, line 2"),
        ("ring.map --from 0,0 --to 1,1", "ring.map: goal 1,1 is blocked"),
        ("ring.map --from 0,0", "--to <X,Y>"),
        ("--from 0,0 --to 1,1", "give the map too"),
        ("--unknown free", "there is no map to read with --unknown free"),
        ("ring.map --planner jsp", "did you mean `jps`?"),
        ("ring.map --planner corner-sweep --movement tile", "ring.map: "),
        ("ring.map --planner cpd:index=a.octx", "leave out the key index"),
        ("ring.map --convention enter", "ring.map has no prices"),
        ("ring.map --prices nowhere.prices", "nowhere.prices"),
        ("--port 65536", "65536"),
        ("--dir nowhere", "cannot serve the folder nowhere"),
        ("--dir .", ". does not contain the page: it has no index.html; make it with `tools/playground build .`"),
    ] {
        let dir = if args.contains("--dir") { "" } else { "--dir page" };
        place.octile(&format!("play --no-open {dir} {args}")).exits(2).says(message);
    }
    fs::remove_file(place.path("page/octile/octile.js")).unwrap();
    place.octile("play --no-open --dir page").exits(2).says("it has no octile/octile.js");
}

#[test]
fn a_program_without_the_page_says_where_to_get_it() {
    let place = place_with_ring();
    if cfg!(feature = "playground") {
        let served = Served::spawn(&mut place.command("play --no-open ring.map"));
        assert_eq!(served.get("/").header("Content-Type"), "text/html; charset=utf-8");
        assert_eq!(served.get("/octile/octile_bg.wasm").header("Content-Type"), "application/wasm");
        assert_eq!(served.get("/open/ring.map").text(), RING);
        assert_eq!(served.get("/tests/").status(), 404);
    } else {
        place.octile("play --no-open").exits(2).says("`tools/playground build DIR`").says("`octile play --dir DIR`");
    }
}

#[test]
fn a_port_in_use_is_refused() {
    let place = place();
    write_page(&place);
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    place
        .octile(&format!("play --dir page --no-open --port {port}"))
        .exits(2)
        .says(&format!("port {port} is in use: choose another"));
    drop(taken);
    // Another process may take the port first.
    let args = format!("play --dir page --no-open --port {port}");
    match Served::try_spawn(place.command(&args).stdin(Stdio::null())) {
        Ok(served) => assert_eq!(served.port(), port),
        Err(said) => assert!(said.contains("is in use"), "{said}"),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_browser_the_address_is_printed() {
    let place = place();
    write_page(&place);
    let mut served = Served::spawn(place.command("play --dir page").env("PATH", place.path("")));
    assert_eq!(served.get("/").status(), 200);
    let lines: Vec<String> =
        BufReader::new(served.child.stderr.take().unwrap()).lines().take(2).map(Result::unwrap).collect();
    assert!(lines[0].starts_with("octile: the page in ") && lines[0].ends_with("until Ctrl-C"), "{lines:?}");
    assert_eq!(lines[1], "octile: note: no browser could be opened: open the address yourself");
}

#[cfg(target_os = "linux")]
#[test]
fn the_browser_gets_the_address() {
    use std::os::unix::fs::PermissionsExt;
    let place = place_with_ring();
    write_page(&place);
    fs::create_dir(place.path("bin")).unwrap();
    place.write("bin/xdg-open", "#!/bin/sh\necho \"$1\" > opened.part && mv opened.part opened\n");
    fs::set_permissions(place.path("bin/xdg-open"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", place.path("bin").display());
    let served = Served::spawn(place.command("play ring.map --dir page").env("PATH", path));
    wait_until("the browser is opened", || place.path("opened").exists());
    assert_eq!(place.read("opened").trim_end(), served.address);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_with_code_0_and_leaves_nothing() {
    use crate::interrupts::signals;
    let place = place_with_ring();
    write_page(&place);
    place.write("page/large.wasm", vec![7; LARGE]);
    for signal in signals() {
        let mut served = Served::new(&place, "ring.map");
        // Clients do not delay the end: one has sent half a request, and one reads its answer slowly.
        let [mut silent, mut slow] = [(); 2].map(|()| served.connect());
        silent.write_all(b"GET / HT").unwrap();
        slow.write_all(b"GET /large.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let (mut polls, mut taken, mut piece) = (0, 0, vec![0; LARGE / 256]);
        slow.read_exact(&mut piece[..1]).unwrap();
        rustix::process::kill_process(rustix::process::Pid::from_child(&served.child), signal).unwrap();
        wait_until("the server ends", || {
            polls += 1;
            // A server that waited for this client would send the whole file.
            if polls % 100 == 0 {
                taken += slow.read(&mut piece).unwrap_or_default();
            }
            served.child.try_wait().unwrap().is_some()
        });
        assert_eq!(served.child.wait().unwrap().code(), Some(0), "{signal:?}");
        let mut rest = Vec::new();
        // An error means the same as the end: the connection is closed.
        let _ = slow.read_to_end(&mut rest);
        assert!(taken + rest.len() < LARGE, "{signal:?}: the server waited for its clients");
        assert!(TcpStream::connect((Ipv4Addr::LOCALHOST, served.port())).is_err());
        let mut rest = String::new();
        served.child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "it prints only the address");
    }
    assert_eq!(place.names(), ["page", "ring.map", "ring.map.scen"]);
}

/// More bytes than the system buffers for a client that does not read.
const LARGE: usize = 32 << 20;

/// A server that sends nothing for this long hangs.
const HANG: Duration = Duration::from_mins(1);
