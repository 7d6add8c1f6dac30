import { randomUUID } from "node:crypto";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { restoreRelease } from "./restore-release";

export const sample = customSample(restoreRelease, {
  input: () => ({ id: randomUUID() }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { id } = await aRelease(admin, { identifier: app.identifier, environmentId });
    await send(deleteTestingDeploy, admin, { id });
    return (sender = owner) => send(restoreRelease, sender, { id });
  },
});
