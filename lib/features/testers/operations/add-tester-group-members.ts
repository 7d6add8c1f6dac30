import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { requestTesterMails } from "@/lib/jobs/tester-mails";
import { addMembers, findGroup, groupTarget } from "../data/groups";
import { addedMembersSchema, addTesterGroupMembersInput } from "../schema";

/** Adds people to a group of testers: users, and people without an account by their e-mails. */
export const addTesterGroupMembers = defineCommand({
  area: "testers",
  name: "add-tester-group-members",
  summary: "Add members to a group of testers",
  access: "environment:write",
  secondFactor: "recentIfEnrolled",
  input: addTesterGroupMembersInput,
  output: addedMembersSchema,
  status: 200,
  errors: ["conflict"],
  maxJsonBytes: 2 * 1024 * 1024,
  audit: { table: "TesterGroup", action: "add-members" },
  target: ({ groupId }, db) => groupTarget(db, groupId),
  async handler({ input: { groupId, ...people }, actor, tx, request }) {
    await lockRow(tx, "TesterGroup", groupId);
    orNotFound(await findGroup(tx, groupId));
    const output = await addMembers(tx, groupId, people, { actor, locale: request.locale, now: request.now });
    if (people.emails.length > 0) await requestTesterMails(tx);
    return { output, audit: { recordId: groupId, changes: changesBetween(null, { ...people, added: output.added }) } };
  },
});
