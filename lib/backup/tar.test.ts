import { execFileSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, inject, it } from "vitest";
import { readTar, type TarEntry, writeTar } from "./tar";

const entries: TarEntry[] = [
  { name: "header.json", bytes: Buffer.from("{}") },
  { name: "tables/App/000001.copy", bytes: randomBytes(512) },
  { name: "empty", bytes: Buffer.alloc(0) },
  { name: "large", bytes: randomBytes(100_001) },
];
const archive = () => buffer(writeTar(Readable.from(entries), new Date("2026-11-22T00:00:00Z")));

async function read(bytes: Buffer): Promise<TarEntry[]> {
  const found: TarEntry[] = [];
  for await (const entry of readTar(Readable.from([bytes.subarray(0, 700), bytes.subarray(700)]))) found.push(entry);
  return found;
}

describe("an archive", () => {
  it("is read as it was written", async () => {
    expect(await read(await archive())).toEqual(entries);
  });

  it("opens with tar", async () => {
    const folder = join(inject("runDir"), `tar-${randomUUID()}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "a.tar"), await archive());
    execFileSync("tar", ["-xf", "a.tar"], { cwd: folder });
    for (const { name, bytes } of entries) expect(readFileSync(join(folder, name)).equals(bytes)).toBe(true);
  });

  it("is refused if it is cut short, or a header was changed", async () => {
    const bytes = await archive();
    for (const length of [0, 511, 600, bytes.length - 1024]) {
      await expect(read(bytes.subarray(0, length))).rejects.toMatchObject({ problem: "damaged" });
    }
    const changed = Buffer.from(bytes);
    changed.write("x", 3);
    await expect(read(changed)).rejects.toMatchObject({ problem: "damaged" });
  });
});
