import { DAY_MS } from "@/lib/kernel/time";
import type { ActivityDay, Attention } from "./schema";

/** How many days back the newest releases can be limited to. */
export const NEWEST_DAYS = [7, 30] as const;

/** What expires within this many days needs attention. */
export const ATTENTION_DAYS = 30;

/** The day of an instant in UTC, as `YYYY-MM-DD`. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The last days in UTC in their order; the last one is today. */
export function lastDays(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, index) => dayOf(new Date(now.getTime() - (count - 1 - index) * DAY_MS)));
}

/** What was counted on a day. */
export interface CountedActivity {
  day: string;
  kind: "release" | "install" | "download";
  count: number;
}

/** Fills the days on which nothing happened. */
export function activityDays(days: readonly string[], counted: readonly CountedActivity[]): ActivityDay[] {
  const counts = new Map(counted.map(({ day, kind, count }) => [`${day} ${kind}`, count]));
  return days.map((day) => ({
    day,
    releases: counts.get(`${day} release`) ?? 0,
    installs: counts.get(`${day} install`) ?? 0,
    downloads: counts.get(`${day} download`) ?? 0,
  }));
}

/** The sum of some days. */
export function sumOf(days: readonly ActivityDay[], what: "releases" | "installs" | "downloads"): number {
  return days.reduce((sum, day) => sum + day[what], 0);
}

/** The kinds in the order of their urgency. What expires is one group, in the order of its dates. */
const URGENCY: Record<Attention["kind"], number> = {
  store: 0,
  audit: 1,
  storage: 2,
  jobs: 3,
  profile: 4,
  certificate: 4,
  token: 4,
  address: 5,
  mail: 6,
  invitations: 7,
};

/** Sorts by urgency. */
export function byUrgency(items: readonly Attention[]): Attention[] {
  const end = (item: Attention) => ("expiresAt" in item ? item.expiresAt : "");
  return items.toSorted((a, b) => URGENCY[a.kind] - URGENCY[b.kind] || end(a).localeCompare(end(b)));
}
