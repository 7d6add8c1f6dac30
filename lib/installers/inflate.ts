import { concatBytes } from "./bytes";

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

/**
 * Inflates `input` (`deflate-raw` is RFC 1951, `deflate` RFC 1950, `gzip` RFC 1952) with the platform's decompressor.
 * Output is counted as it comes, so what it may claim about its size is never believed.
 * @param limits.maxBytes the most that may come out, in bytes
 * @param limits.maxRatio how often its own size the input may grow to, once that is more than 64 KiB
 * @param limits.enough ends the reading without error once this many bytes came out, whatever follows
 * @throws InflateError, or the signal's reason when it is aborted
 */
export async function inflate(
  input: Uint8Array,
  format: "deflate-raw" | "deflate" | "gzip",
  limits: { maxBytes: number; maxRatio?: number; enough?: number },
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
