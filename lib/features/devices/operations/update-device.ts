import "server-only";
import { requireUnchanged } from "@/lib/api/expected";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { ApiError } from "@/lib/kernel/errors";
import {
  auditedDevice,
  changeDevice,
  findDevice,
  lockDevice,
  lockUdidOf,
  requireNewUdid,
  toDevice,
  udidOf,
} from "../data";
import { systemOfModel } from "../rules";
import { deviceSchema, updateDeviceInput } from "../schema";

/** Changes a device: its owner the name, administrators also whose it is, and what a device that was entered by hand is. */
export const updateDevice = defineCommand({
  area: "devices",
  name: "update-device",
  summary: "Change one’s own device; as an administrator, any device",
  access: "user",
  input: updateDeviceInput,
  output: deviceSchema,
  status: 200,
  errors: ["not_found", "forbidden", "conflict"],
  audit: { table: "Device", action: "update" },
  async handler({ input: { id, ifUpdatedAt, userId, name, ...facts }, actor, tx, request: { now } }) {
    if (actor.isAdmin && userId !== undefined) await lockUdidOf(tx, id);
    const before = await lockDevice(tx, id, actor);
    if (!actor.isAdmin && (userId !== undefined || Object.values(facts).some((fact) => fact !== undefined))) {
      throw new ApiError("forbidden");
    }
    requireUnchanged(before, ifUpdatedAt);
    if (userId !== undefined && userId !== before.userId) {
      if (userId !== null) orNotFound((await lockRow(tx, "User", userId, { shared: true })) || null);
      const udid = udidOf(before);
      if (udid !== null) await requireNewUdid(tx, udid, userId, id);
    }
    const os = facts.model ? { os: systemOfModel(facts.model) } : {};
    await changeDevice(tx, id, { name, userId, ...facts, ...(before.udid && os) }, now);
    const after = orNotFound(await findDevice(tx, id));
    return {
      output: toDevice(after),
      audit: { recordId: id, changes: changesBetween(auditedDevice(before), auditedDevice(after)) },
    };
  },
});
