const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** How far a time zone is ahead of UTC at an instant, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US-u-ca-iso8601", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(instant);
  const value = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(
    value("year"),
    value("month") - 1,
    value("day"),
    value("hour"),
    value("minute"),
    value("second"),
  );
  return wall - Math.floor(instant / 1_000) * 1_000;
}

function startOfDay(date: string, timeZone: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // The offset at the guess decides; where clocks change that night, the one at the outcome does.
  const guess = midnight - offsetAt(midnight, timeZone);
  return midnight - offsetAt(guess, timeZone);
}

/**
 * The beginning and the last millisecond of a calendar day where somebody lives.
 *
 * @param date `YYYY-MM-DD`
 * @param timeZone an IANA name
 * @returns instants in ISO 8601 UTC; null where there is no such day
 */
export function zonedDay(date: string, timeZone: string): { start: string; end: string } | null {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (!DATE.test(date) || Number.isNaN(midnight)) return null;
  const next = new Date(midnight + 86_400_000).toISOString().slice(0, 10);
  return {
    start: new Date(startOfDay(date, timeZone)).toISOString(),
    end: new Date(startOfDay(next, timeZone) - 1).toISOString(),
  };
}
