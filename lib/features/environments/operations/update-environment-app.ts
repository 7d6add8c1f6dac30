import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { environmentTarget, toEnvironment, updateEnvironment } from "../data";
import { environmentSchema, updateEnvironmentAppInput } from "../schema";

/** Changes an environment; what is left out stays. */
export const updateEnvironmentApp = defineCommand({
  area: "apps",
  name: "update-environment-app",
  summary: "Change an environment",
  access: "environment:write",
  input: updateEnvironmentAppInput,
  output: environmentSchema,
  status: 200,
  errors: ["conflict"],
  audit: { table: "Environment", action: "update" },
  target: (input, db) => environmentTarget(db, input.id),
  async handler({ input, target, tx }) {
    const { id, ...data } = input;
    const updated = await updateEnvironment(tx, id, data);
    return {
      output: toEnvironment(updated),
      audit: { recordId: id, changes: changesBetween(toEnvironment(target.environment), toEnvironment(updated)) },
    };
  },
});
