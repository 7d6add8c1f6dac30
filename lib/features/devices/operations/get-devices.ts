import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import { devicesToRegister, listDevices, missingIn, toDevice } from "../data";
import { devicesOutput, getDevicesInput } from "../schema";

/** All devices. Searched by name, model and owner, or by the whole UDID, which is compared by its keyed hash. */
export const getDevices = defineQuery({
  area: "devices",
  name: "get-devices",
  summary: "List the devices of all users",
  access: "admin",
  input: getDevicesInput,
  output: devicesOutput,
  errors: ["not_found"],
  async handler({ input, db }) {
    const { missingIn: releaseId, toRegisterIn } = input;
    const further = [
      ...(releaseId ? [missingIn(orNotFound(await releaseTarget(db, releaseId)).release)] : []),
      ...(toRegisterIn ? [await devicesToRegister(db, toRegisterIn)] : []),
    ];
    const { rows, ...page } = await listDevices(db, input, further);
    return { items: rows.map(toDevice), ...page };
  },
});
