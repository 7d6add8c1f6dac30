import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { getReleaseDistributions } from "./get-release-distributions";

export const sample = customSample(getReleaseDistributions, {
  input: () => ({ releaseId: randomUUID() }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { id } = await aRelease(admin, { identifier: app.identifier, environmentId });
    return (sender = owner) => send(getReleaseDistributions, sender, { releaseId: id });
  },
});
