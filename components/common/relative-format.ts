import { useFormatter, useLocale } from "next-intl";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/kernel/time";

const DAYS_PER_YEAR = 365;

/** Completed calendar years between two times, regardless of their order. */
export function completedYears(one: Date, other: Date): number {
  const [from, to] = one < other ? [one, other] : [other, one];
  const years = to.getUTCFullYear() - from.getUTCFullYear();
  const anniversary = new Date(from);
  anniversary.setUTCFullYear(from.getUTCFullYear() + years);
  return anniversary > to ? years - 1 : years;
}

/** Each unit of time with the next one, in milliseconds. */
const NEXT_UNITS = [
  [SECOND_MS, MINUTE_MS],
  [MINUTE_MS, HOUR_MS],
  [HOUR_MS, DAY_MS],
] as const;

/**
 * Rounds a difference up to a minute, an hour or a day if it is rounded to as much in the unit before, which the formatter of next-intl
 * would call 60 seconds, 60 minutes or 24 hours.
 * @param difference milliseconds
 */
export function roundedToNextUnit(difference: number): number {
  const size = Math.abs(difference);
  const next = NEXT_UNITS.find(([unit, wanted]) => size >= wanted - unit / 2 && size < wanted);
  return next ? Math.sign(difference) * next[1] : difference;
}

/**
 * A function that formats a time relative to another in the user's language. Years are completed ones: 8.6 years are "8 years
 * ago", where the formatter of next-intl would round them up to 9.
 */
export function useRelativeFormat(): (instant: Date, now: Date | number) => string {
  const format = useFormatter();
  const locale = useLocale();
  return (instant, now) => {
    const reference = new Date(now);
    const difference = instant.getTime() - reference.getTime();
    const days = difference / DAY_MS;
    if (Math.abs(days) < DAYS_PER_YEAR) {
      return format.relativeTime(reference.getTime() + roundedToNextUnit(difference), reference);
    }
    const years = Math.max(1, completedYears(instant, reference));
    return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days < 0 ? -years : years, "year");
  };
}
