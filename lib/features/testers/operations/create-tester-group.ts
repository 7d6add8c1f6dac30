import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { environmentsByApp } from "@/lib/features/environments/data";
import { requestTesterMails } from "@/lib/jobs/tester-mails";
import { newId } from "@/lib/kernel/ids";
import { scopesFor } from "@/lib/permissions/authorize";
import {
  addMembers,
  appOfGroupsTarget,
  auditedGroup,
  environmentsTarget,
  findGroup,
  createGroup as insert,
  toGroup,
} from "../data/groups";
import { createTesterGroupInput, testerGroupSchema } from "../schema";

/** Adds a group of testers of an application, with its first members. */
export const createTesterGroup = defineCommand({
  area: "testers",
  name: "create-tester-group",
  summary: "Add a group of testers",
  access: "environment:write",
  secondFactor: "recentIfEnrolled",
  input: createTesterGroupInput,
  output: testerGroupSchema,
  status: 201,
  errors: ["conflict"],
  maxJsonBytes: 2 * 1024 * 1024,
  audit: { table: "TesterGroup", action: "create" },
  target: ({ appId, environmentIds }, db) =>
    environmentIds ? environmentsTarget(db, appId, environmentIds) : appOfGroupsTarget(db, appId),
  async handler({ input, actor, tx, request }) {
    const { appId, name, userIds, emails } = input;
    const mayWrite = (place: { environmentId: string | null; wholeApp?: true }) =>
      scopesFor(actor, { appId, ...place }).includes("environment:write");
    const allEnvironments = !input.environmentIds && mayWrite({ environmentId: null, wholeApp: true });
    const known =
      allEnvironments || input.environmentIds ? [] : ((await environmentsByApp(tx, [appId])).get(appId) ?? []);
    const reached = known.flatMap(({ id }) => (mayWrite({ environmentId: id }) ? id : []));
    const id = newId();
    await insert(tx, { id, appId, name, allEnvironments, environmentIds: input.environmentIds ?? reached });
    if (userIds.length + emails.length > 0) {
      await addMembers(tx, id, { userIds, emails }, { actor, locale: request.locale, now: request.now });
    }
    if (emails.length > 0) await requestTesterMails(tx);
    const group = orNotFound(await findGroup(tx, id));
    const facts = { ...auditedGroup(group), userIds, emails };
    return { output: toGroup(group), audit: { recordId: id, changes: changesBetween(null, facts) } };
  },
});
