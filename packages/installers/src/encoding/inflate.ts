import { concatBytes } from "./bytes";
import { MAX_AT_ONCE, nodeZlib } from "./node-zlib";

/** Why `inflate` gave nothing: the data is broken, grows past the bytes asked for, or past the ratio allowed. */
export class InflateError extends Error {
  override readonly name = "InflateError";
  readonly reason: "damaged" | "too_large" | "bomb";

  constructor(reason: InflateError["reason"]) {
    super(`inflate: ${reason}`);
    this.reason = reason;
  }
}

/** Below this many bytes of output the ratio says nothing: a plain one-colour icon inflates by more than 100:1. */
const RATIO_FLOOR = 64 * 1024;
/** Small pieces in bound what one step of a native decompressor can put out before it is counted: about 16 MiB. */
const INPUT_PIECE = 16 * 1024;

/** `deflate-raw` is RFC 1951, `deflate` RFC 1950, `gzip` RFC 1952. */
export type DeflateFormat = "deflate-raw" | "deflate" | "gzip";

export interface InflateLimits {
  /** The most that may come out, in bytes. */
  maxBytes: number;
  /** How often its own size the input may grow to, once that is more than 64 KiB. */
  maxRatio?: number;
  /** Ends the reading without error once this many bytes came out, whatever follows. */
  enough?: number;
}

/**
 * Inflates `input` with the platform's decompressor. What comes out is counted as it comes, so what the input may claim
 * about its size is never believed.
 * @throws InflateError, or the signal's reason when it is aborted
 */
export async function inflate(
  input: Uint8Array,
  format: DeflateFormat,
  limits: InflateLimits,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  signal?.throwIfAborted();
  return inflateAtOnce(input, format, limits) ?? inflateByStream(input, format, limits, signal);
}

/**
 * Inflates in one call what is small, sound and within its limits, on the server alone: setting up a stream takes longer
 * than that. Of all else it gives null, and the stream says what is wrong.
 */
function inflateAtOnce(
  input: Uint8Array,
  format: DeflateFormat,
  { maxBytes, maxRatio = Number.POSITIVE_INFINITY }: InflateLimits,
): Uint8Array<ArrayBuffer> | null {
  if (!nodeZlib || format === "gzip" || input.length > MAX_AT_ONCE) return null;
  const most = Math.min(maxBytes, MAX_AT_ONCE, Math.max(RATIO_FLOOR, input.length * maxRatio));
  if (most < 1) return null;
  const unpack = format === "deflate" ? nodeZlib.inflateSync : nodeZlib.inflateRawSync;
  try {
    // What `info` makes of the result is missing in its type.
    const { buffer, engine } = unpack(input, { maxOutputLength: most, info: true }) as unknown as {
      buffer: Uint8Array;
      engine: { bytesWritten: number };
    };
    return engine.bytesWritten === input.length ? new Uint8Array(buffer) : null;
  } catch {
    return null;
  }
}

/** As `inflate`, however much comes out, with the decompressor that browsers and the server have alike. */
export async function inflateByStream(
  input: Uint8Array,
  format: DeflateFormat,
  limits: InflateLimits,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { maxBytes, maxRatio = Number.POSITIVE_INFINITY, enough = Number.POSITIVE_INFINITY } = limits;
  const stream = new DecompressionStream(format);
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  const feeding = async () => {
    for (let offset = 0; offset < input.length; offset += INPUT_PIECE) {
      await writer.write(new Uint8Array(input.subarray(offset, offset + INPUT_PIECE)));
    }
    await writer.close();
  };
  feeding().catch(() => undefined); // broken data fails the reader too, which reports it

  const pieces: Uint8Array[] = [];
  let total = 0;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read().catch(() => {
        throw new InflateError("damaged");
      });
      if (done) break;
      total += value.length;
      if (total > maxBytes) throw new InflateError("too_large");
      if (total > RATIO_FLOOR && total > input.length * maxRatio) throw new InflateError("bomb");
      pieces.push(value);
      if (total >= enough) break;
    }
  } finally {
    writer.abort().catch(() => undefined);
    reader.cancel().catch(() => undefined);
  }
  return concatBytes(pieces);
}
