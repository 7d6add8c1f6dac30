import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { aReleaseFile } from "@/lib/testing/release-files";
import { customSample } from "@/lib/testing/sample";
import { deleteReleaseFile } from "./delete-release-file";

export const sample = customSample(deleteReleaseFile, {
  input: () => ({ id: randomUUID() }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { id } = await aReleaseFile(admin, { identifier: app.identifier, environmentId });
    return (sender = owner) => send(deleteReleaseFile, sender, { id });
  },
});
