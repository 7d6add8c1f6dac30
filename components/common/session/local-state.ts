import { fromBase64, toBase64 } from "../base64";
import { KEY_ITEM, SIGN_IN_ITEM, STATE_ITEM } from "./local-state-items";

/** What the browser stores about the session for itself. It authorizes nothing; only the session cookie does. */
export type LocalState = {
  userId?: string;
  roleName?: string;
  /** When the session ends, in Unix seconds. */
  exp?: number;
  /** The user as returned by get-user-profile. */
  profile?: object;
  /** The permissions as returned by get-user-profile. */
  permissions?: object;
  /** The key that the last password was encrypted with (RFC 7517). */
  publicKey?: object;
  /** The path that was requested before the sign-in; validate it with `safePath`. */
  redirectPath?: string;
  deviceType?: "mobile" | "desktop";
};

// Validated by hand: this module is on every page after the sign-in, and a schema library would be most of its code.
const FIELDS: { [Name in keyof Required<LocalState>]: (value: unknown) => boolean } = {
  userId: (value) => typeof value === "string",
  roleName: (value) => typeof value === "string",
  exp: Number.isSafeInteger,
  profile: isObject,
  permissions: isObject,
  publicKey: isObject,
  redirectPath: (value) => typeof value === "string",
  deviceType: (value) => value === "mobile" || value === "desktop",
};

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** AES-GCM with a 96-bit initialization vector (NIST SP 800-38D). */
const IV_BYTES = 12;
/** Binds the ciphertext to its purpose and to the shape above. */
const ASSOCIATED_DATA = new TextEncoder().encode("slipway.state.v1");

/**
 * Reads the local state.
 * @returns an empty state if none is stored, it cannot be decrypted, or the browser offers no storage or no
 * cryptography
 */
export function readLocalState(): Promise<LocalState> {
  return withLock(async (store) => (await decryptState(store)) ?? {}, {});
}

/** Changes fields of the local state; `undefined` removes a field. Without storage or cryptography it does nothing. */
export function updateLocalState(changes: Partial<LocalState>): Promise<void> {
  return withLock(async (store) => {
    const state = { ...(await decryptState(store)), ...changes };
    const key = await encryptionKey(store);
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const plaintext = new TextEncoder().encode(JSON.stringify(state));
    const sealed = await crypto.subtle.encrypt(
      { name: "AES-GCM", iv, additionalData: ASSOCIATED_DATA },
      key,
      plaintext,
    );
    store.setItem(STATE_ITEM, toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)])));
  }, undefined);
}

/** Removes the local state together with its key, and the time of the sign-in. */
export async function clearLocalState(): Promise<void> {
  await withLock(async (store) => {
    store.removeItem(STATE_ITEM);
    store.removeItem(KEY_ITEM);
    store.removeItem(SIGN_IN_ITEM);
  }, undefined);
}

let queue: Promise<unknown> = Promise.resolve();

/**
 * Allows one access at a time, across all tabs if the browser supports locks. A browser that refuses counts as having
 * no storage.
 */
function withLock<T>(work: (store: Storage) => Promise<T>, fallback: T): Promise<T> {
  const attempt = async (): Promise<T> => {
    try {
      return await work(localStorage);
    } catch {
      return fallback;
    }
  };
  const lockedAttempt = () =>
    typeof navigator !== "undefined" && navigator.locks ? navigator.locks.request(STATE_ITEM, attempt) : attempt();
  const result = queue.then(lockedAttempt);
  queue = result;
  return result;
}

async function decryptState(store: Storage): Promise<LocalState | null> {
  const item = store.getItem(STATE_ITEM);
  if (item === null) return null;
  try {
    const bytes = fromBase64(item);
    const plaintext = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: bytes.subarray(0, IV_BYTES), additionalData: ASSOCIATED_DATA },
      await encryptionKey(store),
      bytes.subarray(IV_BYTES),
    );
    return toLocalState(JSON.parse(new TextDecoder().decode(plaintext)));
  } catch {
    // The state was written by an older version, is damaged, or its key is gone, so it cannot be used.
    store.removeItem(STATE_ITEM);
    return null;
  }
}

/** The valid fields; fields of another version are dropped. */
function toLocalState(value: object): LocalState {
  const checks: Record<string, (field: unknown) => boolean> = FIELDS;
  return Object.fromEntries(
    Object.entries(value).filter(([name, field]) => Object.hasOwn(checks, name) && checks[name]?.(field)),
  );
}

async function encryptionKey(store: Storage): Promise<CryptoKey> {
  const kept = store.getItem(KEY_ITEM);
  if (kept !== null) {
    try {
      return await crypto.subtle.importKey("raw", fromBase64(kept), "AES-GCM", false, ["encrypt", "decrypt"]);
    } catch {
      store.removeItem(KEY_ITEM);
    }
  }
  const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, true, ["encrypt", "decrypt"]);
  store.setItem(KEY_ITEM, toBase64(new Uint8Array(await crypto.subtle.exportKey("raw", key))));
  return key;
}
