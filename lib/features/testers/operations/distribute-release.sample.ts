import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { distributeRelease } from "./distribute-release";

export const sample = customSample(distributeRelease, {
  input: () => ({ releaseId: randomUUID(), groupIds: [randomUUID()] }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const release = await aRelease(admin, { identifier: app.identifier, environmentId });
    const group = await aTesterGroup(admin, { appId: app.appId, emails: [`${randomUUID()}@example.test`] });
    return (sender = owner) => send(distributeRelease, sender, { releaseId: release.id, groupIds: [group.id] });
  },
});
