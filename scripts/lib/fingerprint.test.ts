import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compareWithStamp, listSources } from "./fingerprint.mjs";

let root: string;
let stampFile: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "slipway-fingerprint-"));
  stampFile = join(root, "out", "stamp.json");
  mkdirSync(join(root, "src/inner"), { recursive: true });
  mkdirSync(join(root, "out"));
  writeFileSync(join(root, "src/inner/a.ts"), "a");
  writeFileSync(join(root, "src/b.ts"), "b");
  writeFileSync(join(root, "src/b.log"), "noise");
});
afterEach(() => rmSync(root, { recursive: true }));

const includes = (path: string) => path !== "out/" && !path.endsWith(".log");
const compare = (extra: string[] = []) => compareWithStamp(stampFile, { root, includes, extra });

describe("a fingerprint of sources", () => {
  it("covers the included files of all folders", () => {
    expect(listSources({ root, includes })).toEqual(["src/b.ts", "src/inner/a.ts"]);
  });

  it("is stale before the first stamp and fresh after it", () => {
    const first = compare();
    expect(first.fresh).toBe(false);
    first.stamp();
    expect(compare().fresh).toBe(true);
  });

  it("is stale after a change, a new file, a removed file and a renamed file", () => {
    compare().stamp();
    writeFileSync(join(root, "src/b.ts"), "c");
    utimesSync(join(root, "src/b.ts"), 1, 1);
    expect(compare().fresh).toBe(false);
    writeFileSync(join(root, "src/b.ts"), "b");
    expect(compare().fresh).toBe(true);
    writeFileSync(join(root, "src/new.ts"), "");
    expect(compare().fresh).toBe(false);
    rmSync(join(root, "src/new.ts"));
    expect(compare().fresh).toBe(true);
    rmSync(join(root, "src/b.ts"));
    writeFileSync(join(root, "src/renamed.ts"), "b");
    expect(compare().fresh).toBe(false);
  });

  it("stays fresh if only modification times change, as in a new checkout, and records the new times", () => {
    compare().stamp();
    const before = statSync(stampFile).mtimeMs;
    utimesSync(join(root, "src/b.ts"), 1, 1);
    expect(compare().fresh).toBe(true);
    expect(statSync(stampFile).mtimeMs).toBeGreaterThanOrEqual(before);
    expect(compare().fresh).toBe(true);
  });

  it("ignores excluded files", () => {
    compare().stamp();
    writeFileSync(join(root, "src/b.log"), "more noise");
    expect(compare().fresh).toBe(true);
  });

  it("is stale when another input changes", () => {
    compare(["7.10.0"]).stamp();
    expect(compare(["7.10.0"]).fresh).toBe(true);
    expect(compare(["7.11.0"]).fresh).toBe(false);
  });

  it("stamps the sources as they were when compared, not when stamped", () => {
    const before = compare();
    writeFileSync(join(root, "src/b.ts"), "changed during the work");
    before.stamp();
    expect(compare().fresh).toBe(false);
  });

  it("treats a damaged stamp as missing", () => {
    writeFileSync(stampFile, "{");
    expect(compare().fresh).toBe(false);
  });
});
