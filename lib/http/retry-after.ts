import { SECOND_MS } from "@/lib/kernel/time";

/**
 * How long a server asks to wait by `Retry-After` (RFC 9110, 10.2.3), in seconds or as a date; null if it does not.
 * @param maxMs the longest pause that it gets
 * @returns milliseconds, at least a second
 */
export function retryAfterMs(headers: Headers, now: Date, maxMs: number): number | null {
  const value = headers.get("retry-after")?.trim() ?? "";
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * SECOND_MS : Date.parse(value) - now.getTime();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, SECOND_MS), maxMs);
}
