import { formatBytes as formatBytesIn } from "@/lib/kernel/format-bytes";

/** A size for people, with a space that terminals and searches know. */
export function formatBytes(bytes: number): string {
  return formatBytesIn(bytes, "en").replace("\u00a0", " ");
}

/** A number with its noun: "1 file", "2 files". */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
