import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { aReleaseFile } from "@/lib/testing/release-files";
import { customSample } from "@/lib/testing/sample";
import { getReleaseFiles } from "./get-release-files";

export const sample = customSample(getReleaseFiles, {
  input: () => ({ releaseId: randomUUID() }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { releaseId } = await aReleaseFile(admin, { identifier: app.identifier, environmentId });
    return (sender = owner) => send(getReleaseFiles, sender, { releaseId });
  },
});
