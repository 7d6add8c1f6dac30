import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectDir } from "./files.mjs";
import { importsOf } from "./structure.mjs";

const EXTENSIONS = [".ts", ".tsx", "/index.ts", ""];
const resolve = (path: string) =>
  EXTENSIONS.map((extension) => path + extension).find(
    (file) => /\.\w+$/.test(file) && existsSync(join(projectDir, file)),
  );

/** The files that a file imports when it is loaded, each with the chain of imports that leads to it. */
function loadedWith(entry: string): Map<string, string[]> {
  const chains = new Map([[entry, [entry]]]);
  for (const [file, chain] of chains) {
    const text = readFileSync(join(projectDir, file), "utf8").replace(/\bimport\([^)]*\)/g, "");
    for (const { to, typeOnly } of importsOf(file, text, resolve)) {
      if (!typeOnly && !chains.has(to)) chains.set(to, [...chain, to]);
    }
  }
  return chains;
}

it.each(["components/common/navigation/console-frame.tsx", "app/providers.tsx"])(
  "%s, which every page loads first, loads no schemas: zod alone has 33 kB",
  (entry) => {
    for (const [file, chain] of loadedWith(entry)) {
      const text = readFileSync(join(projectDir, file), "utf8");
      expect(/^import (?!type).* from "zod"/m.test(text) ? chain.join(" > ") : "").toBe("");
    }
  },
);
