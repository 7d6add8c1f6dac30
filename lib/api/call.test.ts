import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { db } from "@/lib/db/client";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { createConsoleServer } from "@/lib/http/server/console-server";
import { startTcpProxy, type TcpProxy } from "@/lib/testing/tcp-proxy";
import { createTestDatabase, type TestDatabase } from "@/scripts/test-database";
import { call, requireUser } from "./call";
import { defineQuery } from "./operation";

// The headers of the request whose page is being rendered, as Next keeps them.
const rendering = new AsyncLocalStorage<Headers>();
vi.mock("next/headers", () => ({ headers: async () => rendering.getStore() }));

let database: TestDatabase;
let network: TcpProxy;
let url: string;

const limited = defineQuery({
  area: "auth",
  name: "limited",
  summary: "Limited",
  access: "public",
  input: z.strictObject({}),
  output: z.object({}),
  errors: [],
  rateLimit: { points: 3, seconds: 60, by: "address" },
  handler: async () => ({}),
});

/** The pages of this test: each renders its data, and fails as Next has a page fail. */
const PAGES: Record<string, () => Promise<unknown>> = {
  "/public": () => call(getAppConfig, {}),
  "/private": () => requireUser(),
  "/limited": () => call(limited, {}),
  "/broken": () => Promise.reject(new Error("broken")),
  "/several": () => Promise.all([call(getAppConfig, {}), call(getAppConfig, {})]),
};

/** What Next prints of the last page that failed. */
let printed = "";

async function render(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const page = PAGES[request.url?.replace("?begun", "") ?? ""] as () => Promise<unknown>;
  if (request.url?.endsWith("?begun")) response.write("<!DOCTYPE html>");
  try {
    await rendering.run(new Headers(request.headers as Record<string, string>), page);
  } catch (error) {
    printed = inspect(error);
    if (!response.headersSent) response.statusCode = 500;
  }
  response.end("a page");
}

const server = createConsoleServer(render);

beforeAll(async () => {
  database = await createTestDatabase();
  const { hostname: host, port } = new URL(database.url);
  network = await startTcpProxy({ host, port: Number(port) });
  process.env.DATABASE_URL = Object.assign(new URL(database.url), { port: String(network.port) }).href;
  await server.listen(0, "127.0.0.1");
  url = `http://127.0.0.1:${(server.http.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.http.close();
  await network.close();
  await database.drop();
});

async function open(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url + path, { headers });
  return [answer.status, answer.headers.get("retry-after"), await answer.text()];
}

const session = { cookie: "slipway-session=made-up" };

it("a page is answered 503 with Retry-After while the database is away, and rendered once it is back", async () => {
  expect(await open("/public")).toEqual([200, null, "a page"]);
  await network.refuse();
  expect(await open("/public")).toEqual([503, "2", "a page"]);
  expect(await open("/several")).toEqual([503, "2", "a page"]);
  expect(await open("/private", session)).toEqual([503, "2", "a page"]);
  expect(printed).toBe("ApiError: unavailable");
  await network.recover();
  expect(await open("/public")).toEqual([200, null, "a page"]);
});

it("a page that has begun to be sent keeps its status", async () => {
  await network.refuse();
  expect(await open("/public?begun")).toEqual([200, null, "<!DOCTYPE html>a page"]);
  await network.recover();
});

it("a page that fails for another reason is answered 500", async () => {
  expect(await open("/broken")).toEqual([500, null, "a page"]);
  expect(printed).toMatch(/^Error: broken\n +at /);
});

it("a page whose query is asked for too often is answered 429 with Retry-After", async () => {
  expect(await open("/limited")).toEqual([200, null, "a page"]);
  await db.rateLimit.updateMany({ data: { points: 3 } });
  expect(await open("/limited")).toEqual([429, expect.stringMatching(/^[1-9]\d?$/), "a page"]);
});
