import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { scopesFor } from "@/lib/permissions/authorize";
import { sightOf } from "@/lib/permissions/visibility";
import { searchVisibleEnvironments, toEnvironment } from "../data";
import { getAuthorizedEnvironmentsInput, getAuthorizedEnvironmentsOutput } from "../schema";

/**
 * The environments of all applications that the caller reaches, each with its application and the caller's scopes there.
 * Each word of a search is found in the name of the environment or of the application.
 */
export const getAuthorizedEnvironments = defineQuery({
  area: "apps",
  name: "get-authorized-environments",
  summary: "List the environments that the caller reaches, of all applications",
  access: "user",
  input: getAuthorizedEnvironmentsInput,
  output: getAuthorizedEnvironmentsOutput,
  errors: [],
  async handler({ actor, input, db }) {
    const { rows, nextCursor, total } = await searchVisibleEnvironments(db, sightOf(actor), input);
    const items = rows.map(({ app, ...row }) => ({
      ...toEnvironment(row),
      app: { id: app.id, name: app.name },
      scopes: scopesFor(actor, { appId: row.appId, environmentId: row.id }),
    }));
    return { items, nextCursor, total };
  },
});
