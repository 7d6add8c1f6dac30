import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { appTarget } from "@/lib/features/apps/data";
import { sightOf } from "@/lib/permissions/visibility";
import { readableEnvironments, readMatrix } from "../data/matrix";
import { toMatrixRows } from "../rules";
import { scopeOfKind, variablesMatrixInput, variablesMatrixSchema } from "../schema";

/**
 * Which environments of an application have which entries of a kind, one page of keys: those environments in which the caller
 * reads the kind, or some of them. The values of development variables are answered if the caller asks for them.
 */
export const getVariablesMatrix = defineQuery({
  area: "apps",
  name: "get-variables-matrix",
  summary: "Compare the environments of an application by their keys and the values of their development variables",
  access: "any-scope",
  input: variablesMatrixInput,
  output: variablesMatrixSchema,
  errors: ["not_found"],
  target: (input, db) => appTarget(db, input.appId),
  async handler({ input, actor, db }) {
    const { appId, kind, environmentIds } = input;
    const readable = await readableEnvironments(db, sightOf(actor, scopeOfKind(kind, "read")), appId);
    const byId = new Map(readable.map((environment) => [environment.id, environment]));
    const environments = environmentIds?.map((id) => orNotFound(byId.get(id))) ?? readable;
    const places = {
      compared: environments.map(({ id }) => id),
      all: readable.map(({ id }) => id),
    };
    const { keys, entries, valuesOmitted, ...page } = await readMatrix(db, places, input);
    const rows = toMatrixRows(environments, keys, entries, environmentIds && readable.length);
    return { environments, rows, ...page, ...(valuesOmitted && { valuesOmitted: true as const }) };
  },
});
