import { androidSystem } from "../android-versions";
import type { InstallerKind } from "../types";
import type { InstallerDiff } from "./diff";

/** A change of less than this share of the size is none. */
const NOTABLE_SHARE = 0.01;

/** Whether a build is so much larger or smaller that it is said. */
export function hasNotableSizeChange({ from, to }: { from: number; to: number }): boolean {
  return Math.abs(to - from) >= NOTABLE_SHARE * Math.max(from, 1);
}

/** The lists of a difference, in the order in which they are shown. */
export const DIFF_GROUPS = [
  "permissions",
  "entitlements",
  "features",
  "urlSchemes",
  "intentFilters",
  "frameworks",
  "libraries",
] as const;

type DiffChange = "added" | "removed" | "changed";

/** The lists of a difference that are not empty, each with what was added, removed and changed. */
export function diffLists(
  diff: Pick<InstallerDiff, (typeof DIFF_GROUPS)[number]>,
): { group: (typeof DIFF_GROUPS)[number]; items: { change: DiffChange; text: string }[] }[] {
  return DIFF_GROUPS.map((group) => {
    const lists: Partial<Record<DiffChange, string[]>> = diff[group];
    const items = (["added", "removed", "changed"] as const).flatMap((change) =>
      (lists[change] ?? []).map((text) => ({ change, text })),
    );
    return { group, items };
  }).filter(({ items }) => items.length > 0);
}

type SystemLevel = "minOs" | "minSdk" | "sdkVersion" | "targetSdk";

/** The systems of a difference that changed, as people name them. */
export function sdkChanges(
  { sdk }: Pick<InstallerDiff, "sdk">,
  kind: InstallerKind,
): { name: SystemLevel; change: DiffChange; from: string | null; to: string | null; raised: boolean }[] {
  const ios = kind === "ipa";
  const text = (level: string | null) => {
    if (level === null) return null;
    return ios ? `iOS ${level}` : androidSystem(level);
  };
  const levels = [
    { name: ios ? ("minOs" as const) : ("minSdk" as const), ...sdk.min },
    { name: ios ? ("sdkVersion" as const) : ("targetSdk" as const), ...sdk.target },
  ];
  return levels
    .filter(({ from, to }) => from !== to)
    .map(({ name, from, to }) => ({
      name,
      change: from === null ? ("added" as const) : to === null ? ("removed" as const) : ("changed" as const),
      from: text(from),
      to: text(to),
      raised: Number.parseFloat(to ?? "0") > Number.parseFloat(from ?? "0"),
    }));
}
