import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { accessToKind } from "@/lib/features/configuration/data/entries";
import { loadVariable, toVariable, variableTarget } from "../data";
import { variableInput, variableSchema } from "../schema";

/** One development variable. */
export const getDevelopmentVariable = defineQuery({
  area: "apps",
  name: "get-development-variable",
  summary: "Get a development variable",
  ...accessToKind("dev-variable", "read"),
  input: variableInput,
  output: variableSchema,
  errors: [],
  target: (input, db) => variableTarget(db, "dev-variable", input.id),
  handler: async ({ input, db }) => toVariable("dev-variable", await loadVariable(db, "dev-variable", input.id)),
});
