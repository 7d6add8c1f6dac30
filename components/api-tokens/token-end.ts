/** A day in the format of a date field (`YYYY-MM-DD`), in the local time zone. */
export function localDay(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0")).join("-");
}

/** The day that is the given number of days after a time, in the local time zone. */
export function dayAfter(from: Date, days: number): string {
  return localDay(new Date(from.getFullYear(), from.getMonth(), from.getDate() + days));
}

/**
 * The last moment of a day in the local time zone: a token is valid until the end of that day.
 * @param day `YYYY-MM-DD`
 * @returns ISO 8601 in UTC; text that is not a date is returned unchanged, for the schema to reject
 */
export function endOfLocalDay(day: string): string {
  const [year, month, date] = day.split("-").map(Number);
  const end = new Date(year ?? Number.NaN, (month ?? Number.NaN) - 1, date ?? Number.NaN, 23, 59, 59, 999);
  return Number.isNaN(end.getTime()) ? day : end.toISOString();
}
