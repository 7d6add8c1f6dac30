import { DAY_MS } from "@/lib/kernel/time";
/** Whether a text has the form of an API token. The console checks more of it. */
export function isApiToken(text: string): boolean {
  return /^slw_[\w-]{50}$/.test(text);
}

/** A token that ends within this many days is mentioned. */
const ENDING_DAYS = 14;

/**
 * Says when an API token ends, as "Valid until 2026-12-01, 5 days left."
 * @param validUntil ISO 8601
 */
export function endOfToken(validUntil: string, now: Date): { text: string; isSoon: boolean } {
  const days = Math.floor((Date.parse(validUntil) - now.getTime()) / DAY_MS);
  const isSoon = days < ENDING_DAYS;
  const left = isSoon ? `, ${days < 1 ? "less than a day" : days === 1 ? "1 day" : `${days} days`} left` : "";
  return { text: `Valid until ${validUntil.slice(0, 10)}${left}.`, isSoon };
}
