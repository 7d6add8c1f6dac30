import { parseDer, sequenceOf } from "./der";

const EXPLICIT_VERSION = 0x80;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;

/** The end of an X.509 certificate's validity (RFC 5280, 4.1.2.5); null if it cannot be read. */
export function certificateEnd(der: Uint8Array): Date | null {
  const [tbs] = sequenceOf(parseDer(der));
  const fields = sequenceOf(tbs);
  const first = fields[0]?.tag === EXPLICIT_VERSION ? 1 : 0;
  // serialNumber, signature, issuer, validity
  const end = sequenceOf(fields[first + 3])[1];
  if (!end || (end.tag !== UTC_TIME && end.tag !== GENERALIZED_TIME)) return null;
  const text = new TextDecoder().decode(end.contents);
  // A two-digit year from 50 on is one of the 20th century.
  const year = end.tag === UTC_TIME ? `${Number(text.slice(0, 2)) >= 50 ? "19" : "20"}${text}` : text;
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(year);
  if (!parts) return null;
  const [, y, month, day, hours, minutes, seconds] = parts;
  const date = new Date(`${y}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}
