import "server-only";
import { pushKeys } from "@/lib/auth/server-keys";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { clientOf } from "@/lib/features/users/rules";
import { invalidField } from "@/lib/kernel/errors";
import { closeUntold, dropPushMessages, lockUntold } from "@/lib/testers/push-subscriptions";
import type { NotificationSettings, PushDevice } from "../schema";
import { testerOfUser } from "./push-subscriptions";

interface SettingsRow extends Pick<NotificationSettings, "mail" | "bounced" | "push" | "expiry" | "groups"> {
  devices: (Pick<PushDevice, "id" | "endpointHash" | "host" | "createdAt" | "lastUsedAt"> & {
    userAgent: string | null;
  })[];
}

/** The browsers of the person `t` as JSON, the one that was added last first. */
const DEVICES = sql`
  coalesce((SELECT json_agg(json_build_object('id', s."id",
      'endpointHash', translate(rtrim(encode(s."endpointHash", 'base64'), '='), '+/', '-_'), 'host', s."host",
      'userAgent', s."userAgent", 'createdAt', s."createdAt", 'lastUsedAt', s."lastUsedAt") ORDER BY s."createdAt" DESC, s."id")
    FROM "PushSubscription" s WHERE s."testerId" = t."id"), '[]'::json)`;

function toDevice({ userAgent, createdAt, lastUsedAt, ...row }: SettingsRow["devices"][number]): PushDevice {
  const at = (text: string) => new Date(text).toISOString();
  return { ...row, client: clientOf(userAgent), createdAt: at(createdAt), lastUsedAt: lastUsedAt && at(lastUsedAt) };
}

/** What a user is told of. Somebody who is in no group has the default. */
export async function readNotificationSettings(from: Db, userId: string): Promise<NotificationSettings> {
  const [row] = await queryRows<SettingsRow>(
    from,
    sql`
      SELECT coalesce(t."mail", true) AS "mail", t."bouncedAt" IS NOT NULL AS "bounced", coalesce(t."push", true) AS "push", u."expiryMail" AS "expiry",
        ${DEVICES} AS "devices", coalesce((
        SELECT json_agg(json_build_object('id', g."id", 'name', g."name", 'app', json_build_object('id', a."id", 'name', a."name"),
          'notify', m."notify") ORDER BY a."name", g."name", g."id")
        FROM "TesterGroupMember" m JOIN "TesterGroup" g ON g."id" = m."groupId" JOIN "App" a ON a."id" = g."appId"
        WHERE m."testerId" = t."id"), '[]'::json) AS "groups"
      FROM "User" u LEFT JOIN "Tester" t ON t."userId" = u."id" WHERE u."id" = ${userId}::uuid`,
  );
  const { publicKey: pushKey } = await pushKeys();
  if (!row) throw new Error("no such user");
  return { ...row, pushKey, devices: row.devices.map(toDevice) };
}

/**
 * Changes what a user is told of, also before they are in a group. What they were still to be told of by mail or in browsers is dropped if they do not want it any more;
 * that of a group is left out when it is due.
 * @throws ApiError validation_failed for a group that the user is not in
 */
export async function updateNotificationSettings(
  tx: Db,
  userId: string,
  {
    mail,
    push,
    expiry,
    groups,
  }: {
    mail?: boolean | undefined;
    push?: boolean | undefined;
    expiry?: boolean | undefined;
    groups: readonly { id: string; notify: boolean }[];
  },
  request: { locale: string; now: Date },
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
  if (expiry !== undefined)
    await tx.user.update({ where: { id: userId }, data: { expiryMail: expiry }, select: { id: true } });
  if (mail === undefined && push === undefined) return;
  const testerId = await testerOfUser(tx, userId, request);
  await lockUntold(tx, testerId);
  const data = {
    ...(mail !== undefined && { mail }),
    // An address that was refused may work by now.
    ...(mail === true && { bouncedAt: null }),
    ...(push !== undefined && { push }),
  };
  await tx.tester.update({ where: { id: testerId }, data, select: { id: true } });
  if (mail === false) {
    await tx.testerMail.updateMany({ where: { testerId }, data: { dueAt: null, tries: 0 } });
    await tx.releaseRecipient.updateMany({ where: { testerId, mailDue: true }, data: { mailDue: false } });
  }
  if (push === false) await dropPushMessages(tx, testerId);
  await closeUntold(tx, testerId);
}
