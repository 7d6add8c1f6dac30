import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { listApiTokens, toApiToken } from "../data";
import { apiTokensOutput, getApiTokensInput } from "../schema";

/** The API tokens, newest first, without the tokens themselves. */
export const getApiTokens = defineQuery({
  area: "config",
  name: "get-api-tokens",
  summary: "List the API tokens",
  access: "admin",
  input: getApiTokensInput,
  output: apiTokensOutput,
  errors: [],
  async handler({ input, db }) {
    const { rows, nextCursor, total } = await listApiTokens(db, input);
    return { items: rows.map(toApiToken), nextCursor, total };
  },
});
