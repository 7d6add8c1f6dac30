import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { db } from "@/lib/db/client";
import { hashToken } from "@/lib/kernel/crypto/tokens";
import { env } from "@/lib/kernel/env";
import { newId } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { storage } from "@/lib/storage";
import { createPendingFile, receiveFile } from "@/lib/storage/files";
import { anApp, aToken, aUser, type TestUser } from "@/lib/testing/console";
import { anUpload, aRelease, sendPart, uploadInParts } from "@/lib/testing/releases";
import { storedKeys, withFault } from "@/lib/testing/store";
import { setUpTestDatabase } from "@/scripts/test-database";
import { SWEEP_GRACE_MS, sweep } from "./sweep";

const HOUR = 3_600_000;

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  // The tests run the sweep with a time several days ahead.
  await db.session.updateMany({ data: { expiresAt: at(1_000), absoluteExpiresAt: at(1_000) } });
  app = await anApp();
});

const at = (hours: number) => new Date(Date.now() + hours * HOUR);
const run = (hours = 0, graceMs = SWEEP_GRACE_MS) => sweep(db, storage(), { now: at(hours), graceMs });
const release = () => aRelease(admin, { identifier: app.identifier, environmentId: app.environmentIds[0] as string });

/** Stores a file that no command has claimed. */
async function unclaimed(): Promise<{ fileId: string; storageKey: string }> {
  return receiveFile({
    name: "logo.png",
    contentType: "image/png",
    body: Readable.from([Buffer.from("png")]),
    purpose: "image",
    maxBytes: 100,
    tooLarge: () => new Error("too large") as never,
  });
}

beforeEach(async () => {
  await db.upload.updateMany({ data: { expiresAt: new Date(0) } });
  await run(100, 0);
});

describe("a sweep", () => {
  it("keeps an expired upload that is renewed during the sweep", async () => {
    const { uploadId } = await anUpload(admin, "a.ipa", 3);
    await db.upload.update({ where: { id: uploadId }, data: { expiresAt: new Date(0) } });
    const slow = new Proxy(db, {
      get: (target, name) =>
        name !== "upload"
          ? Reflect.get(target, name)
          : {
              ...target.upload,
              findMany: async (query: Parameters<typeof target.upload.findMany>[0]) => {
                const rows = await target.upload.findMany(query);
                await db.upload.updateMany({ where: { id: uploadId }, data: { expiresAt: at(1) } });
                return rows;
              },
            },
    });
    expect(await sweep(slow, storage(), { now: new Date(), graceMs: SWEEP_GRACE_MS })).toMatchObject({ uploads: 0 });
    const upload = await db.upload.findUnique({ where: { id: uploadId }, include: { file: true } });
    expect(upload?.file.state).toBe("pending");
  });

  it("stops between two files when it is aborted, and the next one continues", async () => {
    const files = [await unclaimed(), await unclaimed(), await unclaimed()];
    await db.file.updateMany({ data: { state: "deleting" } });
    const stop = new AbortController();
    const stopping = new Proxy(storage(), {
      get: (target, name) => {
        const member = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        if (name === "delete") stop.abort(new Error("the time limit is reached"));
        return member.bind(target);
      },
    });
    const sweeping = sweep(db, stopping, { now: new Date(), graceMs: SWEEP_GRACE_MS, signal: stop.signal });
    await expect(sweeping).rejects.toThrow(AggregateError);
    expect(await db.file.count()).toBe(files.length - 1);
    expect(await run()).toMatchObject({ files: files.length - 1 });
  });

  it("removes nothing from a consistent store", async () => {
    await release();
    const before = await storedKeys();
    expect(await run(0, 0)).toEqual({
      uploads: 0,
      appCenterUploads: 0,
      files: 0,
      unfinished: 0,
      objects: 0,
      tokens: 0,
      sessions: 0,
      counters: 0,
      reveals: 0,
      visits: 0,
      mails: 0,
      lost: [],
    });
    expect(await storedKeys()).toEqual(before);
  });

  it("removes an unclaimed file after a day", async () => {
    const { storageKey } = await unclaimed();
    expect(await run(23)).toMatchObject({ files: 0 });
    expect(await storage().head(storageKey)).not.toBeNull();
    expect(await run(25)).toMatchObject({ files: 1 });
    expect(await storage().head(storageKey)).toBeNull();
    expect(await db.file.count({ where: { storageKey } })).toBe(0);
  });

  it("removes an upload of App Center's client that became no release after a day, and keeps one that did", async () => {
    const { id: releaseId } = await release();
    const { tokenId } = await aToken({ appId: app.appId, environmentId: app.environmentIds[0] as string });
    const secretHash = Buffer.alloc(32);
    const begun = (of: string | null) =>
      db.appCenterUpload.create({ data: { id: newId(), tokenId, secretHash, releaseId: of, createdAt: new Date() } });
    const [, kept] = [await begun(null), await begun(releaseId)];
    expect(await run(23)).toMatchObject({ appCenterUploads: 0 });
    expect(await run(25)).toMatchObject({ appCenterUploads: 1 });
    expect(await db.appCenterUpload.findMany({ select: { id: true } })).toEqual([{ id: kept.id }]);
  });

  it("removes the row of a file that was never received", async () => {
    await createPendingFile({ name: "a.ipa", contentType: "", purpose: "installer" });
    expect(await run(25)).toMatchObject({ files: 1 });
    expect(await db.file.count({ where: { state: "pending" } })).toBe(0);
  });

  it("finishes a deletion at once", async () => {
    const { fileId, storageKey } = await unclaimed();
    await db.file.update({ where: { id: fileId }, data: { state: "deleting" } });
    expect(await run()).toMatchObject({ files: 1 });
    expect(await storage().head(storageKey)).toBeNull();
  });

  it("removes an expired upload with its parts, and keeps others", async () => {
    const old = await anUpload(admin, "a.ipa", 3);
    await sendPart(admin, old.uploadId, 1, Uint8Array.from([1, 2, 3]));
    const live = await anUpload(admin, "b.ipa", 3);
    await db.upload.update({ where: { id: old.uploadId }, data: { expiresAt: at(-1) } });
    expect(await run(0, 0)).toMatchObject({ uploads: 1, files: 1 });
    expect((await sendPart(admin, live.uploadId, 1, Uint8Array.from([1, 2, 3]))).status).toBe(200);
    expect(await db.file.count({ where: { state: { not: "ready" } } })).toBe(1);
  });

  it("removes a completed, unpublished upload after a day, and keeps a published one", async () => {
    const { fileId } = await uploadInParts(admin, Uint8Array.from([1, 2, 3]), "a.ipa");
    const published = await uploadInParts(admin, Uint8Array.from([4, 5, 6]), "b.ipa");
    await db.file.update({ where: { id: published.fileId }, data: { state: "ready" } });
    expect(await run(23, 0)).toMatchObject({ uploads: 0, files: 0 });
    expect(await run(25)).toMatchObject({ uploads: 2, files: 1 });
    expect(await db.file.count({ where: { id: fileId } })).toBe(0);
    const { storageKey } = await db.file.findUniqueOrThrow({ where: { id: published.fileId } });
    expect(await storage().head(storageKey)).toEqual({ size: 3 });
    expect(await db.upload.count()).toBe(0);
  });

  it("removes multipart uploads of the store without a row", async () => {
    await storage().createMultipart("installers/forgotten", { contentType: "", size: 10, partSize: 10 });
    expect(await run()).toMatchObject({ unfinished: 0 });
    expect(await run(25)).toMatchObject({ unfinished: 1 });
  });

  it("removes an object without a row after a day", async () => {
    await storage().put("installers/unknown", Readable.from([Buffer.from("x")]), { contentType: "", maxBytes: 10 });
    expect(await run(23)).toMatchObject({ objects: 0 });
    expect(await run(25)).toMatchObject({ objects: 1 });
    expect(await storedKeys()).not.toContain("installers/unknown");
  });

  it("reports a file in use whose object is missing, names it in the log, and keeps its row", async () => {
    const { id } = await release();
    const { file } = await db.release.findUniqueOrThrow({ where: { id }, include: { file: true } });
    await storage().delete(file.storageKey);
    const logged = vi.spyOn(log, "error");
    onTestFinished(() => logged.mockRestore());
    expect((await run()).lost).toEqual([file.id]);
    const { name, storageKey } = file;
    expect(logged.mock.calls).toEqual([
      [{ count: 1, files: [{ id: file.id, name, storageKey }] }, expect.stringMatching(/^files in use are missing/)],
    ]);
    expect(await db.storeState.findMany()).toMatchObject([{ lostFiles: 1, sweptAt: expect.any(Date) }]);
    expect(await db.file.count({ where: { id: file.id, state: "ready" } })).toBe(1);
    await db.release.delete({ where: { id } });
    await db.file.delete({ where: { id: file.id } });
    await run();
    expect(await db.storeState.findMany()).toMatchObject([{ lostFiles: 0 }]);
  });

  it("reports every failure, also that of naming a missing file in the log", async () => {
    const { id } = await release();
    const { file } = await db.release.findUniqueOrThrow({ where: { id }, include: { file: true } });
    await storage().delete(file.storageKey);
    const unwritable = new Error("the log cannot be written");
    const logged = vi.spyOn(log, "error").mockImplementation(() => {
      throw unwritable;
    });
    onTestFinished(() => logged.mockRestore());
    const failed = await withFault({ method: "sweepUnfinished", when: "before" }, () => run()).catch((error) => error);
    expect(failed).toBeInstanceOf(AggregateError);
    expect(failed.errors).toEqual([expect.objectContaining({ name: "StorageError" }), unwritable]);
    await db.release.delete({ where: { id } });
    await db.file.delete({ where: { id: file.id } });
  });

  it("removes tokens, used or not, and sessions a day after they expired", async () => {
    const token = (expiresAt: Date, usedAt?: Date) =>
      db.oneTimeToken.create({
        data: { id: newId(), purpose: "test", subject: "", hash: hashToken(newId()), expiresAt, usedAt },
      });
    const kept = [await token(at(1)), await token(at(-23)), await token(at(1), at(-25))];
    await token(at(-25));
    await token(at(-25), at(-26));
    const sessions = [await aUser(), await aUser(), await aUser()].map(({ sessionId }) => sessionId);
    for (const [index, data] of [
      { expiresAt: at(-23) },
      { expiresAt: at(-25) },
      { absoluteExpiresAt: at(-25) },
    ].entries()) {
      await db.session.update({ where: { id: sessions[index] }, data });
    }
    expect(await run()).toMatchObject({ tokens: 2, sessions: 2 });
    expect(await db.session.count({ where: { id: { in: sessions } } })).toBe(1);
    const left = await db.oneTimeToken.findMany({ where: { purpose: "test" } });
    expect(left.map(({ id }) => id).sort()).toEqual(kept.map(({ id }) => id).sort());
    expect(await db.session.count({ where: { id: admin.sessionId } })).toBe(1);
  });

  it("removes expired rate limit counters", async () => {
    const counter = (key: string, hours: number) =>
      db.rateLimit.create({ data: { key, points: 1, expire: at(hours).getTime() } });
    await counter("over", -1);
    await counter("counting", 1);
    expect(await run()).toMatchObject({ counters: 1 });
    expect(await db.rateLimit.findMany({ select: { key: true } })).toEqual([{ key: "counting" }]);
  });

  it("removes mails and temporary files of the outbox after 30 days, and nothing else there", async () => {
    const outbox = join(env.DATA_DIR, "outbox");
    const written = at(0);
    await mkdir(outbox, { recursive: true });
    for (const name of ["old.eml", ".3f0c7a52-7a3e-4b52-9d5c-2d7f3f1c9b11", "notes.txt", "new.eml"]) {
      await writeFile(join(outbox, name), "");
      await utimes(join(outbox, name), written, written);
    }
    await utimes(join(outbox, "new.eml"), at(2), at(2));
    expect(await run(30 * 24 - 1, 0)).toMatchObject({ mails: 0 });
    expect(await run(30 * 24 + 1, 0)).toMatchObject({ mails: 2 });
    expect((await readdir(outbox)).sort()).toEqual(["new.eml", "notes.txt"]);
    await rm(outbox, { recursive: true });
  });

  it("continues if the store is unavailable, reports the failure, and completes the rest in the next run", async () => {
    const { fileId } = await unclaimed();
    const { sessionId } = await aUser();
    await db.session.update({ where: { id: sessionId }, data: { expiresAt: at(-1) } });
    for (const method of ["delete", "list", "sweepUnfinished"] as const) {
      const failing = withFault({ method, when: "before" }, () => run(25));
      await expect(failing).rejects.toBeInstanceOf(AggregateError);
    }
    expect(await db.session.count({ where: { id: sessionId } })).toBe(0);
    await run(25);
    expect(await db.file.count({ where: { id: fileId } })).toBe(0);
  });

  it("can run several times at once", async () => {
    for (let index = 0; index < 5; index += 1) await unclaimed();
    await Promise.all([run(25), run(25), run(25)]);
    expect(await db.file.count({ where: { state: { not: "ready" } } })).toBe(0);
  });
});

it("a file that is swept while it is received leaves nothing behind", async () => {
  const keys = await storedKeys();
  const files = await db.file.count();
  let left = -1;
  const receiving = receiveFile({
    name: "a.png",
    contentType: "image/png",
    purpose: "image",
    maxBytes: 100,
    tooLarge: () => new Error("too large") as never,
    body: Readable.from(
      (async function* () {
        yield Buffer.from("first");
        await run(25, 0);
        left = await db.file.count();
        yield Buffer.from("last");
      })(),
    ),
  });
  // The sweep has removed the bytes that had come, too.
  await expect(receiving).rejects.toMatchObject({ failure: "unavailable" });
  expect([left, await db.file.count()]).toEqual([files, files]);
  expect(await storedKeys()).toEqual(keys);
});
