import "server-only";
import { createHash, createSecretKey, type KeyObject } from "node:crypto";
import { env, SettingsError } from "@/lib/kernel/env";

/**
 * The keys that wrap data keys. The first one is current and seals; all of them open. They are key objects, because Node
 * takes longer for raw bytes.
 */
export interface MasterKeys {
  current: { id: string; key: KeyObject };
  /** By ID: the first 16 hex digits of the key's SHA-256. */
  all: ReadonlyMap<string, KeyObject>;
  /**
   * The data keys of values that were opened with these keys, by envelope and place. A data key opens one value, and is of no
   * use without it.
   */
  dataKeys: Map<string, KeyObject>;
}

/**
 * Parses keys: base64 of 32 bytes each, separated by commas or white space.
 * @throws SettingsError if there is none, or one is not 32 bytes long
 */
export function parseMasterKeys(text: string): MasterKeys {
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((encoded) => {
      const key = Buffer.from(encoded, "base64");
      if (key.length !== 32) throw new SettingsError("MASTER_KEY: each key must be the base64 form of 32 random bytes");
      return { id: createHash("sha256").update(key).digest("hex").slice(0, 16), key: createSecretKey(key) };
    });
  const current = keys[0];
  if (!current) throw new SettingsError("MASTER_KEY: empty");
  return { current, all: new Map(keys.map(({ id, key }) => [id, key])), dataKeys: new Map() };
}

let parsed: MasterKeys | undefined;

/** Returns the keys of the setting MASTER_KEY, which is read once. @throws SettingsError */
export function masterKeys(): MasterKeys {
  parsed ??= parseMasterKeys(env.MASTER_KEY);
  return parsed;
}
