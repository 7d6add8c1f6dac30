import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { certificateEnd } from "../encoding/certificate-end";
import { childrenOf, objectIdentifierOf, octetsOf, parseFirstDer, sequenceOf } from "../encoding/der";
import { plainText } from "../encoding/text";
import { InstallerError } from "../errors";
import {
  arrayOf,
  asText,
  dictionaryOf,
  type PlistDictionary,
  PlistError,
  type PlistValue,
  parsePlistDictionary,
  textOf,
} from "../property-list/property-list";
import type { EntitlementValue, ProfileType } from "../types";

/** UTF-16 code units. */
const MAX_ENTITLEMENT_LENGTH = 4096;

/** A UDID: 40 hexadecimal digits, or 24 of which a hyphen may follow the first eight. */
const DEVICE_IDENTIFIER = /^(?:[0-9a-f]{40}|[0-9a-f]{8}-?[0-9a-f]{16})$/i;

const MAX_PLATFORMS = 10;

const SIGNED_DATA = "1.2.840.113549.1.7.2";

/** The contents of a provisioning profile. */
export interface ProvisioningProfile {
  name: string | null;
  type: ProfileType;
  /** Ten-character team identifier. */
  team: string | null;
  teamName: string | null;
  created: Date | null;
  expires: Date | null;
  /** The systems that it is for, in Apple's words, such as "iOS"; empty in old ones. */
  platforms: string[];
  /** Null when the profile lists no devices, or is for all of them. */
  deviceCount: number | null;
  /** The identifiers of these devices, as the profile spells them; those that are none are left out. */
  devices: string[];
  entitlements: { [key: string]: EntitlementValue };
  /** SHA-256 of each developer certificate (DER) in lower-case hex, in the order of the profile. */
  certificateSha256: string[];
  /** When the last of them expires; null if none can be read. */
  certificatesEnd: Date | null;
}

/**
 * Parses a provisioning profile (.mobileprovision, .provisionprofile): a property list in a CMS SignedData (RFC 5652),
 * in DER or BER. The signature is not verified; the device that installs the app verifies it.
 * @throws InstallerError profile_invalid
 */
export function parseProvisioningProfile(bytes: Uint8Array): ProvisioningProfile {
  const profile = profileDictionary(signedContent(bytes));
  const entitlements = dictionaryOf(profile, "Entitlements");
  const type = profileType(profile, entitlements);
  // A profile for all devices may list some, and is no less for all.
  const listed = type === "enterprise" ? [] : arrayOf(profile, "ProvisionedDevices");
  const certificates = arrayOf(profile, "DeveloperCertificates").filter((value) => value instanceof Uint8Array);
  return {
    name: textOf(profile, "Name"),
    type,
    team:
      firstText(profile, "TeamIdentifier") ??
      firstText(profile, "ApplicationIdentifierPrefix") ??
      textOf(entitlements, "com.apple.developer.team-identifier"),
    teamName: textOf(profile, "TeamName"),
    created: dateOf(profile, "CreationDate"),
    expires: dateOf(profile, "ExpirationDate"),
    deviceCount: type !== "enterprise" && profile.has("ProvisionedDevices") ? listed.length : null,
    platforms: arrayOf(profile, "Platform")
      .map(asText)
      .filter((platform) => platform !== null)
      .slice(0, MAX_PLATFORMS),
    devices: listed.map(asText).filter((device) => device !== null && DEVICE_IDENTIFIER.test(device)) as string[],
    entitlements: entitlementRecord(entitlements),
    certificateSha256: certificates.map((certificate) => bytesToHex(sha256(certificate))),
    certificatesEnd: lastEnd(certificates),
  };
}

/** When the last of several certificates expires. One of them signs the app, and the profile does not say which. */
function lastEnd(certificates: readonly Uint8Array[]): Date | null {
  const ends = certificates.map(certificateEnd);
  const known = ends.filter((end) => end !== null);
  // One that cannot be read may be the one that signs.
  if (known.length === 0 || known.length < ends.length) return null;
  return new Date(Math.max(...known.map((end) => end.getTime())));
}

function profileDictionary(content: Uint8Array): PlistDictionary {
  try {
    return parsePlistDictionary(content);
  } catch (error) {
    if (error instanceof PlistError) throw new InstallerError("profile_invalid");
    throw error;
  }
}

/** The content of a CMS SignedData: ContentInfo → SignedData → EncapsulatedContentInfo → eContent. */
function signedContent(bytes: Uint8Array): Uint8Array {
  // Editors and decoders append line ends, which are no part of the message.
  const [type, content] = sequenceOf(parseFirstDer(bytes));
  const [signedData] = childrenOf(content);
  const [, , encapsulated] = sequenceOf(signedData);
  const [, explicit] = sequenceOf(encapsulated);
  const eContent = octetsOf(childrenOf(explicit)[0]);
  if (objectIdentifierOf(type) !== SIGNED_DATA || !eContent) throw new InstallerError("profile_invalid");
  return eContent;
}

function profileType(profile: PlistDictionary, entitlements: PlistDictionary): ProfileType {
  if (profile.get("ProvisionsAllDevices") === true) return "enterprise";
  if (!profile.has("ProvisionedDevices")) return "app-store";
  const debuggable =
    entitlements.get("get-task-allow") === true || entitlements.get("com.apple.security.get-task-allow") === true;
  return debuggable ? "development" : "ad-hoc";
}

function firstText(dictionary: PlistDictionary, key: string): string | null {
  return asText(arrayOf(dictionary, key)[0]);
}

function dateOf(dictionary: PlistDictionary, key: string): Date | null {
  const value = dictionary.get(key);
  return value instanceof Date ? value : null;
}

/** Entitlements as JSON: dates in ISO 8601, data in base64, integers beyond 2^53 as decimal text. */
export function entitlementRecord(dictionary: PlistDictionary): { [key: string]: EntitlementValue } {
  return Object.fromEntries(Array.from(dictionary, ([key, value]) => [plainText(key), entitlementValue(value)]));
}

function entitlementValue(value: PlistValue): EntitlementValue {
  if (Array.isArray(value)) return value.map(entitlementValue);
  if (value instanceof Map) return entitlementRecord(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join(""));
  if (typeof value === "string") return plainText(value, MAX_ENTITLEMENT_LENGTH);
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return String(value);
  return value;
}
