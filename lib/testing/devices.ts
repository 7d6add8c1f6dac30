import { randomBytes, randomUUID } from "node:crypto";
import { db } from "@/lib/db/client";
import { insertDevice, type NewDevice } from "@/lib/features/devices/data";
import { send, type TestUser } from "./console";
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
