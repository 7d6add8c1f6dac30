import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { startBisect } from "./start-bisect";

export const sample = customSample(startBisect, {
  input: ({ environmentId }) => ({ environmentId, goodId: randomUUID(), badId: randomUUID() }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const place = { identifier: app.identifier, environmentId };
    const good = await aRelease(admin, place, { version: `1.${randomUUID()}` });
    const bad = await aRelease(admin, place, { version: `2.${randomUUID()}` });
    return (sender = owner) => send(startBisect, sender, { environmentId, goodId: good.id, badId: bad.id });
  },
});
