import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { sweep } from "@/lib/jobs/sweep";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";
import { currentStore, storage } from "@/lib/storage";
import { JOINED } from "@/lib/storage/driver";
import { claimFile, createPendingFile } from "@/lib/storage/files";
import { anApp, aUser, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { sendAbort, sendPart, sha256Of } from "@/lib/testing/releases";
import { afterSweep, withFault } from "@/lib/testing/store";
import { IS_WHOLE } from "@/scripts/test-amount";
import { setUpTestDatabase } from "@/scripts/test-database";
import { completeUpload } from "./operations/complete-upload";
import { getUpload } from "./operations/get-upload";
import { uploadPart } from "./operations/upload-part";

const PART_SIZE = 10;
const BYTES = Uint8Array.from({ length: 25 }, (_, index) => index);
const NUMBERS = [1, 2, 3];

setUpTestDatabase();

let creator: TestUser;

beforeAll(async () => {
  const app = await anApp();
  creator = await aUser({ grants: [{ scopes: ["release:create"], apps: [{ appId: app.appId }] }] });
});

/** What an upload must be like. */
interface Model {
  state:
    | "open"
    /** Whole in the store, of which nothing was noted. */
    | "joined"
    | "finished"
    | "published"
    | "gone";
  /** Once it is in use, its file outlives the upload. */
  inUse: boolean;
  /** The bytes and tags of the parts that have arrived. */
  parts: Map<number, { etag: string; right: boolean }>;
}

interface Real {
  uploadId: string;
  fileId: string;
  storageKey: string;
}

type Step = (model: Model, real: Real) => Promise<void>;

/** An upload with parts of a few bytes, which create-upload would not make. */
async function begin(): Promise<Real> {
  const contentType = "application/octet-stream";
  const createdBy = creator.userId;
  const file = await createPendingFile({ name: "a.ipa", contentType, purpose: "installer", createdBy });
  const shape = { contentType, size: BYTES.length, partSize: PART_SIZE };
  const storeUploadId = await storage().createMultipart(file.storageKey, shape);
  const uploadId = newId();
  await db.upload.create({
    data: {
      id: uploadId,
      fileId: file.fileId,
      storeUploadId,
      partSize: PART_SIZE,
      size: BigInt(BYTES.length),
      createdBy: `user:${createdBy}`,
      expiresAt: new Date(Date.now() + DAY_MS),
    },
  });
  return { uploadId, fileId: file.fileId, storageKey: file.storageKey };
}

const partBytes = (number: number) => BYTES.slice((number - 1) * PART_SIZE, number * PART_SIZE);
const named = (model: Model) => [...model.parts].map(([number, { etag }]) => ({ number, etag }));
const complete = ({ uploadId }: Real, parts: object[]) => send(completeUpload, creator, { uploadId, parts });

/** Completes an upload with all its parts, which goes wrong once the store has joined them. */
async function breakAfterJoin(model: Model, work: () => Promise<{ status: number }>, broken: number): Promise<void> {
  const { status } = await work();
  const whole = model.parts.size === NUMBERS.length;
  if (model.state === "gone") expect(status).toBe(404);
  else if (model.state === "open" && !whole) expect(status).toBe(422);
  else if (model.state === "open" || model.state === "joined") {
    expect(status).toBe(broken);
    model.state = "joined";
  }
}

const steps: Record<string, (number: number) => Step> = {
  part: (number) => async (model, real) => {
    const { status, body } = await sendPart(creator, real.uploadId, number, partBytes(number));
    expect(status).toBe(model.state === "open" ? 200 : 404);
    if (model.state === "open") model.parts.set(number, { etag: body.etag, right: true });
  },
  allParts: () => async (model, real) => {
    for (const number of NUMBERS) await steps.part?.(number)(model, real);
  },
  otherPart: (number) => async (model, real) => {
    const { status, body } = await sendPart(creator, real.uploadId, number, partBytes(number).fill(255));
    expect(status).toBe(model.state === "open" ? 200 : 404);
    if (model.state === "open") model.parts.set(number, { etag: body.etag, right: false });
  },
  partWhileTheStoreIsAway: (number) => async (model, real) => {
    const { status } = await withFault({ method: "putPart", when: "before" }, () =>
      sendPart(creator, real.uploadId, number, partBytes(number)),
    );
    expect(status).toBe(["open", "joined"].includes(model.state) ? 503 : 404);
  },
  partWhoseAnswerIsLost: (number) => async (model, real) => {
    await withFault({ method: "putPart", when: "after" }, () =>
      sendPart(creator, real.uploadId, number, partBytes(number)),
    );
    if (model.state !== "open") return;
    const { body } = await send(getUpload, creator, { uploadId: real.uploadId });
    const part = body.parts.find((one: { number: number }) => one.number === number);
    model.parts.set(number, { etag: part.etag, right: true });
  },
  shortPart:
    (number) =>
    async (model, { uploadId }) => {
      const options = { body: new Uint8Array(4), headers: { "content-length": "4" } };
      const { status } = await sendRaw(uploadPart, creator, { uploadId, number }, options);
      expect(status).toBe(["open", "joined"].includes(model.state) ? 422 : 404);
    },
  complete: () => async (model, real) => {
    const { status, body } = await complete(real, named(model).length > 0 ? named(model) : [{ number: 1, etag: "x" }]);
    if (model.state === "gone") expect(status).toBe(404);
    else if (model.state === "open" && model.parts.size < NUMBERS.length) expect(status).toBe(422);
    else {
      expect(status, JSON.stringify(body)).toBe(200);
      if ([...model.parts.values()].every(({ right }) => right)) expect(body.sha256).toBe(sha256Of(BYTES));
      if (["open", "joined"].includes(model.state)) model.state = "finished";
    }
  },
  completeWhileTheStoreIsAway: () => async (model, real) => {
    const { status } = await withFault({ method: "completeMultipart", when: "before" }, () =>
      complete(real, named(model).length > 0 ? named(model) : [{ number: 1, etag: "x" }]),
    );
    if (model.state === "gone") expect(status).toBe(404);
    else if (model.state === "open" && model.parts.size < NUMBERS.length) expect(status).toBe(422);
    else expect(status).toBe(["open", "joined"].includes(model.state) ? 503 : 200);
  },
  completeWhoseAnswerIsLost: () => (model, real) =>
    breakAfterJoin(
      model,
      () =>
        withFault({ method: "completeMultipart", when: "after" }, () =>
          complete(real, named(model).length > 0 ? named(model) : [{ number: 1, etag: "x" }]),
        ),
      503,
    ),
  completeThatIsNotNoted: () => async (model, real) => {
    await db.$executeRaw`ALTER TABLE "AuditRecord" ADD CONSTRAINT broken CHECK ("action" <> 'complete') NOT VALID`;
    try {
      await breakAfterJoin(
        model,
        () => complete(real, named(model).length > 0 ? named(model) : [{ number: 1, etag: "x" }]),
        500,
      );
    } finally {
      await db.$executeRaw`ALTER TABLE "AuditRecord" DROP CONSTRAINT broken`;
    }
  },
  resume: () => async (model, real) => {
    const { status, body } = await send(getUpload, creator, { uploadId: real.uploadId });
    if (model.state !== "joined") return;
    expect([status, body.missing]).toEqual([200, []]);
    expect((await complete(real, body.parts)).status).toBe(200);
    model.state = "finished";
  },
  completeWithAnotherTag: (number) => async (model, real) => {
    const parts = NUMBERS.map((one) => ({
      number: one,
      etag: one === number ? "other" : (model.parts.get(one)?.etag ?? "x"),
    }));
    const { status } = await complete(real, parts);
    expect(status).toBe(model.state === "gone" ? 404 : model.state === "open" ? 422 : 200);
    // No tag of a part says anything any more.
    if (model.state === "joined") model.state = "finished";
  },
  abort: () => async (model, real) => {
    const { status } = await sendAbort(creator, real.uploadId);
    expect(status).toBe(model.state === "gone" ? 404 : 204);
    await expect.poll(() => db.file.count({ where: { id: real.fileId, state: "deleting" } })).toBe(0);
    // What is published stays; the upload itself is forgotten.
    if (!model.inUse) expect(await storage().head(real.storageKey)).toBeNull();
    model.state = "gone";
  },
  publish:
    () =>
    async (model, { fileId }) => {
      const claimed = await db.$transaction((tx) => claimFile(tx, fileId));
      const kept = (await db.file.count({ where: { id: fileId, state: "ready" } })) === 1;
      expect(kept).toBe(claimed);
      if (["open", "joined"].includes(model.state)) expect(claimed).toBe(false);
      if (model.state === "finished" || model.state === "published") expect(claimed).toBe(true);
      if (model.state === "finished") Object.assign(model, { state: "published", inUse: true });
    },
  restart: () => async () => {
    // Another process knows nothing of what this one has in memory.
    currentStore.clear();
  },
  sweep: () => async () => {
    await sweep(db, storage(), { now: new Date(), graceMs: 0 });
  },
  expire:
    () =>
    async (model, { uploadId }) => {
      await db.upload.updateMany({ where: { id: uploadId }, data: { expiresAt: new Date(0) } });
      await sweep(db, storage(), { now: new Date(), graceMs: 0 });
      model.state = "gone";
    },
};

async function check(model: Model, real: Real): Promise<void> {
  const { status, body } = await send(getUpload, creator, { uploadId: real.uploadId });
  if (model.state === "gone") return expect(status).toBe(404);
  expect(status).toBe(200);
  if (model.state === "joined") {
    const parts = NUMBERS.map((number) => ({ number, etag: JOINED }));
    return expect(body).toMatchObject({ fileId: null, parts, missing: [] });
  }
  if (model.state !== "open") return expect(body).toMatchObject({ fileId: real.fileId, parts: [], missing: [] });
  const arrived = named(model).sort((a, b) => a.number - b.number);
  expect(body).toMatchObject({ fileId: null, parts: arrived });
  expect(body.missing.map(({ number }: { number: number }) => number)).toEqual(
    NUMBERS.filter((number) => !model.parts.has(number)),
  );
}

it("an upload is what its steps make of it, whatever their order, and nothing of it is forgotten in the store", async () => {
  const weights: Record<string, number> = {
    part: 3,
    allParts: 4,
    complete: 5,
    otherPart: 1,
    shortPart: 1,
    completeWithAnotherTag: 1,
    abort: 1,
    publish: 2,
    resume: 2,
  };
  const names = fc.oneof(
    ...Object.keys(steps).map((name) => ({
      arbitrary: fc.constant(name),
      weight: weights[name] ?? 1,
    })),
  );
  const plan = fc.array(fc.tuple(names, fc.constantFrom(...NUMBERS)), { minLength: 3, maxLength: 14 });
  const told = new Set<string>();
  await fc.assert(
    fc.asyncProperty(plan, async (chosen) => {
      const real = await begin();
      const model: Model = { state: "open", inUse: false, parts: new Map() };
      try {
        for (const [name, number] of chosen) {
          told.add(`${name} ${model.state}`);
          await steps[name]?.(number)(model, real);
          await check(model, real);
        }
      } finally {
        await db.upload.updateMany({ data: { expiresAt: new Date(0) } });
      }
      const { stored, known, unfinished } = await afterSweep();
      expect(stored).toEqual(known);
      expect(unfinished).toBe(0);
      expect(stored.includes(real.storageKey)).toBe(model.inUse);
    }),
    {
      numRuns: IS_WHOLE ? 400 : 30,
      examples: [
        ["allParts", "complete", "publish", "expire", "abort"],
        ["allParts", "completeWhoseAnswerIsLost", "restart", "resume", "publish"],
        ["allParts", "completeThatIsNotNoted", "restart", "abort"],
        ["part", "partWhoseAnswerIsLost", "partWhileTheStoreIsAway", "completeWhileTheStoreIsAway", "restart"],
      ].map((plan): [[string, number][]] => [plan.map((name): [string, number] => [name, 1])]),
    },
  );
  // The plans reach the states that matter.
  expect(told).toContain("complete open");
  expect(told).toContain("publish finished");
}, 180_000);
