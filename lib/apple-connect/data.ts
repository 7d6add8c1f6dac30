import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { unseal } from "@/lib/kernel/crypto/sealed";
import type { AppStoreCredentials, AppStoreFailure } from "./client";

/** A registration that is under way. */
export interface DueRegistration {
  id: string;
  environmentId: string;
  attempts: number;
  createdAt: Date;
}

/** The registration that waits longest; null if none is due. */
export async function nextRegistration(from: Db, now: Date, after: string): Promise<DueRegistration | null> {
  const [row] = await queryRows<DueRegistration>(
    from,
    sql`
      SELECT "id", "environmentId", "attempts", "createdAt" FROM "AppleRegistration"
      WHERE "state" = 'pending' AND "nextAt" <= ${now}::timestamptz AND "id" > ${after}::uuid ORDER BY "id" LIMIT 1`,
  );
  return row ?? null;
}

/** The key of an environment, in plain; null if it has none, or the file of it is inactive. */
export async function readCredentials(from: Db, environmentId: string): Promise<AppStoreCredentials | null> {
  const [row] = await queryRows<{ id: string; keyId: string; issuerId: string; value: Uint8Array }>(
    from,
    sql`
      SELECT c."id", k."keyId", k."issuerId", c."value" FROM "AppStoreKey" k
      JOIN "SecureCertificate" c ON c."id" = k."certificateId"
      WHERE k."environmentId" = ${environmentId}::uuid AND c."status" = 'active'`,
  );
  if (!row) return null;
  const { id, keyId, issuerId, value } = row;
  const privateKey = unseal(value, { table: "SecureCertificate", id, column: "value" }).toString();
  return { keyId, issuerId, privateKey };
}

/** A device that is still to be registered. */
export interface DeviceToRegister {
  id: string;
  name: string;
  udid: string;
}

/** Devices of one statement. */
const BATCH = 50;

/** The next devices of a registration that were not tried yet. */
export async function nextDevices(from: Db, registrationId: string): Promise<DeviceToRegister[]> {
  const rows = await queryRows<{ id: string; name: string; udid: Uint8Array }>(
    from,
    sql`
      SELECT d."id", d."name", d."udid" FROM "AppleRegistrationDevice" r JOIN "Device" d ON d."id" = r."deviceId"
      WHERE r."registrationId" = ${registrationId}::uuid AND r."result" IS NULL AND d."udid" IS NOT NULL
      ORDER BY d."id" LIMIT ${BATCH}`,
  );
  return rows.map(({ id, name, udid }) => {
    return { id, name, udid: unseal(udid, { table: "Device", id, column: "udid" }).toString() };
  });
}

/** What became of a device: `disabled` if the team has it and has turned it off. */
export interface DeviceResult {
  result: "registered" | "already" | "disabled" | "refused";
  /** In Apple's words. */
  detail: string | null;
}

/** Keeps what became of a device. */
export async function keepResult(
  from: Db,
  { registrationId, deviceId, result, detail }: DeviceResult & { registrationId: string; deviceId: string },
): Promise<void> {
  await queryRows(
    from,
    sql`
      UPDATE "AppleRegistrationDevice" SET "result" = ${result}, "detail" = ${detail}
      WHERE "registrationId" = ${registrationId}::uuid AND "deviceId" = ${deviceId}::uuid`,
  );
}

/** Why a registration ended before all devices were tried: `no_key` the environment has none any more. */
type RegistrationError = AppStoreFailure | "no_key";

/** Ends a registration. */
export async function endRegistration(
  from: Db,
  id: string,
  { error, detail, now }: { error: RegistrationError | null; detail: string | null; now: Date },
): Promise<void> {
  await queryRows(
    from,
    sql`
      UPDATE "AppleRegistration" SET "state" = ${error === null ? "done" : "failed"}, "error" = ${error}, "detail" = ${detail},
        "finishedAt" = ${now}::timestamptz
      WHERE "id" = ${id}::uuid AND "state" = 'pending'`,
  );
}

/** Puts a registration off. */
export async function postponeRegistration(
  from: Db,
  id: string,
  {
    nextAt,
    error,
    detail,
    attempts,
  }: { nextAt: Date; error: RegistrationError; detail: string | null; attempts: number },
): Promise<void> {
  await queryRows(
    from,
    sql`
      UPDATE "AppleRegistration" SET "nextAt" = ${nextAt}::timestamptz, "error" = ${error}, "detail" = ${detail},
        "attempts" = ${attempts}::int
      WHERE "id" = ${id}::uuid AND "state" = 'pending'`,
  );
}
