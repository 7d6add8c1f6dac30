import pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { setUpTestDatabase } from "@/scripts/test-database";
import {
  issueToken,
  type PresentedToken,
  peekToken,
  redeemToken,
  redeemUnstoredToken,
  revokeTokens,
  TOKEN_LIFETIME_SECONDS,
  type TokenPurpose,
} from "./one-time-tokens";

setUpTestDatabase();

const now = new Date();
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

/** A recovery token for a new subject, as it would be presented. */
async function aToken(binding: string | null = null): Promise<PresentedToken & { subject: string }> {
  const subject = newId();
  const { token } = await issueToken(db, { purpose: "recovery", subject, binding, now });
  return { token, binding, purpose: "recovery", subject, now };
}

/** The texts of the statements that some work runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const query = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const statement = args[0] as string | { text: string };
    texts.push(typeof statement === "string" ? statement : statement.text);
    return Reflect.apply(query, this, args);
  });
  await work();
  vi.restoreAllMocks();
  return texts;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a one-time token", () => {
  it("is redeemed once by twenty callers at the same moment", async () => {
    const presented = await aToken();
    const tries = await Promise.all(Array.from({ length: 20 }, () => redeemToken(db, presented)));
    const redeemed = tries.filter((one) => one !== null);
    expect(redeemed).toEqual([{ purpose: "recovery", subject: presented.subject }]);
    expect(await peekToken(db, presented)).toEqual({ ...redeemed[0], visitor: null, state: "used" });
  });

  it("has 256 random bits, and is stored as nothing but a hash", async () => {
    const { token, subject } = await aToken();
    expect(token).toMatch(/^[\w-]{43}$/);
    const row = await db.oneTimeToken.findFirstOrThrow({ where: { subject } });
    expect(row.hash).toHaveLength(32);
    const stored = JSON.stringify(row, (_, value) => (value instanceof Uint8Array ? Buffer.from(value) : value));
    expect(stored).not.toContain(token);
    expect(Buffer.from(row.hash).toString("base64url")).not.toBe(token);
  });

  it.each(Object.entries(TOKEN_LIFETIME_SECONDS) as [TokenPurpose, number][])(
    "for %s is valid for %d seconds",
    async (purpose, seconds) => {
      const subject = newId();
      const { token, expiresAt } = await issueToken(db, { purpose, subject, now });
      expect(expiresAt).toEqual(later(seconds));
      const at = (when: Date) => ({ token, purpose, subject, now: when });
      expect(await peekToken(db, at(later(seconds - 1)))).toEqual({ purpose, subject, visitor: null, state: "valid" });
      expect(await peekToken(db, at(expiresAt))).toEqual({ purpose, subject, visitor: null, state: "expired" });
      expect(await redeemToken(db, at(expiresAt))).toBeNull();
      expect(await redeemToken(db, at(later(seconds - 1)))).toEqual({ purpose, subject });
    },
  );

  it("opens nothing of another purpose, and stays valid for its own", async () => {
    const presented = await aToken();
    expect(await peekToken(db, { ...presented, purpose: "manifest" })).toBeNull();
    expect(await redeemToken(db, { ...presented, purpose: ["setup", "manifest"] })).toBeNull();
    expect(await redeemToken(db, { ...presented, purpose: ["invitation", "recovery"] })).not.toBeNull();
  });

  it("opens nothing for another subject, and stays valid for its own", async () => {
    const presented = await aToken();
    expect(await peekToken(db, { ...presented, subject: newId() })).toBeNull();
    expect(await redeemToken(db, { ...presented, subject: newId() })).toBeNull();
    expect(await redeemToken(db, presented)).not.toBeNull();
  });

  it("that was issued with a binding opens nothing without it", async () => {
    const presented = await aToken("from a cookie");
    for (const binding of [null, undefined, "", "of another browser"]) {
      expect(await redeemToken(db, { ...presented, binding })).toBeNull();
    }
    expect(await redeemToken(db, presented)).not.toBeNull();
  });

  it("is unknown once it was revoked; those of another subject or purpose stay valid", async () => {
    const [revoked, other] = [await aToken(), await aToken()];
    const { subject } = revoked;
    const invitation = await issueToken(db, { purpose: "invitation", subject, now });
    await revokeTokens(db, { purpose: "recovery", subject });
    expect(await peekToken(db, revoked)).toBeNull();
    expect(await redeemToken(db, revoked)).toBeNull();
    expect(await redeemToken(db, other)).not.toBeNull();
    expect(await redeemToken(db, { ...revoked, purpose: "invitation", token: invitation.token })).not.toBeNull();
  });

  it("costs one statement to look at and one to redeem, the same for known and unknown ones", async () => {
    const known = await aToken();
    const unknown = { ...known, token: "unknown" };
    for (const use of [peekToken, redeemToken]) {
      const ofUnknown = await statementsOf(() => use(db, unknown));
      expect(ofUnknown).toHaveLength(1);
      expect(await statementsOf(() => use(db, known))).toEqual(ofUnknown);
    }
  });
});

it("a token that was not stored is redeemed once by twenty callers at the same moment", async () => {
  const presented = { token: newId(), purpose: "nonce", expiresAt: later(60), now } as const;
  const tries = await Promise.all(Array.from({ length: 20 }, () => redeemUnstoredToken(db, presented)));
  expect(tries.filter(Boolean)).toHaveLength(1);
});
