import "server-only";
import { z } from "zod";
import { cursorAfter, likeText, pagePosition } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { raw, sql } from "@/lib/db/query";
import { type Expiring, readExpiring } from "@/lib/expiry/expiring";
import type { UserActor } from "@/lib/permissions/actor";
import type { getExpiringInput } from "./schema";

/** What the sorts compare. */
const SORT_KEYS: Readonly<Record<string, { key: string; cast: string }>> = {
  endsAt: { key: `x."endsAt"`, cast: "::timestamptz" },
  name: { key: `x."name" COLLATE "names"`, cast: "::text" },
  kind: { key: `x."kind" COLLATE "C"`, cast: "::text" },
};

/** The key of a row, which tells rows with the same end apart. */
const rowKey: z.ZodType<string> = z.string().regex(/^[a-z_]{1,30}(:[\da-f-]{36}){0,2}$/);

/** One page of what has ended or ends within some days, of what a viewer may see. */
export async function pageOfExpiring(
  db: Db,
  viewer: UserActor,
  { kind, search, ...input }: z.output<typeof getExpiringInput>,
  now: Date,
): Promise<{ items: Expiring[]; nextCursor: string | null; total: number }> {
  const { field, descending, after } = pagePosition(input, ["endsAt"], rowKey);
  const { key: text, cast } = SORT_KEYS[field] as (typeof SORT_KEYS)[string];
  const key = raw(text);
  const direction = raw(descending ? "DESC" : "ASC");
  const beyond = after
    ? sql`(${key}, x."key") ${raw(descending ? "<" : ">")} (${after.value}${raw(cast)}, ${after.id}::text)`
    : sql`true`;
  const order = sql`${key} ${direction}, x."key" ${direction}`;
  const wanted = { ...input, now, kinds: kind, like: search ? `%${likeText(search)}%` : undefined };
  const found = await readExpiring(db, viewer, wanted, { order, beyond, limit: input.limit + 1 });
  const rows = found.items.slice(0, input.limit);
  const last = found.items.length > input.limit ? rows.at(-1) : undefined;
  const nextCursor = last ? cursorAfter(input.sort, { ...last, id: last.key }) : null;
  return { items: rows.map(({ key: _key, ...item }) => item), nextCursor, total: found.total };
}
