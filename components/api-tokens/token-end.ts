/** A day as a date field writes it (`YYYY-MM-DD`), in the reader's own calendar. */
export function localDay(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0")).join("-");
}

/** The day so many days from a moment, in the reader's own calendar. */
export function dayAfter(from: Date, days: number): string {
  return localDay(new Date(from.getFullYear(), from.getMonth(), from.getDate() + days));
}

/**
 * The last moment of a day in the reader's own time zone: a token that is good until a day is good all that day.
 * @param day `YYYY-MM-DD`
 * @returns ISO 8601 in UTC; a text that is no date comes back as it is, for the schema to refuse
 */
export function endOfLocalDay(day: string): string {
  const [year, month, date] = day.split("-").map(Number);
  const end = new Date(year ?? Number.NaN, (month ?? Number.NaN) - 1, date ?? Number.NaN, 23, 59, 59, 999);
  return Number.isNaN(end.getTime()) ? day : end.toISOString();
}
