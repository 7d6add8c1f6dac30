import { once } from "node:events";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/kernel/log";
import { messageBody } from "../exchange";
import { LINGER_MS, MAX_PIPELINED, MIN_FLOW } from "./connections";
import { type ConsoleServer, createConsoleServer } from "./console-server";
import { makeGate } from "./gate";

const MAX_CONNECTIONS = 40;
/** How often connections are looked at. */
const STEP_MS = 5_000;

let connections: ConsoleServer;
const servers: ConsoleServer[] = [];

beforeAll(() => {
  // The time is what each test says it is.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.destroy();
    server.http.close();
  }
});

async function serve(answer: RequestListener): Promise<{ server: Server; port: number; url: string }> {
  connections = createConsoleServer(answer, {
    hsts: true,
    gate: makeGate({ below: {} }),
    maxConnections: MAX_CONNECTIONS,
  });
  servers.push(connections);
  await connections.listen(0, "127.0.0.1");
  const { port } = connections.http.address() as AddressInfo;
  return { server: connections.http, port, url: `http://127.0.0.1:${port}/api/x` };
}

async function open(port: number, text: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => {});
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

const head = (method: string, headers: Record<string, string | number> = {}, path = "/api/x") =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

/** A server whose requests are not answered, and one request to it as the server sees it. */
async function unanswered(
  text: string,
  begin: (request: IncomingMessage, response: ServerResponse) => void = () => {},
) {
  const begun = Promise.withResolvers<{ request: IncomingMessage; response: ServerResponse }>();
  const { port } = await serve((request, response) => {
    begin(request, response);
    begun.resolve({ request, response });
  });
  const socket = await open(port, text);
  const { request, response } = await begun.promise;
  const closed = once(request.socket, "close");
  const isOpen = () => !request.socket.destroyed;
  return { socket, request, response, closed, isOpen };
}

/** Lets the bytes that a client wrote arrive. */
async function arrived(request: IncomingMessage, bytes: number): Promise<void> {
  await expect.poll(() => request.socket.bytesRead, { interval: 1 }).toBeGreaterThanOrEqual(bytes);
}

/** Lets time pass in steps, with a byte of the client before each. */
async function dribble(socket: Socket, request: IncomingMessage, ms: number): Promise<void> {
  for (let passed = 0; passed < ms && !request.socket.destroyed; passed += STEP_MS) {
    const before = request.socket.bytesRead;
    socket.write("x");
    await arrived(request, before + 1);
    vi.advanceTimersByTime(STEP_MS);
  }
}

describe("a connection", () => {
  it("is not cut off while its client waits for a long piece of work", async () => {
    const { socket, response, isOpen } = await unanswered(head("POST", { "Content-Length": 2 }).concat("{}"));
    vi.advanceTimersByTime(10 * MIN_FLOW.ms);
    expect(isOpen()).toBe(true);
    response.end("joined");
    expect(((await once(socket, "data")) as [Buffer])[0].toString()).toContain("joined");
  });

  it("is cut off where the client stops sending in the middle of its body", async () => {
    const { closed } = await unanswered(head("POST", { "Content-Length": 10 }).concat("half"), (request) => {
      request.resume();
    });
    vi.advanceTimersByTime(MIN_FLOW.ms + STEP_MS);
    await closed;
  });

  it("is cut off where a byte of the body comes now and then", async () => {
    const { socket, request, isOpen } = await unanswered(head("POST", { "Content-Length": 1_000 }), (request) => {
      request.resume();
    });
    await dribble(socket, request, MIN_FLOW.ms - STEP_MS);
    expect(isOpen()).toBe(true);
    await dribble(socket, request, 2 * STEP_MS);
    expect(isOpen()).toBe(false);
  });

  it("lives on for as long as its body flows, however slowly", async () => {
    const { socket, request, isOpen } = await unanswered(head("PUT", { "Content-Length": 10_000_000 }), (request) => {
      request.resume();
    });
    for (let window = 0; window < 10; window += 1) {
      const before = request.socket.bytesRead;
      socket.write(Buffer.alloc(MIN_FLOW.bytes));
      await arrived(request, before + MIN_FLOW.bytes);
      vi.advanceTimersByTime(MIN_FLOW.ms - STEP_MS);
    }
    expect(isOpen()).toBe(true);
  });

  it("is cut off where the client does not take its answer, and lives on while it does", async () => {
    const size = 64 * 1024 * 1024;
    const { socket, isOpen, closed } = await unanswered(head("GET"), (_request, response) => {
      response.end(Buffer.alloc(size));
    });
    let taken = 0;
    socket.on("data", (chunk: Buffer) => {
      taken += chunk.length;
    });
    for (let window = 1; window <= 4; window += 1) {
      socket.resume();
      await expect.poll(() => taken, { interval: 1 }).toBeGreaterThan(window * 8 * 1024 * 1024);
      socket.pause();
      vi.advanceTimersByTime(MIN_FLOW.ms - STEP_MS);
    }
    expect(isOpen()).toBe(true);
    vi.advanceTimersByTime(MIN_FLOW.ms + STEP_MS);
    vi.advanceTimersByTime(MIN_FLOW.ms + STEP_MS);
    await closed;
    socket.destroy();
  });

  it("is cut off where its headers do not come to an end, and kept between requests", async () => {
    const { server, port } = await serve((_request, response) => response.end());
    await fetch(`http://127.0.0.1:${port}/api/x`);
    expect([server.headersTimeout, server.keepAliveTimeout]).toEqual([30_000, 75_000]);
  });

  it("is refused beyond the limit", async () => {
    const { port } = await serve((_request, response) => response.end());
    const begun = await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => open(port, "GET ")));
    const refused = await open(port, head("GET"));
    await new Promise((resolve) => refused.once("close", resolve));
    for (const socket of begun) socket.destroy();
  });

  it("is ended with all that waits on it where its client sends too many requests ahead", async () => {
    const responses: ServerResponse[] = [];
    const { port } = await serve((_request, response) => void responses.push(response));
    const socket = await open(port, head("GET").repeat(1_000));
    await expect.poll(() => responses.length > 0 && responses.every(({ destroyed }) => destroyed)).toBe(true);
    expect(responses.length).toBeLessThanOrEqual(MAX_PIPELINED);
    await connections.idle();
    socket.destroy();
  });

  it("tells each answer that waits on it, once, when its client goes away", async () => {
    const closes: number[] = [];
    const { port } = await serve((_request, response) => {
      const index = closes.push(0) - 1;
      response.on("close", () => {
        closes[index] = (closes[index] as number) + 1;
      });
    });
    const socket = await open(port, head("GET").repeat(3));
    await expect.poll(() => closes.length).toBe(3);
    socket.destroy();
    await expect.poll(() => closes).toEqual([1, 1, 1]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(closes).toEqual([1, 1, 1]);
    await connections.idle();
  });
});

describe("an answer before the end of the body", () => {
  const tooLong = (request: IncomingMessage, response: ServerResponse) => {
    void request;
    response.writeHead(413, { "Content-Length": 7 }).end("too big");
  };

  it.each([
    ["not read", () => {}],
    ["begun to read", (request: IncomingMessage) => void request.read(0)],
  ])(
    "is complete at once, and not lost to a client that goes on sending, where the route has %s it",
    async (_what, read) => {
      const size = 8 * 1024 * 1024;
      const { socket, request, closed } = await unanswered(
        head("POST", { "Content-Length": size }),
        (request, response) => {
          read(request);
          tooLong(request, response);
        },
      );
      const [first] = (await once(socket, "data")) as [Buffer];
      expect(first.toString()).toMatch(/^HTTP\/1.1 413 [\s\S]+\r\nConnection: close\r\n[\s\S]*\r\ntoo big$/);
      expect(request.complete).toBe(false);
      const rest = text(socket);
      socket.end(Buffer.alloc(size));
      // A reset of the connection would be an error of the stream.
      expect(await rest).toBe("");
      await closed;
    },
  );

  it("leaves in one piece with its head where it says its length", async () => {
    const { socket, response } = await unanswered(head("POST", { "Content-Length": 1_000_000 }));
    response.setHeader("Content-Length", 7);
    response.flushHeaders();
    expect(response.headersSent).toBe(false);
    response.end("too big");
    expect(((await once(socket, "data")) as [Buffer])[0].toString()).toMatch(/^HTTP\/1.1 200 [\s\S]+too big$/);
    socket.destroy();
  });

  it("reads the rest of the body for ten seconds and no longer", async () => {
    const { socket, request, isOpen } = await unanswered(head("POST", { "Content-Length": 1_000_000 }), tooLong);
    await once(socket, "data");
    await dribble(socket, request, LINGER_MS - STEP_MS);
    expect(isOpen()).toBe(true);
    await dribble(socket, request, 2 * STEP_MS);
    expect(isOpen()).toBe(false);
    await connections.idle();
  });

  it("reads a body of no known length for ten seconds as well, also one that its route has begun to read", async () => {
    const { socket, request, isOpen } = await unanswered(
      head("POST", { "Transfer-Encoding": "chunked" }).concat("5\r\nhello\r\n"),
      async (request, response) => {
        await once(request, "readable");
        request.read(1);
        response.end("enough");
      },
    );
    await once(socket, "data");
    for (const [ms, isStillOpen] of [
      [LINGER_MS - STEP_MS, true],
      [2 * STEP_MS, false],
    ] as const) {
      const before = request.socket.bytesRead;
      socket.write("1\r\nx\r\n");
      await arrived(request, before + 6);
      vi.advanceTimersByTime(ms);
      expect(isOpen()).toBe(isStillOpen);
    }
  });

  it("leaves the connection to the next request where the body is short", async () => {
    const body = "x".repeat(10_000);
    const { socket } = await unanswered(head("POST", { "Content-Length": body.length }), (_request, response) => {
      response.end("no");
    });
    expect(((await once(socket, "data")) as [Buffer])[0].toString()).not.toMatch(/connection: close/i);
    socket.write(body + head("GET"));
    expect(((await once(socket, "data")) as [Buffer])[0].toString()).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });

  it("keeps a client that asks first from sending its body at all", async () => {
    const { socket } = await unanswered(head("POST", { Expect: "100-continue", "Content-Length": 1_000_000 }), tooLong);
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
  });

  it("asks such a client for its body once it is read", async () => {
    const { port } = await serve(async (_request, response) => {
      const body = messageBody();
      response.end(body && (await text(body)));
    });
    const socket = await open(port, head("POST", { Expect: "100-continue", "Content-Length": 5 }));
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(first.toString()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write("hello");
    expect(((await once(socket, "data")) as [Buffer])[0].toString()).toMatch(/^HTTP\/1.1 200 [\s\S]+hello/);
    socket.destroy();
  });
});

describe("every answer", () => {
  const promised = {
    "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": expect.stringContaining("camera=()"),
    "referrer-policy": expect.any(String),
    "strict-transport-security": "max-age=31536000",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
  };

  it("has the headers that the console promises, of which a route may say its own", async () => {
    const { url } = await serve((request, response) => {
      if (request.url === "/api/x") response.setHeader("Content-Security-Policy", "sandbox; frame-ancestors 'none'");
      response.writeHead(404, { "X-Frame-Options": "DENY" }).end();
    });
    const own = await fetch(url);
    expect(Object.fromEntries(own.headers)).toMatchObject({
      ...promised,
      "content-security-policy": "sandbox; frame-ancestors 'none'",
    });
    const other = await fetch(new URL("/x", url));
    expect(Object.fromEntries(other.headers)).toMatchObject(promised);
    expect(other.headers.get("x-request-id")).not.toBe(own.headers.get("x-request-id"));
  });

  it("is 404 for a missing page, except to Next's router, which would load the page once more as a document", async () => {
    const { url } = await serve((request, response) => {
      response.setHeader("Content-Type", request.url === "/data" ? "application/json" : "text/x-component");
      response.writeHead(404).end();
    });
    const statusOf = async (path: string, headers: Record<string, string>) =>
      (await fetch(new URL(path, url), { headers })).status;
    expect(await statusOf("/page", {})).toBe(404);
    expect(await statusOf("/page", { rsc: "1" })).toBe(200);
    expect(await statusOf("/data", { rsc: "1" })).toBe(404);
  });

  it.each([
    ["that are no request", "GARBAGE\r\n\r\n", 400, "invalid_request"],
    [
      "of a request with two lengths",
      head("POST", { "Content-Length": "2\r\nContent-Length: 3" }),
      400,
      "invalid_request",
    ],
    ["of headers that are too large", head("GET", { "X-Long": "x".repeat(20_000) }), 431, "headers_too_large"],
  ])("has them, and is a problem, also to bytes %s", async (_what, bytes, status, code) => {
    const { port } = await serve((_request, response) => response.end("passed"));
    const raw = await text(await open(port, bytes));
    const [top = "", body = ""] = raw.split("\r\n\r\n");
    const [first, ...lines] = top.split("\r\n");
    expect(first).toMatch(new RegExp(`^HTTP/1.1 ${status} \\w`));
    const headers = Object.fromEntries(new Headers(lines.map((line) => line.split(": ", 2) as [string, string])));
    expect(headers).toMatchObject({
      ...promised,
      connection: "close",
      "content-type": "application/problem+json",
      "content-length": String(Buffer.byteLength(body)),
    });
    expect(JSON.parse(body)).toMatchObject({ status, code, requestId: headers["x-request-id"] });
  });

  it.each(["h2c", "websocket"])(
    "is given over HTTP/1.1 to a client that asks for an upgrade to %s",
    async (protocol) => {
      const { port } = await serve((_request, response) => response.end("over HTTP/1.1"));
      const socket = await open(port, head("GET", { Connection: "Upgrade", Upgrade: protocol }));
      expect(((await once(socket, "data")) as [Buffer])[0].toString()).toMatch(/^HTTP\/1.1 200 [\s\S]+over HTTP\/1.1/);
      socket.destroy();
    },
  );
});

it("a method that no route can have reaches them as a wrong one", async () => {
  for (const method of ["TRACE", "PROPFIND"]) {
    const { request, socket } = await unanswered(head(method));
    expect(request.method).toBe("OPTIONS");
    socket.destroy();
  }
});

it("says when nothing is being answered any more", async () => {
  const { socket, response } = await unanswered(head("GET"));
  let idle = false;
  const waiting = connections.idle().then(() => {
    idle = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(idle).toBe(false);
  response.end("done");
  await once(socket, "data");
  await waiting;
  socket.destroy();
});

it("a client that speaks HTTPS to the plain port is refused, and the log says what it did, once a minute", async () => {
  const warn = vi.spyOn(log, "warn");
  const { port } = await serve((_request, response) => response.end());
  for (let client = 0; client < 3; client++) {
    const socket = connectTls({ port, host: "127.0.0.1" });
    await expect(once(socket, "secureConnect")).rejects.toThrow("wrong version number");
  }
  expect(warn.mock.calls).toEqual([[expect.stringContaining("spoke HTTPS to this port, which serves plain HTTP")]]);
  warn.mockRestore();
});
