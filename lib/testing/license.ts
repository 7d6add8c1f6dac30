import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/** The vendor's keys, which the settings of the tests name. */
export const vendorKeys: KeyPair = generateKeyPairSync("ed25519");

/** A public key as the setting LICENSE_PUBLIC_KEY takes it: base64url of its 32 bytes. */
export function publicKeyText(key: KeyObject): string {
  return key.export({ format: "jwk" }).x as string;
}

const DAY_SECONDS = 86_400;
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The claims of a license that is valid for a year. */
export function licenseClaims(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    business_id: "B-1001",
    license_name: "Acme Mobile",
    iat: now - DAY_SECONDS,
    exp: now + 365 * DAY_SECONDS,
  };
  return { ...claims, ...changes };
}

/** A license token, put together without the library that the console verifies it with. */
export function signedLicense(
  changes: Record<string, unknown> = {},
  { header = { alg: "EdDSA" }, key = vendorKeys.privateKey }: { header?: object; key?: KeyObject } = {},
): string {
  const content = `${encoded(header)}.${encoded(licenseClaims(changes))}`;
  return `${content}.${sign(null, Buffer.from(content), key).toString("base64url")}`;
}
