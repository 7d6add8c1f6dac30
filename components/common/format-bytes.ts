const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/**
 * Writes a size for people: decimal (SI) units as phones, stores and browsers show them, three digits at most.
 *
 * @param bytes number of bytes, not negative
 * @param locale BCP 47 tag of the reader's language
 */
export function formatBytes(bytes: number, locale: string): string {
  let unit = 0;
  let value = bytes;
  // 999.5 would be written as 1,000 of the smaller unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: UNITS[unit],
    unitDisplay: unit === 0 ? "narrow" : "short",
    maximumFractionDigits: value < 10 && unit > 1 ? 2 : value < 100 && unit > 1 ? 1 : 0,
  }).format(value);
}
