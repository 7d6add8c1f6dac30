import "server-only";

/** Bytes in lower-case hex. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
