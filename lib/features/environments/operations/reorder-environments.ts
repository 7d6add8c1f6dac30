import "server-only";
import { requireExpected } from "@/lib/api/expected";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { authorizeTarget } from "@/lib/permissions/authorize";
import { environmentsByApp, environmentTarget, placeEnvironments, toEnvironment } from "../data";
import { movedEnvironments } from "../rules";
import { reorderEnvironmentsInput, reorderEnvironmentsOutput } from "../schema";

const ACCESS = "environment:write";

/**
 * Puts environments of an application in another order, which all lists follow. The caller needs the scope for each of
 * them; environments that are not named stay where they are.
 */
export const reorderEnvironments = defineCommand({
  area: "apps",
  name: "reorder-environments",
  summary: "Put the environments of an application in order",
  access: ACCESS,
  input: reorderEnvironmentsInput,
  output: reorderEnvironmentsOutput,
  // Two lists of IDs.
  maxJsonBytes: 128 * 1024,
  status: 200,
  errors: ["conflict"],
  audit: { table: "App", action: "reorder-environments" },
  // The first environment; the handler checks the others.
  async target({ appId, environmentIds: [first] }, db) {
    const target = first === undefined ? null : await environmentTarget(db, first);
    return target?.appId === appId ? target : null;
  },
  async handler({ actor, input: { appId, environmentIds, expected }, target, tx }) {
    // Two changes of an application's order run in turn.
    await lockRow(tx, "App", appId);
    const before = (await environmentsByApp(tx, [appId])).get(appId) ?? [];
    const existing = new Set(before.map(({ id }) => id));
    for (const environmentId of environmentIds) {
      authorizeTarget(ACCESS, actor, existing.has(environmentId) ? { ...target, environmentId } : null);
    }
    const moved = new Set(environmentIds);
    const order = before.map(({ id }) => id).filter((id) => moved.has(id));
    requireExpected({ order }, expected && { order: expected });
    const after = movedEnvironments(before, environmentIds).map((row, index) => ({ ...row, position: index + 1 }));
    await placeEnvironments(tx, after);
    const orderOf = (rows: typeof before) => ({ environments: rows.map(({ name }) => name) });
    return {
      output: { items: after.filter(({ id }) => moved.has(id)).map(toEnvironment) },
      audit: { recordId: appId, changes: changesBetween(orderOf(before), orderOf(after)) },
    };
  },
});
