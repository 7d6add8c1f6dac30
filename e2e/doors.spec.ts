import type { BuiltServer } from "../testing/built-server.ts";
import { baseUrl, databaseUrl, dataDir, setting } from "../testing/environment.ts";
import { anIpa } from "../testing/installers";
import { startInstance } from "../testing/instance.ts";
import { SLOW } from "./fixtures/slow";
import { expect, type Place, test } from "./fixtures/test";

// The listener answers the API before Next, and Next's route handlers answer it with API_BEFORE_NEXT=off. A second instance on the same
// database does the latter; both get the same requests.

test.describe.configure({ mode: "serial" });

let handlers: BuiltServer;
let session: Record<string, string>;
let place: Place;
let release: string;

test.beforeAll(async ({ admin, newPlace }) => {
  handlers = await startInstance("route-handlers", {
    ...JSON.parse(setting("E2E_SETTINGS")),
    APP_URL: baseUrl(),
    DATABASE_URL: databaseUrl(),
    DATA_DIR: dataDir(),
    API_BEFORE_NEXT: "off",
  });
  const { cookies } = await admin.request.storageState();
  session = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "), origin: baseUrl() };
  place = await newPlace();
  const { environmentId, identifier } = place;
  release = (await admin.publish(anIpa(identifier), { environmentId, description: "What changed" })).id;
});

test.afterAll(() => handlers?.stop());

interface Request {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Headers that differ between two answers to the same request: their time, ID, signature and connection. */
const OWN_HEADERS = ["connection", "date", "keep-alive", "transfer-encoding", "x-request-id", "x-signature"];

/** Values that each answer has of its own. */
const OWN_VALUES = /"(requestId|challenge|nonce)":"[^"]+"/g;

/** The answer of a server without what differs between two answers of the same one. */
async function answerOf(server: string, path: string, { headers = {}, ...request }: Request) {
  const response = await fetch(server + path, { redirect: "manual", headers, ...request });
  const text = Buffer.from(await response.arrayBuffer()).toString("latin1");
  const own = Object.fromEntries([...response.headers].filter(([name]) => !OWN_HEADERS.includes(name)));
  return { status: response.status, headers: own, body: text.replaceAll(OWN_VALUES, '"$1":"…"') };
}

async function expectSame(path: string, request: Request = {}): Promise<number> {
  const [listener, routeHandlers] = await Promise.all([
    answerOf(baseUrl(), path, request),
    answerOf(handlers.url, path, request),
  ]);
  expect.soft(routeHandlers, `${request.method ?? "GET"} ${path}`).toEqual(listener);
  return listener.status;
}

test("the route handlers refuse the same methods for each operation", SLOW, async () => {
  const { paths } = await (await fetch(`${baseUrl()}/api/openapi.json`)).json();
  const statuses = new Set<number>();
  expect(Object.keys(paths).length).toBeGreaterThan(130);
  for (const path of Object.keys(paths)) {
    for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
      if (!(method.toLowerCase() in paths[path])) statuses.add(await expectSame(path, { method }));
    }
  }
  expect([...statuses]).toEqual([405]);
});

test("the route handlers give the same answers to anonymous callers", async () => {
  const { paths } = await (await fetch(`${baseUrl()}/api/openapi.json`)).json();
  const statuses = new Set<number>();
  for (const path of Object.keys(paths)) {
    const method = "get" in paths[path] ? "GET" : "POST";
    const headers = { "content-type": "application/json" };
    statuses.add(await expectSame(path, method === "GET" ? {} : { method, headers, body: "{" }));
  }
  expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 400, 401]));
});

test("the route handlers give the same answers to users", async () => {
  const query = new URLSearchParams({ environmentId: place.environmentId });
  const json = { ...session, "content-type": "application/json" };
  for (const [path, request, status] of [
    ["/api/auth/get-user-profile", { headers: session }, 200],
    [`/api/apps/get-testing-deploys?${query}`, { headers: session }, 200],
    [`/api/apps/get-testing-deploys?${query}`, { headers: { ...session, "accept-encoding": "gzip" } }, 200],
    [`/api/apps/get-testing-deploys?${query}`, { headers: { ...session, "accept-encoding": "identity" } }, 200],
    [`/api/apps/get-testing-deploys?${query}`, { headers: session, method: "HEAD" }, 200],
    [`/api/apps/get-testing-deploys?${query}&format=csv`, { headers: session }, 200],
    [`/api/apps/get-testing-deploys?${query}&unknown=1`, { headers: session }, 422],
    ["/api/apps/create-app", { headers: json, method: "POST", body: "[" }, 400],
    ["/api/apps/create-app", { headers: json, method: "POST", body: '{"name":""}' }, 422],
    [
      "/api/apps/create-app",
      { headers: { ...json, origin: "https://elsewhere.test" }, method: "POST", body: "{}" },
      403,
    ],
  ] as const) {
    expect.soft(await expectSame(path, request), path).toBe(status);
  }
});

test("the route handlers send the same files", async () => {
  const path = `/api/apps/download-testing-deploy-file?id=${release}`;
  for (const [headers, status] of [
    [{}, 200],
    [{ range: "bytes=100-299" }, 206],
    [{ range: "bytes=999999999-" }, 416],
  ] as const) {
    expect.soft(await expectSame(path, { headers: { ...session, ...headers } })).toBe(status);
  }
  expect(await expectSame(path, { method: "HEAD", headers: session })).toBe(200);
});

test("the route handlers answer everything else below /api and /compat", async () => {
  for (const path of [
    "/api",
    "/api/",
    "/api/nothing",
    "/api/apps/nothing/more",
    "/api/apps/../health/live",
    "//api/health/live",
    "/api/%zz",
    "/api/openapi.json",
    "/api/metrics",
    "/api/sso/nothing/google",
    "/api/sso/start/google",
    "/compat/nothing",
    "/compat/zealot/api/apps/upload",
    "/compat/appcenter/v0.1/user",
    "/compat/diawi/status",
  ]) {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      await expectSame(path, { method });
  }
});
