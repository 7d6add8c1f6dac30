import "server-only";
import type { z } from "zod";
import { containsText, pageClauses, type SortFields, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { isScope } from "@/lib/permissions/scopes";
import type { ApiToken, getApiTokensInput } from "./schema";

const shown = {
  app: { select: { id: true, name: true } },
  environment: { select: { id: true, name: true } },
} satisfies Prisma.ApiTokenInclude;
type ApiTokenRow = Prisma.ApiTokenGetPayload<{ include: typeof shown; omit: { hash: true } }>;

/** A token's row as the API shows it. */
export function toApiToken(row: ApiTokenRow): ApiToken {
  return {
    id: row.id,
    name: row.name,
    app: row.app,
    environment: row.environment,
    identifiers: row.identifiers,
    scopes: row.scopes.filter(isScope),
    prefix: row.prefix,
    validUntil: row.validUntil.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

const SORTS: SortFields = {
  app: { path: ["app", "name"] },
  environment: { path: ["environment", "name"] },
  lastUsedAt: { nullable: true },
};

/** The tokens that are not deleted, including expired ones. */
export async function listApiTokens(db: Db, input: z.output<typeof getApiTokensInput>) {
  const where = {
    revokedAt: null,
    ...(input.appId && { appId: input.appId }),
    ...(input.environmentId && { environmentId: input.environmentId }),
    ...containsText(input.search, ["name"]),
  };
  const clauses = pageClauses(input, ["createdAt", "validUntil", "lastUsedAt"], SORTS);
  const [rows, total] = await Promise.all([
    db.apiToken.findMany({
      ...clauses,
      where: { AND: [where, clauses.where] },
      include: shown,
      omit: { hash: true },
    }),
    db.apiToken.count({ where }),
  ]);
  return { ...toPage(rows, input, SORTS), total };
}

export function createApiToken(db: Db, data: Prisma.ApiTokenUncheckedCreateInput): Promise<ApiTokenRow> {
  return db.apiToken.create({ data, include: shown, omit: { hash: true } });
}

/**
 * Revokes a token. Its row is kept, because releases refer to the token that published them.
 * @returns the token; null if it does not exist or was deleted before
 */
export async function revokeApiToken(db: Db, id: string, now: Date): Promise<ApiTokenRow | null> {
  const { count } = await db.apiToken.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: now } });
  return count === 0 ? null : db.apiToken.findUnique({ where: { id }, include: shown, omit: { hash: true } });
}
