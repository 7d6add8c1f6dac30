import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { twMerge } from "tailwind-merge";
import { expect, it } from "vitest";
import { projectDir } from "@/scripts/lib/files.mjs";
import { someOf } from "@/scripts/test-amount";
import { mergeClasses } from "./tailwind-classes";

/** A class without its variants (`lg:`, `data-[state=open]:`) and without `!`. */
function utilityOf(name: string): string {
  let depth = 0;
  let start = 0;
  for (const [index, character] of [...name].entries()) {
    if ("[(".includes(character)) depth += 1;
    else if ("])".includes(character)) depth -= 1;
    else if (character === ":" && depth === 0) start = index + 1;
  }
  return name.slice(start).replaceAll(/^!|!$/g, "");
}

/** All words of string literals in the source that may be classes. */
function utilities(): string[] {
  const found = new Set<string>();
  for (const file of globSync("{app,components}/**/*.{ts,tsx}", { cwd: projectDir })) {
    if (file.includes("tailwind-classes")) continue;
    const source = readFileSync(join(projectDir, file), "utf8");
    for (const [, ...texts] of source.matchAll(/"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`/g)) {
      for (const word of (texts.find((text) => text !== undefined) ?? "").split(/\s+/)) {
        const utility = utilityOf(word);
        if (/^-?[a-z][!-~]{0,80}$/.test(utility)) found.add(utility);
      }
    }
  }
  return [...found].sort();
}

const classes = utilities().filter((utility) => twMerge(`${utility} ${utility}`) === utility);

it("knows the Tailwind classes of the source", () => {
  expect(classes.length).toBeGreaterThan(400);
  expect(classes.filter((utility) => mergeClasses(`${utility} ${utility}`) !== utility)).toEqual([]);
});

it("merges each pair of them like tailwind-merge with its whole configuration", () => {
  const different: string[] = [];
  // A million pairs; `npm test` takes a hundred of each class, other ones for each.
  for (const [turn, first] of classes.entries()) {
    for (const second of someOf(classes, turn, 100)) {
      const pair = `${first} ${second}`;
      if (mergeClasses(pair) !== twMerge(pair)) different.push(pair);
    }
  }
  expect(different).toEqual([]);
});

it("merges classes with variants", () => {
  for (const list of ["lg:p-2 p-4 lg:px-3 lg:p-1", "hover:bg-muted! hover:bg-accent! bg-card", "text-sm/6 leading-5"]) {
    expect(mergeClasses(list)).toBe(twMerge(list));
  }
});
