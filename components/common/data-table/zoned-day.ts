import { DAY_MS } from "@/lib/kernel/time";

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The offset of a time zone from UTC at a time, in milliseconds. */
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
  const localTime = Date.UTC(
    value("year"),
    value("month") - 1,
    value("day"),
    value("hour"),
    value("minute"),
    value("second"),
  );
  return localTime - Math.floor(instant / 1_000) * 1_000;
}

function startOfDay(date: string, timeZone: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // The offset at the estimate is used first; if clocks change that night, the offset at the result is used.
  const guess = midnight - offsetAt(midnight, timeZone);
  const start = midnight - offsetAt(guess, timeZone);
  // On a day without 00:00, because clocks are put forward then, the estimate is its first moment.
  return start + offsetAt(start, timeZone) === midnight ? start : guess;
}

/**
 * The first and the last millisecond of a calendar day in a time zone.
 *
 * @param date `YYYY-MM-DD`
 * @param timeZone an IANA name
 * @returns times in ISO 8601 UTC; null if there is no such day
 */
export function zonedDay(date: string, timeZone: string): { start: string; end: string } | null {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (!DATE.test(date) || Number.isNaN(midnight)) return null;
  const next = new Date(midnight + DAY_MS).toISOString().slice(0, 10);
  return {
    start: new Date(startOfDay(date, timeZone)).toISOString(),
    end: new Date(startOfDay(next, timeZone) - 1).toISOString(),
  };
}
