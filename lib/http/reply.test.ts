import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, expect, it } from "vitest";
import { prepareHttpServer } from "./node-server";
import { type CompleteReply, toResponse } from "./reply";

const TEXT = '{"größe":1}';
const replyWith = (body: CompleteReply["body"]): CompleteReply => ({
  status: 200,
  headers: new Headers({ "content-type": "application/json" }),
  body,
});

/** Has a response create its head before it passes the body on, as Next's compression does. */
function createHeadFirst(outgoing: ServerResponse): void {
  const end = outgoing.end.bind(outgoing);
  outgoing.end = ((chunk: unknown) => {
    outgoing.writeHead(outgoing.statusCode);
    return end(chunk);
  }) as ServerResponse["end"];
}

const servers: Server[] = [];
beforeAll(() => {
  prepareHttpServer();
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** A server whose route returns a reply, and which then ends the response as Next does or as the test says. */
async function serve(
  reply: CompleteReply,
  finish: (outgoing: ServerResponse, response: Response) => void = (outgoing) => outgoing.end(),
): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    createHeadFirst(outgoing);
    const response = toResponse(reply, { method: incoming.method as string, headers: headersOf(incoming) });
    outgoing.statusCode = response.status;
    for (const [name, value] of response.headers) outgoing.setHeader(name, value);
    finish(outgoing, response);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/x`;
}

it.each([
  ["a text", TEXT],
  ["bytes", Buffer.from(TEXT)],
])("%s is sent with the head, without a web stream", async (_what, body) => {
  const bodies: unknown[] = [];
  const writes: unknown[] = [];
  const url = await serve(replyWith(body), (outgoing, response) => {
    bodies.push(response.body);
    outgoing.write = (chunk: unknown) => writes.push(chunk) > 0;
    outgoing.end();
  });
  const answer = await fetch(url);
  expect(await answer.text()).toBe(TEXT);
  expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(TEXT)));
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect([bodies, writes]).toEqual([[null], []]);
});

it("the response to HEAD has no body", async () => {
  const url = await serve(replyWith(TEXT));
  const answer = await fetch(url, { method: "HEAD" });
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
  // The connection can be used for the next request.
  expect(await (await fetch(url)).text()).toBe(TEXT);
});

it("a page for a failure of the server is sent instead of the reply", async () => {
  const url = await serve(replyWith(TEXT), (outgoing) => {
    outgoing.statusCode = 500;
    outgoing.end("a failure");
  });
  const answer = await fetch(url);
  expect([answer.status, await answer.text()]).toEqual([500, "a failure"]);
});

it("a reply without a body has none", async () => {
  const answer = await fetch(await serve(replyWith(null)));
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
});

it("without an HTTP server, the body is in the response", async () => {
  const request = { method: "GET", headers: new Headers() };
  expect(await toResponse(replyWith(TEXT), request).text()).toBe(TEXT);
  const stream = new Response(TEXT).body as ReadableStream<Uint8Array>;
  expect(await toResponse({ ...replyWith(null), body: stream as never }, request).text()).toBe(TEXT);
});
