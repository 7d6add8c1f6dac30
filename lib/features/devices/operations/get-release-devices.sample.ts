import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { aDevice } from "@/lib/testing/devices";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { getReleaseDevices } from "./get-release-devices";

export const sample = customSample(getReleaseDevices, {
  input: () => ({ id: randomUUID() }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { udid } = await aDevice({ userId: admin.userId, name: "Ada’s private iPhone" });
    const profile = { deviceIdentifiers: [udid as string] };
    const { id } = await aRelease(admin, { identifier: app.identifier, environmentId }, { profile });
    return (sender = owner) => send(getReleaseDevices, sender, { id });
  },
});
