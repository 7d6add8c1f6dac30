import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, vi } from "vitest";
import { log } from "@/lib/kernel/log";
import { logAccess } from "./access-log";
import { prepareHttpServer } from "./node-server";

vi.stubEnv("DATABASE_URL", "postgresql://localhost/unused");

it("a request is logged once, without its query and headers, also if the client disconnects", async () => {
  const events: unknown[] = [];
  vi.spyOn(log, "info").mockImplementation((...args: unknown[]) => void events.push(args[0]));
  prepareHttpServer({ onRequest: logAccess });
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/hang")) request.socket.destroy();
    else response.writeHead(404).end("no");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const sent = request({ port, path: "/api/x/../y?token=sesame", headers: { authorization: "Bearer sesame" } }).end();
  const [answer] = await once(sent, "response");
  await text(answer);
  const cut = request({ port, path: "/hang", agent: false }).end();
  await once(cut, "error");
  await vi.waitFor(() => expect(events).toHaveLength(2));
  server.close();
  server.closeAllConnections();

  const ms = expect.any(Number);
  const requestId = expect.any(String);
  expect(events).toEqual([
    { requestId, method: "GET", path: "/api/y", status: 404, ms, ip: "127.0.0.1", complete: true },
    { requestId, method: "GET", path: "/hang", status: null, ms, ip: "127.0.0.1", complete: false },
  ]);
  expect(events[0]).toHaveProperty("requestId", answer.headers["x-request-id"]);
});
