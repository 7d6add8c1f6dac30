import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { accessToKind } from "@/lib/features/configuration/data/entries";
import { loadVariable, toVariable, variableTarget } from "../data";
import { variableInput, variableSchema } from "../schema";

/** Reveals the value of a secure variable. */
export const getSecureVariable = defineQuery({
  area: "apps",
  name: "get-secure-variable",
  summary: "Reveal a secure variable",
  ...accessToKind("secure-variable", "reveal"),
  input: variableInput,
  output: variableSchema,
  errors: [],
  audit: { table: "SecureVariable", action: "reveal" },
  target: (input, db) => variableTarget(db, "secure-variable", input.id),
  async handler({ input, db }) {
    const row = await loadVariable(db, "secure-variable", input.id);
    return {
      output: toVariable("secure-variable", row),
      audit: { recordId: row.id, changes: {} },
    };
  },
});
