import { describe, expect, it, vi } from "vitest";
import { db } from "@/lib/db/client";
import { sweep } from "@/lib/jobs/sweep";
import { masterKeys, parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { storage } from "@/lib/storage";
import { newMasterKey } from "@/lib/testing/master-keys";
import { setUpTestDatabase } from "@/scripts/test-database";
import { issueNonce, nonceExpiry, redeemNonce } from "./nonces";

// Calls the module; a test replaces its keys.
vi.mock(import("@/lib/kernel/crypto/master-keys"), { spy: true });

setUpTestDatabase();

const now = new Date();
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

it("recognizes its own nonces and their expiry, and refuses all others", () => {
  const at = new Date("2026-01-01T00:00:00Z");
  const nonce = issueNonce("password", at);
  expect(nonceExpiry("password", nonce)).toEqual(new Date("2026-01-01T00:05:00Z"));
  expect(nonceExpiry("passkey-login", nonce)).toBeNull();
  const [random, , mac] = nonce.split(".") as [string, string, string];
  expect(nonceExpiry("password", `${random}.${at.getTime() / 1000 + 3_600}.${mac}`)).toBeNull();
  expect(nonceExpiry("password", "")).toBeNull();
  const others = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].filter(
    (letter) => !nonce.endsWith(letter),
  );
  expect(others.filter((letter) => nonceExpiry("password", nonce.slice(0, -1) + letter) !== null)).toEqual([]);
});

it("recognizes nonces of each master key, whichever is the first one, and of no other key", () => {
  const [old, fresh, foreign] = [newMasterKey(), newMasterKey(), newMasterKey()];
  const use = (text: string) => vi.mocked(masterKeys).mockReturnValue(parseMasterKeys(text));
  try {
    use(`${old},${fresh}`);
    const nonce = issueNonce("password", now);
    use(`${fresh},${old}`);
    expect(nonceExpiry("password", nonce)).not.toBeNull();
    use(`${fresh},${foreign}`);
    expect(nonceExpiry("password", nonce)).toBeNull();
  } finally {
    vi.mocked(masterKeys).mockReset();
  }
});

describe("a nonce", () => {
  it("stores nothing in the database when it is issued", async () => {
    const before = await db.oneTimeToken.count();
    issueNonce("password", now);
    expect(await db.oneTimeToken.count()).toBe(before);
  });

  it("is valid once, also for simultaneous calls", async () => {
    const nonce = issueNonce("password", now);
    const tries = await Promise.all(Array.from({ length: 5 }, () => redeemNonce("password", nonce, now)));
    expect(tries.sort()).toEqual([false, false, false, false, true]);
  });

  it("is valid for five minutes, and for its purpose only", async () => {
    const nonce = issueNonce("passkey-login", now);
    expect(await redeemNonce("password", nonce, now)).toBe(false);
    expect(await redeemNonce("passkey-login", nonce, later(300))).toBe(false);
    expect(await redeemNonce("passkey-login", nonce, later(298))).toBe(true);
  });

  it("stays used until it expires, even if the sweeper runs without a grace period", async () => {
    const nonce = issueNonce("password", now);
    expect(await redeemNonce("password", nonce, now)).toBe(true);
    await sweep(db, storage(), { now: later(290), graceMs: 0 });
    expect(await redeemNonce("password", nonce, later(290))).toBe(false);
    expect(await db.oneTimeToken.count()).toBeGreaterThan(0);
    await sweep(db, storage(), { now: later(301), graceMs: 0 });
    expect(await db.oneTimeToken.count()).toBe(0);
  });
});
