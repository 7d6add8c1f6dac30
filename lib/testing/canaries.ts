/** A secret that a test planted. It may occur in no log, dump or page. */
export interface Canary {
  /** Of which kind it is, for example `api-token`. */
  kind: string;
  secret: Uint8Array;
}

/** The secret as it is embedded in base64: the characters that depend on it alone, at each of the three offsets. */
function base64Forms(secret: Uint8Array): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), secret]).toString("base64");
    const begin = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + secret.length) * 8) / 6);
    const standard = encoded.slice(begin, end);
    return [standard, standard.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** The forms in which a secret can appear: as it is, in hexadecimal, base64, URLs, JSON (also within JSON) and HTML. */
export function formsOf(secret: Uint8Array): Buffer[] {
  const bytes = Buffer.from(secret);
  const text = bytes.toString("utf8");
  const json = JSON.stringify(text).slice(1, -1);
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const texts = [
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...base64Forms(bytes),
    ...(Buffer.from(text).equals(bytes)
      ? [encodeURIComponent(text), json, JSON.stringify(json).slice(1, -1), html, html.replaceAll("'", "&#x27;")]
      : []),
  ];
  const forms = new Map(
    [bytes, ...texts.map((form) => Buffer.from(form))].map((form) => [form.toString("latin1"), form]),
  );
  return [...forms.values()];
}

interface Needle {
  kind: string;
  bytes: Buffer;
}

/** The first bytes of a needle by which it is looked up. */
const PREFIX_BYTES = 4;
const FILTER_BITS = 20;

function slotOf(prefix: number): number {
  return Math.imul(prefix, 0x9e3779b1) >>> (32 - FILTER_BITS);
}

/** Searches many texts for all forms of many canaries, in one pass over each text. */
export class CanaryScanner {
  readonly #needles = new Map<number, Needle[]>();
  readonly #filter = new Uint8Array(2 ** FILTER_BITS);
  #longest = 0;

  constructor(canaries: readonly Canary[]) {
    for (const { kind, secret } of canaries) {
      for (const bytes of formsOf(secret)) {
        const prefix = bytes.readInt32LE(0);
        this.#filter[slotOf(prefix)] = 1;
        this.#needles.set(prefix, [...(this.#needles.get(prefix) ?? []), { kind, bytes }]);
        this.#longest = Math.max(this.#longest, bytes.length);
      }
    }
  }

  /** @returns the kinds of the canaries in a text, each once */
  scan(text: Uint8Array): string[] {
    const found = new Set<string>();
    this.#scan(Buffer.from(text.buffer, text.byteOffset, text.byteLength), found);
    return [...found];
  }

  /** Like `scan`, of a text in chunks. */
  async scanStream(chunks: AsyncIterable<Uint8Array>): Promise<string[]> {
    const found = new Set<string>();
    let rest = Buffer.alloc(0);
    for await (const chunk of chunks) {
      const text = Buffer.concat([rest, chunk]);
      this.#scan(text, found);
      rest = text.subarray(Math.max(0, text.length - this.#longest));
    }
    return [...found];
  }

  #scan(text: Buffer, found: Set<string>): void {
    if (text.length < PREFIX_BYTES) return;
    let prefix = text.readInt32LE(0);
    for (let index = 0; ; index++) {
      if (this.#filter[slotOf(prefix)]) {
        for (const { kind, bytes } of this.#needles.get(prefix) ?? []) {
          if (!found.has(kind) && text.subarray(index, index + bytes.length).equals(bytes)) found.add(kind);
        }
      }
      const next = index + PREFIX_BYTES;
      if (next >= text.length) return;
      prefix = (prefix >>> 8) | ((text[next] as number) << 24);
    }
  }
}
