import { join, raw, type Sql, sql } from "@/lib/db/query";

/** Sorts after every character in the collation of names. */
const LAST_CHARACTER = "\uffff";

/** A search for letters that first names may begin with. */
export interface FirstNameSearch {
  /** Whether the collation of names ignores case, so that the names with the letters are together in its order. */
  isOrdered: Sql;
  /** That the first names of the user `u` begin with the letters. They are read from the index that orders them. */
  begins: Sql;
  /** That the letters are elsewhere in what is searched, but not there. They are looked up by their trigrams. */
  elsewhere: Sql;
}

/**
 * A search that finds users by the beginning of their first names and elsewhere apart; null if it is not one word of at least three
 * of the letters from a to z. See the migration `users_by_first_name` for why both together are all that it finds.
 */
export function firstNameSearch(words: readonly string[]): FirstNameSearch | null {
  const [word] = words;
  if (words.length !== 1 || !word || !/^[a-z]{3,}$/i.test(word)) return null;
  const letters = word.toLowerCase();
  // Names that are equal but for the case are ordered by their bytes: capitals come first.
  const [from, to] = [letters.toUpperCase(), letters.toUpperCase() + LAST_CHARACTER];
  const beginsWith = sql`search_text(u."firstNames") LIKE ${`${letters}%`}`;
  return {
    isOrdered: sql`${letters} COLLATE "names" < ${to} COLLATE "names"`,
    begins: sql`u."firstNames" COLLATE "names" >= ${from} AND u."firstNames" COLLATE "names" < ${to} AND ${beginsWith}`,
    elsewhere: sql`search_text_besides_first_name(u."firstNames", u."lastNames", u."email", u."team")
      LIKE ${`%${letters}%`} AND NOT ${beginsWith}`,
  };
}

/**
 * How many users a search finds, by the same ways as a page. Those whose first names begin with the letters are counted in the index.
 * @param filters on the user `u`
 * @param search the whole search, for a collation with another order
 * @param take the largest count
 */
export function countNamed(
  { isOrdered, begins, elsewhere }: FirstNameSearch,
  { filters, search, take }: { filters: Sql; search: Sql; take: number },
): Sql {
  const limit = raw(String(take));
  const ways = [
    sql`${isOrdered} AND ${begins}`,
    sql`${isOrdered} AND ${elsewhere}`,
    sql`NOT (${isOrdered}) AND ${search}`,
  ].map((way) => sql`(SELECT 1 FROM "User" u WHERE ${filters} AND ${way} LIMIT ${limit})`);
  return sql`SELECT count(*)::int AS "count" FROM (SELECT 1 FROM (${join(ways, " UNION ALL ")}) found LIMIT ${limit}) named`;
}
