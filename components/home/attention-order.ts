import { isPast } from "@/lib/features/dashboard/rules";
import type { Attention } from "@/lib/features/dashboard/schema";
import type { License } from "@/lib/features/license/schema";

/** Number of items that are shown before the others. */
const SHOWN_ITEMS = 4;

/** The license's end, which is not part of the dashboard's data. */
export type LicenseEnd = { kind: "license"; name: string; expiresAt: string };

/** The end of a license that needs attention, or null. */
export function licenseEnd({ status, licenseName, expiresAt }: License): LicenseEnd | null {
  if (expiresAt === null || (status !== "near_expiry" && status !== "expired")) return null;
  return { kind: "license", name: licenseName ?? "", expiresAt };
}

/** Whether an item has expired. */
export const hasEnded = (item: Attention | LicenseEnd, now: Date): boolean =>
  "expiresAt" in item && new Date(item.expiresAt) <= now;

/** Adds the license. One that has expired restricts everybody; one that will expire is as urgent as what else expires. */
function withLicense(items: readonly Attention[], license: LicenseEnd | null, now: Date): (Attention | LicenseEnd)[] {
  if (!license) return [...items];
  if (hasEnded(license, now)) return [license, ...items];
  const isLater = (item: Attention) =>
    item.kind === "invitations" || isPast(item, now) || ("expiresAt" in item && item.expiresAt > license.expiresAt);
  const later = items.findIndex(isLater);
  const place = later === -1 ? items.length : later;
  return [...items.slice(0, place), license, ...items.slice(place)];
}

type ArrangedAttention = {
  shown: (Attention | LicenseEnd)[];
  /** The number of items that expired long ago and are not shown. */
  past: number;
  /** The number of all items. */
  total: number;
  /** Whether some of them are not shown at first. */
  isLong: boolean;
};

/**
 * What of the items is shown.
 *
 * @param items in the order of their urgency, with what is past at the end
 * @param options.all whether everything is shown
 */
export function arrangeAttention(
  items: readonly Attention[],
  license: LicenseEnd | null,
  { now, all }: { now: Date; all: boolean },
): ArrangedAttention {
  const sorted = withLicense(items, license, now);
  const total = sorted.length;
  const past = items.filter((item) => isPast(item, now)).length;
  const shownAtFirst = Math.min(SHOWN_ITEMS, total - past);
  const isLong = shownAtFirst < total;
  if (all) return { shown: sorted, past: 0, total, isLong };
  return { shown: sorted.slice(0, shownAtFirst), past, total, isLong };
}
