import { expiryStep } from "@slipway/certificates";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { endOfPeriod, endOfSeen } from "@/lib/expiry/rules";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";
import { anApp, aToken, aUser, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { awayFromMidnight } from "@/lib/testing/midnight";
import { aRelease } from "@/lib/testing/releases";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getExpiring } from "./operations/get-expiring";
import type { Expiring } from "./schema";

setUpTestDatabase();

let admin: TestUser;
let appId: string;
let environmentId: string;
let release: { id: string };
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

async function expiring(caller: TestUser, input: Record<string, unknown> = {}): Promise<Expiring[]> {
  const { status, body } = await send(getExpiring, caller, { limit: 100, ...input });
  expect(status, JSON.stringify(body)).toBe(200);
  expect([body.total, body.nextCursor]).toEqual([body.items.length, null]);
  return body.items;
}

const kindsOf = (items: readonly Expiring[]) => items.map(({ kind }) => kind);

async function certificate(name: string, expirationDate: Date): Promise<string> {
  const id = newId();
  await db.secureCertificate.create({
    data: {
      ...{ id, environmentId, name, key: name, fileName: "a.p12", format: "pkcs12", sha256: "0".repeat(64) },
      ...{ value: Buffer.alloc(100), version: 1, updatedAt: new Date(), expirationDate },
    },
  });
  return id;
}

beforeAll(async () => {
  await awayFromMidnight();
  admin = await aUser({ admin: true });
  const app = await anApp();
  appId = app.appId;
  environmentId = app.environmentIds[0] as string;
  const place = { identifier: app.identifier, environmentId };
  await aRelease(admin, place, { version: "1.0", profile: { expires: inDays(2) } });
  release = await aRelease(admin, place, { version: "1.1", profile: { expires: inDays(5) } });
  const { installer } = await db.release.findUniqueOrThrow({ where: { id: release.id } });
  await db.release.update({
    where: { id: release.id },
    data: { installer: { ...(installer as object), certificateExpiry: inDays(9).toISOString() } },
  });
  await certificate("UPLOAD", inDays(12));
  const signing = await certificate("SIGNING", inDays(-3));
  await db.environmentSigningKey.create({
    data: { environmentId, certificateId: signing, alias: "a", updatedAt: new Date() },
  });
  await aToken({ appId, environmentId, validUntil: inDays(20), scopes: ["secure-certificate:read"] });
  await aToken({ appId, environmentId, validUntil: inDays(-9) });
  await db.installCheck.deleteMany();
  const finding = { code: "tls_expiry", result: "ok", seen: "2026-01-01 – 2099-01-01", problem: null };
  await db.installCheck.create({ data: { releaseId: release.id, ranAt: new Date(), findings: [finding] } });
});

it("names all that ends, the first one first, with what stops working then", async () => {
  const items = await expiring(admin, { within: 30 });
  expect(items).toMatchObject([
    { kind: "signing_key", name: "SIGNING", daysLeft: -3, takesDown: { releases: 0, testers: 0, pipelines: 1 } },
    { kind: "profile", id: release.id, daysLeft: 5, takesDown: { releases: 1, testers: 0, pipelines: 0 } },
    { kind: "signing_certificate", id: release.id, daysLeft: 9, release: { id: release.id, version: "1.1" } },
    {
      kind: "certificate",
      name: "UPLOAD",
      daysLeft: 12,
      environment: { id: environmentId },
      takesDown: { pipelines: 1 },
    },
    { kind: "token", name: "CI", daysLeft: 20, app: { id: appId }, takesDown: { pipelines: 1 } },
  ]);
  expect(kindsOf(await expiring(admin, { within: 6 }))).toEqual(["signing_key", "profile"]);
});

it("counts everything for the certificate of the console's address", async () => {
  await db.installCheck.updateMany({
    data: {
      findings: [
        {
          code: "tls_expiry",
          result: "ok",
          seen: `2026-01-01 – ${inDays(3).toISOString().slice(0, 10)}`,
          problem: null,
        },
      ],
    },
  });
  const tls = (await expiring(admin, { within: 4 })).find(({ kind }) => kind === "tls");
  expect(tls).toMatchObject({ daysLeft: 3, app: null, takesDown: { releases: 2, testers: 0, pipelines: 1 } });
});

it("shows users only what they may see, and certificates only after a second factor", async () => {
  const grants = (scope: "release:read" | "secure-certificate:read") => [
    { scopes: [scope], apps: [{ appId, environmentIds: [environmentId] }] },
  ];
  const reader = await aUser({ grants: grants("release:read") });
  expect(kindsOf(await expiring(reader))).toEqual(["profile", "signing_certificate"]);
  const holder = await aUser({ grants: grants("secure-certificate:read") });
  expect(await expiring(holder)).toEqual([]);
  await withTwoFactor(holder, { passed: true });
  expect(kindsOf(await expiring(holder))).toEqual(["signing_key", "certificate"]);
  expect(await expiring(await aUser())).toEqual([]);
});

it("leaves out what is inactive", async () => {
  await db.environment.update({ where: { id: environmentId }, data: { status: "inactive" } });
  const kinds = kindsOf(await expiring(admin, { within: 30 }));
  await db.environment.update({ where: { id: environmentId }, data: { status: "active" } });
  expect(kinds).not.toContain("profile");
  expect(kinds).not.toContain("certificate");
});

it("refuses periods that are none", async () => {
  for (const within of [0, -1, 3651, "soon", 1.5]) {
    expect((await send(getExpiring, admin, { within })).status, String(within)).toBe(422);
  }
});

it("counts days of the calendar in UTC", () => {
  const now = new Date("2026-03-01T22:00:00Z");
  expect(endOfPeriod(now, 1)).toEqual(new Date("2026-03-03T00:00:00Z"));
  expect(endOfSeen("")).toBeNull();
});

it("does not count the certificate of the console's address as ended on its last day, on which a mail names it", () => {
  const end = endOfSeen("2026-01-01 – 2026-04-01 (90 d)") as Date;
  expect(end).toEqual(new Date("2026-04-01T23:59:59Z"));
  expect(expiryStep(end, new Date("2026-04-01T09:00:00Z"))).toBe(0);
  expect(expiryStep(end, new Date("2026-04-02T00:00:00Z"))).toBe("expired");
});

describe("pages of what ends", () => {
  const SORTS = ["endsAt", "-endsAt", "name", "-name", "kind", "-kind"];

  it.each(SORTS)("lead through all items once, by %s", async (sort) => {
    const all = await expiring(admin, { sort });
    expect(all.length).toBeGreaterThanOrEqual(5);
    const paged: Expiring[] = [];
    for (let cursor: string | undefined; ; ) {
      const { status, body } = await send(getExpiring, admin, { sort, limit: 2, ...(cursor && { cursor }) });
      expect([status, body.total]).toEqual([200, all.length]);
      paged.push(...body.items);
      if (body.nextCursor === null) break;
      cursor = body.nextCursor;
    }
    expect(paged).toEqual(all);
    const field = sort.replace("-", "") as "endsAt" | "name" | "kind";
    const values = all.map((item) => item[field].toLowerCase());
    expect(sort.startsWith("-") ? values.toReversed() : values).toEqual(values.toSorted());
  });

  it("refuse cursors of another order, or that are invented", async () => {
    const cursor = (await send(getExpiring, admin, { limit: 1 })).body.nextCursor;
    const invented = btoa(encodeURIComponent(JSON.stringify(["endsAt", new Date().toISOString(), "'; --"])));
    for (const input of [{ sort: "name", cursor }, { cursor: invented }, { cursor: "x" }]) {
      expect((await send(getExpiring, admin, input)).status).toBe(422);
    }
  });

  it("narrow to kinds, to what has ended or has not, and to what is named in a search", async () => {
    expect(kindsOf(await expiring(admin, { kind: ["token", "profile"] }))).toEqual(["profile", "token"]);
    expect(kindsOf(await expiring(admin, { kind: "license" }))).toEqual([]);
    expect(kindsOf(await expiring(admin, { ended: true }))).toEqual(["signing_key"]);
    expect(kindsOf(await expiring(admin, { ended: "false", within: 6 }))).not.toContain("signing_key");
    expect(kindsOf(await expiring(admin, { search: "uPLoad" }))).toEqual(["certificate"]);
    expect(await expiring(admin, { search: "100%" })).toEqual([]);
  });

  it("are exported with all items, and with nothing that the caller does not see", async () => {
    const rows = async (caller: TestUser) => {
      const response = await sendRaw(getExpiring, caller, { format: "csv", limit: 1, sort: "name" });
      expect(response.headers.get("content-type")).toContain("text/csv");
      return (await response.text()).trimEnd().split("\r\n");
    };
    const [header, ...lines] = await rows(admin);
    expect(header).toBe(
      "kind,id,name,app,environment,platform,version,buildNumber,endsAt,daysLeft,releases,testers,pipelines",
    );
    expect(lines).toHaveLength((await expiring(admin)).length);
    expect(await rows(await aUser())).toEqual([header]);
  });
});
