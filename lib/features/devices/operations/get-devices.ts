import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { listDevices, toDevice } from "../data";
import { devicesOutput, getDevicesInput } from "../schema";

/** All devices. Searched by name, model and owner, or by the whole UDID, which is compared by its keyed hash. */
export const getDevices = defineQuery({
  area: "devices",
  name: "get-devices",
  summary: "List the devices of all users",
  access: "admin",
  input: getDevicesInput,
  output: devicesOutput,
  errors: [],
  async handler({ input, db }) {
    const { rows, ...page } = await listDevices(db, input);
    return { items: rows.map(toDevice), ...page };
  },
});
