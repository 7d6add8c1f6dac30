import { randomBytes } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { BLOCK_BYTES, MAX_READS, SharedBlocks, type SharedFile } from "./shared-blocks";

const BLOCKS = 20;
const bytes = randomBytes(BLOCKS * BLOCK_BYTES - 1_000);
const IDENTITY = "1:2:3:4";
let folder: string;
let path: string;
let reads: number[];
let underWay: number;
let most: number;
let opened: FileHandle[];
let shared: SharedBlocks;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-blocks-"));
  path = join(folder, "file");
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  await writeFile(path, bytes);
  [reads, underWay, most, opened] = [[], 0, 0, []];
  shared = new SharedBlocks();
});
afterEach(async () => {
  for (const file of opened) await file.close().catch(() => {});
});

/** A handle whose reads are counted. */
async function counted(): Promise<FileHandle> {
  const file = await open(path);
  opened.push(file);
  const read = file.read.bind(file) as (...args: unknown[]) => ReturnType<FileHandle["read"]>;
  const counting = async (...args: unknown[]) => {
    reads.push(args[3] as number);
    underWay += 1;
    most = Math.max(most, underWay);
    const result = await read(...args);
    underWay -= 1;
    return result;
  };
  return Object.assign(file, { read: counting as FileHandle["read"] });
}

const joinFile = async () => shared.join(IDENTITY, await counted());

/** Reads the whole file. */
async function readAll(file: SharedFile): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let index = 0; index < BLOCKS; index++) {
    parts.push(Buffer.from(await file.take(index, bytes.length)));
    file.release(index);
  }
  return Buffer.concat(parts);
}

it("reads each block once for hundreds of readers at the same place, with one open file", async () => {
  const files = await Promise.all(Array.from({ length: 300 }, joinFile));
  expect(new Set(files).size).toBe(1);
  const contents = await Promise.all(files.map(readAll));
  expect(contents.every((content) => content.equals(bytes))).toBe(true);
  expect(reads).toHaveLength(BLOCKS);
  expect(opened.filter(({ fd }) => fd >= 0)).toHaveLength(1);
  expect(most).toBeLessThanOrEqual(MAX_READS);
  for (const _ of files) await shared.leave(IDENTITY);
  expect(opened.every(({ fd }) => fd < 0)).toBe(true);
  expect(shared.count.blocks).toBe(0);
});

it("keeps few blocks for one reader, and reads ahead", async () => {
  const file = await joinFile();
  let most = 0;
  for (let index = 0; index < BLOCKS; index++) {
    await file.take(index, bytes.length);
    most = Math.max(most, shared.count.blocks);
    file.release(index);
  }
  expect(most).toBeLessThanOrEqual(3);
  expect(reads).toHaveLength(BLOCKS);
  await shared.leave(IDENTITY);
  expect(shared.count).toMatchObject({ blocks: 0 });
});

it("holds one block for each of many readers at different places", async () => {
  shared = new SharedBlocks(4 * BLOCK_BYTES);
  const files = await Promise.all(Array.from({ length: BLOCKS }, joinFile));
  for (let round = 0; round < BLOCKS; round++) {
    const places = files.map((_, reader) => (reader + round) % BLOCKS);
    const blocks = await Promise.all(places.map((index, reader) => files[reader]?.take(index, bytes.length)));
    for (const [reader, index] of places.entries()) {
      const expected = bytes.subarray(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES);
      expect(blocks[reader]?.equals(expected)).toBe(true);
    }
    expect(shared.count.blocks).toBeLessThanOrEqual(BLOCKS);
    for (const index of places) files[0]?.release(index);
  }
});

it("never fills a block again while a reader has it", async () => {
  shared = new SharedBlocks(2 * BLOCK_BYTES);
  const [slow, fast] = [await joinFile(), await joinFile()];
  const held = await slow.take(3, bytes.length);
  for (let round = 0; round < 3; round++) expect((await readAll(fast)).equals(bytes)).toBe(true);
  expect(held.equals(bytes.subarray(3 * BLOCK_BYTES, 4 * BLOCK_BYTES))).toBe(true);
  expect(shared.count.blocks).toBeLessThanOrEqual(3);
});

it("fails for the readers that wait for a block which is no longer there, and holds nothing", async () => {
  const [one, other] = [await joinFile(), await joinFile()];
  await truncate(path, BLOCK_BYTES);
  const results = await Promise.allSettled([one.take(5, bytes.length), other.take(5, bytes.length)]);
  expect(results).toEqual([
    { status: "rejected", reason: expect.objectContaining({ failure: "unavailable" }) },
    { status: "rejected", reason: expect.objectContaining({ failure: "unavailable" }) },
  ]);
  await writeFile(path, bytes);
  expect((await one.take(5, bytes.length)).equals(bytes.subarray(5 * BLOCK_BYTES, 6 * BLOCK_BYTES))).toBe(true);
  one.release(5);
  await shared.leave(IDENTITY);
  await shared.leave(IDENTITY);
  expect(shared.count.blocks).toBe(0);
});

it("frees the block of a reader that left before it was read", async () => {
  const file = await joinFile();
  const taken = file.take(0, bytes.length);
  const left = shared.leave(IDENTITY);
  await taken;
  file.release(0);
  await left;
  expect(shared.count.blocks).toBe(0);
});
