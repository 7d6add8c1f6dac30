import { diffLists, type InstallerKind, sdkChanges } from "@slipway/installers";
import type { OperationOutput } from "@/lib/client/operation-types";
import { type Console, READING_TIMEOUT_MS } from "../lib/console";
import type { Context } from "../lib/context";
import { connectToRelease, ofRelease, type ReleaseFlags, requireReleaseId } from "../lib/release";
import { printable, size } from "../lib/terminal";
import { writeJson } from "../lib/write-json";

export interface DiffFlags extends ReleaseFlags {
  from?: string;
  all: boolean;
  markdown: boolean;
}

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;

const NOUNS = {
  permissions: "permission",
  entitlements: "entitlement",
  features: "feature",
  urlSchemes: "URL scheme",
  intentFilters: "intent filter",
  frameworks: "framework",
  libraries: "library",
} as const;

/** How many files are listed, those that differ the most. */
const LISTED_FILES = 50;

/** What people decide by; the other groups are shown on request. */
const DECIDING: readonly string[] = ["permissions", "entitlements"];

/**
 * The difference of two releases as lines: size, systems, certificate and permissions, and how much else there is.
 * @param all everything else, too
 */
export function diffLines(
  diff: OperationOutput<"apps/get-release-diff">,
  { kind, all }: { kind: InstallerKind; all: boolean },
): string[] {
  const { size: bytes, files, signing, from } = diff;
  const total = files.added + files.removed + files.changed;
  const listed = files.items.slice(0, LISTED_FILES);
  const groups = diffLists(diff).map(({ group, items }) => ({
    isDeciding: DECIDING.includes(group),
    lines: items.map(({ change, text }) => `${SIGNS[change]} ${NOUNS[group]} ${text}`),
  }));
  const further = groups.flatMap(({ isDeciding, lines }) => (isDeciding ? [] : lines));
  const othersCount = further.length + total + diff.manifest.length;
  const others = [
    ...further,
    ...listed.map(({ path, change, from: before, to }) => {
      const sizes = [before, to].flatMap((value) => (value === null ? [] : [size(value)]));
      return `${SIGNS[change]} ${path} ${sizes.join(" -> ")}`;
    }),
    ...(total > listed.length ? [`  and ${total - listed.length} more files`] : []),
    ...diff.manifest.map((value) => `~ ${value.path} ${value.from ?? "none"} -> ${value.to ?? "none"}`),
  ];
  return [
    `Compared with ${from.version} (${from.buildNumber})`,
    `~ size ${size(bytes.from)} -> ${size(bytes.to)}`,
    ...sdkChanges(diff, kind).map(
      (level) => `~ ${level.name} ${level.from ?? "not stated"} -> ${level.to ?? "not stated"}`,
    ),
    ...(signing.changed
      ? [`~ certificate ${signing.from.join(" ") || "none"} -> ${signing.to.join(" ") || "none"}`]
      : []),
    ...groups.flatMap(({ isDeciding, lines }) => (isDeciding ? lines : [])),
    ...(all ? others : moreLine(othersCount)),
  ];
}

function moreLine(count: number): string[] {
  return count === 0 ? [] : [`  and ${count === 1 ? "1 other change" : `${count} other changes`}, shown with --all`];
}

/** What two releases differ in. The console may have to read both files. */
export function readDiff(
  console: Console,
  from: string,
  to: string,
): Promise<OperationOutput<"apps/get-release-diff">> {
  return console.query("apps/get-release-diff", { from, to }, { timeoutMs: READING_TIMEOUT_MS });
}

/** Says what a release changed since another one, or the one before it. */
export async function diff(this: Context, flags: DiffFlags, id: string): Promise<void> {
  if (flags.from !== undefined) requireReleaseId(flags.from);
  const { console, release } = await connectToRelease(this, flags, id);
  const from = flags.from ?? release.previous?.id;
  if (from === undefined) {
    if (flags.json) return writeJson(this, null);
    this.err.say("It is the first release of its kind.");
    return;
  }
  if (flags.markdown) {
    const response = await ofRelease(from, () =>
      console.download(
        "apps/get-release-diff",
        { from, to: id, format: "markdown" },
        { timeoutMs: READING_TIMEOUT_MS },
      ),
    );
    this.out.write(await response.text());
    return;
  }
  const found = await ofRelease(from, () => readDiff(console, from, id));
  if (flags.json) return writeJson(this, found);
  const lines = diffLines(found, { kind: release.installer.kind, all: flags.all });
  this.out.write(lines.map((line) => `${printable(line)}\n`).join(""));
}
