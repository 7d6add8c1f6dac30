import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { requestTesterMails } from "@/lib/jobs/tester-mails";
import { invalidField } from "@/lib/kernel/errors";
import { addMembers, countMembers, findGroup, groupTarget } from "../data/groups";
import { readImport } from "../rules";
import { importedMembersSchema, importTesterGroupMembersInput } from "../schema";

/** Adds the people of a CSV file to a group of testers, or says what that would do. Once more, it adds nobody. */
export const importTesterGroupMembers = defineCommand({
  area: "testers",
  name: "import-tester-group-members",
  summary: "Import members of a group of testers from CSV",
  access: "environment:write",
  secondFactor: "recentIfEnrolled",
  input: importTesterGroupMembersInput,
  output: importedMembersSchema,
  status: 200,
  errors: ["conflict"],
  maxJsonBytes: 12.5 * 1024 * 1024,
  rateLimit: { points: 30, seconds: 60, by: "actor" },
  audit: { table: "TesterGroup", action: "import-members" },
  target: ({ groupId }, db) => groupTarget(db, groupId),
  async prepare({ input: { csv } }) {
    const people = readImport(csv);
    if (people.tooMany) throw invalidField("csv", "tooManyRows");
    return people;
  },
  async handler({
    input: { groupId, dryRun },
    prepared: { emails, repeated, invalid, invalidRows },
    actor,
    tx,
    request,
  }) {
    await lockRow(tx, "TesterGroup", groupId);
    orNotFound(await findGroup(tx, groupId));
    const already = dryRun ? await countMembers(tx, groupId, emails) : 0;
    const counts = dryRun
      ? { added: emails.length - already, already }
      : await addMembers(tx, groupId, { userIds: [], emails }, { actor, locale: request.locale, now: request.now });
    if (!dryRun) await requestTesterMails(tx);
    const output = { ...counts, dryRun, rows: emails.length, repeated, invalid, invalidRows };
    return { output, audit: { recordId: groupId, changes: changesBetween(null, { ...counts, dryRun }) } };
  },
});
