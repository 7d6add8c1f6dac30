import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectDir } from "./lib/files.mjs";

// Pages that say in their first lines where their operations are, or that are lists for people who know the API.
const EXCEPT = ["clients.md", "security.md", "performance.md"];

const list = readFileSync(join(projectDir, "lib", "operations.ts"), "utf8");
const areas = new Map([...list.matchAll(/^ {2}"([a-z-]+)\/([a-z-]+)":/gm)].map(([, area, name]) => [name, area]));
const pages = ["docs", "docs/operations", "docs/sso"].flatMap((folder) =>
  readdirSync(join(projectDir, folder))
    .filter((name) => name.endsWith(".md") && !EXCEPT.includes(name))
    .map((name) => `${folder}/${name}`),
);

it.each(pages)("%s has the path of each operation that it names", (page) => {
  const text = readFileSync(join(projectDir, page), "utf8");
  const named = [...areas].filter(([name]) => text.includes(`\`${name}\``));
  const missing = named.filter(([name, area]) => !text.includes(`/api/${area}/${name}`));
  expect(missing.map(([name]) => name)).toEqual([]);
});
