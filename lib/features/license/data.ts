import "server-only";
import type { Db } from "@/lib/db/client";

/** The ID of the only row, which a migration inserts. */
export const LICENSE_ROW = 1;

/** Returns the token of the license; null if there is none. */
export async function readStoredToken(db: Db): Promise<string | null> {
  return (await db.license.findUniqueOrThrow({ where: { id: LICENSE_ROW } })).token;
}

export async function storeToken(db: Db, token: string): Promise<void> {
  await db.license.update({ where: { id: LICENSE_ROW }, data: { token } });
}
