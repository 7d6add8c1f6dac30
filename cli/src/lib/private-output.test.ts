import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeOutput } from "./private-output";

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
  await expect(writeOutput(path, failing(), { mode: 0o644 })).rejects.toThrow("refused");
  expect(await pendingFiles()).toEqual([]);

  await writeOutput(path, "first", { mode: 0o644 });
  await expect(writeOutput(path, failing(), { mode: 0o644 })).rejects.toThrow("refused");
  expect(await pendingFiles()).toEqual(["app.ipa"]);
  expect(readFileSync(path, "utf8")).toBe("first");
});

it("leaves nothing if it is interrupted before it begins", async () => {
  const path = join(folder, "app.ipa");
  const signal = AbortSignal.abort(new Error("interrupted"));
  await expect(writeOutput(path, "content", { mode: 0o644, signal })).rejects.toThrow();
  expect(await pendingFiles()).toEqual([]);
});
