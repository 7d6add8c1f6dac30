import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { revokeApiToken, toApiToken } from "../data";
import { deleteApiTokenInput } from "../schema";

/** Deletes an API token; it is refused from the next request on, on every instance. */
export const deleteApiToken = defineCommand({
  area: "config",
  name: "delete-api-token",
  summary: "Delete an API token",
  access: "admin",
  input: deleteApiTokenInput,
  output: z.undefined(),
  status: 204,
  errors: ["not_found"],
  audit: { table: "ApiToken", action: "delete" },
  async handler({ input, request, tx }) {
    const { app, environment, ...facts } = toApiToken(orNotFound(await revokeApiToken(tx, input.id, request.now)));
    return {
      output: undefined,
      audit: {
        recordId: input.id,
        changes: changesBetween({ ...facts, appId: app.id, environmentId: environment.id }, null),
      },
    };
  },
});
