import type { Readable } from "node:stream";

/** Bytes instead of JSON. */
export interface BinaryReply {
  status: number;
  headers: Record<string, string>;
  body: Readable | string | Uint8Array | null;
}
