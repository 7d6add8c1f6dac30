import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { listDevices, toDevice } from "../data";
import { devicesOutput, getOwnDevicesInput } from "../schema";

/** The caller's own devices. */
export const getOwnDevices = defineQuery({
  area: "devices",
  name: "get-own-devices",
  summary: "List one’s own devices",
  access: "user",
  input: getOwnDevicesInput,
  output: devicesOutput,
  errors: [],
  async handler({ input, db, actor }) {
    const { rows, ...page } = await listDevices(db, { ...input, userId: actor.userId });
    return { items: rows.map(toDevice), ...page };
  },
});
