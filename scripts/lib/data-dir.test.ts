import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensureDataDir, ensureMasterKey, resolveDataDir } from "./data-dir.mjs";
import { projectDir } from "./files.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-data-dir-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the data folder", () => {
  it("is DATA_DIR, or .data in the project by default", () => {
    expect(resolveDataDir({ NODE_ENV: "test" })).toBe(join(projectDir, ".data"));
    expect(resolveDataDir({ NODE_ENV: "test", DATA_DIR: "" })).toBe(join(projectDir, ".data"));
    expect(resolveDataDir({ NODE_ENV: "test", DATA_DIR: "/srv/slipway" })).toBe("/srv/slipway");
  });

  it("cannot be listed by others", () => {
    const dataDir = join(folder, "deep", "data");
    ensureDataDir(dataDir);
    expect(statSync(dataDir).mode & 0o066).toBe(0);
  });
});

describe("the master key", () => {
  it("is 32 random bytes in base64, readable by the owner only, and does not change", () => {
    const { file, missing } = ensureMasterKey(folder);
    expect(missing).toBe(false);
    const text = readFileSync(file, "utf8");
    expect(Buffer.from(text, "base64")).toHaveLength(32);
    expect(Buffer.from(text.trim(), "base64").toString("base64")).toBe(text.trim());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "keys")).mode & 0o777).toBe(0o700);
    expect(ensureMasterKey(folder)).toEqual({ file, missing: false });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(readdirSync(folder)).toEqual(["keys"]);
  });

  it("is different for each data folder", () => {
    const [one, two] = ["a", "b"].map((name) => {
      const dataDir = join(folder, name);
      ensureDataDir(dataDir);
      return readFileSync(ensureMasterKey(dataDir).file, "utf8");
    });
    expect(one).not.toBe(two);
  });

  it("is not replaced if it was lost: a new one would hide that sealed values cannot be read", () => {
    const { file } = ensureMasterKey(folder);
    rmSync(file);
    expect(ensureMasterKey(folder)).toEqual({ file, missing: true });
    expect(readdirSync(join(folder, "keys"))).toEqual([]);
  });
});
