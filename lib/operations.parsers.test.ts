import { verifyCms } from "@slipway/certificates/cms";
import { deviceFromBrowser } from "@slipway/installers";
import { parsePlistDictionary } from "@slipway/installers/property-list";
import { processorTimeMs } from "@slipway/installers/testing";
import { describe, expect, it } from "vitest";
import { emailLoginInput } from "@/lib/features/auth/schema";
import { configurationVersionsInput, entryKeySchema } from "@/lib/features/configuration/schema";
import { readDeviceFile } from "@/lib/features/devices/internal/device-file";
import { MAX_ANSWER_BYTES } from "@/lib/features/devices/schema";
import { releaseNotes } from "@/lib/features/releases/internal/release-notes";
import { userAgentFamily } from "@/lib/features/releases/rules";
import { MAX_DESCRIPTION, metadataSchema } from "@/lib/features/releases/schema";
import { readImport } from "@/lib/features/testers/rules";
import { clientOf } from "@/lib/features/users/rules";
import { contentDisposition } from "@/lib/http/content-disposition";
import { formBoundary } from "@/lib/http/multipart";
import { namesEtag, parseRange } from "@/lib/http/range";
import { cookieValue } from "@/lib/http/request-facts";
import { isRouterState } from "@/lib/http/server/router-state";
import { negotiateLocale, negotiateTimeZone } from "@/lib/kernel/i18n/negotiate";
import { parseJson } from "@/lib/kernel/json";
import { searchWords } from "@/lib/kernel/search-words";
import { readDeliveryReport } from "@/lib/mail/delivery-report";
import {
  HOSTILE_JSON,
  HOSTILE_LISTS,
  HOSTILE_MAILS,
  HOSTILE_MARKDOWN,
  HOSTILE_PLISTS,
  type HostileTexts,
} from "@/lib/testing/hostile-texts";

/** The size of all headers together, in bytes. */
const HEADERS = 16 * 1024;
const JSON_BODY = 64 * 1024;
/** The largest JSON body of an operation. */
const LARGEST_JSON_BODY = 12.5 * 1024 * 1024;
/** A quarter of the longest list: at this length, quadratic time takes ten seconds, and linear time is not worth four times the wait. */
const LIST = 500_000;
/** A mail that came back. */
const RETURNED_MAIL = 512 * 1024;

/** The milliseconds of processor time that work takes. */
function costOf(work: () => unknown): number {
  const before = processorTimeMs();
  try {
    work();
  } catch {
    // A refusal costs as much as it took.
  }
  return processorTimeMs() - before;
}

const repeated = (...parts: string[]): HostileTexts =>
  Object.fromEntries(parts.map((part) => [JSON.stringify(part), (size: number) => part.repeat(size / part.length)]));

const HEADER_TEXTS = repeated(
  "a",
  " ",
  ",",
  ";",
  ";a",
  ",a",
  "=",
  '"',
  '","',
  "\\",
  '\\"',
  "-",
  "en,",
  "en;q=0.1,",
  "*,",
  "W/",
  'W/"a",',
  "bytes=0-0,",
  "0-,",
  "(",
  "((",
  "Mozilla/5.0 (",
  "/",
  "1.",
  " a/1",
  "Android ",
  "Version/1 ",
  "a=b;",
  "%",
  "%41",
  "[",
  '["",',
  "{",
  "{}",
);
const NAME_TEXTS = repeated(
  "a",
  "a.",
  "a@",
  "a@a.",
  "a-",
  ".",
  "@",
  "-",
  " ",
  "1",
  "1.",
  "_",
  "a.a@a.a",
  "é",
  "\u0000",
);

/** A SEQUENCE of DER, whose bytes are characters. */
function sequenceOf(content: string): string {
  const { length } = content;
  return `\x30\x83${String.fromCharCode(length >> 16, (length >> 8) & 0xff, length & 0xff)}${content}`;
}

/** Messages of many values. */
const HOSTILE_DER: HostileTexts = Object.fromEntries(
  ["\x05\x00", "\x30\x00", "\x02\x01\x01", "\x30\x80"].map((value) => [
    JSON.stringify(value),
    (size: number) => sequenceOf(value.repeat((size - 5) / value.length)),
  ]),
);

type Parse = (text: string) => unknown;

const PARSERS: [name: string, size: number, texts: HostileTexts, parse: Parse][] = [
  ["release notes in Markdown", MAX_DESCRIPTION, HOSTILE_MARKDOWN, (text) => releaseNotes(text)],
  ["a JSON body", JSON_BODY, { ...HOSTILE_JSON, ...HEADER_TEXTS }, (text) => parseJson(text)],
  ["the largest JSON body", LARGEST_JSON_BODY, HOSTILE_JSON, (text) => parseJson(text)],
  ["Accept-Language", HEADERS, HEADER_TEXTS, (text) => negotiateLocale(null, text)],
  ["the time zone of a cookie", HEADERS, HEADER_TEXTS, (text) => negotiateTimeZone(text)],
  ["User-Agent, of a session", HEADERS, HEADER_TEXTS, (text) => clientOf(text)],
  ["User-Agent, of a download", HEADERS, HEADER_TEXTS, (text) => userAgentFamily(text)],
  ["Cookie", HEADERS, HEADER_TEXTS, (text) => cookieValue(new Headers({ cookie: text }), "session")],
  ["Range", HEADERS, HEADER_TEXTS, (text) => parseRange(text, 1_000_000)],
  ["If-None-Match", HEADERS, HEADER_TEXTS, (text) => namesEtag(text, '"a"', "weak")],
  ["Next-Router-State-Tree", HEADERS, { ...HEADER_TEXTS, ...HOSTILE_JSON }, (text) => isRouterState(text)],
  ["the boundary of a form", HEADERS, HEADER_TEXTS, (text) => formBoundary(`multipart/form-data; boundary=${text}`)],
  ["a URL with a query", HEADERS, HEADER_TEXTS, (text) => new URL(`/x?${text}`, "http://localhost").searchParams.size],
  ["a list of testers as CSV", LIST, HOSTILE_LISTS, (text) => readImport(text)],
  ["Apple's list of devices", LIST, HOSTILE_LISTS, (text) => readDeviceFile(text)],
  ["a mail that came back", RETURNED_MAIL, HOSTILE_MAILS, (text) => readDeliveryReport(Buffer.from(text))],
  [
    "the property list of a device",
    MAX_ANSWER_BYTES,
    HOSTILE_PLISTS,
    (text) => parsePlistDictionary(Buffer.from(text)),
  ],
  ["the signed answer of a device", MAX_ANSWER_BYTES, HOSTILE_DER, (text) => verifyCms(Buffer.from(text, "latin1"))],
  ["User-Agent, of a verdict", HEADERS, HEADER_TEXTS, (text) => deviceFromBrowser({ userAgent: `Android ${text}` })],
  ["a file name", JSON_BODY, NAME_TEXTS, (text) => contentDisposition(text)],
  ["an email address", JSON_BODY, NAME_TEXTS, (text) => emailLoginInput.safeParse({ email: text, password: text })],
  ["a key of a variable", JSON_BODY, NAME_TEXTS, (text) => entryKeySchema.safeParse(text)],
  ["a cursor", HEADERS, HEADER_TEXTS, (text) => configurationVersionsInput.safeParse({ cursor: text })],
  ["metadata of a release", JSON_BODY, NAME_TEXTS, (text) => metadataSchema.safeParse({ [text]: text })],
  ["a search", JSON_BODY, NAME_TEXTS, (text) => searchWords(text)],
];

/** Far more than any text takes on a slow machine. A list that is read in quadratic time takes ten seconds; a short text may pass. */
const MAX_PROCESSOR_MS = 3_000;

describe.each(PARSERS)("%s", (_name, size, texts, parse) => {
  it("takes little of the main thread for any text of its limit", () => {
    const costs = Object.entries(texts).map(([name, make]) => {
      const text = make(size);
      return { name, ms: costOf(() => parse(text)) };
    });
    expect(costs.filter(({ ms }) => ms > MAX_PROCESSOR_MS)).toEqual([]);
  });
});
