import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { anIpa, releaseForm } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { createTestingDeploy } from "./create-testing-deploy";

export const sample = customSample(createTestingDeploy, {
  input: ({ environmentId }) => ({ environmentId, fileId: randomUUID(), description: "What changed" }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const form = releaseForm(anIpa(app.identifier), "Example.ipa", { environmentId });
    return (sender = owner) => send(createTestingDeploy, sender, form);
  },
});
