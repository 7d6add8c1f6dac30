import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { appendFile, type FileHandle, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { FileHash } from "./file-hash";
import { writeBody } from "./file-write";

const MIB = 1024 * 1024;
const folder = await mkdtemp(join(tmpdir(), "slipway-write-"));
afterAll(() => rm(folder, { recursive: true }));

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const failed = (error: unknown) => new Error("disk", { cause: error });

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A file to which the system never writes more than `most` bytes at a time. */
function stubborn(file: FileHandle, most: number): FileHandle {
  return new Proxy(file, {
    get(target, name) {
      if (name === "write") {
        return (bytes: Uint8Array, offset: number, length: number, position: number) =>
          target.write(bytes, offset, Math.min(most, length), position);
      }
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe("writing a body", () => {
  it.each([1, 1000, 65_536, 65_537, 3 * MIB])(
    "puts chunks of %i bytes at their place and nowhere else",
    async (size) => {
      const path = join(folder, `chunks-${size}`);
      const bytes = randomBytes(size === 1 ? 5_000 : 2 * MIB + 99);
      await writeFile(path, Buffer.alloc(bytes.length + 20, 1));
      const file = await open(path, "r+");
      const reports: number[] = [];
      const written = await writeBody(file, chunks(bytes, size), {
        position: 10,
        written: (n) => reports.push(n),
        failed,
      });
      await file.close();
      expect(written).toBe(bytes.length);
      expect(reports.at(-1)).toBe(bytes.length);
      expect(reports).toEqual([...reports].sort((a, b) => a - b));
      const found = await readFile(path);
      expect(found.subarray(10, -10).equals(bytes)).toBe(true);
      expect([...found.subarray(0, 10), ...found.subarray(-10)]).toEqual(Array(20).fill(1));
    },
  );

  it.each([1, 7, 65_535, 65_536, 100_000])("goes on where the system took only %i bytes", async (most) => {
    const path = join(folder, `short-${most}`);
    const bytes = randomBytes(most < 100 ? 500 : MIB + 77);
    const file = await open(path, "w");
    await writeBody(stubborn(file, most), chunks(bytes, 4096), { position: 0, failed });
    await file.close();
    expect((await readFile(path)).equals(bytes)).toBe(true);
  });

  it("says at once that the disk failed, and how", async () => {
    const path = join(folder, "readonly");
    await writeFile(path, "");
    const file = await open(path, "r");
    let given = 0;
    const endless = (async function* () {
      for (;;) {
        given += MIB;
        yield Buffer.alloc(MIB);
      }
    })();
    const writing = writeBody(file, endless, { position: 0, failed });
    await expect(writing).rejects.toThrow("disk");
    await expect(writing).rejects.toHaveProperty("cause.code", "EBADF");
    expect(given).toBeLessThan(5 * MIB);
    await file.close();
  });
});

describe("hashing behind the writer", () => {
  it("gives the hash of a file that grew while it was hashed", async () => {
    const path = join(folder, "grows");
    const bytes = randomBytes(20 * MIB + 3);
    await writeFile(path, "");
    const hash = new FileHash(path);
    let length = 0;
    for await (const chunk of chunks(bytes, 3 * MIB)) {
      await appendFile(path, chunk);
      length += chunk.length;
      hash.advance(length);
    }
    expect(await hash.digest()).toBe(sha256(bytes));
  });

  it("stops at the bytes that it was told of", async () => {
    const path = join(folder, "told");
    await writeFile(path, "0123456789");
    const hash = new FileHash(path);
    hash.advance(4);
    expect(await hash.digest()).toBe(sha256(Buffer.from("0123")));
    expect(await new FileHash(path).digest()).toBe(sha256(Buffer.alloc(0)));
  });

  it("lets a short file by while a long one is hashed", async () => {
    const [long, short] = [join(folder, "long"), join(folder, "short")];
    const bytes = randomBytes(96 * MIB);
    await writeFile(long, bytes);
    await writeFile(short, "x");
    const order: string[] = [];
    const hashes = [long, short].map((path, index) => {
      const hash = new FileHash(path);
      hash.advance(index === 0 ? bytes.length : 1);
      return hash.digest().then((digest) => {
        order.push(path);
        return digest;
      });
    });
    expect(await Promise.all(hashes)).toEqual([sha256(bytes), sha256(Buffer.from("x"))]);
    expect(order).toEqual([short, long]);
  });

  it("fails for callers waiting for the hash of an aborted file", async () => {
    const path = join(folder, "given-up");
    await promisify(execFile)("mkfifo", [path]);
    const hash = new FileHash(path);
    hash.advance(1);
    // The thread waits until somebody opens the pipe to write.
    const digest = expect(hash.digest()).rejects.toHaveProperty("code", "ENOENT");
    hash.drop();
    await digest;
    const writer = await open(path, "r+");
    const empty = join(folder, "after-it");
    await writeFile(empty, "");
    expect(await new FileHash(empty).digest()).toBe(sha256(Buffer.alloc(0)));
    await writer.close();
  });

  it("fails where the file is gone or shorter than it was said to be", async () => {
    const gone = new FileHash(join(folder, "gone"));
    gone.advance(10);
    await expect(gone.digest()).rejects.toHaveProperty("code", "ENOENT");
    const path = join(folder, "shorter");
    await writeFile(path, "12345");
    const shorter = new FileHash(path);
    shorter.advance(6);
    await expect(shorter.digest()).rejects.toThrow("shorter");
  });
});
