import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { auditedDevice, findDevice, insertDevice, requireNewUdid, toDevice } from "../data";
import { systemOfModel } from "../rules";
import { createDeviceInput, deviceSchema } from "../schema";

/** Enters a device by hand. When the device itself is registered by its owner later, that completes this entry. */
export const createDevice = defineCommand({
  area: "devices",
  name: "create-device",
  summary: "Add a device by its UDID",
  access: "admin",
  input: createDeviceInput,
  output: deviceSchema,
  status: 201,
  errors: ["not_found", "conflict"],
  audit: { table: "Device", action: "create" },
  async handler({ input, tx, request: { now } }) {
    const { userId = null, name, udid, model = null, osVersion = null } = input;
    // In the order of an enrolment: the UDID before the user.
    await requireNewUdid(tx, udid, userId);
    if (userId !== null) orNotFound((await lockRow(tx, "User", userId, { shared: true })) || null);
    const os = systemOfModel(model);
    const id = await insertDevice(
      tx,
      { userId, name, os, osVersion, model, udid, attested: false, lastSeenAt: null },
      now,
    );
    const device = orNotFound(await findDevice(tx, id));
    return { output: toDevice(device), audit: { recordId: id, changes: changesBetween(null, auditedDevice(device)) } };
  },
});
