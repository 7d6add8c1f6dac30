import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { precompress } from "@/scripts/lib/precompress.mjs";
import { listenerOf } from "./listener";
import { staticFiles } from "./static-files";

const SCRIPT = `console.log("${"Slipway ".repeat(400)}");\n`;
const ICON = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256));

const root = mkdtempSync(join(tmpdir(), "static-files-"));
const server = createServer();

beforeAll(async () => {
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  write(".next/static/chunks/a~b_1.js", SCRIPT);
  write(".next/static/chunks/short.js", "1");
  write(".next/static/media/worker.ts", SCRIPT);
  write(".next/server/secret.js", SCRIPT);
  write("public/favicon.ico", ICON);
  write("public/sw.js", SCRIPT);
  write("public/changing.js", SCRIPT);
  write("public/platforms/an icon.svg", `<svg>${" ".repeat(2000)}</svg>`);
  write("package.json", "{}");
  await precompress(join(root, ".next", "static"));
  await precompress(join(root, "public"));
  const otherwise = () => Promise.reject(new Error("no route"));
  const listener = listenerOf({ byPath: {}, below: {}, otherwise, pages: [] }, { files: staticFiles(root) });
  server.on("request", (request, response) => {
    if (!listener(request, response, () => {})) response.writeHead(418).end("left to Next");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  server.close().closeAllConnections();
  rmSync(root, { recursive: true });
});

/** Sends a request as it is and reads the response without decoding it. */
async function ask(target: string, headers: Record<string, string> = {}, method = "GET") {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const lines = Object.entries({ Host: "localhost", Connection: "close", ...headers });
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.map((line) => `${line.join(": ")}\r\n`).join("")}\r\n`);
  const answer = await buffer(socket);
  const end = answer.indexOf("\r\n\r\n");
  const [, ...fields] = answer.subarray(0, end).toString().split("\r\n");
  return {
    status: Number(answer.subarray(9, 12).toString()),
    headers: Object.fromEntries(fields.map((field) => field.split(/: (.*)/, 2).map((part) => part.toLowerCase()))),
    /** As it was sent: entity tags are case-sensitive. */
    etag: /^etag: (.*)$/im.exec(fields.join("\n"))?.[1] ?? "",
    body: answer.subarray(end + 4),
  };
}

const BUILD_FILE = "/_next/static/chunks/a~b_1.js";

describe("a file of the build", () => {
  it.each([
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5, gzip;q=0.5", "br"],
    ["*", "br"],
    ["gzip, br;q=0", "gzip"],
    ["br;q=0.1, gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["identity", undefined],
    ["br;q=0, gzip;q=0", undefined],
    ["brotli", undefined],
    ["", undefined],
  ])("is sent to a client that accepts %j in the coding %s", async (accepted, coding) => {
    const { status, headers, body } = await ask(BUILD_FILE, { "Accept-Encoding": accepted });
    expect([status, headers["content-encoding"], headers.vary]).toEqual([200, coding, "accept-encoding"]);
    const decode = coding === "br" ? brotliDecompressSync : coding === "gzip" ? gunzipSync : (bytes: Buffer) => bytes;
    expect(decode(body).toString()).toBe(SCRIPT);
    expect(headers).toMatchObject({
      "content-length": String(body.length),
      "content-type": "application/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "accept-ranges": "bytes",
    });
  });

  it("has an entity tag of its own in each coding", async () => {
    const codings = ["br", "gzip", "identity"];
    const answers = await Promise.all(codings.map((coding) => ask(BUILD_FILE, { "Accept-Encoding": coding })));
    const tags = answers.map(({ etag }) => etag);
    expect(new Set(tags).size).toBe(3);
    for (const [index, tag] of tags.entries()) {
      expect(tag).toMatch(/^"[\w-]{22}"$/);
      const ask304 = (coding: string) =>
        ask(BUILD_FILE, { "Accept-Encoding": coding, "If-None-Match": `"x", W/${tag}` });
      const same = await ask304(codings[index] as string);
      expect([same.status, same.etag, same.body.length]).toEqual([304, tag, 0]);
      expect(same.headers).toMatchObject({
        vary: "accept-encoding",
        "cache-control": expect.stringContaining("immutable"),
      });
      expect((await ask304(codings[(index + 1) % 3] as string)).status).toBe(200);
    }
  });

  it("is described to HEAD as it is sent to GET", async () => {
    const headers = { "Accept-Encoding": "br" };
    const [got, asked] = await Promise.all([ask(BUILD_FILE, headers), ask(BUILD_FILE, headers, "HEAD")]);
    expect(asked.body.length).toBe(0);
    expect({ ...asked.headers, date: "" }).toEqual({ ...got.headers, date: "" });
  });

  it("is sent as it is if it has no compressed copy", async () => {
    const { headers, body } = await ask("/_next/static/chunks/short.js", { "Accept-Encoding": "br, gzip" });
    expect([headers["content-encoding"], headers.vary, body.toString()]).toEqual([undefined, undefined, "1"]);
  });

  it("is sent in ranges of the representation that the client accepts", async () => {
    const whole = await ask(BUILD_FILE, { "Accept-Encoding": "br" });
    const part = await ask(BUILD_FILE, { "Accept-Encoding": "br", Range: "bytes=2-9", "If-Range": whole.etag });
    expect([part.status, part.headers["content-range"]]).toEqual([206, `bytes 2-9/${whole.body.length}`]);
    expect(part.headers).toMatchObject({ "content-encoding": "br", "content-length": "8" });
    expect(part.body.equals(whole.body.subarray(2, 10))).toBe(true);
    const other = await ask(BUILD_FILE, { Range: "bytes=2-9", "If-Range": whole.etag });
    expect([other.status, other.body.toString()]).toEqual([200, SCRIPT]);
  });
});

describe("a file of public/", () => {
  it("is checked again at each use", async () => {
    const { status, headers, body } = await ask("/favicon.ico?v=2", { "Accept-Encoding": "br" });
    expect([status, headers["content-type"], body.equals(ICON)]).toEqual([200, "image/x-icon", true]);
    expect(headers["cache-control"]).toBe("public, max-age=0");
    expect(headers).not.toHaveProperty("content-encoding");
    expect((await ask("/sw.js", { "Accept-Encoding": "br" })).headers).toMatchObject({
      "content-encoding": "br",
      "cache-control": "public, max-age=0",
    });
  });

  it("is sent as it is now, without the copies of what it was", async () => {
    const accepted = { "Accept-Encoding": "br" };
    const { etag } = await ask("/changing.js", accepted);
    const later = new Date(Date.now() + 10_000);
    writeFileSync(join(root, "public", "changing.js"), "changed");
    utimesSync(join(root, "public", "changing.js"), later, later);
    const { headers, body } = await ask("/changing.js", { ...accepted, "If-None-Match": etag });
    expect([body.toString(), headers["content-encoding"], headers.vary]).toEqual([
      "changed",
      undefined,
      "accept-encoding",
    ]);
  });

  it.each(["/_next/static/../../favicon.ico", "/%2e%2e/favicon.ico", "/favicon%2eico"])(
    "is found by %s",
    async (path) => {
      expect(await ask(path, { Range: "bytes=99999999-" })).toMatchObject({ status: 416 });
    },
  );

  it("is found by an encoded name", async () => {
    expect((await ask("/platforms/an%20icon.svg")).headers["content-type"]).toBe("image/svg+xml");
  });

  it.each(["bytes=99999999-", "bytes=-0"])("is not there in the range %s", async (range) => {
    const { status, headers } = await ask("/favicon.ico", { Range: range });
    expect([status, headers["content-range"]]).toEqual([416, "bytes */300"]);
  });

  it.each([
    ["If-Match", '"another"'],
    ["If-Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT"],
  ])("does not meet %s: %s", async (name, value) => {
    expect(await ask("/favicon.ico", { [name]: value })).toMatchObject({ status: 412 });
  });

  it("is sent whole where several ranges are wanted, and by a condition that holds", async () => {
    const several = await ask("/favicon.ico", { Range: "bytes=99999998-,99999999-", "If-Match": "*" });
    expect([several.status, several.body.length]).toEqual([200, 300]);
    const { headers } = await ask("/favicon.ico");
    const since = new Date(headers["last-modified"] as string).toUTCString();
    expect((await ask("/favicon.ico", { "If-Modified-Since": since })).status).toBe(304);
  });
});

describe("no file", () => {
  it.each([
    "/",
    "/nope.ico",
    "/platforms",
    "/../package.json",
    "/%2e%2e/package.json",
    "/..%2fpackage.json",
    "/..%5cpackage.json",
    "/_next/static/../server/secret.js",
    "/_next/static/..%2fserver/secret.js",
    "/_next/server/secret.js",
    "/_next/static/chunks/a~b_1.js.br",
    "/_next/static/chunks/a~b_1.js.gz",
    "/_next/static/chunks/",
    "/_next/static/media/worker.ts",
    "//favicon.ico",
    "/favicon.ico/",
    "/favicon.ico%00",
    "/%00",
    "/%zz",
  ])("is answered for %s", async (path) => {
    expect((await ask(path, { "Accept-Encoding": "br" })).status).toBe(418);
  });
});
