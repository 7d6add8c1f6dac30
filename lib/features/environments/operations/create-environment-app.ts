import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { appTarget } from "@/lib/features/apps/data";
import { newId } from "@/lib/kernel/ids";
import { createEnvironment, toEnvironment } from "../data";
import { createEnvironmentAppInput, environmentSchema } from "../schema";

/**
 * Adds an environment to an application. The caller must hold the scope in the whole application; otherwise callers
 * could create environments to which they have no access.
 */
export const createEnvironmentApp = defineCommand({
  area: "apps",
  name: "create-environment-app",
  summary: "Add an environment to an application",
  access: "environment:write",
  input: createEnvironmentAppInput,
  output: environmentSchema,
  status: 201,
  errors: ["conflict"],
  audit: { table: "Environment", action: "create" },
  async target(input, db) {
    const target = await appTarget(db, input.appId);
    return target && { ...target, wholeApp: true };
  },
  async handler({ input, tx }) {
    const created = await createEnvironment(tx, { id: newId(), ...input });
    return { output: toEnvironment(created), audit: { recordId: created.id, changes: changesBetween(null, input) } };
  },
});
