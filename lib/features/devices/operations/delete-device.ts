import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { auditedDevice, lockDevice, removeDevice } from "../data";
import { deviceIdInput } from "../schema";

/** Deletes a device with its UDID. Profiles that list it, and Apple's list of devices, do not change. */
export const deleteDevice = defineCommand({
  area: "devices",
  name: "delete-device",
  summary: "Delete one’s own device; as an administrator, any device",
  access: "user",
  input: deviceIdInput,
  output: z.undefined(),
  status: 204,
  errors: ["not_found"],
  audit: { table: "Device", action: "delete" },
  async handler({ input: { id }, actor, tx }) {
    const device = await lockDevice(tx, id, actor);
    await removeDevice(tx, id);
    return { output: undefined, audit: { recordId: id, changes: changesBetween(auditedDevice(device), null) } };
  },
});
