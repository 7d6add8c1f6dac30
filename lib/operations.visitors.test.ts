import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Operation } from "@/lib/api/operation";
import { isOpen } from "@/lib/permissions/authorize";
import { projectDir } from "@/scripts/lib/files.mjs";
import { operations } from "./operations";
import { routes } from "./routes";

// The table of docs/security.md of what reaches a visitor without an account: it is complete, and each row names tests that exist.

const text = readFileSync(join(projectDir, "docs", "security.md"), "utf8");
const section = text.split("\n## What reaches a visitor without an account\n")[1]?.split("\n## ")[0] ?? "";
const rows = section
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(2)
  .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));

const open = Object.values(operations as Record<string, Operation>).filter(({ access }) => isOpen(access));

it("names every operation that has callers who are not signed in", () => {
  expect(open.length).toBeGreaterThan(20);
  expect(open.map(({ name }) => name).filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

it("names every address that is no operation", () => {
  const paths = new Set(
    Object.values(operations as Record<string, Operation>).map(({ area, name }) => `/api/${area}/${name}`),
  );
  const others = Object.keys(routes.byPath).filter((path) => path.startsWith("/api/") && !paths.has(path));
  // A client of Zealot or TestFairy asks for some paths at the root; they are those below `/compat/`.
  const atRoot = others.filter((path) => !section.includes(`\`${path}\``));
  expect(atRoot.filter((path) => !/^\/api\/(apps|upload|v\d)/.test(path))).toEqual([]);
  const below = Object.keys(routes.below).map((path) => path.replace(/^\/compat\/.*/, "/compat/"));
  expect(below.filter((path) => !section.includes(`\`${path}`))).toEqual([]);
});

it("has a row for each, with what is told, what is not, and tests that exist", () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) expect(row, row[0]).toHaveLength(4);
  const files = rows.flatMap(([, , , tests = ""]) =>
    [...tests.matchAll(/`([^`]+\.(?:test|spec)\.ts)`/g)].map(([, file]) => file ?? ""),
  );
  expect(files.length).toBeGreaterThanOrEqual(rows.length - 5);
  expect(files.filter((file) => !existsSync(join(projectDir, file)))).toEqual([]);
  for (const [address, , , tests = ""] of rows) expect(tests, address).toMatch(/\.(test|spec)\.ts`|^the same$/);
});
