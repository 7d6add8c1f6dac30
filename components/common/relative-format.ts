import { useFormatter, useLocale } from "next-intl";
import { DAY_MS } from "@/lib/kernel/time";

const DAYS_PER_YEAR = 365;

/** Completed calendar years between two times, regardless of their order. */
export function completedYears(one: Date, other: Date): number {
  const [from, to] = one < other ? [one, other] : [other, one];
  const years = to.getUTCFullYear() - from.getUTCFullYear();
  const anniversary = new Date(from);
  anniversary.setUTCFullYear(from.getUTCFullYear() + years);
  return anniversary > to ? years - 1 : years;
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
    const days = (instant.getTime() - reference.getTime()) / DAY_MS;
    if (Math.abs(days) < DAYS_PER_YEAR) return format.relativeTime(instant, reference);
    const years = Math.max(1, completedYears(instant, reference));
    return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days < 0 ? -years : years, "year");
  };
}
