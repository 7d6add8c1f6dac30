import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { getTesterGroupMembers } from "./get-tester-group-members";

export const sample = customSample(getTesterGroupMembers, {
  input: () => ({ groupId: randomUUID() }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { id } = await aTesterGroup(admin, { appId: app.appId, environmentIds: [environmentId] });
    return (sender = owner) => send(getTesterGroupMembers, sender, { groupId: id });
  },
});
