import { concatBytes } from "./bytes";
import { MAX_SYNC_BYTES, nodeZlib } from "./node-zlib";

/** Compressed data that is damaged, or that exceeds the size or the ratio allowed. */
export class InflateError extends Error {
  override readonly name = "InflateError";
  readonly reason: "damaged" | "too_large" | "bomb";

  constructor(reason: InflateError["reason"]) {
    super(`inflate: ${reason}`);
    this.reason = reason;
  }
}

/** The ratio is not checked up to this size: an icon of one colour legitimately exceeds 100:1. */
const RATIO_EXEMPT_BYTES = 64 * 1024;
/** The input is fed in chunks of this size, so that the decompressor emits at most about 16 MiB before it is counted. */
const INPUT_CHUNK_BYTES = 16 * 1024;

/** `deflate-raw` is RFC 1951, `deflate` RFC 1950, `gzip` RFC 1952. */
export type DeflateFormat = "deflate-raw" | "deflate" | "gzip";

export interface InflateLimits {
  /** The maximum size of the output, in bytes. */
  maxBytes: number;
  /** The maximum ratio of output to input, for an output of more than 64 KiB. */
  maxRatio?: number;
  /** Stops without an error after this many bytes of output and ignores the rest of the input. */
  enough?: number;
}

/**
 * Decompresses `input` with the platform's decompressor and counts the output as it is produced; no declared size is
 * trusted.
 * @throws InflateError; the reason of the signal when it aborts
 */
export async function inflate(
  input: Uint8Array,
  format: DeflateFormat,
  limits: InflateLimits,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  signal?.throwIfAborted();
  return inflateSmall(input, format, limits) ?? inflateByStream(input, format, limits, signal);
}

/**
 * Decompresses small input in one synchronous call, which is faster than setting up a stream. Node only.
 * @returns null in a browser, and for input that is large, damaged or beyond its limits: the stream reports the reason
 */
function inflateSmall(
  input: Uint8Array,
  format: DeflateFormat,
  { maxBytes, maxRatio = Number.POSITIVE_INFINITY }: InflateLimits,
): Uint8Array<ArrayBuffer> | null {
  if (!nodeZlib || format === "gzip" || input.length > MAX_SYNC_BYTES) return null;
  const maxOutputLength = Math.min(maxBytes, MAX_SYNC_BYTES, Math.max(RATIO_EXEMPT_BYTES, input.length * maxRatio));
  if (maxOutputLength < 1) return null;
  const unpack = format === "deflate" ? nodeZlib.inflateSync : nodeZlib.inflateRawSync;
  try {
    // The types of Node lack the result of the option `info`.
    const { buffer, engine } = unpack(input, { maxOutputLength, info: true }) as unknown as {
      buffer: Uint8Array;
      engine: { bytesWritten: number };
    };
    return engine.bytesWritten === input.length ? new Uint8Array(buffer) : null;
  } catch {
    return null;
  }
}

/** As `inflate`, for output of any size, with the DecompressionStream of browsers and Node. */
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
  const feed = async () => {
    for (let offset = 0; offset < input.length; offset += INPUT_CHUNK_BYTES) {
      await writer.write(new Uint8Array(input.subarray(offset, offset + INPUT_CHUNK_BYTES)));
    }
    await writer.close();
  };
  feed().catch(() => undefined); // the reader fails on the same error and reports it

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
      if (total > RATIO_EXEMPT_BYTES && total > input.length * maxRatio) throw new InflateError("bomb");
      pieces.push(value);
      if (total >= enough) break;
    }
  } finally {
    writer.abort().catch(() => undefined);
    reader.cancel().catch(() => undefined);
  }
  return concatBytes(pieces);
}
