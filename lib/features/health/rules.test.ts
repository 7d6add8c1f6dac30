import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/kernel/time";
import {
  auditFinding,
  backupFinding,
  certificatesFinding,
  databaseFinding,
  found,
  instancesFinding,
  jobsFinding,
  mailFinding,
  storeFinding,
  worst,
} from "./rules";

const now = new Date("2026-03-01T12:00:00Z");
const ago = (ms: number) => new Date(now.getTime() - ms);

it("the health is as bad as its worst check", () => {
  expect(worst(["ok", "warning", "ok"])).toBe("warning");
  expect(worst(["problem", "warning", "ok"])).toBe("problem");
  expect(worst([])).toBe("ok");
  expect(found("mail", "delayed")).toEqual({ severity: "problem", finding: "delayed" });
});

describe("the database", () => {
  it.each([
    [{ responseMs: 3, pool: { waiting: 0 } }, "ok"],
    [{ responseMs: 501, pool: { waiting: 0 } }, "slow"],
    [{ responseMs: 501, pool: { waiting: 1 } }, "busy"],
    [{ responseMs: null, pool: { waiting: 1 } }, "silent"],
  ])("with %j is %s", (state, finding) => {
    expect(databaseFinding(state)).toBe(finding);
  });
});

describe("the store", () => {
  it.each([
    [{ responseMs: 3, lostFiles: 0, isNearlyFull: false }, "ok"],
    [{ responseMs: 501, lostFiles: 0, isNearlyFull: false }, "slow"],
    [{ responseMs: 501, lostFiles: 0, isNearlyFull: true }, "nearly_full"],
    [{ responseMs: 3, lostFiles: 1, isNearlyFull: true }, "lost_files"],
    [{ responseMs: null, lostFiles: 1, isNearlyFull: true }, "silent"],
  ])("with %j is %s", (state, finding) => {
    expect(storeFinding(state)).toBe(finding);
  });
});

describe("mail", () => {
  it.each([
    [{ configured: true, oldestAt: ago(10 * MINUTE_MS), failed: 0 }, "ok"],
    [{ configured: false, oldestAt: null, failed: 0 }, "not_configured"],
    [{ configured: true, oldestAt: null, failed: 1 }, "failed"],
    [{ configured: true, oldestAt: ago(10 * MINUTE_MS + 1), failed: 1 }, "delayed"],
  ])("with %j is %s", (state, finding) => {
    expect(mailFinding(state, now)).toBe(finding);
  });
});

describe("jobs", () => {
  it.each([
    [{ queues: [{ oldestAt: null }], failed: 0 }, "ok"],
    [{ queues: [{ oldestAt: null }], failed: 1 }, "failed"],
    [{ queues: [{ oldestAt: null }, { oldestAt: ago(11 * MINUTE_MS) }], failed: 1 }, "delayed"],
    [{ queues: [], failed: 0 }, "missing"],
  ])("with %j are %s", (state, finding) => {
    expect(jobsFinding(state, now)).toBe(finding);
  });
});

describe("the audit log", () => {
  it.each([
    [{ records: 0, faults: 0, verified: null }, "ok"],
    [{ records: 1, faults: 0, verified: null }, "unverified"],
    [{ records: 1, faults: 0, verified: { at: ago(3 * HOUR_MS) } }, "ok"],
    [{ records: 1, faults: 0, verified: { at: ago(3 * HOUR_MS + 1) } }, "stale"],
    [{ records: 1, faults: 2, verified: null }, "changed"],
  ])("with %j is %s", (state, finding) => {
    expect(auditFinding(state, now)).toBe(finding);
  });
});

describe("the backup", () => {
  it.each([
    [{ succeededAt: null, failedAt: null, lostFiles: 0 }, "never"],
    [{ succeededAt: ago(2 * DAY_MS), failedAt: null, lostFiles: 0 }, "ok"],
    [{ succeededAt: ago(2 * DAY_MS + 1), failedAt: null, lostFiles: 1 }, "old"],
    [{ succeededAt: ago(0), failedAt: null, lostFiles: 1 }, "lost_files"],
    [{ succeededAt: ago(DAY_MS), failedAt: ago(0), lostFiles: 0 }, "failed"],
  ])("with %j is %s", (state, finding) => {
    expect(backupFinding(state, now)).toBe(finding);
  });
});

it("certificates that have expired come before those that expire soon", () => {
  expect(certificatesFinding({ expired: 0, expiring: 0 })).toBe("ok");
  expect(certificatesFinding({ expired: 0, expiring: 1 })).toBe("expiring");
  expect(certificatesFinding({ expired: 1, expiring: 1 })).toBe("expired");
});

it("instances of two versions, and one that has gone without a word, are told", () => {
  const instance = { running: true, version: "1.0.0" };
  expect(instancesFinding([instance, instance])).toBe("ok");
  expect(instancesFinding([instance, { ...instance, version: "1.1.0" }])).toBe("versions");
  expect(instancesFinding([instance, { running: false, version: "1.1.0" }])).toBe("silent");
});
