import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { baseUrl } from "../testing/environment.ts";
import { expect, consoleTest as test } from "./fixtures/test";

// What the console answers before a route is called, tested at the socket without a browser.

const PROMISED = {
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": expect.stringContaining("camera=()"),
  "referrer-policy": expect.any(String),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
  "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
};

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

async function open(beginning: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl());
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).on("error", () => {});
  await once(socket, "connect");
  socket.write(beginning);
  return socket;
}

function parse(raw: string): Answer {
  const [head = "", ...body] = raw.split("\r\n\r\n");
  const lines = head.split("\r\n").slice(1);
  const headers = Object.fromEntries(new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string])));
  return { status: Number(head.slice(9, 12)), headers, body: body.join("\r\n\r\n") };
}

/** Sends these lines as a request, unchanged, and reads until the server closes. */
async function ask(...lines: string[]): Promise<Answer> {
  return parse(await text(await open(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`)));
}

const host = () => `Host: ${new URL(baseUrl()).host}`;
const get = (target: string, ...headers: string[]) => ask(`GET ${target} HTTP/1.1`, host(), ...headers);

for (const path of ["/", "/docs", "/docs/nothing", "/api/docs"]) {
  test(`${path} is a page with a policy of its own`, async () => {
    const { headers, body } = await get(path);
    expect(headers).toMatchObject({ ...PROMISED, "content-type": "text/html; charset=utf-8" });
    const [, nonce] = /script-src 'self' 'nonce-([\w+/=]+)'/.exec(headers["content-security-policy"] ?? "") ?? [];
    expect(body).toContain(`nonce="${nonce}"`);
  });
}

test("the page for testers is in the language of the reader, or in English if the console does not speak it", async () => {
  for (const [asked, language] of [
    ["de-AT, en;q=0.5", "de"],
    ["ja", "en"],
  ]) {
    const { status, body } = await get("/docs/testers", `Accept-Language: ${asked}`);
    expect([asked, status]).toEqual([asked, 200]);
    expect(body).toContain(`<article lang="${language}"`);
  }
});

for (const path of [
  "/nothing",
  "/brandx",
  "/robots.txt",
  "/favicon.icox",
  "/_next/data/x/y.json",
  "/platforms/nothing",
  "/_next/nothing",
  "/_next/image?url=%2Ffavicon.ico&w=64&q=75",
  "/%zz",
  "/docs/%zz",
  "/_global-error",
]) {
  test(`${path} is answered 404 with a page that has no script`, async () => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(404);
    expect(headers).toMatchObject({ ...PROMISED, "content-type": "text/html; charset=utf-8" });
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(body).not.toContain("<script");
  });
}

for (const [path, status, type] of [
  ["/favicon.ico", 200, "image/x-icon"],
  ["/sw.js", 200, "application/javascript; charset=UTF-8"],
  ["/manifest.webmanifest", 200, "application/manifest+json"],
  ["/_next/static/nothing.js", 404, "text/plain; charset=utf-8"],
  ["//nothing", 308, undefined],
  ["/home", 307, undefined],
  ["/api", 404, "application/problem+json"],
  ["/api/nothing", 404, "application/problem+json"],
  ["/api/health/live", 200, "application/json"],
] as const) {
  test(`${path} is answered ${status} with what every answer promises`, async () => {
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(PROMISED);
    if (type !== undefined) expect(answer.headers["content-type"]).toBe(type);
  });
}

test("a URL with a one-time token is sent to nobody as referrer", async () => {
  for (const path of ["/setup?token=x", "/reset-password?token=x"]) {
    expect((await get(path)).headers).toMatchObject({ "referrer-policy": "no-referrer" });
  }
});

test("malformed requests are answered with problems, not with server errors", async ({ server }) => {
  for (const [lines, status, code] of [
    [[`GET /api/auth/%zz HTTP/1.1`, host()], 400, "invalid_request"],
    [[`GET /api/%ff HTTP/1.1`, host()], 400, "invalid_request"],
    [[`GET * HTTP/1.1`, host()], 400, "invalid_request"],
    [[`OPTIONS * HTTP/1.1`, host()], 400, "invalid_request"],
    [[`GET / HTTP/1.1`], 400, "invalid_request"],
    [[`GET /?${"&a".repeat(7_000)} HTTP/1.1`, host()], 400, "invalid_request"],
    [[`GET / HTTP/1.1`, host(), `X: ${"x".repeat(17_000)}`], 431, "headers_too_large"],
    [["GARBAGE"], 400, "invalid_request"],
  ] as const) {
    const answer = await ask(...lines);
    expect(answer.status, lines[0]).toBe(status);
    expect(answer.headers).toMatchObject({ ...PROMISED, "content-type": "application/problem+json" });
    expect(JSON.parse(answer.body)).toMatchObject({ status, code, requestId: answer.headers["x-request-id"] });
  }
  expect(server.log()).not.toMatch(/ERR_INVALID_URL|Invalid URL|URIError|DecodeError/);
});

test("a request with an absolute URL is answered like any other", async () => {
  const answer = await get(`${baseUrl()}/api/health/live`);
  expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('{"status":"live"}')]);
});

test("conditional and range requests work for static files", async () => {
  const whole = await fetch(`${baseUrl()}/favicon.ico`);
  const etag = whole.headers.get("etag") ?? "";
  const size = (await whole.arrayBuffer()).byteLength;
  const status = async (...headers: string[]) => (await get("/favicon.ico", ...headers)).status;
  expect(await status("Range: bytes=0-9")).toBe(206);
  expect((await get("/favicon.ico", `Range: bytes=${size}-`)).headers).toMatchObject({
    ...PROMISED,
    "content-range": `bytes */${size}`,
  });
  expect(await status(`Range: bytes=${size}-`)).toBe(416);
  expect(await status(`Range: bytes=${size}-,${size + 1}-`)).toBe(200);
  expect(await status(`If-Match: ${etag}`)).toBe(200);
  expect(await status('If-Match: "another"')).toBe(412);
  expect(await status("If-Unmodified-Since: Mon, 01 Jan 2001 00:00:00 GMT")).toBe(412);
  expect(await status(`If-None-Match: ${etag}`)).toBe(304);
});

test("scripts are sent in Brotli to clients that accept it, otherwise in gzip, and are stored for a year", async () => {
  const [, script] = /src="(\/_next\/static\/[^"]+\.js)"/.exec((await get("/")).body) ?? [];
  const head = async (accepted: string) =>
    (await ask(`HEAD ${script} HTTP/1.1`, host(), `Accept-Encoding: ${accepted}`)).headers;
  const inBrotli = await head("gzip, deflate, br, zstd");
  const inGzip = await head("gzip");
  const plain = await head("identity");
  expect([inBrotli["content-encoding"], inGzip["content-encoding"], plain["content-encoding"]]).toEqual([
    "br",
    "gzip",
    undefined,
  ]);
  const [brotli, gzip, whole] = [inBrotli, inGzip, plain].map((headers) => Number(headers["content-length"]));
  expect(brotli).toBeLessThan(gzip as number);
  expect(gzip).toBeLessThan(whole as number);
  expect(inBrotli).toMatchObject({
    ...PROMISED,
    vary: "Accept-Encoding",
    "cache-control": expect.stringMatching("immutable"),
  });
  const known = await get(`${script}`, "Accept-Encoding: br", `If-None-Match: ${inBrotli.etag}`);
  expect([known.status, known.body]).toEqual([304, ""]);
});

test("a page accepts no body and rejects one at once", async () => {
  for (const headers of [["Content-Type: text/plain"], ["Next-Action: 40", "Content-Type: multipart/form-data"]]) {
    const socket = await open(
      [`POST / HTTP/1.1`, host(), ...headers, "Transfer-Encoding: chunked", "", ""].join("\r\n"),
    );
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1.1 405 [\s\S]+\r\nallow: GET, HEAD\r\n/);
    socket.destroy();
  }
});

test("an upload that is rejected early gets the whole answer before the body ends, and then the connection is closed", async () => {
  const size = 4 * 1024 * 1024;
  const socket = await open(
    [
      "POST /api/apps/create-testing-deploy HTTP/1.1",
      host(),
      "Authorization: Bearer slw_x",
      "Accept-Encoding: gzip",
      "Content-Type: multipart/form-data; boundary=B",
      `Content-Length: ${size}`,
      "",
      "",
    ].join("\r\n"),
  );
  let raw = "";
  const ended = once(socket, "end");
  await new Promise<void>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      raw += chunk.toString();
      const { headers, body } = parse(raw);
      if (body !== "" && Buffer.byteLength(body) === Number(headers["content-length"])) resolve();
    });
  });
  const { status, headers, body } = parse(raw);
  expect(status).toBe(401);
  expect(headers).toMatchObject({ ...PROMISED, connection: "close" });
  expect(JSON.parse(body)).toMatchObject({ code: "invalid_token" });
  // What is still sent is read: the connection is not reset.
  socket.end(Buffer.alloc(size));
  await ended;
});

test("a client with Expect: 100-continue is rejected before it sends its body", async () => {
  const lines = (authorization: string) => [
    "POST /api/apps/create-testing-deploy HTTP/1.1",
    host(),
    authorization,
    "Expect: 100-continue",
    "Content-Type: multipart/form-data; boundary=B",
    "Content-Length: 1000000",
    "",
    "",
  ];
  const socket = await open(lines("Authorization: Bearer slw_x").join("\r\n"));
  expect(((await once(socket, "data")) as [Buffer])[0].toString()).toMatch(/^HTTP\/1.1 401 /);
  socket.destroy();
});

test("an upgrade to another protocol is ignored, and the request is answered over HTTP/1.1", async () => {
  for (const [path, protocol, status] of [
    ["/api/health/live", "h2c", 200],
    ["/_next/webpack-hmr", "websocket", 404],
    ["/_next/hmr", "websocket", 404],
  ]) {
    const socket = await open(
      [`GET ${path} HTTP/1.1`, host(), "Connection: Upgrade", `Upgrade: ${protocol}`, "", ""].join("\r\n"),
    );
    expect(((await once(socket, "data")) as [Buffer])[0].toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    socket.destroy();
  }
});

test("curl that offers HTTP/2 is answered", async () => {
  const run = promisify(execFile);
  const hasHttp2 = await run("curl", ["--version"]).then(
    ({ stdout }) => /^Features:.* HTTP2/m.test(stdout),
    () => false,
  );
  test.skip(!hasHttp2, "there is no curl with HTTP/2 here");
  const { stdout } = await run("curl", ["--silent", "--http2", `${baseUrl()}/api/health/live`]);
  expect(JSON.parse(stdout)).toEqual({ status: "live" });
});
