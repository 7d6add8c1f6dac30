import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { type Operation, pathOf } from "@/lib/api/operation";
import { noRoute, route } from "@/lib/api/route";

/** An HTTP server for operations, which converts requests and responses as Next does. */
export interface TestServer {
  /** `http://127.0.0.1:<port>` */
  url: string;
  port: number;
  close(): Promise<void>;
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  const method = incoming.method ?? "GET";
  const body = method === "GET" || method === "HEAD" ? null : (incoming as unknown as BodyInit);
  return new Request(new URL(incoming.url ?? "/", "http://localhost"), {
    method,
    headers,
    body,
    signal,
    duplex: "half",
  } as RequestInit);
}

async function handle(operations: readonly Operation[], incoming: IncomingMessage, outgoing: ServerResponse) {
  const controller = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) controller.abort(new Error("the client disconnected"));
  });
  const path = new URL(incoming.url ?? "/", "http://localhost").pathname;
  const operation = operations.find((one) => pathOf(one) === path);
  const handler = operation ? route(operation) : noRoute;
  const response = await handler(toRequest(incoming, controller.signal));
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  if (!response.body) return void outgoing.end();
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
}

/** Serves operations on a free port of the loopback interface. */
export async function serveOperations(operations: readonly Operation[]): Promise<TestServer> {
  const server: Server = createServer((incoming, outgoing) => {
    handle(operations, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
