import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { requestTesterMails } from "@/lib/jobs/tester-mails";
import { actorId } from "@/lib/permissions/actor";
import { askAgain, groupTarget } from "../data/groups";
import { removeTesterGroupMemberInput } from "../schema";

/**
 * Asks a member without an account again by mail whether they agree, at most once an hour. Mails are sent again to the refused address
 * of a user, or of somebody who has agreed.
 */
export const resendTesterConfirmation = defineCommand({
  area: "testers",
  name: "resend-tester-confirmation",
  summary: "Ask a member of a group of testers again whether they agree, or use a refused address again",
  access: "environment:write",
  input: removeTesterGroupMemberInput,
  output: z.undefined(),
  status: 204,
  errors: ["conflict"],
  audit: { table: "TesterGroup", action: "ask-member" },
  target: ({ groupId }, db) => groupTarget(db, groupId),
  async handler({ input: { groupId, memberId }, actor, tx, request }) {
    const person = await askAgain(tx, groupId, memberId, { by: actorId(actor), now: request.now });
    await requestTesterMails(tx);
    return { output: undefined, audit: { recordId: groupId, changes: changesBetween(null, person) } };
  },
});
