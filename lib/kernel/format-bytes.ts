const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A formatter takes longer to make than the rest of a small page. There are few: of each language, unit and number of digits. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(locale: string, unit: number, digits: number): Intl.NumberFormat {
  const key = `${locale} ${unit} ${digits}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, {
      style: "unit",
      unit: UNITS[unit],
      unitDisplay: unit === 0 ? "narrow" : "short",
      maximumFractionDigits: digits,
    });
    formats.set(key, format);
  }
  return format;
}

/**
 * Formats a size for people: decimal (SI) units as on phones, in stores and in browsers, with at most three digits.
 *
 * @param bytes number of bytes, not negative
 * @param locale BCP 47 tag of the user's language
 * @param moreDigits digits that are added after the decimal separator, to tell similar sizes apart
 */
export function formatBytes(bytes: number, locale: string, moreDigits = 0): string {
  let unit = 0;
  let value = bytes;
  // 999.5 would be rounded to 1,000 of the smaller unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = (value < 10 && unit > 1 ? 2 : value < 100 && unit > 1 ? 1 : 0) + (unit > 0 ? moreDigits : 0);
  const format = formatOf(locale, unit, digits);
  // A line does not break between the number and its unit.
  if (unit > 0) return format.format(value).replace(" ", "\u00a0");
  // Narrow bytes have the symbol of the unit, as short kilobytes do, but in most languages no space before it.
  const parts = format.formatToParts(value).filter(({ type }) => type !== "literal");
  return parts.map(({ type, value: text }) => (type === "unit" ? `\u00a0${text}` : text)).join("");
}
