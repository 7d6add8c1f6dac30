import "server-only";
import { createHash } from "node:crypto";
import type { StorageDriver } from "./driver";

/** The SHA-256 of a stored object in lower-case hex. @throws StorageError */
export async function sha256In(storage: StorageDriver, key: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of (await storage.get(key)) as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest("hex");
}
