// A browser for the tests: serves the page and the package beside it, from this machine to itself.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const PAGE = fileURLToPath(new URL("..", import.meta.url));
const PACKAGE = process.env.OCTILE_PACKAGE ?? fileURLToPath(new URL("../../bindings/js/dist", import.meta.url));
const BROWSER = process.env.OCTILE_BROWSER ?? "/usr/bin/chromium";
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/**
 * After this many milliseconds a test or a wait is taken to hang. A guard and nothing else: no test may depend on how soon something
 * happens.
 */
export const WATCHDOG = 300_000;

/**
 * Serves the playground, with the package under /octile/, and other files beside them, by the path that is asked for. `requests` has all that were.
 * @param {Record<string, string>} [files] @returns {Promise<{url: string, requests: string[], close(): void}>}
 */
export async function serve(files = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    requests.push(request.url);
    if (Object.hasOwn(files, request.url)) return response.end(files[request.url]);
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const file = path.startsWith("/octile/")
      ? join(PACKAGE, path.slice("/octile/".length))
      : join(PAGE, path.endsWith("/") ? `${path}index.html` : path);
    try {
      const content = await readFile(file);
      response.writeHead(200, {
        "content-type": TYPES[extname(file)] ?? "application/octet-stream",
        "cache-control": "no-store",
      });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, requests, close: () => server.close() };
}

/** @returns {Promise<import("playwright-core").Browser>} */
export function launch() {
  return chromium.launch({ executablePath: BROWSER, args: ARGUMENTS });
}

/**
 * The page, with all that it complains about in `complaints`.
 * @param {import("playwright-core").Browser} browser @param {string} url
 */
export async function openPage(browser, url, { ready = true, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(WATCHDOG);
  await context.addInitScript(keepToasts);
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(url);
  if (ready) await untilReady(page);
  return { page, context, complaints };
}

/** In the page: keeps what toasts say, which vanish after some seconds, in `toastsSeen`. */
function keepToasts() {
  globalThis.toastsSeen = [];
  const note = (node) =>
    node.matches?.(".toast") &&
    toastsSeen.push({ text: node.querySelector("span").textContent, isError: node.matches(".is-error") });
  new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(note))).observe(document, {
    childList: true,
    subtree: true,
  });
}

export async function untilReady(page) {
  await page.waitForFunction(() => globalThis.octilePlayground);
  await page.evaluate(() => octilePlayground.ready);
  await untilAnswered(page);
}

/** Until every lane has an answer or says why not, to all that was asked so far. */
export async function untilAnswered(page) {
  await page.waitForFunction(() =>
    octilePlayground.app.lanes.every((lane) => lane.isAtRest && (lane.answer || lane.problem)),
  );
}

/** Until the page has drawn `count` more frames. */
export function frames(page, count) {
  return page.evaluate(async (count) => {
    for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame);
  }, count);
}
