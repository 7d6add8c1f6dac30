import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createApp } from "@/lib/features/apps/operations/create-app";
import { getApps } from "@/lib/features/apps/operations/get-apps";
import { inSpan, isTracing } from "@/lib/kernel/tracing";
import { anApp, aUser, send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { startTracing, stopTracing } from "./tracing";

const settings = vi.hoisted(() => ({ OTEL_EXPORTER_OTLP_ENDPOINT: undefined as string | undefined }));
vi.mock("@/lib/kernel/env", async (original) => {
  const real = await original<typeof import("@/lib/kernel/env")>();
  const own: Record<PropertyKey, unknown> = { OTEL_EXPORTER_OTLP_HEADERS: "x-token=a%20b, x-other=c" };
  const env = new Proxy(real.env, {
    get: (target, name) => {
      if (name === "OTEL_EXPORTER_OTLP_ENDPOINT") return settings.OTEL_EXPORTER_OTLP_ENDPOINT;
      return own[name] ?? Reflect.get(target, name);
    },
  });
  return { ...real, env };
});

setUpTestDatabase();

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
  events?: unknown[];
}

const requests: { path: string; token: string; body: string }[] = [];
let endpoint: Server;

beforeAll(async () => {
  endpoint = createServer(async (request, response) => {
    const body = JSON.stringify(await json(request));
    requests.push({ path: String(request.url), token: String(request.headers["x-token"]), body });
    response.setHeader("Content-Type", "application/json").end("{}");
  }).listen(0, "127.0.0.1");
  await once(endpoint, "listening");
});
afterAll(() => void endpoint.close());

/** Whether a span is of a statement of a request. A new connection has its time limit set by another one. */
const isStatement = ({ kind, name }: OtlpSpan) => kind === 3 && name !== "SET";

/** The spans that some work records. */
async function spansOf(work: () => Promise<unknown>): Promise<OtlpSpan[]> {
  requests.length = 0;
  settings.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/collector`;
  await startTracing();
  try {
    await work();
  } finally {
    await stopTracing();
    settings.OTEL_EXPORTER_OTLP_ENDPOINT = undefined;
  }
  return requests.flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: OtlpSpan[] }[] }) =>
      resource.scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
}

it("nothing is recorded without an endpoint", async () => {
  await startTracing();
  expect(isTracing()).toBe(false);
});

it("a request is a trace of its operation with its statements, and continues the caller's", async () => {
  const admin = await aUser({ admin: true });
  await anApp();
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const spans = await spansOf(() =>
    send(getApps, admin, {}, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-00` } }),
  );
  const request = spans.find(({ name }) => name === "get-apps");
  expect(request).toMatchObject({ traceId, parentSpanId: "b7ad6b7169203331", kind: 2 });
  expect(request?.attributes).toContainEqual({ key: "http.response.status_code", value: { intValue: 200 } });
  const statements = spans.filter(isStatement);
  expect(statements.map(({ name }) => name)).toContain("SELECT App");
  for (const statement of statements) expect(statement).toMatchObject({ traceId, parentSpanId: request?.spanId });
  expect(requests[0]).toMatchObject({ path: "/collector/v1/traces", token: "a b" });
});

it("a malformed traceparent begins a trace of its own", async () => {
  const admin = await aUser({ admin: true });
  const headers = { traceparent: `00-${"0".repeat(32)}-b7ad6b7169203331-01` };
  const [span] = await spansOf(() => send(getApps, admin, {}, { headers }));
  expect(span?.traceId).not.toBe("0".repeat(32));
});

it("spans of concurrent requests stay apart", async () => {
  const admin = await aUser({ admin: true });
  const spans = await spansOf(() => Promise.all(Array.from({ length: 25 }, () => send(getApps, admin))));
  const requestIds = new Set(spans.filter(({ kind }) => kind === 2).map(({ spanId }) => spanId));
  expect(requestIds.size).toBe(25);
  const byRequest = Map.groupBy(spans.filter(isStatement), ({ parentSpanId }) => parentSpanId ?? "none");
  expect([...byRequest.keys()].filter((parent) => !requestIds.has(parent))).toEqual([]);
  expect(new Set([...byRequest.values()].map((own) => own.length)).size).toBe(1);
});

it("spans of a command, a store and a failure contain no value, secret or address", async () => {
  const admin = await aUser({ admin: true });
  const spans = await spansOf(async () => {
    const created = await send(createApp, admin, { name: "Canary name", identifier: "com.canary.app" });
    expect(created.status).toBe(201);
    const app = await anApp();
    await aRelease(admin, { identifier: app.identifier, environmentId: app.environmentIds[0] as string });
    await expect(
      inSpan("canary job", { kind: "consumer" }, () => Promise.reject(new Error("canary-error of ada@example.test"))),
    ).rejects.toThrow();
  });
  expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(["create-app", "INSERT App", "store put"]));
  const failed = spans.find(({ name }) => name === "canary job");
  expect(failed?.status.code).toBe(2);
  expect(failed?.events ?? []).toEqual([]);
  const sent = JSON.stringify(requests);
  const cookie = admin.headers.cookie?.split("=")[1] as string;
  for (const secret of ["Canary name", "com.canary.app", "canary-error", "ada@", admin.email, admin.userId, cookie]) {
    expect(sent).not.toContain(secret);
  }
  expect(sent).not.toMatch(/127\.0\.0\.1|postgresql:\/\//);
  // In the spans alone: the resource has the name of this machine, which may be "localhost".
  expect(JSON.stringify(spans)).not.toContain("localhost");
  const keys = new Set(spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)));
  expect([...keys].sort()).toEqual([
    "db.collection.name",
    "db.operation.name",
    "db.system.name",
    "http.request.method",
    "http.response.status_code",
    "slipway.store",
  ]);
});
