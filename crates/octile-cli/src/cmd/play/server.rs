//! The web server of the page: it serves files to browsers on this machine only.
//!
//! Every connection has its own thread and serves one request. A client has [`PATIENCE`] to send the request, and as
//! long to take each piece of the answer; there are at most [`MAX_CLIENTS`] at a time, so that a slow, broken or
//! malicious client cannot block the others for long.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use percent_encoding::percent_decode_str;

use super::opened::Opened;
use super::page::Page;

/// The time that a client may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The maximum number of connections at a time. A browser opens a handful.
const MAX_CLIENTS: usize = 256;

/// The maximum size of a request in bytes. Ours have a few hundred.
const MAX_BYTES: usize = 16 << 10;

/// The maximum number of headers in a request. Browsers send about twenty.
const MAX_HEADERS: usize = 64;

/// The headers of every answer.
///
/// The page loads only from this server and talks to no other; isolated from other pages, it gets the finer clocks that
/// browsers give to such pages. Files may change between requests, so nothing is cached.
const HEADERS: &str = "\
    Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
    worker-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Embedder-Policy: require-corp\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Referrer-Policy: no-referrer\r\n\
    Cache-Control: no-store\r\n\
    Connection: close\r\n";

/// The content that is served.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) page: Page,
    pub(super) opened: Opened,
}

/// Serves until the process ends.
pub(super) fn serve(listener: &TcpListener, site: Site) -> ! {
    let site = Arc::new(site);
    loop {
        // `accept` fails if a client has already gone, or if too many files are open: finished clients close theirs.
        let Ok((client, _)) = listener.accept() else {
            thread::sleep(Duration::from_millis(20));
            continue;
        };
        // Close the connection if there are too many clients or no thread.
        if Arc::strong_count(&site) > MAX_CLIENTS {
            continue;
        }
        let site = Arc::clone(&site);
        let _ = thread::Builder::new().name("client".to_owned()).spawn(move || {
            // If a client has gone away or is too slow, there is nobody to tell.
            let _ = converse(client, &site);
        });
    }
}

/// Reads one request and sends one answer.
fn converse(mut client: TcpStream, site: &Site) -> io::Result<()> {
    client.set_write_timeout(Some(PATIENCE))?;
    let (reply, is_head) = match Request::read(&mut client)? {
        Ok(request) => (site.reply(&request), request.method == "HEAD"),
        Err(fault) => (fault, false),
    };
    client.write_all(reply.head().as_bytes())?;
    if !is_head {
        client.write_all(&reply.body)?;
    }
    hang_up(client)
}

/// Closes a connection. Unread input from the client would make the system drop the answer before the client reads it.
fn hang_up(mut client: TcpStream) -> io::Result<()> {
    client.shutdown(Shutdown::Write)?;
    client.set_read_timeout(Some(Duration::from_secs(1)))?;
    let (end, mut bytes) = (Instant::now() + Duration::from_secs(2), [0; 4096]);
    while Instant::now() < end && client.read(&mut bytes)? > 0 {}
    Ok(())
}

/// A request.
#[derive(Debug)]
struct Request {
    method: String,
    target: String,
    hosts: Vec<String>,
}

impl Request {
    /// Reads a request, within [`PATIENCE`] and [`MAX_BYTES`], or returns the reply that says what is wrong.
    fn read(client: &mut TcpStream) -> io::Result<Result<Self, Reply>> {
        let end = Instant::now() + PATIENCE;
        let (mut bytes, mut piece) = (Vec::new(), [0; 2048]);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(ErrorKind::TimedOut.into());
            }
            client.set_read_timeout(Some(left))?;
            let read = client.read(&mut piece)?;
            if read == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            bytes.extend_from_slice(&piece[..read]);
            match Self::parse(&bytes) {
                Ok(None) if bytes.len() < MAX_BYTES => {}
                Ok(None) => {
                    return Ok(Err(Reply::fault("431 Request Header Fields Too Large", "the request is too long")));
                }
                Ok(Some(request)) => return Ok(Ok(request)),
                Err(fault) => return Ok(Err(fault)),
            }
        }
    }

    /// Parses a request; `None` if it is not complete yet.
    fn parse(bytes: &[u8]) -> Result<Option<Self>, Reply> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let parsed = request.parse(bytes).map_err(|error| Reply::fault("400 Bad Request", &error.to_string()))?;
        if parsed.is_partial() {
            return Ok(None);
        }
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let hosts = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("host"));
        Ok(Some(Self {
            method: text(request.method),
            target: text(request.path),
            hosts: hosts.map(|host| String::from_utf8_lossy(host.value).into_owned()).collect(),
        }))
    }
}

impl Site {
    fn reply(&self, request: &Request) -> Reply {
        // Refuse a page from elsewhere whose host name was redirected to this machine: it sends its own name.
        match &request.hosts[..] {
            [host] if is_this_machine(host) => {}
            [_] => return Reply::fault("403 Forbidden", "only the hosts 127.0.0.1 and localhost are served"),
            _ => return Reply::fault("400 Bad Request", "expected one Host header"),
        }
        if !matches!(request.method.as_str(), "GET" | "HEAD") {
            return Reply::fault("405 Method Not Allowed", "only GET and HEAD are served");
        }
        self.file(&request.target).unwrap_or_else(|| Reply::fault("404 Not Found", "there is no such file"))
    }

    /// The file for a request target.
    fn file(&self, target: &str) -> Option<Reply> {
        let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
        let path = percent_decode_str(path).decode_utf8().ok()?;
        let path = if path.is_empty() { "index.html" } else { &path };
        if let Some(body) = self.opened.file(path) {
            return Some(Reply { status: "200 OK", kind: kind_of_opened(path), body: body.into() });
        }
        self.page.file(path).map(|body| Reply { status: "200 OK", kind: kind(path), body })
    }
}

/// Whether a Host header names this machine, on any port, since other ports may be forwarded to ours.
fn is_this_machine(host: &str) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port),
        _ => (host, ""),
    };
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    port.bytes().all(|byte| byte.is_ascii_digit())
        && (name.eq_ignore_ascii_case("localhost")
            || address.parse().is_ok_and(|address: IpAddr| address.is_loopback()))
}

/// An answer to a request.
#[derive(Debug)]
struct Reply {
    status: &'static str,
    kind: &'static str,
    body: Cow<'static, [u8]>,
}

impl Reply {
    fn fault(status: &'static str, reason: &str) -> Self {
        Self { status, kind: TEXT, body: format!("{status}: {reason}\n").into_bytes().into() }
    }

    /// The status line and the headers.
    fn head(&self) -> String {
        let Self { status, kind, body } = self;
        let mut head =
            format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{HEADERS}", body.len());
        if status.starts_with("405") {
            let _ = write!(head, "Allow: GET, HEAD\r\n");
        }
        head + "\r\n"
    }
}

const TEXT: &str = "text/plain; charset=utf-8";

/// The media type of a file of the page, by its ending. Browsers refuse scripts and WebAssembly of other types.
fn kind(path: &str) -> &'static str {
    match ending(path) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "gif" => "image/gif",
        "ico" => "image/x-icon",
        "pgm" => "image/x-portable-graymap",
        "woff2" => "font/woff2",
        "txt" | "map" | "scen" | "yaml" | "yml" | "prices" => TEXT,
        _ => "application/octet-stream",
    }
}

/// The media type of a file of the user: a browser must not treat it as a page or a script.
fn kind_of_opened(path: &str) -> &'static str {
    if matches!(ending(path), "png" | "pgm") { kind(path) } else { TEXT }
}

fn ending(path: &str) -> &str {
    path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, ending)| ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_accepted() {
        for host in ["127.0.0.1", "127.0.0.1:8080", "localhost", "LocalHost:1", "[::1]", "[::1]:80", "127.1.2.3:4"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "example.org:80",
            "localhost.example.org",
            "127.0.0.1.example.org",
            "10.0.0.1",
            "0.0.0.0:80",
            "[::2]:80",
            "localhost:x",
            "a@localhost",
            "[localhost]",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }

    #[test]
    fn a_request_is_parsed_once_it_is_complete() {
        let text = b"GET /a?b HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n";
        for length in 1..text.len() {
            assert!(Request::parse(&text[..length]).unwrap().is_none(), "{length}");
        }
        let request = Request::parse(text).unwrap().unwrap();
        assert_eq!(
            (request.method.as_str(), request.target.as_str(), &request.hosts[..]),
            ("GET", "/a?b", &["localhost".to_owned()][..])
        );
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(MAX_HEADERS + 1));
        for wrong in ["\x16\x03\x01\x02", "GET\r\n\r\n", "GET / HTTP/9\r\n\r\n", &many] {
            assert_eq!(Request::parse(wrong.as_bytes()).unwrap_err().status, "400 Bad Request", "{wrong}");
        }
    }

    #[test]
    fn media_types_depend_on_the_ending() {
        assert_eq!(kind("a.b/index.html"), "text/html; charset=utf-8");
        assert_eq!(kind("octile/octile_bg.wasm"), "application/wasm");
        assert_eq!((kind("a.js/b"), kind("LICENSE")), ("application/octet-stream", "application/octet-stream"));
        assert_eq!((kind_of_opened("open/a.html"), kind_of_opened("open/a.png")), (TEXT, "image/png"));
    }
}
