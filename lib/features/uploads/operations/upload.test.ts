import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { db } from "@/lib/db/client";
import { createTestingDeploy } from "@/lib/features/releases/operations/create-testing-deploy";
import { sweep } from "@/lib/jobs/sweep";
import { env } from "@/lib/kernel/env";
import { newId } from "@/lib/kernel/ids";
import { storage } from "@/lib/storage";
import { StorageError } from "@/lib/storage/driver";
import { formatUploadId, joiningUploadId } from "@/lib/storage/upload-id";
import {
  ANONYMOUS,
  type Answer,
  anApp,
  aToken,
  aUser,
  auditCount,
  type Caller,
  send,
  sendRaw,
  type TestGrant,
  type TestUser,
} from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { anUpload, aRelease, sendAbort, sendPart, sha256Of, uploadInParts } from "@/lib/testing/releases";
import { afterSweep, withFault } from "@/lib/testing/store";
import { setUpTestDatabase } from "@/scripts/test-database";
import { MAX_OPEN_UPLOADS } from "../rules";
import { completeUpload } from "./complete-upload";
import { createUpload } from "./create-upload";
import { getUpload } from "./get-upload";
import { uploadPart } from "./upload-part";

const MIB = 1024 * 1024;
const PART = 8 * MIB;
const bytes = new Uint8Array(randomBytes(PART + 100));
const [one, two] = [bytes.slice(0, PART), bytes.slice(PART)];

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let creator: TestUser;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp();
  creator = await aUser({ grants: [{ scopes: ["release:create"], apps: [{ appId: app.appId }] }] });
});

afterAll(async () => {
  await db.upload.updateMany({ data: { expiresAt: new Date(0) } });
  const { stored, known, unfinished } = await afterSweep();
  expect(stored).toEqual(known);
  expect(unfinished).toBe(0);
});

const state = (caller: Caller, uploadId: string) => send(getUpload, caller, { uploadId });
const complete = (caller: Caller, uploadId: string, parts: object[]) =>
  send(completeUpload, caller, { uploadId, parts });

describe("an upload in parts", () => {
  it("is begun with the size of its parts and where each goes", async () => {
    const before = await auditCount();
    const { status, body } = await send(createUpload, creator, { name: "Acme.ipa", size: bytes.length });
    expect(status, JSON.stringify(body)).toBe(200);
    const url = (number: number) => `/api/files/upload-part?uploadId=${body.uploadId}&number=${number}`;
    expect(body).toEqual({
      uploadId: expect.any(String),
      partSize: PART,
      parts: [
        { number: 1, url: url(1) },
        { number: 2, url: url(2) },
      ],
    });
    expect(await auditCount()).toBe(before + 1);
    expect((await sendAbort(creator, body.uploadId)).status).toBe(204);
  });

  it("shares the room of the disk with those of all tokens of its environment, and a user's with those of the user", async () => {
    const begun = vi.spyOn(storage(), "createMultipart");
    onTestFinished(() => begun.mockRestore());
    const [environmentId, other] = [app.environmentIds[0] as string, (await anApp()).environmentIds[0] as string];
    const otherApp = await db.environment.findUniqueOrThrow({ where: { id: other } });
    const scopes = ["release:create"] as const;
    const callers = [
      await aToken({ appId: app.appId, environmentId, scopes: [...scopes] }),
      await aToken({ appId: app.appId, environmentId, scopes: [...scopes] }),
      await aToken({ appId: otherApp.appId, environmentId: other, scopes: [...scopes] }),
      creator,
      creator,
      admin,
    ];
    for (const caller of callers) await anUpload(caller, "Acme.ipa", bytes.length);
    const [first, second, third, ...people] = begun.mock.calls.map(([, { owner }]) => owner);
    expect(second).toBe(first);
    expect(people[1]).toBe(people[0]);
    expect(new Set([first, third, ...people]).size).toBe(4);
  });

  it("takes its parts in any order and again, tells which are there, and joins them", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", bytes.length);
    const second = await sendPart(creator, uploadId, 2, two);
    expect(second.status, JSON.stringify(second.body)).toBe(200);
    expect((await state(creator, uploadId)).body).toEqual({
      uploadId,
      partSize: PART,
      size: bytes.length,
      parts: [{ number: 2, etag: second.body.etag }],
      missing: [{ number: 1, url: expect.stringContaining(uploadId) }],
      fileId: null,
    });
    const wrong = await sendPart(creator, uploadId, 1, new Uint8Array(PART));
    const first = await sendPart(creator, uploadId, 1, one);
    expect(first.body.etag).not.toBe(wrong.body.etag);

    const stale = [wrong, second].map(({ body }, index) => ({ number: index + 1, etag: body.etag }));
    for (const wrongParts of [stale, []]) {
      const { status, body } = await complete(creator, uploadId, wrongParts);
      expect([status, body.errors[0]]).toMatchObject([422, { path: "parts", code: "uploadParts" }]);
    }
    const parts = [
      { number: 2, etag: `"${second.body.etag}"` },
      { number: 1, etag: first.body.etag },
    ];
    const joined = await complete(creator, uploadId, parts);
    expect(joined.status, JSON.stringify(joined.body)).toBe(200);
    expect(joined.body).toEqual({ fileId: expect.any(String), size: bytes.length, sha256: sha256Of(bytes) });

    const again = await Promise.all([complete(creator, uploadId, parts), complete(creator, uploadId, parts)]);
    expect(again.map(({ status, body }) => [status, body])).toEqual([
      [200, joined.body],
      [200, joined.body],
    ]);
    const ended = await state(creator, uploadId);
    expect(ended.body).toMatchObject({ fileId: joined.body.fileId, parts: [], missing: [] });
    const asTold = await complete(creator, uploadId, ended.body.parts);
    expect([asTold.status, asTold.body]).toEqual([200, joined.body]);
    expect((await sendPart(creator, uploadId, 1, one)).status).toBe(404);
    const file = await db.file.findUniqueOrThrow({ where: { id: joined.body.fileId } });
    expect(file).toMatchObject({ state: "pending", createdBy: creator.userId, name: "Acme.ipa" });
  });

  it("is joined once where it is completed twice at the same moment", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", 3);
    const { body } = await sendPart(creator, uploadId, 1, Uint8Array.from([1, 2, 3]));
    const parts = [{ number: 1, etag: body.etag }];
    const answers = await Promise.all([complete(creator, uploadId, parts), complete(creator, uploadId, parts)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });

  it("is joined once if another instance is joining it, and not found if it is aborted in the meantime", async () => {
    const content = { size: 3n, sha256: sha256Of(Uint8Array.from([1, 2, 3])) };
    for (const [elsewhere, status] of [
      [(fileId: string) => db.file.update({ where: { id: fileId }, data: content }), 200],
      [(fileId: string) => db.upload.delete({ where: { fileId } }), 404],
    ] as const) {
      const { uploadId } = await anUpload(creator, "Acme.ipa", 3);
      const { fileId } = await db.upload.findUniqueOrThrow({ where: { id: uploadId } });
      const { body } = await sendPart(creator, uploadId, 1, Uint8Array.from([1, 2, 3]));
      const beforeFailure = () => elsewhere(fileId);
      const answer = await withFault(
        { method: "completeMultipart", when: "before", error: new StorageError("missing"), beforeFailure },
        () => complete(creator, uploadId, [{ number: 1, etag: body.etag }]),
      );
      expect(answer.status, JSON.stringify(answer.body)).toBe(status);
      if (status === 200) expect(answer.body).toEqual({ fileId, size: 3, sha256: content.sha256 });
    }
  });

  it("is thrown away where the whole is not what was announced", async () => {
    const announced = { name: "Acme.ipa", size: 3, sha256: sha256Of(Uint8Array.from([1, 2, 3])).toUpperCase() };
    const { body: upload } = await send(createUpload, creator, announced);
    const part = await sendPart(creator, upload.uploadId, 1, Uint8Array.from([1, 2, 4]));
    const answer = await complete(creator, upload.uploadId, [{ number: 1, etag: part.body.etag }]);
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, "sha256"]);
    expect((await state(creator, upload.uploadId)).status).toBe(404);
    expect(await db.upload.count({ where: { id: upload.uploadId } })).toBe(0);

    const { body: better } = await send(createUpload, creator, announced);
    const right = await sendPart(creator, better.uploadId, 1, Uint8Array.from([1, 2, 3]));
    expect((await complete(creator, better.uploadId, [{ number: 1, etag: right.body.etag }])).status).toBe(200);
  });

  it("takes a part of just its length, said or not", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", 10);
    const put = (body: BodyInit, headers: Record<string, string> = {}) =>
      sendRaw(uploadPart, creator, { uploadId, number: 1 }, { body, headers });
    const stream = (length: number) =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new Uint8Array(length));
          controller.close();
        },
      });
    for (const response of [
      await put(new Uint8Array(9)),
      await put(new Uint8Array(11)),
      await put(stream(9)),
      await put(stream(11)),
      await put(new Uint8Array(10), { "content-length": "9" }),
      await put(new Uint8Array(0)),
    ]) {
      const body = await response.json();
      expect([response.status, body.errors[0]]).toMatchObject([422, { path: "number", code: "partLength" }]);
      expect(body.errors[0].message).toContain("10");
    }
    expect((await state(creator, uploadId)).body.parts).toEqual([]);
    expect((await put(stream(10))).status).toBe(200);
    for (const number of [0, 2, 10_001, 1.5, "x"]) {
      expect((await sendRaw(uploadPart, creator, { uploadId, number }, { body: new Uint8Array(10) })).status).toBe(422);
    }
  });

  it("is given up with its parts, or finished, but not once it is published", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", 3);
    await sendPart(creator, uploadId, 1, Uint8Array.from([1, 2, 3]));
    expect((await sendAbort(creator, uploadId)).status).toBe(204);
    expect((await sendAbort(creator, uploadId)).status).toBe(404);
    await expect.poll(() => db.file.count({ where: { upload: { id: uploadId } } })).toBe(0);

    const finished = await uploadInParts(creator, Uint8Array.from([7, 8, 9]), "Acme.ipa");
    const upload = await db.upload.findUniqueOrThrow({ where: { fileId: finished.fileId }, include: { file: true } });
    await sendAbort(creator, upload.id);
    await expect.poll(() => storage().head(upload.file.storageKey)).toBeNull();
  });
});

describe("an upload that the store loses", () => {
  /** Lets the store forget an upload without the console. */
  async function lose(uploadId: string) {
    const upload = await db.upload.findUniqueOrThrow({ where: { id: uploadId }, include: { file: true } });
    await storage().abortMultipart(upload.file.storageKey, upload.storeUploadId);
    return upload;
  }

  async function sendBoth(uploadId: string) {
    const first = await sendPart(creator, uploadId, 1, one);
    const second = await sendPart(creator, uploadId, 2, two);
    expect([first.status, second.status]).toEqual([200, 200]);
    return [first, second].map(({ body }, index) => ({ number: index + 1, etag: body.etag as string }));
  }

  async function sendAgain(uploadId: string) {
    const { status, body } = await state(creator, uploadId);
    expect([status, body.parts, body.missing]).toMatchObject([200, [], [{ number: 1 }, { number: 2 }]]);
    const joined = await complete(creator, uploadId, await sendBoth(uploadId));
    expect([joined.status, joined.body.sha256]).toEqual([200, sha256Of(bytes)]);
  }

  it("has no parts any more, and takes all of them again", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", bytes.length);
    expect((await sendPart(creator, uploadId, 1, one)).status).toBe(200);
    const lost = await lose(uploadId);
    expect((await sendPart(creator, uploadId, 2, two)).status).toBe(404);
    await sendAgain(uploadId);
    const { storageKey } = await db.file.findUniqueOrThrow({ where: { id: lost.fileId } });
    // The store may find the lost one after all.
    expect(storageKey).not.toBe(lost.file.storageKey);
  });

  it("is asked for its state by two clients at the same moment, and begins again once", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", bytes.length);
    await lose(uploadId);
    const folders = async () => (await readdir(join(env.DATA_DIR, "uploads"))).length;
    const before = await folders();
    const answers = await Promise.all([state(creator, uploadId), state(creator, uploadId)]);
    expect(answers.map(({ status, body }) => [status, body.missing.length])).toEqual([
      [200, 2],
      [200, 2],
    ]);
    expect(await folders()).toBe(before + 1);
    await sendAgain(uploadId);
  });

  it("is not begun again if another call begins to join its parts at the same moment", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", bytes.length);
    const parts = await sendBoth(uploadId);
    const { storeUploadId } = await db.upload.findUniqueOrThrow({ where: { id: uploadId } });
    const data = { storeUploadId: joiningUploadId(storeUploadId, parts) };
    const joining = () => db.upload.update({ where: { id: uploadId }, data });
    const fault = { method: "listParts", when: "before", error: new StorageError("missing") } as const;
    const { body } = await withFault({ ...fault, beforeFailure: joining }, () => state(creator, uploadId));
    expect([body.parts.length, body.missing]).toEqual([2, []]);
    expect((await complete(creator, uploadId, parts)).status).toBe(200);
  });

  it("is refused when it is completed, with the advice to ask for its state, and takes its parts again", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", bytes.length);
    const parts = await sendBoth(uploadId);
    await lose(uploadId);
    const refused = await complete(creator, uploadId, parts);
    expect([refused.status, refused.body.errors[0]]).toMatchObject([422, { path: "parts", code: "uploadParts" }]);
    expect(refused.body.errors[0].message).toContain("get-upload");
    await sendAgain(uploadId);
  });

  it("counts as joined until completing it again finds that it is not", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", bytes.length);
    const parts = await sendBoth(uploadId);
    const away = await withFault({ method: "completeMultipart", when: "before" }, () =>
      complete(creator, uploadId, parts),
    );
    expect(away.status).toBe(503);
    await lose(uploadId);
    const { body } = await state(creator, uploadId);
    expect([body.parts.length, body.missing]).toEqual([2, []]);
    // Another instance could be joining the parts, which is awaited for 30 seconds.
    let time = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (time += 20_000));
    onTestFinished(() => clock.mockRestore());
    expect((await complete(creator, uploadId, body.parts)).status).toBe(422);
    await sendAgain(uploadId);
  });
});

describe("an upload is not begun", () => {
  it.each([
    ["of another type", { name: "Acme.zip", size: 5 }, 415, "unsupported_media_type"],
    ["without a name", { name: " ", size: 5 }, 422, "validation_failed"],
    ["of nothing", { name: "Acme.ipa", size: 0 }, 422, "validation_failed"],
    ["of half a byte", { name: "Acme.ipa", size: 1.5 }, 422, "validation_failed"],
    ["over the limit", { name: "Acme.ipa", size: 8 * 1024 ** 3 + 1 }, 413, "file_too_large"],
    ["with a digest that is none", { name: "Acme.ipa", size: 5, sha256: "x" }, 422, "validation_failed"],
  ])("%s", async (_what, input, status, code) => {
    const files = await db.file.count();
    const answer = await send(createUpload, creator, input);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await db.file.count()).toBe(files);
  });

  it("by who publishes nowhere", async () => {
    const reader = await aUser({ grants: [{ scopes: ["release:read"], apps: [{ appId: app.appId }] }] });
    expect((await send(createUpload, reader, { name: "Acme.ipa", size: 5 })).status).toBe(403);
    expect((await send(createUpload, ANONYMOUS, { name: "Acme.ipa", size: 5 })).status).toBe(401);
  });

  it("where the bytes are published already and the caller may download a release with them", async () => {
    const environmentId = app.environmentIds[0] as string;
    const { size, sha256 } = await aRelease(admin, { identifier: app.identifier, environmentId });
    const grants: TestGrant[] = [{ scopes: ["release:create", "release:download"], apps: [{ appId: app.appId }] }];
    const downloader = await aUser({ grants });
    const known = await send(createUpload, downloader, { name: "Acme.ipa", size, sha256 });
    expect(known.body).toEqual({ fileId: expect.any(String) });
    const otherSize = await send(createUpload, downloader, { name: "Acme.ipa", size: size + 1, sha256 });
    expect(otherSize.body.fileId).toBeUndefined();

    const other = await anApp();
    const outsider = await aUser({ grants: [{ scopes: ["release:create"], apps: [{ appId: other.appId }] }] });
    expect((await send(createUpload, outsider, { name: "Acme.ipa", size, sha256 })).body.fileId).toBeUndefined();
  });
});

it("gives nobody the bytes of a release that they may read and not download", async () => {
  const place = await anApp({ environments: [{ name: "Production" }, { name: "Development" }] });
  const [production = "", development = ""] = place.environmentIds;
  const { id } = await aRelease(admin, { identifier: place.identifier, environmentId: production });
  const { fileId, file } = await db.release.findUniqueOrThrow({ where: { id }, include: { file: true } });
  const reader = await aUser({
    grants: [
      { scopes: ["release:read"], apps: [{ appId: place.appId, environmentIds: [production] }] },
      { scopes: ["release:create", "release:download"], apps: [{ appId: place.appId, environmentIds: [development] }] },
    ],
  });
  const bytes = { name: "Acme.ipa", size: Number(file.size), sha256: file.sha256 };
  expect((await send(createUpload, reader, bytes)).body.fileId).toBeUndefined();
  const published = await send(createTestingDeploy, reader, {
    environmentId: development,
    fileId,
    description: "Mine",
  });
  expect([published.status, published.body.errors?.[0].path]).toEqual([422, "fileId"]);
  expect(await db.release.count({ where: { environmentId: development } })).toBe(0);
});

describe("the uploads that a user or a token has open", () => {
  /** Makes uploads as the tables hold them; nothing of them is in the store. */
  async function openUploads(
    owner: string,
    count: number,
    row: { size?: bigint; state?: "pending" | "ready"; expiresAt?: Date } = {},
  ): Promise<void> {
    const { size = 1n, state = "pending", expiresAt = new Date(Date.now() + 3_600_000) } = row;
    const uploads = Array.from({ length: count }, () => ({ id: newId(), fileId: newId() }));
    const content = state === "ready" ? { sha256: sha256Of(bytes) } : {};
    const file = { name: "Acme.ipa", contentType: "", purpose: "installer", state, ...content } as const;
    await db.file.createMany({
      data: uploads.map(({ fileId }) => ({ ...file, id: fileId, storageKey: `made-up/${fileId}` })),
    });
    const shape = { partSize: PART, size, createdBy: owner, expiresAt };
    await db.upload.createMany({
      data: uploads.map((ids) => ({ ...shape, ...ids, storeUploadId: formatUploadId(1, 1, ids.id) })),
    });
  }

  afterAll(() => db.file.deleteMany({ where: { storageKey: { startsWith: "made-up/" } } }));

  const anotherCreator = () => aUser({ grants: [{ scopes: ["release:create"], apps: [{ appId: app.appId }] }] });
  const beginOne = (caller: Caller, size = 5) => send(createUpload, caller, { name: "Acme.ipa", size });
  const refused = { code: "too_many_uploads", status: 429 };

  it("are limited in number, which leaves nothing of one more", async () => {
    const user = await anotherCreator();
    await openUploads(`user:${user.userId}`, MAX_OPEN_UPLOADS);
    const files = await db.file.count();
    const { status, body, headers } = await beginOne(user);
    expect([status, body]).toEqual([429, expect.objectContaining(refused)]);
    expect(body.detail).toContain(String(MAX_OPEN_UPLOADS));
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(3_500);
    expect(await db.file.count()).toBe(files);
    expect((await beginOne(creator)).status).toBe(200);
  });

  it("are counted for each token apart", async () => {
    const [token, other] = await Promise.all(
      [1, 2].map(() => aToken({ appId: app.appId, environmentId: app.environmentIds[0] as string })),
    );
    if (!token || !other) throw new Error("there are two");
    await openUploads(`token:${token.tokenId}`, MAX_OPEN_UPLOADS);
    expect((await beginOne(token)).body).toMatchObject(refused);
    expect((await beginOne(other)).status).toBe(200);
  });

  it("do not count any more once they are published, given up or over", async () => {
    const user = await anotherCreator();
    const owner = `user:${user.userId}`;
    await openUploads(owner, 60, { state: "ready" });
    await openUploads(owner, 60, { expiresAt: new Date() });
    await openUploads(owner, MAX_OPEN_UPLOADS - 1);
    const { body } = await beginOne(user);
    expect((await beginOne(user)).body).toMatchObject(refused);
    await sendAbort(user, body.uploadId);
    expect((await beginOne(user)).status).toBe(200);
  });

  it("announce no more bytes together than four of the largest files have", async () => {
    const user = await anotherCreator();
    const most = BigInt(4 * 8 * 1024 ** 3);
    await openUploads(`user:${user.userId}`, 1, { size: most - 5n });
    const { status, body } = await beginOne(user, 6);
    expect([status, body]).toEqual([429, expect.objectContaining(refused)]);
    expect(body.detail).toContain("34,359");
    expect((await beginOne(user, 5)).status).toBe(200);
  });

  it("are no more where many are begun at the same moment, and what was begun in vain is not left in the store", async () => {
    const user = await anotherCreator();
    await openUploads(`user:${user.userId}`, MAX_OPEN_UPLOADS - 3);
    const inStore = async () => (await readdir(join(env.DATA_DIR, "uploads"))).length;
    const before = await inStore();
    const answers = await Promise.all(Array.from({ length: 8 }, () => beginOne(user)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array(5).fill(429)]);
    await expect.poll(inStore).toBe(before + 3);
  });
});

describe("two calls for one upload at the same moment", () => {
  /** Holds the upload's row until both calls wait for it, the first one before the second. */
  async function oneAfterTheOther(
    uploadId: string,
    first: () => Promise<Answer>,
    second: () => Promise<Answer>,
  ): Promise<[number, number]> {
    const calls = await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM "Upload" WHERE "id" = ${uploadId}::uuid FOR UPDATE`;
      const earlier = first();
      await untilWaitingForLocks(1);
      const later = second();
      await untilWaitingForLocks(2);
      return [earlier, later] as const;
    }, LONG_TRANSACTION);
    const [earlier, later] = await Promise.all(calls);
    return [earlier.status, later.status];
  }

  it("give it up once, with one record", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", 3);
    const before = await auditCount();
    const abort = () => sendAbort(creator, uploadId);
    expect(await oneAfterTheOther(uploadId, abort, abort)).toEqual([204, 404]);
    expect(await auditCount()).toBe(before + 1);
  });

  it("give it up and complete it, in either order, without standing in each other's way", async () => {
    for (const isAbortFirst of [true, false]) {
      const { uploadId } = await anUpload(creator, "Acme.ipa", 3);
      const part = await sendPart(creator, uploadId, 1, Uint8Array.from([1, 2, 3]));
      const abort = () => sendAbort(creator, uploadId);
      const join = () => complete(creator, uploadId, [{ number: 1, etag: part.body.etag }]);
      const statuses = isAbortFirst
        ? await oneAfterTheOther(uploadId, abort, join)
        : await oneAfterTheOther(uploadId, join, abort);
      expect(statuses).toEqual(isAbortFirst ? [204, 404] : [200, 204]);
    }
  });
});

describe("somebody else's upload", () => {
  it("is not there, for any operation", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", 3);
    const token = await aToken({ appId: app.appId, environmentId: app.environmentIds[0] as string });
    for (const caller of [admin, token]) {
      const parts = [{ number: 1, etag: "x" }];
      for (const { status } of [
        await state(caller, uploadId),
        await sendPart(caller, uploadId, 1, Uint8Array.from([1, 2, 3])),
        await complete(caller, uploadId, parts),
        await sendAbort(caller, uploadId),
      ]) {
        expect(status).toBe(404);
      }
    }
  });

  it("is not there either once its 24 hours are over", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", 3);
    await db.upload.update({ where: { id: uploadId }, data: { expiresAt: new Date() } });
    expect((await state(creator, uploadId)).status).toBe(404);
    expect((await sendPart(creator, uploadId, 1, Uint8Array.from([1, 2, 3]))).status).toBe(404);
  });
});

describe("whatever breaks", () => {
  it.each([
    ["createMultipart", "before"],
    ["createMultipart", "after"],
  ] as const)("at the beginning (%s, %s), no row and no part stays after the sweep", async (method, when) => {
    const [files, uploads] = [await db.file.count(), await db.upload.count()];
    const answer = await withFault({ method, when }, () => send(createUpload, creator, { name: "Acme.ipa", size: 5 }));
    expect(answer.status).toBe(503);
    expect([await db.file.count(), await db.upload.count()]).toEqual([files, uploads]);
    await db.upload.updateMany({ data: { expiresAt: new Date(0) } });
    await sweep(db, storage(), { now: new Date(), graceMs: 0 });
    expect(await storage().sweepUnfinished("", new Date())).toBe(0);
  });

  it("where its row cannot be kept, the store has forgotten it at once", async () => {
    await db.upload.updateMany({ data: { expiresAt: new Date(0) } });
    await sweep(db, storage(), { now: new Date(), graceMs: 0 });
    await db.$executeRaw`ALTER TABLE "AuditRecord" ADD CONSTRAINT broken CHECK ("action" <> 'create') NOT VALID`;
    const answer = await send(createUpload, creator, { name: "Acme.ipa", size: 5 });
    await db.$executeRaw`ALTER TABLE "AuditRecord" DROP CONSTRAINT broken`;
    expect(answer.status).toBe(500);
    expect(await db.file.count({ where: { state: { not: "ready" } } })).toBe(0);
    expect(await storage().sweepUnfinished("", new Date(Date.now() + 60_000))).toBe(0);
  });

  it("while a part comes, it has not arrived, and comes again", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", 10);
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(4));
        controller.error(new Error("ECONNRESET"));
      },
    });
    const cut = await sendRaw(uploadPart, creator, { uploadId, number: 1 }, { body: broken });
    expect([cut.status, (await cut.json()).errors[0].code]).toEqual([422, "incompleteUpload"]);
    const full = await withFault({ method: "putPart", when: "before", error: new StorageError("full") }, () =>
      sendPart(creator, uploadId, 1, new Uint8Array(10)),
    );
    expect([full.status, full.body.code]).toEqual([507, "storage_full"]);
    expect((await state(creator, uploadId)).body.parts).toEqual([]);
    expect((await sendPart(creator, uploadId, 1, new Uint8Array(10))).status).toBe(200);
  });

  it("at the end, completing again gives the file", async () => {
    const { uploadId } = await anUpload(creator, "Acme.ipa", 3);
    const { body } = await sendPart(creator, uploadId, 1, Uint8Array.from([1, 2, 3]));
    const parts = [{ number: 1, etag: body.etag }];
    for (const when of ["before", "after"] as const) {
      const answer = await withFault({ method: "completeMultipart", when }, () => complete(creator, uploadId, parts));
      expect(answer.status).toBe(503);
    }
    await db.$executeRaw`ALTER TABLE "AuditRecord" ADD CONSTRAINT broken CHECK ("action" <> 'complete') NOT VALID`;
    expect((await complete(creator, uploadId, parts)).status).toBe(500);
    await db.$executeRaw`ALTER TABLE "AuditRecord" DROP CONSTRAINT broken`;
    const joined = await complete(creator, uploadId, parts);
    expect(joined.body.sha256).toBe(sha256Of(Uint8Array.from([1, 2, 3])));
  });
});
