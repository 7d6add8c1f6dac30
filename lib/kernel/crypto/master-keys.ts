import "server-only";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { env, SettingsError } from "@/lib/kernel/env";

/** The keys that wrap data keys. The first one given is current; all of them open. */
export interface MasterKeys {
  current: { id: string; key: Uint8Array };
  /** By id: the first 16 hex digits of the key's SHA-256. */
  all: ReadonlyMap<string, Uint8Array>;
}

/**
 * Reads keys from their written form: base64 of 32 bytes each, separated by commas or line breaks.
 * @throws SettingsError where one is not 32 bytes long
 */
export function parseMasterKeys(text: string): MasterKeys {
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((encoded) => {
      const key = Buffer.from(encoded, "base64");
      if (key.length !== 32) throw new SettingsError("MASTER_KEY: each key must be the base64 form of 32 random bytes");
      return { id: createHash("sha256").update(key).digest("hex").slice(0, 16), key };
    });
  const current = keys[0];
  if (!current) throw new SettingsError("MASTER_KEY: empty");
  return { current, all: new Map(keys.map(({ id, key }) => [id, key])) };
}

let parsed: MasterKeys | undefined;

/** The keys of this deployment, from MASTER_KEY or MASTER_KEY_FILE, read once. */
export function masterKeys(): MasterKeys {
  parsed ??= parseMasterKeys(env.MASTER_KEY ?? readFileSync(env.MASTER_KEY_FILE as string, "utf8"));
  return parsed;
}
