import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { verifyPassword } from "@/lib/auth/passwords";
import { databasePool, db } from "@/lib/db/client";
import { getDashboard } from "@/lib/features/dashboard/operations/get-dashboard";
import { completeUpload } from "@/lib/features/uploads/operations/complete-upload";
import { consume } from "@/lib/http/rate-limit";
import { startJobs, stopJobs } from "@/lib/jobs";
import { readQueues } from "@/lib/jobs/state";
import { sweep } from "@/lib/jobs/sweep";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";
import { currentStore, storage } from "@/lib/storage";
import { DiskDriver } from "@/lib/storage/disk";
import { anApp, aUser, send } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { blocksRead } from "@/lib/testing/plans";
import { anUpload, aRelease, sendPart } from "@/lib/testing/releases";
import { withFault } from "@/lib/testing/store";
import { setUpTestDatabase } from "@/scripts/test-database";
import { recordInstance } from "./instances";
import { readMetrics } from "./metrics";
import { readShared } from "./state";

const TOKEN = "a-token-of-at-least-thirty-two-characters";

const settings = vi.hoisted((): { METRICS_TOKEN?: string } => ({}));
vi.mock("@/lib/kernel/env", async (original) => {
  const real = await original<typeof import("@/lib/kernel/env")>();
  const env = new Proxy(real.env, {
    get: (target, name) => (name === "METRICS_TOKEN" ? settings.METRICS_TOKEN : Reflect.get(target, name)),
  });
  return { ...real, env };
});

setUpTestDatabase();

/** A line of the text format: a name, labels, a value. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const ask = (authorization: string | null) =>
  readMetrics({ headers: new Headers(authorization === null ? {} : { authorization }) });

async function scrape(): Promise<Sample[]> {
  const { body } = await ask(`Bearer ${TOKEN}`);
  return [...String(body).matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = "", labels = "", value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text])),
    value: Number(value),
  }));
}

async function sampleValue(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const matches = (sample: Sample) => Object.entries(labels).every(([key, text]) => sample.labels[key] === text);
  return (await scrape()).find((sample) => sample.name === name && matches(sample))?.value;
}

describe("the token", () => {
  beforeEach(() => {
    settings.METRICS_TOKEN = undefined;
  });

  it("metrics are read with METRICS_TOKEN as bearer, and with nothing else", async () => {
    settings.METRICS_TOKEN = TOKEN;
    expect(await ask(`Bearer ${TOKEN}`)).toMatchObject({ status: 200, body: expect.stringContaining("# HELP") });
    for (const header of [null, "", "Bearer ", TOKEN, `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
      await expect(ask(header)).rejects.toMatchObject({ code: "not_authenticated" });
    }
  });

  it("metrics are read by nobody while METRICS_TOKEN is not set", async () => {
    for (const header of [null, "", "Bearer ", "Bearer undefined"]) {
      await expect(ask(header)).rejects.toMatchObject({ code: "not_authenticated" });
    }
  });
});

describe("the metrics", () => {
  beforeAll(async () => {
    settings.METRICS_TOKEN = TOKEN;
    await startJobs();
    return stopJobs;
  });

  it("name the instance in each sample, and have no label that depends on data", async () => {
    const admin = await aUser({ admin: true });
    const app = await anApp();
    await aRelease(admin, { identifier: app.identifier, environmentId: app.environmentIds[0] as string });
    await send(getDashboard, admin);
    const samples = await scrape();
    expect(samples.filter(({ labels }) => !/^\S+:\d+$/.test(labels.instance ?? ""))).toEqual([]);
    const names = new Set(samples.flatMap(({ labels }) => Object.keys(labels)));
    const OF_SLIPWAY = [
      "instance",
      "version",
      "operation",
      "status",
      "limit",
      "queue",
      "outcome",
      "call",
      "state",
      "le",
    ];
    const OF_NODE = ["major", "minor", "patch", "type", "kind", "space", "quantile"];
    expect([...names].filter((name) => ![...OF_SLIPWAY, ...OF_NODE].includes(name))).toEqual([]);
    const text = JSON.stringify(samples);
    for (const secret of [admin.email, admin.userId, app.identifier, app.appId, TOKEN]) {
      expect(text).not.toContain(secret);
    }
  });

  it("count operations, calls of the store and what limits reject", async () => {
    const answer = await send(getDashboard, await aUser({ admin: true }));
    expect(answer.status).toBe(200);
    expect(
      await sampleValue("slipway_operations_total", { operation: "get-dashboard", status: "200" }),
    ).toBeGreaterThan(0);
    expect(await sampleValue("slipway_operation_seconds_count", { operation: "get-dashboard" })).toBeGreaterThan(0);
    expect(await sampleValue("slipway_store_calls_total", { call: "put", outcome: "ok" })).toBeGreaterThan(0);
    const counter = { name: "for-metrics", limit: { points: 1, seconds: 60 }, key: "one" };
    await consume(counter);
    await expect(consume(counter)).rejects.toMatchObject({ code: "rate_limited" });
    expect(await sampleValue("slipway_rate_limited_total", { limit: "for-metrics" })).toBe(1);
  });

  it("tell a store that does not answer", async () => {
    expect(await sampleValue("slipway_store_up")).toBe(1);
    await withFault({ method: "ping", when: "before" }, async () => {
      expect(await sampleValue("slipway_store_up")).toBe(0);
    });
  });

  it("tell files that the store lost, from the sweep until they are back", async () => {
    const admin = await aUser({ admin: true });
    const app = await anApp();
    const { id } = await aRelease(admin, {
      identifier: app.identifier,
      environmentId: app.environmentIds[0] as string,
    });
    const { file } = await db.release.findUniqueOrThrow({ where: { id }, include: { file: true } });
    const bytes = await buffer(await storage().get(file.storageKey));
    const sweepNow = () => sweep(db, storage(), { now: new Date(), graceMs: DAY_MS });
    await storage().delete(file.storageKey);
    await sweepNow();
    expect(await sampleValue("slipway_store_lost_files")).toBe(1);
    await storage().put(file.storageKey, Readable.from([bytes]), { contentType: "", maxBytes: bytes.length });
    await sweepNow();
    expect(await sampleValue("slipway_store_lost_files")).toBe(0);
  });

  it("tell passwords that wait to be hashed", async () => {
    const hashing = Promise.all(Array.from({ length: 14 }, () => verifyPassword(null, "a lantern over the harbour")));
    expect(await sampleValue("slipway_password_hashes", { state: "waiting" })).toBeGreaterThan(5);
    await hashing;
    expect(await sampleValue("slipway_password_hashes", { state: "waiting" })).toBe(0);
  });

  it("tell waiting jobs of each queue with the age of the oldest", async () => {
    expect(await sampleValue("slipway_queue_oldest_seconds", { queue: "mail" })).toBe(0);
    await databasePool().query(
      `INSERT INTO pgboss.job ("name", "created_on", "start_after")
       SELECT 'mail', now() - make_interval(secs => 1000 + n), now() + interval '1 hour' FROM generate_series(0, 2) n`,
    );
    expect(await sampleValue("slipway_queue_waiting", { queue: "mail" })).toBe(3);
    expect(await sampleValue("slipway_queue_oldest_seconds", { queue: "mail" })).toBeGreaterThanOrEqual(1002);
    await databasePool().query(`DELETE FROM pgboss.job`);
  });

  it("tell the instances that run, the pool and the audit log", async () => {
    await recordInstance(db, new Date());
    expect(await sampleValue("slipway_instances")).toBe(1);
    expect(await sampleValue("slipway_database_up")).toBe(1);
    expect(await sampleValue("slipway_database_pool_max")).toBe(20);
    expect(await sampleValue("slipway_audit_records")).toBe(await db.auditRecord.count());
    expect(await sampleValue("slipway_audit_faults")).toBe(0);
    expect(await sampleValue("slipway_certificates_next_expiry_timestamp_seconds")).toBeUndefined();
  });

  it("tell of an upload until its file is complete", async () => {
    const { headers } = await aUser({ admin: true });
    const now = new Date();
    const inProgress = async () => (await readShared(db, now, now)).uploads;
    const before = await inProgress();
    const { uploadId, parts } = await anUpload({ headers }, "a.ipa", 3);
    expect(await inProgress()).toEqual({ count: before.count + 1, bytes: before.bytes + 3 });
    const part = await sendPart({ headers }, uploadId, parts[0].number, new Uint8Array(3));
    await send(completeUpload, { headers }, { uploadId, parts: [{ number: 1, etag: part.body.etag }] });
    expect(await inProgress()).toEqual(before);
  });

  it("read as much whatever number of records, files and finished jobs there is", async () => {
    const now = new Date();
    const read = () =>
      blocksRead(async () => {
        await readShared(db, now, now);
        await readQueues(db);
      });
    const pool = databasePool();
    await pool.query(`VACUUM (ANALYZE)`);
    const before = await read();
    await pool.query(
      `INSERT INTO pgboss.job ("name", "state", "completed_on") SELECT 'mail', 'completed', now() FROM generate_series(1, 30000)`,
    );
    await pool.query(
      `INSERT INTO "File" ("id", "storageKey", "name", "contentType", "size", "sha256", "purpose", "state")
       SELECT gen_random_uuid(), 'installers/' || gen_random_uuid(), 'a.ipa', 'a/b', 1, repeat('a', 64), 'installer', 'ready'
       FROM generate_series(1, 5000)`,
    );
    await pool.query(`VACUUM (ANALYZE)`);
    expect(await read()).toBeLessThan(before + 60);
  });
});

it("an instance is forgotten a day after it was last seen", async () => {
  const now = new Date();
  const gone = { name: "gone:3000", version: "0.0.1", startedAt: now };
  await db.instance.create({ data: { id: newId(), ...gone, seenAt: new Date(now.getTime() - DAY_MS + 60_000) } });
  await db.instance.create({ data: { id: newId(), ...gone, seenAt: new Date(now.getTime() - DAY_MS - 60_000) } });
  await recordInstance(db, now);
  expect(await db.instance.count({ where: { name: "gone:3000" } })).toBe(1);
});

const MIB = 1024 * 1024;

/** A small file system of its own, or the error with the reason why there is none. */
function smallFileSystem(): string | Error {
  const folder = mkdtempSync(join(tmpdir(), "slipway-small-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return new Error("a file system can be mounted by root only");
  }
}

describeWith(smallFileSystem(), "a store on a small file system", (folder) => {
  afterAll(() => {
    execFileSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  it("tells the room that uploads may use, which the alert compares with 1 GiB, until nothing is left", async () => {
    settings.METRICS_TOKEN = TOKEN;
    const earlier = storage();
    onTestFinished(() => void currentStore.set(earlier));
    const driver = new DiskDriver({ dataDir: folder, reserveBytes: 16 * MIB });
    await driver.prepare();
    currentStore.set(driver);
    const free = () => sampleValue("slipway_store_free_bytes");
    expect(await free()).toBeGreaterThan(40 * MIB);
    expect(await free()).toBeLessThanOrEqual(48 * MIB);
    const bytes = Buffer.alloc(30 * MIB);
    await driver.put("installers/a", Readable.from([bytes]), { contentType: "", maxBytes: bytes.length });
    expect(await free()).toBeLessThanOrEqual(18 * MIB);
    execFileSync("fallocate", ["--length", String(20 * MIB), join(folder, "of another program")]);
    expect(await free()).toBe(0);
  });
});
