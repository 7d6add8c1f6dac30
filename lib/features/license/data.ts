import "server-only";
import type { Db } from "@/lib/db/client";
import { LICENSE_ROW } from "@/lib/expiry/current-license";

export async function storeToken(db: Db, token: string): Promise<void> {
  await db.license.update({ where: { id: LICENSE_ROW }, data: { token } });
}
