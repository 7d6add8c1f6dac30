import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { appTarget } from "@/lib/features/apps/data";
import { sightOf } from "@/lib/permissions/visibility";
import { readableEnvironments, readMatrix } from "../data/matrix";
import { toMatrixRows } from "../rules";
import { scopeOfKind, variablesMatrixInput, variablesMatrixSchema } from "../schema";

/**
 * Which environments of an application have which entries of a kind, one page of keys: those environments in which the caller
 * reads the kind.
 */
export const getVariablesMatrix = defineQuery({
  area: "apps",
  name: "get-variables-matrix",
  summary: "Compare the environments of an application by the keys that they have",
  access: "any-scope",
  input: variablesMatrixInput,
  output: variablesMatrixSchema,
  errors: [],
  target: (input, db) => appTarget(db, input.appId),
  async handler({ input, actor, db }) {
    const { appId, kind } = input;
    const environments = await readableEnvironments(db, sightOf(actor, scopeOfKind(kind, "read")), appId);
    const { keys, entries, ...page } = await readMatrix(
      db,
      environments.map(({ id }) => id),
      input,
    );
    return { environments, rows: toMatrixRows(environments, keys, entries), ...page };
  },
});
