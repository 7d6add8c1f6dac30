import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";
import { APPLE_DEVICE_AUTHORITIES, CmsError, isIssuedBy, signCms, verifyCms } from "@slipway/certificates/cms";
import { type PlistDictionary, PlistError, parsePlistDictionary, textOf } from "@slipway/installers/property-list";
import { build } from "plist";
import { v5 as uuidV5 } from "uuid";
import { masterKeys } from "@/lib/kernel/crypto/master-keys";
import { env } from "@/lib/kernel/env";
import { invalidField } from "@/lib/kernel/errors";
import { normalizeUdid } from "@/lib/kernel/udid";
import { profileSigner } from "@/lib/keys/profile-signer";
import type { DeviceSystem } from "../rules";
import { ENROLLMENT_PATH, iosVersionOfBuild, systemOfModel } from "../rules";
import { modelName } from "./model-names";

/** The addresses of an enrolment. */
export function enrollmentUrls(token: string) {
  const parameters = new URLSearchParams({ token });
  return {
    enrollmentUrl: `${env.APP_URL}${ENROLLMENT_PATH}${token}`,
    profileUrl: `${env.APP_URL}/api/devices/download-enrollment-profile?${parameters}`,
    qrUrl: `${env.APP_URL}/api/devices/download-enrollment-qr-code?${parameters}`,
  };
}

/** What the token of an enrolment is for: a user, and the name that they gave the device. */
export function enrollmentSubject(userId: string, name: string | undefined): string {
  return name ? `${userId} ${name}` : userId;
}

/** Reads a subject of `enrollmentSubject`. */
export function readEnrollmentSubject(subject: string): { userId: string; name: string | null } {
  const [userId = "", ...words] = subject.split(" ");
  return { userId, name: words.join(" ") || null };
}

/** What a device has to repeat in its answer. It derives from the token, so an answer to one enrolment fits no other. */
function challengeOf(token: string): string {
  return createHmac("sha256", masterKeys().current.key).update(`device enrollment ${token}`).digest("base64url");
}

/**
 * The signed configuration profile that asks a device what it is (Apple, "Over-the-Air Profile Delivery and Configuration"). It
 * configures nothing, and iOS removes it after the answer. Serial number and IMEI are not asked for.
 */
export async function enrollmentProfile(
  token: string,
  texts: { name: string; organization: string; description: string },
  now: Date,
): Promise<Uint8Array<ArrayBuffer>> {
  const profile = build({
    PayloadContent: {
      URL: `${env.APP_URL}/api/devices/complete-device-enrollment?${new URLSearchParams({ token })}`,
      DeviceAttributes: ["UDID", "PRODUCT", "VERSION", "DEVICE_NAME"],
      Challenge: challengeOf(token),
    },
    PayloadOrganization: texts.organization,
    PayloadDisplayName: texts.name,
    PayloadDescription: texts.description,
    PayloadVersion: 1,
    PayloadUUID: uuidV5(`urn:slipway:enrollment:${challengeOf(token)}`, uuidV5.URL).toUpperCase(),
    PayloadIdentifier: "slipway.device-enrollment",
    PayloadType: "Profile Service",
  });
  return signCms(Buffer.from(profile), await profileSigner(now));
}

/** What a device says of itself. */
export interface EnrolledDevice {
  udid: string;
  os: DeviceSystem;
  osVersion: string | null;
  model: string | null;
  deviceName: string | null;
  attested: boolean;
}

/** A text of the device in one line, cut to a length; null if there is none. */
function line(answer: PlistDictionary, key: string, maxLength: number): string | null {
  const text = (textOf(answer, key) ?? "").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").trim();
  return [...text].slice(0, maxLength).join("") || null;
}

function isChallengeOf(token: string, challenge: string | null): boolean {
  const [expected, given] = [Buffer.from(challengeOf(token)), Buffer.from(challenge ?? "")];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const refused = (message: string) => invalidField("answer", message);

/** What iOS calls the challenge in its answer. */
const CHALLENGE = "CHALLENGE";

/**
 * Reads the answer of a device: a property list that is signed as CMS. Anyone can sign one, so that it only shows that
 * the sender has the profile; `attested` tells whether Apple's authority for devices signed the certificate.
 * @throws ApiError validation_failed that says what is wrong
 */
export function readEnrollmentAnswer(
  token: string,
  bytes: Uint8Array,
  authorities = APPLE_DEVICE_AUTHORITIES,
): EnrolledDevice {
  try {
    const verified = verifyCms(bytes);
    const answer = parsePlistDictionary(verified.content);
    if (!isChallengeOf(token, textOf(answer, CHALLENGE))) throw refused("enrollmentChallenge");
    const udid = normalizeUdid(textOf(answer, "UDID") ?? "");
    if (udid === null) throw refused("enrollmentUdid");
    const product = line(answer, "PRODUCT", 100);
    const model = product && /^[\x20-\x7e]+$/.test(product) ? product : null;
    return {
      udid,
      model,
      os: systemOfModel(model),
      osVersion: iosVersionOfBuild(line(answer, "VERSION", 20) ?? ""),
      deviceName: line(answer, "DEVICE_NAME", 100) ?? modelName(model),
      attested: isIssuedBy(verified, authorities),
    };
  } catch (error) {
    if (error instanceof PlistError) throw refused("enrollmentMalformed");
    if (!(error instanceof CmsError)) throw error;
    throw refused(error.reason === "malformed" ? "enrollmentMalformed" : "enrollmentSignature");
  }
}
