import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { getTesterGroup } from "./get-tester-group";

export const sample = customSample(getTesterGroup, {
  input: () => ({ id: randomUUID() }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { id } = await aTesterGroup(admin, { appId: app.appId, environmentIds: [environmentId] });
    return (sender = owner) => send(getTesterGroup, sender, { id });
  },
});
