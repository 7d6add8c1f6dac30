import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { deletePermissionsOfGroup } from "@/lib/features/permissions/data";
import { auditedGroup, findGroup, groupTarget, removeGroup } from "../data/groups";
import { testerGroupIdInput } from "../schema";

/** Deletes a group, and the permissions for its releases alone. Its members stay testers of their other groups. */
export const deleteTesterGroup = defineCommand({
  area: "testers",
  name: "delete-tester-group",
  summary: "Delete a group of testers",
  access: "environment:write",
  input: testerGroupIdInput,
  output: z.undefined(),
  status: 204,
  errors: [],
  audit: { table: "TesterGroup", action: "delete" },
  target: ({ id }, db) => groupTarget(db, id),
  async handler({ input: { id }, tx }) {
    await lockRow(tx, "TesterGroup", id);
    const before = orNotFound(await findGroup(tx, id));
    const permissions = (await deletePermissionsOfGroup(tx, id)).map(({ role, scopes }) => ({ role, scopes }));
    await removeGroup(tx, id);
    const facts = { ...auditedGroup(before), members: before.members, ...(permissions.length > 0 && { permissions }) };
    return { output: undefined, audit: { recordId: id, changes: changesBetween(facts, null) } };
  },
});
