import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { precompress } from "./precompress.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "precompress-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("writes copies of the long text files, in folders of any depth", async () => {
  const text = "a text of several words, again and again; ".repeat(100);
  mkdirSync(join(folder, "a", "b"), { recursive: true });
  for (const name of ["a/b/long.js", "long.css", "long.svg"]) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "short.js"), "1");
  writeFileSync(join(folder, "image.png"), text);
  await precompress(folder);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.(br|gz)$/.test(name));
  expect(names.map((name) => name.replaceAll("\\", "/")).sort()).toEqual(
    ["a/b/long.js", "long.css", "long.svg"].flatMap((name) => [`${name}.br`, `${name}.gz`]),
  );
  expect(brotliDecompressSync(readFileSync(join(folder, "a/b/long.js.br"))).toString()).toBe(text);
  expect(gunzipSync(readFileSync(join(folder, "a/b/long.js.gz"))).toString()).toBe(text);
});
