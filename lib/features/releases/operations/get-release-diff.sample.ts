import { randomUUID } from "node:crypto";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { getReleaseDiff } from "./get-release-diff";

export const sample = customSample(getReleaseDiff, {
  input: () => ({ from: randomUUID(), to: randomUUID() }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { identifier } = app;
    const { id: otherId } = await db.environment.create({
      data: { id: newId(), appId: app.appId, name: `Other ${newId()}` },
    });
    const from = await aRelease(admin, { identifier, environmentId: otherId }, { version: "1.0" });
    const to = await aRelease(admin, { identifier, environmentId }, { version: "2.0" });
    return (sender = owner) => send(getReleaseDiff, sender, { from: from.id, to: to.id });
  },
});
