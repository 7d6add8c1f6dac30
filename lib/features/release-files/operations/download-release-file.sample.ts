import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { addFile } from "@/lib/testing/release-files";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { downloadReleaseFile } from "./download-release-file";

export const sample = customSample(downloadReleaseFile, {
  input: () => ({ id: randomUUID() }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const release = await aRelease(admin, { identifier: app.identifier, environmentId });
    // Symbols need a further right.
    const plan = { kind: "other", name: "plan.txt", bytes: new Uint8Array(Buffer.from("What to try")) };
    const { body } = await addFile(admin, release.id, plan);
    return (sender = owner) => send(downloadReleaseFile, sender, { id: body.id });
  },
});
