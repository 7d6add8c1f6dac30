import type { Expiring } from "@/lib/features/expiry/schema";
import type { ExpiringKind } from "@/lib/kernel/expiring-kinds";
import { DAY_MS } from "@/lib/kernel/time";
import type { ActivityDay, Attention, OpenedSystem } from "./schema";

/** How many days back the newest releases can be limited to. */
export const NEWEST_DAYS = [7, 30] as const;

/** What expires within this many days needs attention. */
export const ATTENTION_DAYS = 30;

/** What needs attention when it expires. The license is shown beside it. */
export const ATTENTION_KINDS = [
  "profile",
  "signing_certificate",
  "certificate",
  "signing_key",
  "token",
  "tls",
] as const satisfies readonly ExpiringKind[];

/** Something that expires as the dashboard shows it. */
export function expiringAttention({ kind, name, endsAt, app, environment, release }: Expiring): Attention[] {
  if (kind === "tls") return [{ kind, host: name, expiresAt: endsAt }];
  if (!app || !environment) return [];
  const item = { app, environment, expiresAt: endsAt };
  if (release) {
    const { platform, ...shown } = release;
    return [{ kind: kind === "profile" ? kind : "signingCertificate", ...item, release: shown, platform }];
  }
  return [{ kind: kind === "token" ? "token" : "certificate", ...item, name }];
}

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
  kind: "release" | "install" | "download" | "latestInstall";
  count: number;
}

/** Fills the days on which nothing happened. */
export function activityDays(days: readonly string[], counted: readonly CountedActivity[]): ActivityDay[] {
  const counts = new Map(counted.map(({ day, kind, count }) => [`${day} ${kind}`, count]));
  return days.map((day) => ({
    day,
    releases: counts.get(`${day} release`) ?? 0,
    installs: counts.get(`${day} install`) ?? 0,
    latestInstalls: counts.get(`${day} latestInstall`) ?? 0,
    downloads: counts.get(`${day} download`) ?? 0,
  }));
}

/** The number of systems that are named; the others are summed up. */
export const SHOWN_SYSTEMS = 6;

/** Names the systems on which releases are opened most, and sums up the others. */
export function openedSystems(counted: readonly OpenedSystem[]): { systems: OpenedSystem[]; otherOpenings: number } {
  const name = ({ device, version }: OpenedSystem) => `${device} ${version ?? ""}`;
  const ordered = counted.toSorted((a, b) => b.openings - a.openings || name(a).localeCompare(name(b), "en"));
  const others = ordered.slice(SHOWN_SYSTEMS);
  return {
    systems: ordered.slice(0, SHOWN_SYSTEMS),
    otherOpenings: others.reduce((sum, { openings }) => sum + openings, 0),
  };
}

/** The sum of some days. */
export function sumOf(days: readonly ActivityDay[], what: Exclude<keyof ActivityDay, "day">): number {
  return days.reduce((sum, day) => sum + day[what], 0);
}

/** What expired longer ago does not happen now: it is folded. */
export const PAST_DAYS = 30;

/** The kinds in the order of their urgency: what keeps everybody from working, what expires, in the order of its dates, the rest. */
const URGENCY: Record<Attention["kind"], number> = {
  store: 0,
  audit: 1,
  storage: 2,
  jobs: 3,
  address: 4,
  mail: 5,
  profile: 6,
  signingCertificate: 6,
  tls: 6,
  certificate: 6,
  token: 6,
  invitations: 7,
};

/** The end of an item that expires, in milliseconds since the epoch; else null. */
const endOf = (item: Attention) => ("expiresAt" in item ? new Date(item.expiresAt).getTime() : null);

/** Whether something expired longer ago than `PAST_DAYS`. */
export function isPast(item: Attention, now: Date): boolean {
  const end = endOf(item);
  return end !== null && end < now.getTime() - PAST_DAYS * DAY_MS;
}

/** Sorts by urgency; what is past comes last, the latest first. */
export function byUrgency(items: readonly Attention[], now: Date): Attention[] {
  const place = (item: Attention) => (isPast(item, now) ? Number.POSITIVE_INFINITY : URGENCY[item.kind]);
  return items.toSorted((a, b) => {
    const [first, second] = [place(a), place(b)];
    if (first !== second) return first - second;
    const order = (endOf(a) ?? 0) - (endOf(b) ?? 0);
    return first === Number.POSITIVE_INFINITY ? -order : order;
  });
}
