import type { IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createConsoleServer } from "./console-server";
import { makeGate } from "./gate";

let seen: IncomingMessage | undefined;
const unused = () => Promise.reject(new Error("the gate answers nothing that it passes on"));
const server = createConsoleServer(
  (request, response) => {
    seen = request;
    response.end("passed");
  },
  { gate: makeGate({ below: { "/compat/other/": unused } }) },
);
let port: number;

beforeAll(async () => {
  await server.listen(0, "127.0.0.1");
  port = (server.http.address() as AddressInfo).port;
});
afterAll(() => void server.http.close());

/** Sends the lines of a head as they are. @returns the status, and the code of a problem */
async function ask(...lines: string[]) {
  seen = undefined;
  const socket = connect(port, "127.0.0.1");
  socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  const code: string | undefined = body.startsWith("{") ? JSON.parse(body).code : undefined;
  return { status: Number(head.slice(9, 12)), code, head };
}

const HOST = "Host: localhost:3000";
const repeated = (count: number, one: (index: number) => string) => Array.from({ length: count }, (_, i) => one(i));
const get = (target: string, ...headers: string[]) => ask(`GET ${target} HTTP/1.1`, HOST, ...headers);

describe("a request is refused before any work is done for it", () => {
  const invalid = { status: 400, code: "invalid_request" };
  const tooLarge = { status: 431, code: "headers_too_large" };

  it.each([
    ["a path of the API that cannot be decoded", "GET /api/auth/%zz HTTP/1.1"],
    ["one that is no UTF-8", "GET /api/%ff HTTP/1.1"],
    ["one behind several slashes", "GET //api/%ff HTTP/1.1"],
    ["one behind backslashes", "GET /\\\\api\\%ff HTTP/1.1"],
    ["one behind dot segments", "GET /x/../api/%ff HTTP/1.1"],
    ["one behind an encoded dot segment", "GET /%2e/api/%ff HTTP/1.1"],
    ["no path", "GET * HTTP/1.1"],
    ["no path, about the server", "OPTIONS * HTTP/1.1"],
    ["an address of another scheme", "GET ftp://localhost/x HTTP/1.1"],
    ["an address that is none", "GET http:// HTTP/1.1"],
    ["401 query parameters", `GET /?${repeated(401, () => "a").join("&")} HTTP/1.1`],
    ["401 query parameters behind a second question mark", `GET /?a?${repeated(401, () => "a").join("&")} HTTP/1.1`],
  ])("with %s", async (_what, line) => {
    expect(await ask(line, HOST)).toMatchObject(invalid);
    expect(seen).toBeUndefined();
  });

  it("with a state of Next's router that cannot be parsed", async () => {
    for (const state of ["%5B".repeat(4_000), "", "{}"]) {
      expect(await get("/", "RSC: 1", `Next-Router-State-Tree: ${state}`)).toMatchObject(invalid);
      expect(seen).toBeUndefined();
    }
    const state = encodeURIComponent(JSON.stringify(["", { children: ["__PAGE__", {}] }]));
    expect(await get("/", "RSC: 1", `Next-Router-State-Tree: ${state}`)).toMatchObject({ status: 200 });
  });

  it("for a page that Next renders ahead of its requests", async () => {
    for (const value of ["2", "3", "x", ""]) {
      expect(await get("/", "RSC: 1", `Next-Router-Prefetch: ${value}`)).toMatchObject(invalid);
      expect(seen).toBeUndefined();
    }
    expect(await get("/", "RSC: 1", "Next-Router-Prefetch: 1")).toMatchObject({ status: 200 });
  });

  it("to connect to another server", async () => {
    const { status, code, head } = await ask("CONNECT example.com:443 HTTP/1.1", HOST);
    expect([status, code]).toEqual([405, "method_not_allowed"]);
    expect(head).toContain("\r\nallow: GET, HEAD\r\n");
    expect(head).toContain("\r\nConnection: close\r\n".toLowerCase());
  });

  it("without a host", async () => {
    expect(await ask("GET / HTTP/1.1")).toMatchObject(invalid);
    expect(await ask("GET / HTTP/1.0")).toMatchObject({ status: 200 });
  });

  it("with more than 100 headers", async () => {
    const headers = (count: number) => repeated(count - 2, (index) => `X-${index}: 1`);
    expect(await get("/", ...headers(101))).toMatchObject(tooLarge);
    expect(seen).toBeUndefined();
    expect(await get("/", ...headers(100))).toMatchObject({ status: 200 });
  });

  it("with more than 200 cookies, in one header or in several", async () => {
    const cookies = (count: number) => repeated(count, (index) => `c${index}=1`);
    expect(await get("/", `Cookie: ${cookies(201).join("; ")}`)).toMatchObject(tooLarge);
    const halves = [cookies(150), cookies(51)].map((half) => `Cookie: ${half.join("; ")}`);
    expect(await get("/", ...halves)).toMatchObject(tooLarge);
    expect(seen).toBeUndefined();
    expect(await get("/", `Cookie: ${cookies(200).join("; ")}`)).toMatchObject({ status: 200 });
  });

  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])("to a page with %s", async (method) => {
    for (const path of ["/", "/home", "/favicon.ico", "/_next/static/x.js", "/apix"]) {
      const { head, ...answer } = await ask(`${method} ${path} HTTP/1.1`, HOST, "Next-Action: x", "Content-Length: 0");
      expect(answer).toEqual({ status: 405, code: "method_not_allowed" });
      expect(head).toContain("\r\nallow: GET, HEAD\r\n");
    }
    expect(seen).toBeUndefined();
    expect(await ask(`${method} /api/x HTTP/1.1`, HOST)).toMatchObject({ status: 200 });
  });
});

describe("a request goes on", () => {
  it("with 400 query parameters, also malformed ones", async () => {
    expect(await get(`/api/x?${repeated(400, () => "%zz").join("&")}`)).toMatchObject({ status: 200 });
  });

  it("with a page's path that cannot be decoded, which is not there", async () => {
    expect(await get("/%zz")).toMatchObject({ status: 200 });
  });

  it("by its path and its host where it names the whole address", async () => {
    expect(await get("http://console.example:8080/api/x?a=%20b")).toMatchObject({ status: 200 });
    expect(seen).toMatchObject({ url: "/api/x?a=%20b", headers: { host: "console.example:8080" } });
  });
});

it("an instance that waits for its database or store answers nothing but health checks", () => {
  const { refusal } = makeGate({ below: {} }, { isWaiting: () => true });
  const answerTo = (url: string) => refusal({ url, method: "GET", headers: { host: "x" }, rawHeaders: [] } as never);
  for (const path of ["/api/health/live", "/api/health/ready", "/api/health/ready?verbose"]) {
    expect(answerTo(path)).toBeNull();
  }
  for (const path of ["/", "/api/config/get-app-config", "/api/health/other"]) {
    const answer = answerTo(path);
    expect([path, answer?.status, answer?.headers.get("retry-after")]).toEqual([path, 503, "5"]);
  }
});
