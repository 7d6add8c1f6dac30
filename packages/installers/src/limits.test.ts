import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as limits from "./limits";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

function sizeOf(bytes: number): string {
  if (bytes >= GIB) return `${bytes / GIB} GiB`;
  return bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`;
}

test("the README lists each limit with its value", () => {
  const rows = Object.entries(limits).map(([name, value]) => {
    const text = name.endsWith("_BYTES") ? sizeOf(value) : value.toLocaleString("en-US");
    return `| \`${name}\` | ${text} |`;
  });
  const listed = README.split("\n").flatMap((line) => /^\| `[A-Z_]+` \| [^|]+ \|/.exec(line) ?? []);
  expect(listed).toEqual(rows);
});
