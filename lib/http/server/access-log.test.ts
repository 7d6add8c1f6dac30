import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";
import { log } from "@/lib/kernel/log";
import { logAccess } from "./access-log";
import { createConsoleServer } from "./console-server";

vi.stubEnv("DATABASE_URL", "postgresql://localhost/unused");

const events: unknown[] = [];

/** Starts a server with the access log. @returns its port */
async function aServer(): Promise<number> {
  events.length = 0;
  vi.spyOn(log, "info").mockImplementation((event: unknown) => void events.push(event));
  const server = createConsoleServer(
    (request, response) => {
      if (request.url?.startsWith("/hang")) request.socket.destroy();
      else response.writeHead(404).end("no");
    },
    { onRequest: logAccess },
  );
  await server.listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.http.close();
    server.destroy();
    vi.restoreAllMocks();
  });
  return (server.http.address() as AddressInfo).port;
}

it("a request is logged once, without its query and headers, also if the client disconnects", async () => {
  const port = await aServer();
  const sent = request({ port, path: "/api/x/../y?token=sesame", headers: { authorization: "Bearer sesame" } }).end();
  const [answer] = await once(sent, "response");
  await text(answer);
  const cut = request({ port, path: "/hang", agent: false }).end();
  await once(cut, "error");
  await expect.poll(() => events).toHaveLength(2);

  const ms = expect.any(Number);
  const requestId = expect.any(String);
  expect(events).toEqual([
    { requestId, method: "GET", path: "/api/y", status: 404, ms, ip: "127.0.0.1", complete: true },
    { requestId, method: "GET", path: "/hang", status: null, ms, ip: "127.0.0.1", complete: false },
  ]);
  expect(events[0]).toHaveProperty("requestId", answer.headers["x-request-id"]);
});

it.each([
  ["/api/apps/download-testing-deploy-apple-file?token=abc", "/api/apps/download-testing-deploy-apple-file"],
  ["/api/apps/download-testing-deploy-apple-file%3Ftoken=abc", "/api/apps/download-testing-deploy-apple-file…"],
  ["/api/apps/get-apps;token=abc/x", "/api/apps/get-apps…"],
  ["/i/abcdefghijklmnopqrstuv", "/i/…"],
  ["/t/abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq/unsubscribe?app=x", "/t/…/unsubscribe"],
  ["/install/q1-Zr9_wQx4lDk8Yp0aTnB7/x", "/install/…/x"],
  [
    "/compat/appcenter/upload/set_metadata/01a204a1-03ab-7543-acd8-03268c2eb22b",
    "/compat/appcenter/upload/set_metadata/01a204a1-03ab-7543-acd8-03268c2eb22b",
  ],
  ["/_next/static/chunks/0a1b2c3d4e5f6a7b8c9d0e.js", "/_next/static/chunks/0a1b2c3d4e5f6a7b8c9d0e.js"],
])("the path of %s is logged without what may be a token", async (path, expected) => {
  const port = await aServer();
  const [answer] = await once(request({ port, path }).end(), "response");
  await text(answer);
  await expect.poll(() => events).toHaveLength(1);
  expect(events[0]).toHaveProperty("path", expected);
});
