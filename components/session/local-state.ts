import { KEY_ITEM, STATE_ITEM } from "./local-state-items";

/** What the browser keeps of the session for itself. Nothing of it opens anything: the session cookie alone does. */
export type LocalState = {
  userId?: string;
  roleName?: string;
  /** When the session ends; Unix seconds. */
  exp?: number;
  /** The user as get-user-profile answers it. */
  profile?: object;
  /** What the role reaches, as get-user-profile answers it. */
  permissions?: object;
  /** The key that the last password was encrypted for (RFC 7517). */
  publicKey?: object;
  /** The page that was wanted before the sign-in; for `safePath` to judge. */
  redirectPath?: string;
  deviceType?: "mobile" | "desktop";
};

// Checked by hand: this is on every page behind the sign-in, and a schema library would be most of its code.
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

/** AES-GCM with a 96-bit initialisation vector (NIST SP 800-38D). */
const IV_BYTES = 12;
/** Ties the ciphertext to what it is, and to the shape above. */
const ASSOCIATED_DATA = new TextEncoder().encode("slipway.state.v1");

/**
 * Reads the local state.
 * @returns nothing in it where none is kept, it does not open, or the browser offers no storage or no cryptography
 */
export function readLocalState(): Promise<LocalState> {
  return exclusively(async (store) => (await open(store)) ?? {}, {});
}

/** Changes a part of the local state; `undefined` removes a field. Without storage or cryptography it does nothing. */
export function updateLocalState(changes: Partial<LocalState>): Promise<void> {
  return exclusively(async (store) => {
    const state = { ...(await open(store)), ...changes };
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

/** Removes the local state together with its key. */
export async function clearLocalState(): Promise<void> {
  await exclusively(async (store) => {
    store.removeItem(STATE_ITEM);
    store.removeItem(KEY_ITEM);
  }, undefined);
}

let queue: Promise<unknown> = Promise.resolve();

/** One access at a time, over all tabs where the browser has locks; a refusal of the browser counts as no storage. */
function exclusively<T>(work: (store: Storage) => Promise<T>, otherwise: T): Promise<T> {
  const attempt = async (): Promise<T> => {
    try {
      return await work(localStorage);
    } catch {
      return otherwise;
    }
  };
  const locked = () =>
    typeof navigator !== "undefined" && navigator.locks ? navigator.locks.request(STATE_ITEM, attempt) : attempt();
  const result = queue.then(locked);
  queue = result;
  return result;
}

async function open(store: Storage): Promise<LocalState | null> {
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
    // Written by an older version, damaged, or under a key that is gone: of no use to anyone any more.
    store.removeItem(STATE_ITEM);
    return null;
  }
}

/** The fields that are what they should be; those of another version are left out. */
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

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
