import "server-only";
import { requireExpected, requireUnchanged } from "@/lib/api/expected";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockRow } from "@/lib/db/locks";
import { environmentTarget, toEnvironment, updateEnvironment } from "../data";
import { type Environment, environmentSchema, updateEnvironmentAppInput } from "../schema";

type EnvironmentFacts = Pick<Environment, "name" | "status" | "identifiers">;

const factsOf = ({ name, status, identifiers }: EnvironmentFacts) => ({ name, status, identifiers });

/** Changes an environment. Omitted fields are not changed. */
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
  async handler({ input, tx }) {
    const { id, ifUpdatedAt, expected, ...data } = input;
    await lockRow(tx, "Environment", id);
    const before = orNotFound(await environmentTarget(tx, id)).environment;
    requireUnchanged(before, ifUpdatedAt);
    requireExpected(before, expected);
    const updated = await updateEnvironment(tx, id, data);
    return {
      output: toEnvironment(updated),
      audit: { recordId: id, changes: changesBetween(factsOf(before), factsOf(updated)) },
    };
  },
});
