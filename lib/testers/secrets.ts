import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { hashToken, randomToken } from "@/lib/kernel/crypto/tokens";
import { env } from "@/lib/kernel/env";

/** The pages of people without an account, and the links that unsubscribe, by the secret: `/t/<secret>`. */
export const TESTER_PATH = "/t/";

const place = (id: string) => ({ table: "Tester", id, column: "secret" });

/** The SHA-256 by which the person of a secret is found. A reader of the database cannot get the secret from it. */
export function hashOfSecret(secret: string): Uint8Array<ArrayBuffer> {
  return hashToken(secret);
}

/** The secret of a person, which is made when it is first needed. @throws SealedError */
export async function secretOf(from: Db, testerId: string): Promise<string> {
  const secret = randomToken();
  const [row] = await queryRows<{ secret: Uint8Array }>(
    from,
    sql`
      UPDATE "Tester" SET "secret" = coalesce("secret", ${seal(secret, place(testerId))}),
        "secretHash" = coalesce("secretHash", ${hashOfSecret(secret)})
      WHERE "id" = ${testerId}::uuid RETURNING "secret"`,
  );
  return row ? unseal(row.secret, place(testerId)).toString() : secret;
}

/** The address of a person's page, or of the page of one release. */
export function testerUrl(secret: string, releaseId?: string): string {
  return `${env.APP_URL}${TESTER_PATH}${secret}${releaseId === undefined ? "" : `/${releaseId}`}`;
}

/** Where one press unsubscribes from the mails about an application. */
export function unsubscribeUrl(secret: string, appId: string): string {
  return `${testerUrl(secret)}/unsubscribe?app=${appId}`;
}
