/**
 * What is removed from a text, in order. Each pattern looks at a bounded number of characters from each position, because
 * recordings contain texts of hundreds of kilobytes.
 */
const PATTERNS: readonly [RegExp, string][] = [
  // Queries and fragments of URLs, which may contain one-time tokens and what a user searched for.
  [/(?<=\/[\w\-./:%@~+=&[\]]{0,300})[?#][^\s"'`<>\\)]*/g, ""],
  [/[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+/g, "[e-mail]"],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*(?:\.[\w-]*\.[\w-]*)?/g, "[token]"],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, "$1 [token]"],
  [/\b(?:\d{1,3}\.){3}\d{1,3}\b/g, "[address]"],
  [/(?<![\w:.])(?:[\da-f]{0,4}:){3,7}[\da-f]{0,4}(?![\w:.])/gi, "[address]"],
  // Random texts of 128 bits and more. Hashes and the IDs of Sentry are hexadecimal, those of the console UUIDs.
  [
    /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])(?![\da-f]{32}(?![\w-]))(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-]))[\w-]{22,}/g,
    "[token]",
  ],
];

/** Names of fields that are removed with whatever they contain. */
const SECRET_NAMES =
  /^(?:.*(?:password|passwd|secret|authorization|cookie|private.?key|api.?key|otp|recovery).*|.*token|code|nonce|ip|ip_address|query_string|search|env|user)$/i;

/** Names whose values are IDs or names of files of the build. */
const PLAIN_NAMES = new Set([
  "event_id",
  "trace_id",
  "span_id",
  "parent_span_id",
  "segment_id",
  "replay_id",
  "replayId",
  "trace",
  "traceId",
  "debug_id",
  "filename",
  "abs_path",
  "code_file",
  "public_key",
  "release",
  "dsn",
  "sdk",
  "modules",
  "version",
  "timestamp",
]);

const REMOVED = "[removed]";
const MAX_DEPTH = 60;

/** Removes addresses, tokens and the queries of URLs from a text. */
export function scrubText(text: string): string {
  return PATTERNS.reduce((scrubbed, [pattern, replacement]) => scrubbed.replace(pattern, replacement), text);
}

/**
 * Returns a copy of a JSON value without secrets: fields with the name of one are removed, and texts are scrubbed.
 * @param name of the field that contains the value
 */
export function scrubValue(value: unknown, name = "", depth = 0): unknown {
  if (value === null || value === undefined || typeof value === "number" || typeof value === "boolean") return value;
  if (SECRET_NAMES.test(name)) return REMOVED;
  if (depth > MAX_DEPTH) return REMOVED;
  if (typeof value === "string") return PLAIN_NAMES.has(name) ? withoutQuery(value) : scrubText(value);
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, "", depth + 1));
  if (typeof value !== "object") return REMOVED;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scrubValue(inner, key, depth + 1)]));
}

function withoutQuery(text: string): string {
  return text.split(/[?#]/, 1)[0] as string;
}

type EnvelopeItem = [header: Record<string, unknown>, payload: unknown];
/** An envelope of Sentry's protocol: its header and its items (develop.sentry.dev/sdk/data-model/envelopes). */
export type Envelope = [header: Record<string, unknown>, items: EnvelopeItem[]];

/** The only kinds of items that are sent. */
const SENT_ITEMS = new Set(["event", "transaction", "session", "client_report", "replay_event", "replay_recording"]);

/** The lines of a recording are JSON. What is not is left out. */
function scrubRecording(recording: string): string {
  return recording
    .split("\n")
    .map((line) => {
      try {
        return JSON.stringify(scrubRecorded(JSON.parse(line)));
      } catch {
        return "[]";
      }
    })
    .join("\n");
}

/** A recording has nodes of the page, whose attribute `value` is masked; a field of that name is not removed from it. */
function scrubRecorded(value: unknown): unknown {
  if (typeof value === "string") return scrubText(value);
  if (Array.isArray(value)) return value.map(scrubRecorded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scrubRecorded(inner)]));
}

/** Returns the parts of an envelope that may be sent. It runs last before a report of any kind is sent. */
export function scrubEnvelope([header, items]: Envelope): Envelope {
  const kept = items.filter(([{ type }]) => SENT_ITEMS.has(String(type)));
  return [
    header,
    kept.map(([itemHeader, payload]): EnvelopeItem => {
      if (typeof payload === "string") {
        const scrubbed = scrubRecording(payload);
        return [{ ...itemHeader, length: new TextEncoder().encode(scrubbed).length }, scrubbed];
      }
      // Compressed recordings cannot be scrubbed, and compression is off.
      if (payload instanceof Uint8Array) return [{ ...itemHeader, length: 0 }, ""];
      return [itemHeader, scrubValue(payload)];
    }),
  ];
}
