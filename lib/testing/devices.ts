import { randomBytes, randomUUID } from "node:crypto";
import type { Identity } from "@slipway/certificates/authority";
import { issueSigner, signCms, verifyCms } from "@slipway/certificates/cms";
import { arrayOf, dictionaryOf, parsePlistDictionary, textOf } from "@slipway/installers/property-list";
import { build } from "plist";
import { db } from "@/lib/db/client";
import { insertDevice, type NewDevice } from "@/lib/features/devices/data";
import { downloadEnrollmentProfile } from "@/lib/features/devices/operations/download-enrollment-profile";
import { startDeviceEnrollment } from "@/lib/features/devices/operations/start-device-enrollment";
import { ANONYMOUS, type Caller, send, sendRaw, type TestUser } from "./console";
import { customSample, type Sample } from "./sample";

/** A random UDID of the form since 2018. */
export function newUdid(): string {
  return `00008110-${randomBytes(8).toString("hex").toUpperCase()}`;
}

/** Inserts a device; by default, an iPhone of nobody. */
export async function aDevice(given: Partial<NewDevice> = {}): Promise<{ id: string; udid: string | null }> {
  const device: NewDevice = {
    userId: null,
    name: "iPhone of the test",
    os: "ios",
    osVersion: "18.1",
    model: "iPhone15,2",
    udid: newUdid(),
    attested: false,
    lastSeenAt: null,
    ...given,
  };
  return { id: await insertDevice(db, device, new Date()), udid: device.udid };
}

/** Begins an enrolment of a user. @returns its token */
export async function anEnrollment(owner: Caller, name?: string): Promise<string> {
  const { body } = await send(startDeviceEnrollment, owner, { ...(name !== undefined && { name }) });
  return new URL(body.profileUrl).searchParams.get("token") as string;
}

/** The values of the signed profile of an enrolment, as a device reads them. */
export async function enrollmentPayload(token: string): Promise<{ url: string; challenge: string; asked: unknown[] }> {
  const profile = await sendRaw(downloadEnrollmentProfile, ANONYMOUS, { token });
  const document = parsePlistDictionary(verifyCms(Buffer.from(await profile.arrayBuffer())).content);
  const payload = dictionaryOf(document, "PayloadContent");
  return {
    url: textOf(payload, "URL") as string,
    challenge: textOf(payload, "Challenge") as string,
    asked: [...arrayOf(payload, "DeviceAttributes")],
  };
}

/** What an iPhone tells of itself. */
export function deviceAttributes(challenge: string, given: Record<string, string> = {}): Record<string, string> {
  const told = { UDID: newUdid(), PRODUCT: "iPhone15,2", VERSION: "22B83", DEVICE_NAME: "Ada’s iPhone" };
  return { ...told, CHALLENGE: challenge, ...given };
}

let signer: Promise<Identity> | undefined;

/** The answer of a device whose certificate Apple did not issue. */
export async function deviceAnswer(attributes: Record<string, string>): Promise<Buffer> {
  signer ??= issueSigner({ name: "Device of the test", days: 1, now: new Date() });
  return Buffer.from(signCms(Buffer.from(build(attributes)), await signer));
}

/** A sample of an operation on a device, which belongs to the owner of the sample's data. */
export function ownedDeviceSample<Input>(
  operation: Parameters<typeof customSample<Input>>[0],
  input: (id: string) => Input & Record<string, unknown>,
): Sample {
  return customSample(operation, {
    input: () => input(randomUUID()),
    arrange: async ({ admin }, owner = admin) => {
      const { userId } = "userId" in owner ? (owner as TestUser) : admin;
      const { id } = await aDevice({ userId });
      return (sender = owner) => send(operation, sender, input(id));
    },
  });
}
