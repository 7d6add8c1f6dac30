import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { hashUdid } from "@/lib/keys/udid-hash";
import { anApp, aUser, type TestUser } from "@/lib/testing/console";
import { anApk, aRelease, publish } from "@/lib/testing/releases";
import { withFault } from "@/lib/testing/store";
import { setUpTestDatabase } from "@/scripts/test-database";
import { currentStore, storage } from "./index";
import { countUnreadInstallers, type ReadingProgress, readInstallerFacts, readMissingFacts } from "./installer-facts";

setUpTestDatabase();

const UDID = "00008030-001C2D3A1E82802E";
const CLAIMS = { "application-identifier": "ABCDE12345.com.example.app", "com.apple.developer.siri": true };

const NOT_REVOKED = { certificateRevoked: false };

const hashOf = async (udid: string) => Buffer.from(await hashUdid(udid)).toString("hex");

let publisher: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;

beforeAll(async () => {
  publisher = await aUser({ admin: true });
  app = await anApp();
});

afterEach(async () => {
  await db.release.deleteMany();
});

let count = 0;

/** Publishes an app for one device. @returns the file of the release */
async function published(): Promise<string> {
  count += 1;
  const place = { identifier: app.identifier, environmentId: app.environmentIds[0] as string };
  const { id } = await aRelease(publisher, place, {
    build: String(count),
    profile: { deviceIdentifiers: [UDID.toLowerCase()] },
    executable: { claims: CLAIMS },
  });
  return (await db.release.findUniqueOrThrow({ where: { id } })).fileId;
}

/** Makes a release as older versions published them. */
async function publishedBefore(): Promise<string> {
  const fileId = await published();
  await db.installerFacts.deleteMany({ where: { fileId } });
  await db.$executeRaw`
    UPDATE "Release" SET "installer" = "installer" - 'signed' - 'architectures' - 'requiredCapabilities' WHERE "fileId" = ${fileId}::uuid`;
  return fileId;
}

const read = (more: Partial<Parameters<typeof readMissingFacts>[1]> = {}) =>
  readMissingFacts(db, { now: () => new Date(), ...more });

describe("a new release", () => {
  it("has the hashes of its devices at once, and its claims after the job", async () => {
    const fileId = await published();
    const hashes = [await hashOf(UDID)];
    expect(await readInstallerFacts(db, fileId)).toEqual({ ...NOT_REVOKED, deviceHashes: hashes, claims: null });
    expect(await read()).toEqual({ total: 1, done: 1, refused: 0 });
    expect(await readInstallerFacts(db, fileId)).toEqual({ ...NOT_REVOKED, deviceHashes: hashes, claims: CLAIMS });
    expect(await countUnreadInstallers(db)).toBe(0);
  });

  it("has no device identifier in the database", async () => {
    await published();
    await read();
    for (const table of ["InstallerFacts", "Release", "AuditRecord"]) {
      const rows = await db.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS "row" FROM "${table}" t`);
      expect(rows.length).toBeGreaterThan(0);
      for (const { row } of rows) expect(row.toLowerCase(), table).not.toContain(UDID.toLowerCase());
    }
  });

  it("is not called revoked by an earlier answer of Apple where the console may not ask any more", async () => {
    const fileId = await published();
    await read();
    const now = new Date();
    const answer = { status: "revoked" as const, askAt: now, validUntil: new Date(now.getTime() + 60_000) };
    const { id } = await db.signingCertificate.create({ data: { id: "0".repeat(64), chain: [], ...answer } });
    await db.installerFacts.update({ where: { fileId }, data: { signerId: id } });
    expect(await readInstallerFacts(db, fileId)).toMatchObject(NOT_REVOKED);
  });

  it("of Android needs no job", async () => {
    const place = { environmentId: app.environmentIds[0] as string };
    const { status } = await publish(publisher, await anApk(app.identifier), "a.apk", place);
    expect(status).toBe(201);
    expect(await countUnreadInstallers(db)).toBe(0);
  });
});

describe("releases of older versions", () => {
  it("get all facts, in details and beside them, and are read once", async () => {
    const fileId = await publishedBefore();
    expect(await readInstallerFacts(db, fileId)).toEqual({ ...NOT_REVOKED, deviceHashes: null, claims: null });
    const before = await db.release.findFirstOrThrow({ where: { fileId } });
    expect(await read()).toEqual({ total: 1, done: 1, refused: 0 });
    expect(await readInstallerFacts(db, fileId)).toEqual({
      ...NOT_REVOKED,
      deviceHashes: [await hashOf(UDID)],
      claims: CLAIMS,
    });
    const after = await db.release.findFirstOrThrow({ where: { fileId } });
    expect(after.installer).toMatchObject({ signed: true, architectures: ["arm64"], requiredCapabilities: [] });
    expect(after.updatedAt).toEqual(before.updatedAt);
    expect(await read()).toEqual({ total: 0, done: 0, refused: 0 });
  });

  it("are told how far they are, and go on where a run was stopped", async () => {
    for (let index = 0; index < 3; index += 1) await publishedBefore();
    const stop = new AbortController();
    const told: ReadingProgress[] = [];
    const onProgress = (progress: ReadingProgress) => {
      told.push(progress);
      if (progress.done === 1) stop.abort(new Error("stopped"));
    };
    await expect(read({ signal: stop.signal, onProgress })).rejects.toThrow("stopped");
    expect(told.map(({ done, total }) => [done, total])).toEqual([
      [0, 3],
      [1, 3],
    ]);
    expect(await read()).toEqual({ total: 2, done: 2, refused: 0 });
  });

  it("do not wait for one that the store does not give, which the next run reads", async () => {
    await publishedBefore();
    await publishedBefore();
    const original = storage();
    let calls = 0;
    // The store fails for the first installer alone.
    const beforeFailure = async () => {
      calls += 1;
      currentStore.set(original);
    };
    await withFault({ method: "get", when: "before", beforeFailure }, async () => {
      await expect(read()).rejects.toThrow("some installers could not be read again");
    });
    expect(calls).toBeGreaterThan(0);
    expect(await countUnreadInstallers(db)).toBe(1);
    expect(await read()).toMatchObject({ total: 1, done: 1 });
  });

  it("that an inspection refuses by now keep what they have, and are not read again", async () => {
    const fileId = await publishedBefore();
    await db.file.update({ where: { id: fileId }, data: { name: "a.apk" } });
    expect(await read()).toEqual({ total: 1, done: 1, refused: 1 });
    expect(await db.installerFacts.findUniqueOrThrow({ where: { fileId } })).toMatchObject({
      failure: "kind_mismatch",
    });
    expect(await readInstallerFacts(db, fileId)).toEqual({ ...NOT_REVOKED, deviceHashes: null, claims: null });
    expect(await countUnreadInstallers(db)).toBe(0);
  });
});
