import "server-only";
import { deviceFromBrowser } from "@slipway/installers";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { auditedDevice, findDevice, insertDevice, requireRoomForDevice, toDevice } from "../data";
import { enrolledEvents } from "../internal/device-events";
import { defaultDeviceName } from "../rules";
import { createOwnDeviceInput, deviceSchema } from "../schema";

/** Registers the device that calls as one's own, by what its browser tells: for devices without a UDID, such as Android. */
export const createOwnDevice = defineCommand({
  area: "devices",
  name: "create-own-device",
  summary: "Register the calling device as one’s own, from what its browser reports",
  access: "user",
  input: createOwnDeviceInput,
  output: deviceSchema,
  status: 201,
  errors: ["conflict"],
  audit: { table: "Device", action: "create" },
  async handler({ input: { name, ...reported }, actor: { userId }, tx, request }) {
    await requireRoomForDevice(tx, userId);
    const userAgent = request.headers.get("user-agent") ?? "";
    const { os, osVersion, osVersionIsMinimum, model } = deviceFromBrowser({ userAgent, ...reported });
    const facts = { os, osVersion: osVersionIsMinimum ? null : osVersion, model };
    const id = await insertDevice(
      tx,
      {
        userId,
        name: name ?? defaultDeviceName({ ...facts, modelName: null }),
        ...facts,
        udid: null,
        attested: false,
        lastSeenAt: request.now,
      },
      request.now,
    );
    const device = orNotFound(await findDevice(tx, id));
    return {
      output: toDevice(device),
      audit: { recordId: id, changes: changesBetween(null, auditedDevice(device)) },
      events: enrolledEvents(device),
    };
  },
});
