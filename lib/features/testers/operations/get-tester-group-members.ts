import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { groupTarget, listMembers, toMember } from "../data/groups";
import { getTesterGroupMembersInput, testerGroupMembersOutput } from "../schema";

/** The members of a group of testers, in the order in which they were added, with whether they are told. */
export const getTesterGroupMembers = defineQuery({
  area: "testers",
  name: "get-tester-group-members",
  summary: "List the members of a group of testers",
  access: "environment:write",
  input: getTesterGroupMembersInput,
  output: testerGroupMembersOutput,
  errors: [],
  target: ({ groupId }, db) => groupTarget(db, groupId),
  async handler({ input, db }) {
    const { rows, ...page } = await listMembers(db, input);
    return { items: rows.map(toMember), ...page };
  },
});
