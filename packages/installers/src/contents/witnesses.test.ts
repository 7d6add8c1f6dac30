import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { FIXTURES, hasFixtures } from "../../testing/real-installers";
import { bytesSource } from "../source";
import { readContents } from "./contents";
import { diffContents } from "./diff";
import type { InstallerContents } from "./types";

vi.setConfig({ testTimeout: 60_000 });

function isInstalled(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}

const missing = [
  ...(hasFixtures ? [] : ["../shared/fixtures"]),
  ...["unzip", "aapt"].filter((program) => !isInstalled(program)),
];

if (missing.length > 0) test("real neighbouring builds", ({ skip }) => skip(`${missing.join(", ")} is missing`));

const pathOf = (name: string) => fileURLToPath(new URL(name, FIXTURES));

/** Neighbours in the order of their names: real builds of one app, and apps that have little in common. */
function pairsOf(kind: "apk" | "ipa" | "aab"): [string, string][] {
  if (!hasFixtures) return [];
  const names = readdirSync(new URL(`${kind}/`, FIXTURES))
    .toSorted()
    .map((name) => `${kind}/${name}`);
  return names.slice(1).map((name, index) => [names[index] as string, name]);
}

function contentsOf(name: string): Promise<InstallerContents> {
  return readContents(bytesSource(new Uint8Array(readFileSync(pathOf(name)))));
}

/** The files of an archive with size and CRC-32, as `unzip -v` lists them. */
function listedByUnzip(name: string): Map<string, string> {
  const listing = execFileSync("unzip", ["-v", pathOf(name)], { encoding: "utf8", maxBuffer: 2 ** 26 });
  const files = new Map<string, string>();
  for (const line of listing.split("\n")) {
    const found = /^\s*(\d+)\s+\S+\s+\d+\s+-?\d+%\s+\S+\s+\S+\s+([0-9a-f]{8})\s{2}(.+)$/.exec(line);
    if (found && !found[3]?.endsWith("/")) files.set(found[3] as string, `${found[1]} ${found[2]}`);
  }
  return files;
}

function appFolderIn(files: ReadonlyMap<string, string>): string {
  return [...files.keys()].map((name) => /^Payload\/[^/]+\.app\//.exec(name)?.[0]).find((name) => name) ?? "";
}

/** How many files unzip says were added, removed and changed, with app folders taken for the same. */
function countsByUnzip(from: string, to: string) {
  const [old, current] = [listedByUnzip(from), listedByUnzip(to)].map((files) => {
    const folder = appFolderIn(files);
    return new Map([...files].map(([name, file]) => [folder ? name.replace(folder, "Payload/App.app/") : name, file]));
  }) as [Map<string, string>, Map<string, string>];
  return {
    added: [...current.keys()].filter((name) => !old.has(name)).length,
    removed: [...old.keys()].filter((name) => !current.has(name)).length,
    changed: [...current].filter(([name, file]) => old.has(name) && old.get(name) !== file).length,
  };
}

/** What aapt says of an app. `dump badging` adds the permissions that the platform implies, which no manifest names. */
function badging(name: string) {
  const dumped = (what: string) => execFileSync("aapt", ["dump", what, pathOf(name)], { encoding: "utf8" }).split("\n");
  const all = (lines: string[], pattern: RegExp) =>
    new Set(lines.map((line) => pattern.exec(line)?.[1]).filter((text) => text));
  const lines = dumped("badging");
  return {
    permissions: all(dumped("permissions"), /^uses-permission(?:-sdk-23)?: name='([^']+)'/),
    min: [...all(lines, /^sdkVersion:'([^']+)'/)][0] ?? null,
    target: [...all(lines, /^targetSdkVersion:'([^']+)'/)][0] ?? null,
  };
}

function without<T>(all: ReadonlySet<T>, some: ReadonlySet<T>): Set<T> {
  return new Set([...all].filter((one) => !some.has(one)));
}

const describeReal = missing.length === 0 ? describe : () => undefined;
describeReal("neighbouring builds", () => {
  test.each([...pairsOf("apk"), ...pairsOf("ipa"), ...pairsOf("aab")])(
    "%s and %s differ in as many files as unzip lists",
    async (from, to) => {
      const { files } = diffContents(await contentsOf(from), await contentsOf(to));
      expect({ added: files.added, removed: files.removed, changed: files.changed }).toEqual(countsByUnzip(from, to));
    },
  );

  test.each(pairsOf("apk"))("%s and %s differ in permissions and systems as aapt says", async (from, to) => {
    const diff = diffContents(await contentsOf(from), await contentsOf(to));
    const [old, current] = [badging(from), badging(to)];
    expect(new Set(diff.permissions.added)).toEqual(without(current.permissions, old.permissions));
    expect(new Set(diff.permissions.removed)).toEqual(without(old.permissions, current.permissions));
    expect(diff.sdk).toEqual({
      min: { from: old.min, to: current.min },
      target: { from: old.target, to: current.target },
    });
  });
});
