import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { outputPath, writeOutput } from "./output-file";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-output-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Waits until the files that were being opened are there. */
async function pendingFiles(): Promise<string[]> {
  for (let turn = 0; turn < 100; turn++) await setImmediate();
  return readdirSync(folder);
}

it("leaves nothing of content that fails before its first byte, and keeps the file that was there", async () => {
  const path = join(folder, "app.ipa");
  // biome-ignore lint/correctness/useYield: the content fails at once
  async function* failing(): AsyncGenerator<Uint8Array> {
    throw new Error("refused");
  }
  await expect(writeOutput(path, failing(), { mode: 0o644, force: true })).rejects.toThrow("refused");
  expect(await pendingFiles()).toEqual([]);

  await writeOutput(path, "first", { mode: 0o644, force: true });
  await expect(writeOutput(path, failing(), { mode: 0o644, force: true })).rejects.toThrow("refused");
  expect(await pendingFiles()).toEqual(["app.ipa"]);
  expect(readFileSync(path, "utf8")).toBe("first");
});

it("leaves nothing if it is interrupted before it begins", async () => {
  const path = join(folder, "app.ipa");
  const signal = AbortSignal.abort(new Error("interrupted"));
  await expect(writeOutput(path, "content", { mode: 0o644, force: false, signal })).rejects.toThrow();
  expect(await pendingFiles()).toEqual([]);
});

describe("the file of a command", () => {
  const at = (output: string | undefined, force = false) => outputPath({ folder }, { output, force }, "push.p12");

  it("is in this folder, in the one that is named, or the one that is named", () => {
    mkdirSync(join(folder, "keys"));
    expect(at(undefined)).toBe(join(folder, "push.p12"));
    expect(at("keys")).toBe(join(folder, "keys", "push.p12"));
    expect(at("new/")).toBe(join(folder, "new", "push.p12"));
    expect(at("own.p12")).toBe(join(folder, "own.p12"));
    expect(at("-")).toBeNull();
  });

  it("is not one that is there, without --force, nor the target of a link", () => {
    writeFileSync(join(folder, "push.p12"), "mine");
    symlinkSync(join(folder, "elsewhere"), join(folder, "link"));
    for (const output of [undefined, ".", "push.p12", "link"]) {
      expect(() => at(output), output).toThrow(/exists already\.$/);
    }
    expect(at(undefined, true)).toBe(join(folder, "push.p12"));
  });

  it("is never a device", () => {
    expect(() => at("/dev/null", true)).toThrow("/dev/null is not a file and is not replaced.");
  });
});

it("says that the folder does not exist, and not the file", async () => {
  const path = join(folder, "new", "app.ipa");
  const writing = writeOutput(path, "content", { mode: 0o644, force: false });
  await expect(writing).rejects.toThrow(`The folder ${join(folder, "new")} does not exist.`);
});

it("does not replace a file that appears while the content arrives", async () => {
  const path = join(folder, "app.ipa");
  async function* late(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("new");
    writeFileSync(path, "mine");
  }
  await expect(writeOutput(path, late(), { mode: 0o644, force: false })).rejects.toThrow("exists already");
  expect(readdirSync(folder)).toEqual(["app.ipa"]);
  expect(readFileSync(path, "utf8")).toBe("mine");
});
