import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { appTarget } from "@/lib/features/apps/data";
import { forAnyGroup, scopesFor } from "@/lib/permissions/authorize";
import { knownReachOf } from "@/lib/permissions/reach";
import { sightOf } from "@/lib/permissions/visibility";
import { listVisibleEnvironments, toEnvironment } from "../data";
import { environmentsOfAppInput, reachedEnvironmentsOutput } from "../schema";

/**
 * The environments of an application that the caller reaches, each with the caller's scopes there. Inactive ones are
 * included if the caller can activate them.
 */
export const getAppEnvironments = defineQuery({
  area: "apps",
  name: "get-app-environments",
  summary: "List the environments of an application that the caller reaches",
  access: "any-scope",
  forGroups: true,
  input: environmentsOfAppInput,
  output: reachedEnvironmentsOutput,
  errors: [],
  target: async (input, db) => forAnyGroup(await appTarget(db, input.appId)),
  async handler({ actor, input, db }) {
    const { rows, nextCursor, total } = await listVisibleEnvironments(
      db,
      { ...sightOf(actor), reached: knownReachOf(actor) },
      input,
    );
    const items = rows.map((row) => ({
      ...toEnvironment(row),
      scopes: scopesFor(actor, { appId: row.appId, environmentId: row.id, groups: "any" }),
    }));
    return { items, nextCursor, total };
  },
});
