import { createHash, sign } from "node:crypto";
import type { ProfileType } from "../src/types";
import { berIndefinite, der, derInteger, derOid, TAG } from "./der";
import { makeSigningIdentity, type SigningIdentity } from "./make-certificate";
import { makeXmlPlist, type PlistInput } from "./make-plist";

export interface ProfileOptions {
  type?: ProfileType;
  name?: string;
  team?: string;
  teamName?: string;
  created?: Date;
  expires?: Date;
  /** The number of devices in a development or ad-hoc profile. */
  devices?: number;
  /** Their identifiers, instead of generated ones. */
  deviceIdentifiers?: readonly string[];
  /** The bundle identifier of the app. */
  identifier?: string;
  /** Additional entitlements. */
  entitlements?: { readonly [key: string]: PlistInput };
  /** Developer certificates (DER); the default is one generated certificate. */
  certificates?: readonly Uint8Array[];
  /** Writes BER with indefinite lengths and the content in parts, as OpenSSL does when streaming. */
  indefiniteLength?: boolean;
}

const SIGNED_DATA = "1.2.840.113549.1.7.2";
const DATA = "1.2.840.113549.1.7.1";
const CONTENT_TYPE = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
const SHA256 = der(TAG.sequence, derOid("2.16.840.1.101.3.4.2.1"));

let identity: SigningIdentity | undefined;

/** The developer of the profiles without given certificates; the same throughout a process. */
export function defaultDeveloper(): SigningIdentity {
  identity ??= makeSigningIdentity({ name: "Apple Development: Example Developer (ABCDE12345)" });
  return identity;
}

/** Makes a provisioning profile: a property list in a signed CMS message. */
export function makeProfile(options: ProfileOptions = {}): Uint8Array {
  return signContent(makeXmlPlist(profileContents(options)), options.indefiniteLength);
}

/** The contents of the property list of a profile. */
export function profileContents(options: ProfileOptions): PlistInput {
  const { type = "ad-hoc", team = "ABCDE12345", identifier = "com.example.app", devices = 3 } = options;
  const forDevices = type === "development" || type === "ad-hoc";
  return {
    AppIDName: "Example",
    ApplicationIdentifierPrefix: [team],
    CreationDate: options.created ?? new Date(Date.UTC(2026, 0, 15, 9, 30)),
    DeveloperCertificates: options.certificates ?? [defaultDeveloper().certificate],
    Entitlements: {
      "application-identifier": `${team}.${identifier}`,
      "com.apple.developer.team-identifier": team,
      "get-task-allow": type === "development",
      "keychain-access-groups": [`${team}.*`],
      ...options.entitlements,
    },
    ExpirationDate: options.expires ?? new Date(Date.UTC(2099, 0, 15, 9, 30)),
    Name: options.name ?? `Example ${type}`,
    Platform: ["iOS"],
    ...(forDevices
      ? {
          ProvisionedDevices:
            options.deviceIdentifiers ?? Array.from({ length: devices }, (_, index) => deviceName(index)),
        }
      : {}),
    ...(type === "enterprise" ? { ProvisionsAllDevices: true } : {}),
    TeamIdentifier: [team],
    TeamName: options.teamName ?? "Example Ltd.",
    TimeToLive: 365,
    UUID: "00000000-0000-4000-8000-000000000000",
    Version: 1,
  };
}

/** Signs `content` as a CMS SignedData (RFC 5652) that contains it. */
export function signContent(content: Uint8Array, indefiniteLength = false): Uint8Array {
  const signer = defaultDeveloper();
  const attributes = [
    der(TAG.sequence, derOid(CONTENT_TYPE), der(TAG.set, derOid(DATA))),
    der(
      TAG.sequence,
      derOid(MESSAGE_DIGEST),
      der(TAG.set, der(TAG.octetString, createHash("sha256").update(content).digest())),
    ),
  ];
  const signerInfo = der(
    TAG.sequence,
    derInteger("1"),
    der(TAG.sequence, signer.issuer, signer.serial),
    SHA256,
    der(TAG.context(0), ...attributes),
    signer.signatureAlgorithm,
    der(TAG.octetString, sign("sha256", der(TAG.set, ...attributes), signer.privateKey)),
  );
  const outer = indefiniteLength ? berIndefinite : der;
  const signedData = outer(
    TAG.sequence,
    derInteger("1"),
    der(TAG.set, SHA256),
    outer(TAG.sequence, derOid(DATA), outer(TAG.context(0), octets(content, indefiniteLength))),
    der(TAG.context(0), signer.certificate),
    der(TAG.set, signerInfo),
  );
  return outer(TAG.sequence, derOid(SIGNED_DATA), outer(TAG.context(0), signedData));
}

function octets(content: Uint8Array, inPieces: boolean): Buffer {
  if (!inPieces) return der(TAG.octetString, content);
  const pieces: Buffer[] = [];
  for (let at = 0; at < content.length; at += 1000) pieces.push(der(TAG.octetString, content.subarray(at, at + 1000)));
  return berIndefinite(TAG.octetStrings, ...pieces);
}

function deviceName(index: number): string {
  return `00008000-${index.toString(16).toUpperCase().padStart(16, "0")}`;
}
