import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { groupTarget, removeMember } from "../data/groups";
import { removeTesterGroupMemberInput } from "../schema";

/** Removes a member from a group of testers. */
export const removeTesterGroupMember = defineCommand({
  area: "testers",
  name: "remove-tester-group-member",
  summary: "Remove a member from a group of testers",
  access: "environment:write",
  input: removeTesterGroupMemberInput,
  output: z.undefined(),
  status: 204,
  errors: [],
  audit: { table: "TesterGroup", action: "remove-member" },
  target: ({ groupId }, db) => groupTarget(db, groupId),
  async handler({ input: { groupId, memberId }, tx }) {
    const removed = orNotFound(await removeMember(tx, groupId, memberId));
    return { output: undefined, audit: { recordId: groupId, changes: changesBetween(removed, null) } };
  },
});
