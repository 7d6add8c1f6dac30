import { randomUUID } from "node:crypto";
import { makeDsyms } from "@slipway/installers/testing";
import { send } from "@/lib/testing/console";
import { aReleaseWithPrograms, PROGRAM_UUID } from "@/lib/testing/release-files";
import { uploadInParts } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { createReleaseFile } from "./create-release-file";

const FILE = { kind: "dsym", name: "Main.dSYM.zip" } as const;

export const sample = customSample(createReleaseFile, {
  input: () => ({ releaseId: randomUUID(), fileId: randomUUID(), ...FILE }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { id: releaseId } = await aReleaseWithPrograms(admin, { identifier: app.identifier, environmentId });
    const { fileId } = await uploadInParts(owner, makeDsyms([PROGRAM_UUID]), FILE.name, "attachment");
    return (sender = owner) => send(createReleaseFile, sender, { releaseId, fileId, ...FILE });
  },
});
