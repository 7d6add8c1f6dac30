import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { type Reply, sendReply, toResponse } from "./reply";

const SHORT = '{"größe":1}';
const LONG = JSON.stringify({ values: Array.from({ length: 500 }, (_, index) => `value ${index}`) });
const replyWith = (body: Reply["body"], headers: Record<string, string> = {}) =>
  ({ status: 200, headers: new Headers({ "content-type": "application/json", ...headers }), body }) as Reply;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(makeReply: () => Reply, prepare: (response: ServerResponse) => void = () => {}): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    prepare(outgoing);
    sendReply(makeReply(), incoming, outgoing).catch(() => {});
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/x`;
}

/** Asks without decompressing the answer, as `fetch` does. */
async function ask(url: string, headers: Record<string, string> = {}, method = "GET") {
  const [answer] = (await once(request(url, { headers, method }).end(), "response")) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

describe("a reply", () => {
  it.each([
    ["a text", SHORT],
    ["bytes", Buffer.from(SHORT)],
  ])("with %s is sent with the head and its length, in one piece", async (_what, body) => {
    const writes: unknown[] = [];
    const url = await serve(
      () => replyWith(body),
      (response) => {
        response.write = (chunk: unknown) => writes.push(chunk) > 0;
      },
    );
    const answer = await ask(url);
    expect(answer.body.toString()).toBe(SHORT);
    expect(answer.headers["content-length"]).toBe(String(Buffer.byteLength(SHORT)));
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(writes).toEqual([]);
  });

  it("to HEAD has no body, and its connection can be used for the next request", async () => {
    for (const makeReply of [() => replyWith(SHORT), () => replyWith(Readable.from([Buffer.from(SHORT)]))]) {
      const url = await serve(makeReply);
      const head = await fetch(url, { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      expect(await (await fetch(url)).text()).toBe(SHORT);
    }
  });

  it("without a body has none", async () => {
    const answer = await ask(await serve(() => ({ status: 204, headers: new Headers(), body: null })));
    expect([answer.status, answer.body.length]).toEqual([204, 0]);
  });

  it("keeps several cookies apart", async () => {
    const url = await serve(() => {
      const reply = replyWith(SHORT);
      for (const cookie of ["a=1", "b=2"]) reply.headers.append("Set-Cookie", cookie);
      return reply;
    });
    expect((await ask(url)).headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  });
});

describe("compression", () => {
  const gzip = { "accept-encoding": "gzip, deflate, br" };

  it.each([
    ["a text", () => replyWith(LONG)],
    ["a stream", () => replyWith(Readable.from([Buffer.from(LONG)]), { "content-length": "1" })],
    ["a problem", () => replyWith(LONG, { "content-type": "application/problem+json" })],
    ["a table", () => replyWith(LONG, { "content-type": "text/csv; charset=utf-8" })],
    ["a document with a weak entity tag", () => replyWith(LONG, { etag: 'W/"x"' })],
  ])("makes %s shorter for a client that accepts it", async (_what, makeReply) => {
    const url = await serve(makeReply);
    const answer = await ask(url, gzip);
    expect(answer.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(answer.body.length).toBeLessThan(LONG.length / 2);
    expect(gunzipSync(answer.body).toString()).toBe(LONG);
  });

  it.each(["", "identity", "br", "gzip;q=0", "gzip;q=0.0, *", "*;q=0"])("is not used for %j", async (accepted) => {
    const url = await serve(() => replyWith(LONG));
    const answer = await ask(url, { "accept-encoding": accepted });
    expect(answer.headers["content-encoding"]).toBeUndefined();
    expect(answer.headers.vary).toBe("Accept-Encoding");
    expect(answer.body.toString()).toBe(LONG);
  });

  it.each(["gzip", "GZIP;q=0.5", "br, x-gzip", "*", "deflate;q=0.1, *;q=0.2"])("is used for %j", async (accepted) => {
    const answer = await ask(await serve(() => replyWith(LONG)), { "accept-encoding": accepted });
    expect(answer.headers["content-encoding"]).toBe("gzip");
  });

  it.each([
    ["a short text", () => replyWith(SHORT)],
    ["a signed text", () => replyWith(LONG, { "cache-control": "no-store, no-transform" })],
    ["a text with a strong entity tag", () => replyWith(LONG, { etag: '"x"' })],
    ["a range", () => replyWith(LONG, { "content-range": "bytes 0-9/10" })],
    ["an installer", () => replyWith(LONG, { "content-type": "application/octet-stream" })],
    ["an app", () => replyWith(LONG, { "content-type": "application/vnd.android.package-archive" })],
  ])("leaves %s unchanged", async (_what, makeReply) => {
    const answer = await ask(await serve(makeReply), gzip);
    expect(answer.headers["content-encoding"]).toBeUndefined();
    expect([SHORT, LONG]).toContain(answer.body.toString());
  });

  it("breaks off where the stream fails", async () => {
    const failing = () => {
      const source = new Readable({ read() {} });
      source.push(Buffer.from(LONG));
      setImmediate(() => source.destroy(new Error("the table is gone")));
      return source;
    };
    const url = await serve(() => replyWith(failing(), { "content-type": "text/csv" }));
    await expect(fetch(url, { headers: gzip }).then((answer) => answer.text())).rejects.toThrow();
  });
});

it("without an HTTP server, the body is in the response", async () => {
  const call = { method: "GET", signal: new AbortController().signal };
  expect(await toResponse(replyWith(SHORT), call).text()).toBe(SHORT);
  expect(await toResponse(replyWith(Readable.from([Buffer.from(SHORT)])), call).text()).toBe(SHORT);
  expect(await toResponse(replyWith(SHORT), { ...call, method: "HEAD" }).text()).toBe("");
});
