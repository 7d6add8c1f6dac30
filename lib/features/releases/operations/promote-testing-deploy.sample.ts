import { randomUUID } from "node:crypto";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { promoteTestingDeploy } from "./promote-testing-deploy";

export const sample = customSample(promoteTestingDeploy, {
  input: ({ environmentId }) => ({ id: randomUUID(), environmentId }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { id: sourceId } = await db.environment.create({
      data: { id: newId(), appId: app.appId, name: `Source ${newId()}` },
    });
    const { id } = await aRelease(admin, { identifier: app.identifier, environmentId: sourceId });
    return (sender = owner) => send(promoteTestingDeploy, sender, { id, environmentId });
  },
});
