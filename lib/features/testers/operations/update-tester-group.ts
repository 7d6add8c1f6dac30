import "server-only";
import { requireUnchanged } from "@/lib/api/expected";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import {
  auditedGroup,
  environmentsTarget,
  findGroup,
  groupTarget,
  requireFreeName,
  toGroup,
  updateGroup as write,
} from "../data/groups";
import { testerGroupSchema, updateTesterGroupInput } from "../schema";

/** Changes the name of a group, or the environments of whose releases it may be told. The caller needs the scope in the old and new ones. */
export const updateTesterGroup = defineCommand({
  area: "testers",
  name: "update-tester-group",
  summary: "Change a group of testers",
  access: "environment:write",
  secondFactor: "recentIfEnrolled",
  input: updateTesterGroupInput,
  output: testerGroupSchema,
  status: 200,
  errors: ["conflict"],
  audit: { table: "TesterGroup", action: "update" },
  async target({ id, environmentIds }, db) {
    const target = await groupTarget(db, id);
    if (!target || environmentIds === undefined) return target;
    const chosen = await environmentsTarget(db, target.appId, environmentIds);
    if (!chosen) return null;
    const { requires = [], ...place } = chosen;
    return {
      ...target,
      requires: [...(target.requires ?? []), { access: "environment:write", target: place }, ...requires],
    };
  },
  async handler({ input: { id, ifUpdatedAt, name, environmentIds }, tx }) {
    await lockRow(tx, "TesterGroup", id);
    const before = orNotFound(await findGroup(tx, id));
    requireUnchanged(before, ifUpdatedAt);
    if (name !== undefined) await requireFreeName(tx, before.appId, name, id);
    await write(tx, id, {
      ...(name !== undefined && { name }),
      ...(environmentIds !== undefined && {
        allEnvironments: environmentIds === null,
        environmentIds: environmentIds ?? [],
      }),
    });
    const after = orNotFound(await findGroup(tx, id));
    const changes = changesBetween(auditedGroup(before), auditedGroup(after));
    return { output: toGroup(after), audit: { recordId: id, changes } };
  },
});
