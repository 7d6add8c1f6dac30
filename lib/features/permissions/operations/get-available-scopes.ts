import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { impliedScopes, SCOPES } from "@/lib/permissions/scopes";
import { availableScopesOutput } from "../schema";

/** Every scope that a role can hold, in the caller's language. */
export const getAvailableScopes = defineQuery({
  area: "permissions",
  name: "get-available-scopes",
  summary: "List the scopes that a role can hold",
  access: "admin",
  input: z.strictObject({}),
  output: availableScopesOutput,
  errors: [],
  async handler({ request }) {
    const t = translatorFor(request.locale);
    return {
      items: SCOPES.map((scope) => ({
        scope,
        label: t(`scopes.${scope}`),
        description: t(`scopeDescriptions.${scope}`),
        implies: impliedScopes(scope).filter((implied) => implied !== scope),
      })),
    };
  },
});
