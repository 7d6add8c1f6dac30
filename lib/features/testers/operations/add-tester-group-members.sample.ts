import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { addTesterGroupMembers } from "./add-tester-group-members";

export const sample = customSample(addTesterGroupMembers, {
  input: () => ({ groupId: randomUUID(), emails: ["tester@example.com"] }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { id } = await aTesterGroup(admin, { appId: app.appId, environmentIds: [environmentId] });
    return (sender = owner) => send(addTesterGroupMembers, sender, { groupId: id, emails: ["tester@example.com"] });
  },
});
