import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as limits from "./limits";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

const sizeOf = (bytes: number) => (bytes >= GIB ? `${bytes / GIB} GiB` : `${bytes / MIB} MiB`);

test("the README lists each limit with its value", () => {
  const rows = Object.entries(limits).map(([name, value]) => {
    const text = name.endsWith("_BYTES") ? sizeOf(value) : value.toLocaleString("en-US");
    return `| \`${name}\` | ${text} |`;
  });
  const listed = README.split("\n").flatMap((line) => /^\| `[A-Z_]+` \| [^|]+ \|/.exec(line) ?? []);
  expect(listed).toEqual(rows);
});
