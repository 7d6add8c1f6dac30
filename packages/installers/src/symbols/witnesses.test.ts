import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { ARCHITECTURES, makeFatMachO, makeMachO } from "../../testing/make-mach-o";
import { FIXTURES, hasFixtures } from "../../testing/real-installers";
import { openArchive } from "../archive/archive";
import { readMachImages } from "../ios/mach-o";
import { bytesSource } from "../source";
import { ipaBinaries } from "./binaries";

vi.setConfig({ testTimeout: 60_000 });

function isInstalled(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}

const missing = ["llvm-dwarfdump", "llvm-objdump"].filter((program) => !isInstalled(program));
if (missing.length > 0) test("what LLVM says", ({ skip }) => skip(`${missing.join(", ")} is missing`));
else if (!hasFixtures) test("real apps", ({ skip }) => skip("../shared/fixtures is missing"));

const folder = mkdtempSync(join(tmpdir(), "slipway-llvm-"));
afterAll(() => rmSync(folder, { recursive: true }));

const imagesOf = async (file: Uint8Array) => {
  const reader = {
    size: file.length,
    read: async ({ offset, length }: { offset: number; length: number }) =>
      offset + length <= file.length ? file.subarray(offset, offset + length) : null,
  };
  const images = (await readMachImages(reader)) ?? [];
  return images.map(({ uuid, architecture }) => `${uuid} ${architecture}`).toSorted();
};

/** What `llvm-dwarfdump --uuid` says: `UUID: 6A5C… (arm64) path`. */
function dwarfdump(path: string): string[] {
  const text = execFileSync("llvm-dwarfdump", ["--uuid", path], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return [...text.matchAll(/^UUID: (\S+) \((\S+)\)/gm)].map(([, uuid, name]) => `${uuid} ${name}`).toSorted();
}

/** The UUIDs that `llvm-objdump` prints of the load commands of all slices. */
function objdump(path: string): string[] {
  const text = execFileSync("llvm-objdump", ["--macho", "--private-headers", "--arch=all", path], { encoding: "utf8" });
  return [...text.matchAll(/^\s*uuid (\S+)/gm)].map(([, uuid]) => uuid as string).toSorted();
}

function written(bytes: Uint8Array): string {
  const path = join(folder, randomBytes(4).toString("hex"));
  writeFileSync(path, bytes);
  return path;
}

const uuid = (index: number) => `00000000-0000-4000-8000-00000000000${index}`;

const describeLlvm = missing.length === 0 ? describe : () => undefined;
describeLlvm("LLVM's tools", () => {
  test.each(ARCHITECTURES)("read the same UUID and architecture of symbols for %s", async (architecture) => {
    for (const fileType of [2, 10]) {
      const file = makeMachO({ uuid: uuid(1), architecture, fileType });
      const path = written(file);
      expect(await imagesOf(file)).toEqual([`${uuid(1)} ${architecture}`]);
      expect(objdump(path)).toEqual([uuid(1)]);
      expect(dwarfdump(path)).toEqual([`${uuid(1)} ${architecture}`]);
    }
  });

  test("read the same of a file in the other byte order", async () => {
    const file = makeMachO({ uuid: uuid(2), bigEndian: true, fileType: 10 });
    expect((await imagesOf(file))[0]).toMatch(uuid(2));
    expect(objdump(written(file))).toEqual([uuid(2)]);
  });

  test.each([false, true])("read the same of the slices of a universal file, with wide offsets: %s", async (wide) => {
    const slices = ARCHITECTURES.map((architecture, index) => ({ uuid: uuid(index), architecture, fileType: 10 }));
    const file = makeFatMachO(slices, { wide });
    const path = written(file);
    expect(dwarfdump(path)).toEqual(await imagesOf(file));
    expect(objdump(path)).toEqual(slices.map(({ uuid }) => uuid).toSorted());
  });

  const real = hasFixtures ? readdirSync(new URL("ipa/", FIXTURES)).filter((name) => name.endsWith(".ipa")) : [];
  if (real.length > 0) {
    test.each(real)("read the same UUIDs of the programs of %s", async (name) => {
      const source = bytesSource(new Uint8Array(readFileSync(new URL(`ipa/${name}`, FIXTURES))));
      const binaries = (await ipaBinaries(source)) ?? [];
      const archive = await openArchive(source);
      const programs = [...new Set(binaries.map((image) => image.name))];
      for (const program of programs) {
        const entry = [...archive.entries.values()].find(
          (one) => one.name.startsWith("Payload/") && one.name.endsWith(`.app/${program}`),
        );
        if (!entry || entry.uncompressedSize > 10_000_000) continue;
        const path = written(await archive.read(entry, 10_000_000));
        const ours = binaries.filter((image) => image.name === program).map((image) => image.uuid);
        expect(ours.toSorted(), program).toEqual(objdump(path));
      }
    });
  }
});
