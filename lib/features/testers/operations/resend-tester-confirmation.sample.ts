import { randomUUID } from "node:crypto";
import { db } from "@/lib/db/client";
import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { aTesterGroup, membersOf } from "@/lib/testing/tester-groups";
import { resendTesterConfirmation } from "./resend-tester-confirmation";

export const sample = customSample(resendTesterConfirmation, {
  input: () => ({ groupId: randomUUID(), memberId: randomUUID() }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const email = `${randomUUID()}@example.com`;
    const given = { appId: app.appId, environmentIds: [environmentId], emails: [email] };
    const { id: groupId } = await aTesterGroup(admin, given);
    await db.tester.updateMany({ where: { email }, data: { askedAt: new Date("2026-01-01T00:00:00Z") } });
    const [member] = await membersOf(admin, groupId);
    return (sender = owner) => send(resendTesterConfirmation, sender, { groupId, memberId: member?.id });
  },
});
