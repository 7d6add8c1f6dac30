import { isDeepStrictEqual } from "node:util";
import type { InstallerDetails } from "@slipway/installers";
import type { ReleaseChanges } from "@/lib/features/releases/schema";

/** The compared properties of a release. */
export interface Comparable {
  id: string;
  version: string;
  buildNumber: string;
  deployDate: Date;
  /** Bytes. */
  size: number;
  minOs: string | null;
  installer: InstallerDetails;
}

function listChanges(before: readonly string[], after: readonly string[]): { added: string[]; removed: string[] } {
  return {
    added: after.filter((item) => !before.includes(item)).sort(),
    removed: before.filter((item) => !after.includes(item)).sort(),
  };
}

function permissionsOf(installer: InstallerDetails): string[] {
  return installer.kind === "ipa" ? [] : [...new Set(installer.permissions)];
}

function entitlementsOf(installer: InstallerDetails): Map<string, unknown> {
  return new Map(installer.kind === "ipa" ? Object.entries(installer.entitlements) : []);
}

function levelsOf({ minOs, installer }: Comparable): Record<ReleaseChanges["sdk"][number]["name"], string | null> {
  const ipa = installer.kind === "ipa";
  const text = (level: number | null) => (level === null ? null : String(level));
  return {
    minOs: ipa ? minOs : null,
    sdkVersion: ipa ? installer.sdkVersion : null,
    minSdk: ipa ? null : text(installer.minSdk),
    targetSdk: ipa ? null : text(installer.targetSdk),
  };
}

/** The differences between two releases. */
export function compareReleases(before: Comparable, after: Comparable): ReleaseChanges {
  const [oldEntitlements, newEntitlements] = [entitlementsOf(before.installer), entitlementsOf(after.installer)];
  const [oldLevels, newLevels] = [levelsOf(before), levelsOf(after)];
  const names = Object.keys(newLevels) as (keyof typeof newLevels)[];
  return {
    previous: {
      id: before.id,
      version: before.version,
      buildNumber: before.buildNumber,
      deployDate: before.deployDate.toISOString(),
    },
    size: { before: before.size, after: after.size },
    permissions: listChanges(permissionsOf(before.installer), permissionsOf(after.installer)),
    entitlements: {
      ...listChanges([...oldEntitlements.keys()], [...newEntitlements.keys()]),
      changed: [...newEntitlements]
        .filter(([key, value]) => oldEntitlements.has(key) && !isDeepStrictEqual(oldEntitlements.get(key), value))
        .map(([key]) => key)
        .sort(),
    },
    sdk: names
      .filter((name) => oldLevels[name] !== newLevels[name])
      .map((name) => ({ name, before: oldLevels[name], after: newLevels[name] })),
  };
}
