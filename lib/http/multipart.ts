/** One part of a form. Its bytes must be read, or left, before the next part is asked for. */
export interface FormPart {
  name: string;
  /** Null for an ordinary field. */
  fileName: string | null;
  /** As the part says, without checks; null if it says none. */
  contentType: string | null;
  /** The part's bytes as they come; no copy is made of them. */
  body: AsyncIterableIterator<Uint8Array>;
}

/** What is wrong with a form: it breaks off, its sender did what RFC 7578 forbids, or anything else. */
type FormFault = "cutOff" | "lineFeeds" | "transferEncoding" | "malformed";

/** A body that is not the form that its headers promise. */
export class MalformedFormError extends Error {
  override readonly name = "MalformedFormError";

  constructor(
    what: string,
    readonly fault: FormFault = "malformed",
  ) {
    super(`malformed form: ${what}`);
  }
}

/** The headers of one part; browsers send some hundred bytes. */
const MAX_HEADER_BYTES = 16 * 1024;
/** What may stand before the first boundary and after the last; clients send nothing there. */
const MAX_SURROUNDINGS_BYTES = 64 * 1024;
/** Blanks between a boundary and its line's end (RFC 2046, section 5.1.1). */
const MAX_PADDING_BYTES = 256;

/** What clients write after the last boundary: two hyphens and a line's end. */
const MAX_END_BYTES = 4;

const CR = 13;
const LF = 10;
const DASH = 45;
const SPACE = 32;
const TAB = 9;

/**
 * The boundary of a multipart/form-data Content-Type.
 * @returns null if there is none, or none that RFC 2046 allows
 */
export function formBoundary(contentType: string): string | null {
  const [, quoted, plain] = /;\s*boundary=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted?.replace(/\\(.)/g, "$1") ?? plain;
  // Wider than the RFC's alphabet, which some clients leave; but no control characters and no more than 70.
  return boundary !== undefined && /^[\x20-\x7e]{1,70}$/.test(boundary) && !boundary.endsWith(" ") ? boundary : null;
}

/** The bytes of a stream, asked for one after another, with what was not used of them put back. */
class Incoming {
  readonly #source: AsyncIterator<Uint8Array>;
  /** Bytes that came and are not used. */
  buffer: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Adds the next chunk to the buffer. @returns false if the stream has ended */
  async more(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#source.next();
      if (done) return false;
      if (value.length === 0) continue;
      const chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      this.buffer = this.buffer.length === 0 ? chunk : Buffer.concat([this.buffer, chunk]);
      return true;
    }
  }

  /** Takes the first bytes out of the buffer. */
  take(length: number): Buffer {
    const taken = this.buffer.subarray(0, length);
    this.buffer = this.buffer.subarray(length);
    return taken;
  }
}

/** What follows a line break and the boundary: the end of a delimiter line, of the form, more content, or too little to tell. */
function afterBoundary(buffer: Buffer, from: number): { kind: "part" | "end"; next: number } | "content" | "unclear" {
  if (buffer.length < from + 2) return "unclear";
  if (buffer[from] === DASH && buffer[from + 1] === DASH) return { kind: "end", next: from + 2 };
  let at = from;
  while (buffer[at] === SPACE || buffer[at] === TAB) at += 1;
  if (at - from > MAX_PADDING_BYTES) return "content";
  if (at + 2 > buffer.length) return "unclear";
  return buffer[at] === CR && buffer[at + 1] === LF ? { kind: "part", next: at + 2 } : "content";
}

/** How many bytes at the end of a buffer may be the beginning of the delimiter. */
function overhang(buffer: Buffer, delimiter: Buffer): number {
  const from = Math.max(0, buffer.length - delimiter.length + 1);
  for (let at = buffer.indexOf(CR, from); at !== -1; at = buffer.indexOf(CR, at + 1)) {
    if (delimiter.subarray(0, buffer.length - at).equals(buffer.subarray(at))) return buffer.length - at;
  }
  return 0;
}

/**
 * Finds the first delimiter of a buffer; a boundary that begins a longer word is content.
 * @returns where it begins, or where it may begin once more bytes are there, with what follows it as far as is known
 */
function findDelimiter(
  buffer: Buffer,
  delimiter: Buffer,
): { at: number; after: Exclude<ReturnType<typeof afterBoundary>, "content"> } {
  for (let at = buffer.indexOf(delimiter); at !== -1; at = buffer.indexOf(delimiter, at + delimiter.length)) {
    const after = afterBoundary(buffer, at + delimiter.length);
    if (after !== "content") return { at, after };
  }
  return { at: buffer.length - overhang(buffer, delimiter), after: "unclear" };
}

/**
 * Yields the bytes up to the next delimiter, at most one buffer for each chunk that arrives, and returns which kind the
 * delimiter was; it is taken out of the stream.
 * @throws MalformedFormError where the stream ends first
 */
async function* untilDelimiter(incoming: Incoming, delimiter: Buffer): AsyncGenerator<Buffer, "part" | "end"> {
  /** A copy of the last bytes that were taken: their reader may reuse the memory. */
  let last = Buffer.alloc(0);
  for (;;) {
    const { at, after } = findDelimiter(incoming.buffer, delimiter);
    if (at > 0) {
      const taken = incoming.take(at);
      const room = delimiter.length + MAX_END_BYTES;
      last = Buffer.concat([last, taken.subarray(-room)]).subarray(-room);
      yield taken;
    }
    if (after !== "unclear") {
      incoming.take(after.next - at);
      return after.kind;
    }
    if (!(await incoming.more())) throw endedEarly(Buffer.concat([last, incoming.buffer]), delimiter);
  }
}

/** What is wrong with a form that ends with these bytes: its lines, if they contain a boundary after a line feed alone. */
function endedEarly(bytes: Buffer, delimiter: Buffer): MalformedFormError {
  return bytes.includes(delimiter.subarray(1))
    ? new MalformedFormError("its lines end with LF instead of CR LF", "lineFeeds")
    : new MalformedFormError("it ends before its last boundary", "cutOff");
}

/** Reads bytes of no interest. @returns which delimiter ended them */
async function skip(content: AsyncGenerator<Buffer, "part" | "end">, maxBytes: number): Promise<"part" | "end"> {
  let skipped = 0;
  for (;;) {
    const { done, value } = await content.next();
    if (done) return value;
    skipped += value.length;
    if (skipped > maxBytes) throw new MalformedFormError("too many bytes that belong to no part");
  }
}

const HEADERS_END = Buffer.from("\r\n\r\n");

/** Reads a part's headers: names in lower case, values as UTF-8, in which RFC 7578 has clients send them. */
async function readHeaders(incoming: Incoming, delimiter: Buffer): Promise<Map<string, string>> {
  for (;;) {
    const end = incoming.buffer.indexOf(HEADERS_END);
    if (end > MAX_HEADER_BYTES || (end === -1 && incoming.buffer.length > MAX_HEADER_BYTES)) {
      throw new MalformedFormError("a part's headers are too long");
    }
    if (end !== -1) {
      const lines = incoming.take(end).toString("utf8").split("\r\n");
      incoming.take(HEADERS_END.length);
      return new Map(
        lines.map((line) => {
          const colon = line.indexOf(":");
          if (colon < 1) throw new MalformedFormError("a part has a header line without a name");
          return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
    }
    if (!(await incoming.more())) throw endedEarly(incoming.buffer, delimiter);
  }
}

/** The parameters of a Content-Disposition (RFC 2183), with the quoting of browsers and of curl. */
function dispositionParameters(value: string): Map<string, string> {
  const parameters = new Map<string, string>();
  const pattern = /;[ \t]*([^\s=;"]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\[\s\S])*)"|([^;]*))/g;
  for (const [, name, quoted, plain] of value.matchAll(pattern)) {
    // A backslash escapes a quotation mark and itself; before anything else it stands for itself, as in C:\app.ipa.
    const text = quoted?.replace(/\\(["\\])/g, "$1") ?? (plain as string).trim();
    if (!parameters.has((name as string).toLowerCase())) parameters.set((name as string).toLowerCase(), text);
  }
  return parameters;
}

/** Undoes what the HTML Standard has browsers do to names: these three characters alone are percent-encoded. */
function unescapeName(name: string): string {
  return name.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** A file name in RFC 8187 form (`UTF-8''name`), which RFC 7578 forbids and some clients send all the same. */
function extendedName(value: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? "")?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function describePart(headers: Map<string, string>): Omit<FormPart, "body"> {
  const disposition = headers.get("content-disposition");
  if (!disposition || !/^form-data[ \t]*(;|$)/i.test(disposition)) {
    throw new MalformedFormError("a part is not form-data");
  }
  if (!/^(binary|8bit|7bit)?$/i.test(headers.get("content-transfer-encoding") ?? "")) {
    throw new MalformedFormError("a part has a transfer encoding, which RFC 7578 forbids", "transferEncoding");
  }
  const parameters = dispositionParameters(disposition);
  const name = parameters.get("name");
  if (name === undefined) throw new MalformedFormError("a part has no name");
  const fileName = extendedName(parameters.get("filename*")) ?? parameters.get("filename");
  return {
    name: unescapeName(name),
    fileName: fileName === undefined ? null : unescapeName(fileName),
    contentType: headers.get("content-type") ?? null,
  };
}

/**
 * Reads a multipart/form-data body (RFC 7578) part by part while it arrives: nothing is read ahead of what is asked
 * for, and no more than a chunk and a part's headers is ever held. What is left of a part's bytes is skipped when
 * the next part is asked for. The source is left as it is where reading stops early.
 * @param boundary see `formBoundary`
 * @throws MalformedFormError; whatever the source throws
 */
export async function* formParts(source: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart, void> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const incoming = new Incoming(source);
  // The first boundary has no line of its own to break; with one, it is a delimiter like any other.
  incoming.buffer = Buffer.from("\r\n");
  while (incoming.buffer.length <= delimiter.length && (await incoming.more()));
  if (incoming.buffer[delimiter.length] === LF && incoming.buffer.indexOf(delimiter) === 0) {
    throw endedEarly(incoming.buffer, delimiter);
  }
  let next = await skip(untilDelimiter(incoming, delimiter), MAX_SURROUNDINGS_BYTES);
  while (next === "part") {
    const part = describePart(await readHeaders(incoming, delimiter));
    const content = untilDelimiter(incoming, delimiter);
    let ended: "part" | "end" | undefined;
    const body: AsyncIterableIterator<Uint8Array> = {
      async next() {
        if (ended) return { done: true, value: undefined };
        const step = await content.next();
        if (!step.done) return step;
        ended = step.value;
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    yield { ...part, body };
    next = ended ?? (await skip(content, Number.POSITIVE_INFINITY));
  }
  let after = incoming.buffer.length;
  while (after <= MAX_SURROUNDINGS_BYTES) {
    incoming.buffer = Buffer.alloc(0);
    if (!(await incoming.more())) return;
    after += incoming.buffer.length;
  }
  throw new MalformedFormError("too many bytes after its last boundary");
}
