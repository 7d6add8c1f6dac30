const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** A number of bytes for people, with powers of 1,000. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${power === 0 ? value : value.toPrecision(3)} ${UNITS[power]}`;
}

/** A number with its noun: "1 file", "2 files". */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
