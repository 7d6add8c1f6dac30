/** A UDID of an Apple device up to 2018: 40 hexadecimal digits. */
const OLD_UDID = /^[0-9a-f]{40}$/i;
/** A UDID since then: 8 and 16 hexadecimal digits. Some tools leave the hyphen out. */
const NEW_UDID = /^([0-9a-f]{8})-?([0-9a-f]{16})$/i;

/**
 * A UDID as Apple writes it: the old form in lower case, the new one in upper case with its hyphen.
 * @returns null if the text is not a UDID of an iPhone, iPad, iPod, Apple TV, Apple Watch or Mac with Apple silicon
 */
export function normalizeUdid(text: string): string | null {
  const udid = text.trim();
  if (OLD_UDID.test(udid)) return udid.toLowerCase();
  const [, chip, ecid] = NEW_UDID.exec(udid) ?? [];
  return chip && ecid ? `${chip}-${ecid}`.toUpperCase() : null;
}
