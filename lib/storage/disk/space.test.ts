import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StorageError } from "../driver";
import { SmallDisk } from "../testing/small-disk";
import { DiskDriver } from ".";
import { Ballast, ballastBytes } from "./ballast";
import { ballastFile, releaseBallast } from "./ballast-file.mjs";

const MIB = 1024 * 1024;
const ZIP = "application/zip";
const CAPACITY = 100 * MIB;
const RESERVE = 40 * MIB;
/** Small files beside the bytes themselves. */
const CRUMBS = MIB;

let dataDir: string;
let disk: SmallDisk;
let driver: DiskDriver;

const connect = () => new DiskDriver({ dataDir, reserveBytes: RESERVE, statfs: disk.statfs });

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "slipway-space-"));
  disk = new SmallDisk(dataDir, CAPACITY);
  driver = connect();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const newKey = () => `installers/${randomUUID()}`;
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => "nothing failed",
    (error) => (error instanceof StorageError ? error.failure : String(error)),
  );

interface Begun {
  mib: number;
  key: string;
  uploadId: string;
}

async function begin(mib: number, store = driver, owner?: string): Promise<Begun> {
  const key = newKey();
  const uploadId = await store.createMultipart(key, { contentType: ZIP, size: mib * MIB, partSize: 10 * MIB, owner });
  return { mib, key, uploadId };
}

const storeImage = () =>
  driver.put(newKey(), Readable.from([randomBytes(300_000)]), { contentType: "image/png", maxBytes: 300_000 });

const send = ({ mib, key, uploadId }: Begun, number: number, store = driver) =>
  store.putPart(key, uploadId, number, Readable.from([randomBytes(Math.min(10, mib - (number - 1) * 10) * MIB)]));

/** Makes an upload look as if nothing had arrived for some minutes. */
async function stopFor(minutes: number, { key, uploadId }: Begun): Promise<void> {
  const then = new Date(Date.now() - minutes * 60_000);
  const folder = join(dataDir, "uploads", `${key.replaceAll("/", "+")}~${uploadId}`);
  for (const path of [folder, join(folder, "data")]) await utimes(path, then, then);
}

const usedBytes = async () => {
  disk.resize(CAPACITY);
  return CAPACITY - (await disk.freeBytes());
};

/** A body in chunks as sockets give them, which counts what was read of it. */
function flowing(mib: number): Readable & { given: number } {
  const body = Object.assign(
    new Readable({
      read() {
        if (body.given === mib * MIB) return void body.push(null);
        body.given += MIB / 4;
        body.push(randomBytes(MIB / 4));
      },
    }),
    { given: 0 },
  );
  return body;
}

const put = (mib: number, options: { expectedBytes?: number; maxBytes?: number } = {}) => {
  const body = flowing(mib);
  const work = driver.put(newKey(), body, { contentType: ZIP, maxBytes: 1000 * MIB, ...options });
  return { body, work };
};

describe("an upload in parts", () => {
  it("is begun where its announced size fits above the reserve, and refused where it does not", async () => {
    expect(await failureOf(begin(61))).toBe("full");
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
    await begin(58);
  });

  it("counts reserved bytes before they are written, also after a restart of the server", async () => {
    const first = await begin(30);
    expect(await failureOf(begin(31))).toBe("full");
    expect(await failureOf(begin(31, connect()))).toBe("full");
    await send(first, 1);
    await send(first, 2);
    expect(await failureOf(begin(31, connect()))).toBe("full");
    await begin(28);
  });

  it("is one of those that fit where many are begun at once", async () => {
    const begun = await Promise.all(Array.from({ length: 10 }, () => failureOf(begin(11))));
    expect(begun.filter((outcome) => outcome === "nothing failed")).toHaveLength(5);
    expect(begun.filter((outcome) => outcome === "full")).toHaveLength(5);
  });

  it("gives its room back when it is given up, and when it is swept", async () => {
    const given = await begin(50);
    await driver.abortMultipart(given.key, given.uploadId);
    await begin(50);
    expect(await failureOf(begin(50))).toBe("full");
    expect(await driver.sweepUnfinished("", new Date(Date.now() + 60_000))).toBe(1);
    await begin(50);
  });

  it("keeps what it was promised against files in one piece", async () => {
    const upload = await begin(40);
    expect(await failureOf(put(30).work)).toBe("full");
    for (const number of [1, 2, 3, 4]) await send(upload, number);
    expect(disk.lowest).toBeGreaterThanOrEqual(RESERVE - CRUMBS);
  });

  it("is refused its parts below the reserve, keeps those that came, and goes on once there is room", async () => {
    const upload = await begin(30);
    await send(upload, 1);
    disk.resize(RESERVE);
    expect(await failureOf(send(upload, 2))).toBe("full");
    expect(await failureOf(send(upload, 1))).toBe("full");
    expect((await driver.listParts(upload.key, upload.uploadId)).map(({ number }) => number)).toEqual([1]);
    disk.resize(CAPACITY);
    await send(upload, 2);
    await send(upload, 3);
    const parts = await driver.listParts(upload.key, upload.uploadId);
    expect(await driver.completeMultipart(upload.key, upload.uploadId, parts)).toMatchObject({ size: 30 * MIB });
  });

  it("is refused a part while it flows where somebody else takes the room", async () => {
    const upload = await begin(40);
    const body = flowing(10);
    body.once("data", () => disk.resize(RESERVE));
    expect(await failureOf(driver.putPart(upload.key, upload.uploadId, 1, body))).toBe("full");
    expect(body.given).toBeLessThanOrEqual(10 * MIB);
    expect(await driver.listParts(upload.key, upload.uploadId)).toEqual([]);
  });

  it("is joined and removed on a disk without one free byte", async () => {
    const [joined, removed] = [await begin(10), await begin(20)];
    await send(joined, 1);
    await send(removed, 1);
    disk.resize(0);
    const parts = await driver.listParts(joined.key, joined.uploadId);
    await driver.completeMultipart(joined.key, joined.uploadId, parts);
    await driver.abortMultipart(removed.key, removed.uploadId);
    await driver.delete(joined.key);
    await driver.ping();
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
  });
});

describe("the room that an upload has reserved", () => {
  it("is free again when nothing arrives for 15 minutes, and is reserved again by the next part", async () => {
    const stopped = await begin(50);
    await send(stopped, 1);
    await stopFor(14, stopped);
    expect(await failureOf(begin(15))).toBe("full");
    await stopFor(16, stopped);
    const other = await begin(15);
    await driver.abortMultipart(other.key, other.uploadId);
    await send(stopped, 2);
    expect(await failureOf(begin(25))).toBe("full");
    expect(await failureOf(begin(25, connect()))).toBe("full");
  });

  it("is not reserved again where others have taken it, and the parts that arrived are kept", async () => {
    const stopped = await begin(50);
    await send(stopped, 1);
    await stopFor(16, stopped);
    const other = await begin(45);
    expect(await failureOf(send(stopped, 2))).toBe("full");
    await driver.abortMultipart(other.key, other.uploadId);
    for (const number of [2, 3, 4, 5]) await send(stopped, number);
    const parts = await driver.listParts(stopped.key, stopped.uploadId);
    expect(await driver.completeMultipart(stopped.key, stopped.uploadId, parts)).toMatchObject({ size: 50 * MIB });
  });

  it("is at most half of what the others leave for each owner, also after a restart", async () => {
    await begin(55, driver, "greedy");
    await begin(15, driver, "honest");
    expect(await failureOf(begin(16, connect(), "third"))).toBe("full");
    await begin(14, connect(), "third");
  });

  it("is one share for all uploads of an owner", async () => {
    await begin(21, driver, "greedy");
    await begin(21, driver, "greedy");
    expect(await failureOf(begin(21, driver, "greedy"))).toBe("full");
    await begin(28, driver, "honest");
  });

  it("is kept for an upload against files that arrive later", async () => {
    const honest = await begin(25, driver, "honest");
    await begin(30, driver, "greedy");
    expect(await failureOf(put(40).work)).toBe("full");
    for (const number of [1, 2, 3]) await send(honest, number);
    const parts = await driver.listParts(honest.key, honest.uploadId);
    await driver.completeMultipart(honest.key, honest.uploadId, parts);
  });

  it("is left alone by the parts of an upload that has reserved less than it needs", async () => {
    const large = await begin(58, driver, "greedy");
    const honest = await begin(14, driver, "honest");
    await send(large, 1);
    expect(await failureOf(send(large, 2))).toBe("full");
    for (const number of [1, 2]) await send(honest, number);
    await driver.abortMultipart(honest.key, honest.uploadId);
    for (const number of [2, 3, 4, 5, 6]) await send(large, number);
  });

  it("does not keep images out, which may use an eighth of the reserve", async () => {
    await begin(58);
    for (let count = 0; count < 4; count += 1) expect((await storeImage()).size).toBe(300_000);
    disk.resize((await usedBytes()) + RESERVE);
    for (let count = 0; count < 4; count += 1) expect((await storeImage()).size).toBe(300_000);
    disk.resize((await usedBytes()) + (RESERVE * 7) / 8);
    expect(await failureOf(storeImage())).toBe("full");
  });
});

describe("a file in one piece", () => {
  it("takes room as it arrives, so that many slow ones leave room for others", async () => {
    const bodies = Array.from({ length: 40 }, () => new PassThrough());
    const work = bodies.map((body) => driver.put(newKey(), body, { contentType: ZIP, maxBytes: 1000 * MIB }));
    const ends = work.map((one) => one.catch(() => {}));
    await Promise.all(bodies.map((body) => new Promise((resolve) => body.write("dribble", resolve))));
    await begin(18);
    for (const body of bodies) body.destroy(new Error("gone"));
    await Promise.all(ends);
  });

  it("is refused before its first byte where its announced size does not fit", async () => {
    const { body, work } = put(70, { expectedBytes: 70 * MIB });
    expect(await failureOf(work)).toBe("full");
    expect(body.given).toBe(0);
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
  });

  it("ends at the reserve where nothing is announced, and leaves nothing behind", async () => {
    expect(await failureOf(put(90).work)).toBe("full");
    expect(disk.lowest).toBeGreaterThanOrEqual(RESERVE - CRUMBS);
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
    await put(40).work;
  });

  it("is stored down to the reserve, and no further over many at once", async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => failureOf(put(15).work)));
    expect(outcomes).toContain("full");
    expect(outcomes).toContain("nothing failed");
    // Half a MiB of each is under way.
    expect(await disk.freeBytes()).toBeGreaterThanOrEqual(RESERVE - CRUMBS);
    expect(disk.lowest).toBeGreaterThanOrEqual(RESERVE - 8 * MIB - CRUMBS);
  });

  it("takes no more room than it can have: a small one is stored where a step of a large one would not fit", async () => {
    await begin(59 - 2);
    const small = driver.put(newKey(), Readable.from([randomBytes(300_000)]), {
      contentType: "image/png",
      maxBytes: 300_000,
    });
    expect((await small).size).toBe(300_000);
  });

  it("gives its room back when it is through, and when it fails", async () => {
    for (const expectedBytes of [undefined, 30 * MIB]) {
      expect(await failureOf(put(5, { maxBytes: MIB, expectedBytes }).work)).toBe("too_large");
    }
    await begin(58);
  });
});

describe("without a reserve", () => {
  it("the disk is filled to its end, and nothing is kept for the database", async () => {
    const greedy = new DiskDriver({ dataDir, statfs: disk.statfs });
    await begin(98, greedy);
    await writeFile(ballastFile(dataDir), "of an earlier reserve");
    greedy.watchSpace(() => {});
    await expect.poll(() => stat(ballastFile(dataDir)).catch(() => null)).toBeNull();
  });
});

describe("the ballast", () => {
  const BYTES = 10 * MIB;
  let ballast: Ballast;
  const size = () =>
    stat(ballastFile(dataDir)).then(
      (found) => found.size,
      () => null,
    );

  beforeEach(() => {
    ballast = new Ballast({ dataDir, reserveBytes: RESERVE, freeBytes: () => disk.freeBytes() });
  });

  it("is a quarter of the reserve, and 64 MiB at most", () => {
    expect([0, RESERVE, 1024 * MIB].map(ballastBytes)).toEqual([0, BYTES, 64 * MIB]);
  });

  it("takes real room while there is plenty, once", async () => {
    expect(await ballast.adjust()).toEqual({ kind: "restored", freeBytes: CAPACITY });
    expect(await size()).toBe(BYTES);
    expect(await disk.freeBytes()).toBeLessThanOrEqual(CAPACITY - BYTES);
    expect((await stat(ballastFile(dataDir))).mode & 0o077).toBe(0);
    expect(await ballast.adjust()).toBeNull();
  });

  it("is released where the disk is full, and restored only when there is plenty again", async () => {
    await ballast.adjust();
    disk.resize(BYTES + RESERVE / 2);
    expect(await ballast.adjust()).toBeNull();
    disk.resize(BYTES);
    expect(await ballast.adjust()).toEqual({ kind: "released", freeBytes: expect.any(Number) });
    expect(await disk.freeBytes()).toBe(BYTES);
    disk.resize(RESERVE + BYTES - 1);
    expect(await ballast.adjust()).toBeNull();
    expect(await size()).toBeNull();
    disk.resize(CAPACITY);
    expect(await ballast.adjust()).toMatchObject({ kind: "restored" });
    expect(await size()).toBe(BYTES);
  });

  it("is rewritten if a crash truncated it or the reserve was changed", async () => {
    await writeFile(ballastFile(dataDir), randomBytes(MIB));
    expect(await ballast.adjust()).toMatchObject({ kind: "restored" });
    expect(await size()).toBe(BYTES);
    const larger = new Ballast({ dataDir, reserveBytes: 2 * RESERVE, freeBytes: async () => CAPACITY * 2 });
    expect(await larger.adjust()).toMatchObject({ kind: "restored" });
    expect(await size()).toBe(2 * BYTES);
  });

  it("leaves nothing half-written where there is no room after all", async () => {
    const folder = join(dataDir, "gone");
    const homeless = new Ballast({ dataDir: folder, reserveBytes: RESERVE, freeBytes: async () => CAPACITY });
    await expect(homeless.adjust()).rejects.toThrow("ENOENT");
  });

  it("stays at a start where the disk has room", async () => {
    releaseBallast(dataDir);
    await ballast.adjust();
    releaseBallast(dataDir);
    expect(await size()).toBe(BYTES);
  });

  it("is looked after while the server runs, and its failure is told once", async () => {
    const events: string[] = [];
    driver.watchSpace(({ kind }) => events.push(kind));
    driver.watchSpace(({ kind }) => events.push(`twice ${kind}`));
    await expect.poll(() => events).toEqual(["restored"]);
    disk.resize(BYTES);
    await expect.poll(() => events, { timeout: 10_000 }).toEqual(["restored", "released"]);
    expect(await size()).toBeNull();
  });
});
