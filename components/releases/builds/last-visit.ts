/** The cookie with the times of the last two visits, for the marks of new builds. */
export const VISITS_COOKIE = "visits";

/** After this time without a page view, the next page view begins another visit. */
const VISIT_ENDS_MS = 30 * 60_000;

/** The beginning of the previous visit and the last page view; milliseconds since the epoch. */
interface Visits {
  previous: number;
  latest: number;
}

function parse(cookie: string | undefined): Visits | null {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(cookie ?? "");
  return match && { previous: Number(match[1]), latest: Number(match[2]) };
}

/** Until when the user has seen what was published; null on the first visit of this browser. */
export function seenUntil(cookie: string | undefined, now: number): number | null {
  const visits = parse(cookie);
  if (!visits) return null;
  const seen = now - visits.latest > VISIT_ENDS_MS ? visits.latest : visits.previous;
  return seen === 0 ? null : seen;
}

/** The cookie after a page view. */
export function withPageView(cookie: string | undefined, now: number): string {
  return `${seenUntil(cookie, now) ?? 0}.${now}`;
}
