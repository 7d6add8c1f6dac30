import "server-only";
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { type MasterKeys, masterKeys } from "./master-keys";

/** The column and row of a sealed value. It is authenticated data, so a value that is moved does not open. */
export interface SealedPlace {
  table: string;
  id: string;
  column: string;
}

const VERSION = 1;
const KEY_ID_BYTES = 8;
const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const DATA_KEY_BYTES = 32;
const WRAPPED_BYTES = IV_BYTES + DATA_KEY_BYTES + TAG_BYTES;
const HEADER_BYTES = 1 + KEY_ID_BYTES;

/** The size of the part of a sealed value that depends on the master key: version ‖ ID of the master key ‖ wrapped data key. */
export const ENVELOPE_BYTES = HEADER_BYTES + WRAPPED_BYTES;

/** The largest number of data keys that stay in memory. */
const MAX_DATA_KEYS = 10_000;

/** A sealed value does not open: it was moved, changed or truncated, or its master key is missing. */
export class SealedError extends Error {
  /** The value, for the log. */
  place?: SealedPlace;
}

function withPlace<T>(place: SealedPlace, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealedError) error.place = place;
    throw error;
  }
}

function associatedData(place: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([VERSION, place.table, place.id, place.column]));
}

/** AES-256-GCM (NIST SP 800-38D): 96-bit random IV ‖ ciphertext ‖ 128-bit tag. */
function encrypt(key: KeyObject, plain: Uint8Array, aad: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: KeyObject, box: Uint8Array, aad: Buffer): Buffer {
  if (box.length < IV_BYTES + TAG_BYTES) throw new SealedError("a sealed value is cut short");
  const decipher = createDecipheriv(ALGORITHM, key, box.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(box.subarray(box.length - TAG_BYTES));
  try {
    const plain = decipher.update(box.subarray(IV_BYTES, box.length - TAG_BYTES));
    // Checks the tag. GCM has no last block.
    decipher.final();
    return plain;
  } catch (cause) {
    throw new SealedError("a sealed value does not open at this place", { cause });
  }
}

/**
 * Seals a secret for one column of one row with envelope encryption: a new random data key encrypts the secret, and the
 * current master key encrypts the data key.
 * @returns version ‖ ID of the master key ‖ encrypted data key ‖ encrypted secret
 */
export function seal(
  secret: string | Uint8Array,
  place: SealedPlace,
  keys: MasterKeys = masterKeys(),
): Uint8Array<ArrayBuffer> {
  const aad = associatedData(place);
  const dataKey = randomBytes(DATA_KEY_BYTES);
  const sealed = encrypt(createSecretKey(dataKey), Buffer.from(secret), aad);
  return Uint8Array.from(Buffer.concat([wrap(dataKey, aad, keys), sealed]));
}

/**
 * Unwraps the data key.
 * @throws SealedError
 */
function openEnvelope(box: Uint8Array, aad: Buffer, keys: MasterKeys): Buffer {
  const keyId = masterKeyId(box);
  if (keyId === null || box.length < ENVELOPE_BYTES) throw new SealedError("not a sealed value");
  const masterKey = keys.all.get(keyId);
  if (!masterKey) throw new SealedError(`the master key ${keyId} is not among the given ones`);
  return decrypt(masterKey, box.subarray(HEADER_BYTES, ENVELOPE_BYTES), aad);
}

/**
 * Returns the data key of a value, and keeps it for the next time: unwrapping it takes as long as opening the value.
 * @throws SealedError
 */
function dataKeyOf(box: Uint8Array, aad: Buffer, keys: MasterKeys): KeyObject {
  const { dataKeys } = keys;
  const name = `${Buffer.from(box.subarray(0, ENVELOPE_BYTES)).toString("latin1")}${aad.toString("latin1")}`;
  const known = dataKeys.get(name);
  if (known) return known;
  const dataKey = createSecretKey(openEnvelope(box, aad, keys));
  if (dataKeys.size >= MAX_DATA_KEYS) dataKeys.delete(dataKeys.keys().next().value as string);
  dataKeys.set(name, dataKey);
  return dataKey;
}

/** Returns the ID of the master key of a sealed value; null if it is not a sealed value. */
export function masterKeyId(box: Uint8Array): string | null {
  if (box.length < HEADER_BYTES || box[0] !== VERSION) return null;
  return Buffer.from(box.subarray(1, HEADER_BYTES)).toString("hex");
}

/**
 * Wraps a value's data key with the current master key. The encrypted secret does not change.
 * @param box the value, or its first `ENVELOPE_BYTES`
 * @returns the new first `ENVELOPE_BYTES`
 * @throws SealedError if the data key does not open at this place with the given keys
 */
export function rewrap(box: Uint8Array, place: SealedPlace, keys: MasterKeys): Uint8Array<ArrayBuffer> {
  const aad = associatedData(place);
  return wrap(
    withPlace(place, () => openEnvelope(box, aad, keys)),
    aad,
    keys,
  );
}

function wrap(dataKey: Uint8Array, aad: Buffer, { current }: MasterKeys): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    Buffer.concat([Buffer.from([VERSION]), Buffer.from(current.id, "hex"), encrypt(current.key, dataKey, aad)]),
  );
}

/**
 * Opens a value that {@link seal} returned for the same place.
 * @throws SealedError if it was moved or changed, or its master key is not in `keys`
 */
export function unseal(box: Uint8Array, place: SealedPlace, keys: MasterKeys = masterKeys()): Buffer {
  const aad = associatedData(place);
  return withPlace(place, () => decrypt(dataKeyOf(box, aad, keys), box.subarray(ENVELOPE_BYTES), aad));
}
