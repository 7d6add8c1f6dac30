import { generateKeyPairSync } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { signedLicense } from "@/lib/testing/license";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getLicense } from "./get-license";
import { updateLicense } from "./update-license";

setUpTestDatabase();

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
});
beforeEach(() => db.license.update({ where: { id: 1 }, data: { token: null } }));

const DAY_SECONDS = 86_400;
const today = () => Math.floor(Date.now() / 1000);
const current = async () => (await send(getLicense, admin, {})).body;
const NONE = {
  businessId: null,
  licenseName: null,
  createdAt: null,
  expiresAt: null,
  status: "none",
  daysLeft: null,
  vendorKeyConfigured: true,
};

describe("update-license", () => {
  it("replaces the license, and records what changed without the token", async () => {
    expect(await current()).toEqual(NONE);
    const [iat, exp] = [today() - DAY_SECONDS, today() + 365 * DAY_SECONDS];
    const token = signedLicense({ iat, exp });
    const before = await auditCount();
    const { status, body } = await send(updateLicense, admin, { token: ` ${token}\n` });
    expect(status).toBe(200);
    expect(body).toEqual({
      businessId: "B-1001",
      licenseName: "Acme Mobile",
      createdAt: new Date(iat * 1000).toISOString(),
      expiresAt: new Date(exp * 1000).toISOString(),
      status: "valid",
      daysLeft: 365,
      vendorKeyConfigured: true,
    });
    expect(await current()).toEqual(body);
    expect(await auditCount()).toBe(before + 1);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({
      table: "License",
      action: "update",
      changes: { licenseName: [null, "Acme Mobile"] },
    });
    expect(JSON.stringify(record.changes)).not.toContain(token);
  });

  it("says in the caller's language why a token is refused, and keeps the license", async () => {
    await send(updateLicense, admin, { token: signedLicense({ license_name: "First" }) });
    const before = await auditCount();
    const inGerman = { headers: { ...admin.headers, "accept-language": "de" } };
    const other = signedLicense({}, { key: generateKeyPairSync("ed25519").privateKey });
    const { status, body } = await send(updateLicense, inGerman, { token: other });
    expect([status, body.code]).toEqual([422, "invalid_license"]);
    expect(body.detail).toContain("Signatur");
    expect(await current()).toMatchObject({ licenseName: "First", status: "valid" });
    expect(await auditCount()).toBe(before);
  });

  it.each([{}, { token: "" }, { token: "x".repeat(4097) }])(
    "reports a missing or too long token: %#",
    async (input) => {
      const { status, body } = await send(updateLicense, admin, input);
      expect([status, body.code, body.errors[0].path]).toEqual([422, "validation_failed", "token"]);
    },
  );
});

describe("get-license", () => {
  const stored = (token: string) => db.license.update({ where: { id: 1 }, data: { token } });

  it("says that a license ends within 30 days, and that it has ended", async () => {
    await stored(signedLicense({ exp: today() + 29 * DAY_SECONDS + 60 }));
    expect(await current()).toMatchObject({ status: "near_expiry", daysLeft: 30 });
    await stored(signedLicense({ iat: today() - 2 * DAY_SECONDS, exp: today() - DAY_SECONDS }));
    expect(await current()).toMatchObject({ status: "expired", daysLeft: 0, licenseName: "Acme Mobile" });
  });

  it("does not believe a row that the vendor did not sign", async () => {
    await stored(signedLicense({}, { key: generateKeyPairSync("ed25519").privateKey }));
    expect(await current()).toEqual(NONE);
    await stored("nonsense");
    expect(await current()).toEqual(NONE);
  });
});
