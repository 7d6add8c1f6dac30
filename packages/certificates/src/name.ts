import type { Name } from "@peculiar/asn1-x509";
import { MAX_NAME_LENGTH } from "./limits";

/** RFC 4514, section 3, and the types that certificates commonly have beside them. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  "2.5.4.3": "CN",
  "2.5.4.4": "SN",
  "2.5.4.5": "serialNumber",
  "2.5.4.6": "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.9": "street",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "2.5.4.12": "title",
  "2.5.4.42": "GN",
  "2.5.4.97": "organizationIdentifier",
  "0.9.2342.19200300.100.1.1": "UID",
  "0.9.2342.19200300.100.1.25": "DC",
  "1.2.840.113549.1.9.1": "emailAddress",
};

/** Control characters, and those that reverse the direction of text. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** RFC 4514, section 2.4. */
function escapeValue(value: string): string {
  return value
    .replace(UNSAFE, "")
    .replace(/[\\",+;<>]/g, "\\$&")
    .replace(/^[ #]/, "\\$&")
    .replace(/(?<!\\) $/, "\\ ");
}

/** A distinguished name as text (RFC 4514): the most specific part comes first. */
export function formatName(name: Name): string {
  const text = [...name]
    .reverse()
    .map((parts) =>
      [...parts].map(({ type, value }) => `${SHORT_NAMES[type] ?? type}=${escapeValue(value.toString())}`).join("+"),
    )
    .join(",");
  return text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH - 1)}…` : text;
}
