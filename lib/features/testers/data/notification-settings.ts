import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { invalidField } from "@/lib/kernel/errors";
import type { NotificationSettings } from "../schema";

/** What a user is told of. Somebody who is in no group has the default. */
export async function readNotificationSettings(from: Db, userId: string): Promise<NotificationSettings> {
  const [row] = await queryRows<NotificationSettings>(
    from,
    sql`
      SELECT t."mail", coalesce((
        SELECT json_agg(json_build_object('id', g."id", 'name', g."name", 'app', json_build_object('id', a."id", 'name', a."name"),
          'notify', m."notify") ORDER BY a."name", g."name", g."id")
        FROM "TesterGroupMember" m JOIN "TesterGroup" g ON g."id" = m."groupId" JOIN "App" a ON a."id" = g."appId"
        WHERE m."testerId" = t."id"), '[]'::json) AS "groups"
      FROM "Tester" t WHERE t."userId" = ${userId}::uuid`,
  );
  return row ?? { mail: true, groups: [] };
}

/**
 * Changes what a user is told of. What they were still to be told of by mail is dropped if they want none.
 * @throws ApiError validation_failed for a group that the user is not in
 */
export async function updateNotificationSettings(
  tx: Db,
  userId: string,
  { mail, groups }: { mail?: boolean | undefined; groups: readonly { id: string; notify: boolean }[] },
): Promise<void> {
  const changed = new Map(groups.map(({ id, notify }) => [id, notify]));
  const rows = [...changed].map(([id, notify]) => ({ id, notify }));
  const updated = await queryRows(
    tx,
    sql`
      UPDATE "TesterGroupMember" m SET "notify" = given."notify"
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given("id" uuid, "notify" boolean), "Tester" t
      WHERE m."groupId" = given."id" AND m."testerId" = t."id" AND t."userId" = ${userId}::uuid RETURNING 1`,
  );
  if (updated.length !== rows.length) throw invalidField("groups", "unknown");
  if (mail === undefined) return;
  await tx.tester.updateMany({ where: { userId }, data: { mail } });
  if (mail) return;
  await queryRows(
    tx,
    sql`
      UPDATE "TesterMail" m SET "dueAt" = NULL, "tries" = 0 FROM "Tester" t
      WHERE t."id" = m."testerId" AND t."userId" = ${userId}::uuid`,
  );
  await queryRows(
    tx,
    sql`
      UPDATE "ReleaseRecipient" r SET "mailDue" = false, "untold" = 'off' FROM "Tester" t
      WHERE t."id" = r."testerId" AND t."userId" = ${userId}::uuid AND r."mailDue"`,
  );
}
