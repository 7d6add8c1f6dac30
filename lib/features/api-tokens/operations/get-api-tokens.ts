import "server-only";
import type { z } from "zod";
import { csvOf } from "@/lib/api/csv";
import { defineQuery } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { listApiTokens, toApiToken } from "../data";
import { apiTokensOutput, getApiTokensInput } from "../schema";

async function list({ input, db }: { input: z.output<typeof getApiTokensInput>; db: Db }) {
  const { rows, nextCursor, total } = await listApiTokens(db, input);
  return { items: rows.map(toApiToken), nextCursor, total };
}

/** The API tokens, newest first, without the tokens themselves. */
export const getApiTokens = defineQuery({
  area: "config",
  name: "get-api-tokens",
  summary: "List the API tokens",
  access: "admin",
  input: getApiTokensInput,
  output: apiTokensOutput,
  errors: [],
  handler: list,
  asFile: csvOf({
    fileName: "api-tokens",
    columns: {
      id: (token) => token.id,
      name: (token) => token.name,
      app: (token) => token.app.name,
      environment: (token) => token.environment.name,
      identifiers: (token) => token.identifiers,
      scopes: (token) => token.scopes,
      createdAt: (token) => token.createdAt,
      validUntil: (token) => token.validUntil,
      lastUsedAt: (token) => token.lastUsedAt,
    },
    list,
  }),
});
