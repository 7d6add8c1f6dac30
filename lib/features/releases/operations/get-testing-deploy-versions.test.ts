import { beforeAll, describe, expect, it, vi } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { anApp, aToken, aUser, type Caller, send, type TestUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getTestingDeployVersions } from "./get-testing-deploy-versions";

setUpTestDatabase();

let admin: TestUser;
let template: string;
let app: Awaited<ReturnType<typeof anApp>>;
let qa: string;
let staging: string;

const minute = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index));

/** Adds releases to an environment, one for each version, each a minute after the one before it. */
async function addReleases(environmentId: string, versions: readonly string[], firstMinute = 0): Promise<void> {
  const row = await db.release.findUniqueOrThrow({ where: { id: template } });
  await db.release.createMany({
    data: versions.map((version, index) => ({
      ...row,
      installer: row.installer ?? {},
      metadata: row.metadata ?? {},
      warnings: row.warnings ?? [],
      id: newId(),
      environmentId,
      version,
      deployDate: minute(firstMinute + index),
    })),
  });
}

async function list(input: object, caller: Caller = admin) {
  const { status, body } = await send(getTestingDeployVersions, caller, { ...input });
  expect(status, JSON.stringify(body)).toBe(200);
  const { items, ...totals } = body as {
    items: { version: string; lastReleaseAt: string }[];
    total: number;
    totalIsAtLeast?: true;
  };
  return { versions: items.map(({ version }) => version), items, ...totals };
}

beforeAll(async () => {
  admin = await aUser({ admin: true });
  const other = await anApp();
  template = (await aRelease(admin, { identifier: other.identifier, environmentId: other.environmentIds[0] as string }))
    .id;
  app = await anApp({ environments: [{ name: "QA" }, { name: "Staging" }] });
  [qa, staging] = app.environmentIds as [string, string];
  await addReleases(qa, ["1.9", "1.10", "1.9", "2.0-Beta", "1.10", "2.0-beta", "1.9"]);
  await addReleases(staging, ["1.10", "3.0"], 20);
});

describe("the versions of releases", () => {
  it("are listed once each, with the time of the latest release, latest first", async () => {
    const { versions, items, ...totals } = await list({ environmentId: qa });
    expect(versions).toEqual(["1.9", "2.0-beta", "1.10", "2.0-Beta"]);
    expect(items[0]?.lastReleaseAt).toBe(minute(6).toISOString());
    expect(totals).toEqual({ total: 4 });
  });

  it("of an application are those of all its environments that the caller can read", async () => {
    const { appId } = app;
    expect(await list({ appId })).toMatchObject({ versions: ["3.0", "1.10", "1.9", "2.0-beta", "2.0-Beta"], total: 5 });
    const tester = await aUser({
      grants: [{ scopes: ["release:read"], apps: [{ appId, environmentIds: [staging] }] }],
    });
    expect((await list({ appId }, tester)).versions).toEqual(["3.0", "1.10"]);
    const token = await aToken({ appId, environmentId: staging, scopes: ["release:read"] });
    expect((await list({ appId }, token)).versions).toEqual(["3.0", "1.10"]);
    expect((await send(getTestingDeployVersions, tester, { environmentId: qa })).status).toBe(404);
  });

  it("are found by their beginning", async () => {
    expect(await list({ environmentId: qa, search: "1.1" })).toMatchObject({ versions: ["1.10"], total: 1 });
    expect((await list({ environmentId: qa, search: "2.0-b" })).versions).toEqual(["2.0-beta"]);
    expect((await list({ environmentId: qa, search: "2.0-B" })).versions).toEqual(["2.0-Beta"]);
    expect(await list({ environmentId: qa, search: "%" })).toMatchObject({ versions: [], total: 0 });
    expect(await list({ environmentId: qa, search: "9" })).toMatchObject({ versions: [], total: 0 });
  });

  it("are limited, and counted beyond the limit", async () => {
    expect(await list({ environmentId: qa, limit: 2 })).toMatchObject({ versions: ["1.9", "2.0-beta"], total: 4 });
  });

  it("of an environment without releases are none", async () => {
    const empty = await anApp();
    expect(await list({ appId: empty.appId })).toMatchObject({ versions: [], total: 0 });
  });

  it("need an environment or an application, and the application's own environment if both are given", async () => {
    const neither = await send(getTestingDeployVersions, admin, {});
    expect([neither.status, neither.body.errors[0].path]).toEqual([422, "environmentId"]);
    const other = await anApp();
    const mixed = await send(getTestingDeployVersions, admin, { appId: other.appId, environmentId: qa });
    expect(mixed.status).toBe(404);
    expect((await list({ appId: app.appId, environmentId: qa })).total).toBe(4);
  });
});

describe("the versions of an environment with more of them than are counted", () => {
  let environmentId: string;

  beforeAll(async () => {
    environmentId = (await anApp()).environmentIds[0] as string;
    // The latest versions are the last in the order of their names.
    await addReleases(
      environmentId,
      Array.from({ length: 1_200 }, (_, index) => `1.0.${index + 1_000}`),
    );
  });

  it("are the latest ones, with a total that is a lower bound", async () => {
    const { versions, total, totalIsAtLeast } = await list({ environmentId, limit: 3 });
    expect(versions).toEqual(["1.0.2199", "1.0.2198", "1.0.2197"]);
    expect(totalIsAtLeast).toBe(true);
    expect(total).toBeGreaterThanOrEqual(1_000);
    expect(total).toBeLessThanOrEqual(1_200);
  });

  it("are found by a beginning that few of them have, and counted exactly", async () => {
    expect(await list({ environmentId, search: "1.0.150", limit: 2 })).toMatchObject({
      versions: ["1.0.1509", "1.0.1508"],
      total: 10,
    });
    expect(await list({ environmentId, search: "1.0.150" })).not.toHaveProperty("totalIsAtLeast");
  });
});

interface Plan {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** Number of rows that a plan read from a table. */
function rowsRead(plan: Plan, table: string): number {
  const own =
    plan["Relation Name"] === table
      ? (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"]
      : 0;
  return own + (plan.Plans ?? []).reduce((sum, part) => sum + rowsRead(part, table), 0);
}

it("reading versions takes one row for each version, however many releases there are", async () => {
  const environmentId = (await anApp()).environmentIds[0] as string;
  await db.$executeRaw`
    INSERT INTO "Release" SELECT copy.* FROM "Release" r, generate_series(1, 4000) n, jsonb_populate_record(r,
      jsonb_build_object('id', gen_random_uuid(), 'environmentId', ${environmentId}::text, 'version', '1.' || n % 5,
        'deployDate', r."deployDate" + n * interval '1 s')) copy
    WHERE r."id" = ${template}::uuid`;
  await db.$executeRaw`ANALYZE "Release"`;
  const query = vi.spyOn(databasePool(), "query");
  expect((await list({ environmentId })).versions).toEqual(["1.0", "1.4", "1.3", "1.2", "1.1"]);
  const statements = query.mock.calls.map(([statement]) => statement as unknown as { text: string; values: unknown[] });
  query.mockRestore();
  const { text, values } = statements.find((statement) =>
    statement.text.includes("RECURSIVE"),
  ) as (typeof statements)[0];
  const { rows } = await databasePool().query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  expect(rowsRead(rows[0]["QUERY PLAN"][0].Plan, "Release")).toBe(5);
});
