import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { aTesterGroup, membersOf } from "@/lib/testing/tester-groups";
import { removeTesterGroupMember } from "./remove-tester-group-member";

export const sample = customSample(removeTesterGroupMember, {
  input: () => ({ groupId: randomUUID(), memberId: randomUUID() }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const given = { appId: app.appId, environmentIds: [environmentId], emails: ["tester@example.com"] };
    const { id: groupId } = await aTesterGroup(admin, given);
    const [member] = await membersOf(admin, groupId);
    return (sender = owner) => send(removeTesterGroupMember, sender, { groupId, memberId: member?.id });
  },
});
