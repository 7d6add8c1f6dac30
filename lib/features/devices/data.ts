import "server-only";
import type { z } from "zod";
import {
  cappedCount,
  FILTERED_COUNT_CAP,
  likeText,
  orNotFound,
  pagePosition,
  SEARCH_COUNT_CAP,
  type SortFields,
  sortField,
  toPage,
} from "@/lib/api/list";
import { peekToken } from "@/lib/auth/one-time-tokens";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { lockRow, lockUntilCommit } from "@/lib/db/locks";
import { empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { ApiError, conflict } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { normalizeUdid } from "@/lib/kernel/udid";
import { hashUdid } from "@/lib/keys/udid-hash";
import type { UserActor } from "@/lib/permissions/actor";
import type { EnrolledDevice } from "./internal/enrollment";
import { modelName } from "./internal/model-names";
import { defaultDeviceName } from "./rules";
import { type Device, type DeviceSystem, type getDevicesInput, MAX_OWN_DEVICES } from "./schema";

/** A device with its owner. */
export interface DeviceRow extends Omit<Prisma.DeviceGetPayload<object>, "searchText"> {
  user: Device["user"];
}

const COLUMNS = sql`
  d."id", d."userId", d."name", d."os", d."osVersion", d."model", d."udid", d."udidHash", d."attested", d."createdAt",
  d."lastSeenAt", d."updatedAt", CASE WHEN u."id" IS NOT NULL THEN json_build_object('id', u."id",
    'firstNames', u."firstNames", 'lastNames', u."lastNames", 'email', u."email") END AS "user"`;
const FROM = sql`FROM "Device" d LEFT JOIN "User" u ON u."id" = d."userId"`;

/** The UDID of a device; null if it has none. */
export function udidOf({ id, udid }: Pick<DeviceRow, "id" | "udid">): string | null {
  return udid && unseal(udid, { table: "Device", id, column: "udid" }).toString();
}

/** A device as its owner and administrators see it. */
export function toDevice(row: DeviceRow): Device {
  return {
    id: row.id,
    user: row.user,
    name: row.name,
    os: row.os,
    osVersion: row.osVersion,
    model: row.model,
    modelName: modelName(row.model),
    udid: udidOf(row),
    attested: row.attested,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  };
}

/** What the audit log tells of a device: never its UDID. */
export function auditedDevice({ userId, name, os, osVersion, model, attested }: DeviceRow) {
  return { userId, name, os, osVersion, model, attested };
}

export async function findDevice(from: Db, id: string): Promise<DeviceRow | null> {
  const [row] = await queryRows<DeviceRow>(from, sql`SELECT ${COLUMNS} ${FROM} WHERE d."id" = ${id}::uuid`);
  return row ?? null;
}

/**
 * Loads a device and locks its row until the transaction ends.
 * @throws ApiError not_found if it does not exist, or belongs to somebody else and the caller is no administrator
 */
export async function lockDevice(tx: Db, id: string, { userId, isAdmin }: UserActor): Promise<DeviceRow> {
  await lockRow(tx, "Device", id);
  const device = await findDevice(tx, id);
  return orNotFound(isAdmin || device?.userId === userId ? device : null);
}

export async function removeDevice(tx: Db, id: string): Promise<void> {
  await tx.device.delete({ where: { id }, select: { id: true } });
}

/** The columns of a sealed UDID for a row. */
export async function udidColumns(id: string, udid: string) {
  return { udid: seal(udid, { table: "Device", id, column: "udid" }), udidHash: await hashUdid(udid) };
}

/** What is written of a new device. */
export interface NewDevice {
  userId: string | null;
  name: string;
  os: DeviceSystem;
  osVersion: string | null;
  model: string | null;
  udid: string | null;
  attested: boolean;
  lastSeenAt: Date | null;
}

/** Inserts a device. @returns its ID */
export async function insertDevice(tx: Db, { udid, ...device }: NewDevice, now: Date): Promise<string> {
  const id = newId();
  const sealed = udid === null ? {} : await udidColumns(id, udid);
  await tx.device.create({ data: { id, ...device, ...sealed, createdAt: now, updatedAt: now }, select: { id: true } });
  return id;
}

/** Changes a device. */
export async function changeDevice(
  tx: Db,
  id: string,
  data: Prisma.DeviceUncheckedUpdateInput,
  now: Date,
): Promise<void> {
  await tx.device.update({ where: { id }, data: { ...data, updatedAt: now }, select: { id: true } });
}

/**
 * The devices with a UDID, of any owner. No other transaction can add one until this one ends.
 */
export async function lockDevicesOfUdid(tx: Db, udid: string): Promise<{ id: string; userId: string | null }[]> {
  const udidHash = await hashUdid(udid);
  await lockUntilCommit(tx, `device:${Buffer.from(udidHash).toString("hex")}`);
  return tx.device.findMany({ where: { udidHash }, select: { id: true, userId: true } });
}

/**
 * Refuses a UDID that a device of the same owner has, or for nobody's device one that anybody's has.
 * @param except the device that is changed
 * @throws ApiError conflict
 */
export async function requireNewUdid(tx: Db, udid: string, userId: string | null, except?: string): Promise<void> {
  const others = (await lockDevicesOfUdid(tx, udid)).filter(({ id }) => id !== except);
  if (others.some((other) => userId === null || other.userId === userId)) throw conflict("udid", "udidTaken");
}

/**
 * Refuses another device of a user who has as many as a user can have. No other transaction can add one until this one ends.
 * @throws ApiError conflict
 */
export async function requireRoomForDevice(tx: Db, userId: string): Promise<void> {
  await lockRow(tx, "User", userId);
  const user = await tx.user.findUnique({ where: { id: userId }, select: { status: true } });
  if (user?.status !== "active") throw new ApiError("link_expired", { detailKey: "detailEnrollment" });
  const count = await tx.device.count({ where: { userId } });
  if (count >= MAX_OWN_DEVICES) throw conflict("name", "tooManyDevices", { limit: MAX_OWN_DEVICES });
}

/**
 * Registers a device that told its UDID as the user's: their device with this UDID, or nobody's, which was entered by hand or
 * imported, or a new one.
 * @returns the device before, null if it is new, and after
 * @throws ApiError conflict if the user has too many devices
 */
export async function enrollDevice(
  tx: Db,
  userId: string,
  { name, deviceName, udid, os, osVersion, model, attested }: EnrolledDevice & { name: string | null },
  now: Date,
): Promise<{ before: DeviceRow | null; after: DeviceRow }> {
  const devices = await lockDevicesOfUdid(tx, udid);
  const known = devices.find((device) => device.userId === userId) ?? devices.find((device) => device.userId === null);
  if (known?.userId !== userId) await requireRoomForDevice(tx, userId);
  const facts = { userId, os, osVersion, model, lastSeenAt: now };
  if (!known) {
    const named = name ?? deviceName ?? defaultDeviceName({ modelName: modelName(model), model, os });
    const id = await insertDevice(tx, { ...facts, name: named, udid, attested }, now);
    return { before: null, after: orNotFound(await findDevice(tx, id)) };
  }
  const before = orNotFound(await findDevice(tx, known.id));
  const data = { ...facts, ...(name !== null && { name }), attested: before.attested || attested };
  await changeDevice(tx, known.id, data, now);
  return { before, after: orNotFound(await findDevice(tx, known.id)) };
}

/**
 * Requires the token of an enrolment that is not over.
 * @throws ApiError invalid_token, link_expired
 */
export async function requireEnrollment(from: Db, token: string, now: Date): Promise<void> {
  const found = await peekToken(from, { token, purpose: "device-enrollment", now });
  if (!found) throw new ApiError("invalid_token", { detailKey: "detailEnrollment" });
  if (found.state !== "valid") throw new ApiError("link_expired", { detailKey: "detailEnrollment" });
}

/** The name of the console. */
export async function consoleName(from: Db): Promise<string> {
  return (await from.appConfig.findUniqueOrThrow({ where: { id: 1 }, select: { name: true } })).name;
}

const SORTS: SortFields = { lastSeenAt: { nullable: true } };

/** What the sorts compare; each has an index with the ID. */
const SORT_KEYS: Readonly<Record<string, { key: string; cast: string }>> = {
  createdAt: { key: `d."createdAt"`, cast: "::timestamptz" },
  name: { key: `d."name"`, cast: "" },
  lastSeenAt: { key: `coalesce(d."lastSeenAt", '-infinity'::timestamptz)`, cast: "::timestamptz" },
};

type Filters = Pick<z.output<typeof getDevicesInput>, "userId" | "os" | "search">;

/** A search for the whole of a UDID finds its devices; any other looks for each word in the device and its owner. */
async function searchOf(search: string): Promise<Sql[]> {
  const udid = normalizeUdid(search);
  if (udid) return [sql`d."udidHash" = ${await hashUdid(udid)}`];
  return search
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 8)
    .map((word) => {
      const pattern = sql`search_text(${`%${likeText(word)}%`})`;
      return sql`(d."searchText" LIKE ${pattern} OR u."searchText" LIKE ${pattern})`;
    });
}

async function conditionsOf({ userId, os, search }: Filters): Promise<Sql[]> {
  return [
    sql`true`,
    ...(userId ? [sql`d."userId" = ${userId}::uuid`] : []),
    ...(os ? [sql`d."os" = ${os}::"DeviceKind"`] : []),
    ...(search ? await searchOf(search) : []),
  ];
}

/** One page of the devices. */
export async function listDevices(from: Db, input: Filters & { sort: string; limit: number; cursor?: string }) {
  const field = sortField(input);
  const { descending, after } = pagePosition(input, ["createdAt", "lastSeenAt"], undefined, SORTS[field]);
  const { key: text, cast } = SORT_KEYS[field] as (typeof SORT_KEYS)[string];
  const [key, direction] = [raw(text), raw(descending ? "DESC" : "ASC")];
  const wanted = join(await conditionsOf(input), " AND ");
  const value = after && (after.value ?? "-infinity");
  const beyond = after
    ? sql`AND (${key}, d."id") ${raw(descending ? "<" : ">")} (${value}${raw(cast)}, ${after.id}::uuid)`
    : empty;
  const [rows, total] = await Promise.all([
    queryRows<DeviceRow>(
      from,
      sql`SELECT ${COLUMNS} ${FROM} WHERE ${wanted} ${beyond}
        ORDER BY ${key} ${direction}, d."id" ${direction} LIMIT ${input.limit + 1}`,
    ),
    cappedCount(input.search ? SEARCH_COUNT_CAP : FILTERED_COUNT_CAP, async (take) => {
      const [counted] = await queryRows<{ count: number }>(
        from,
        sql`SELECT count(*)::int AS "count" FROM (SELECT 1 ${FROM} WHERE ${wanted} LIMIT ${take}) counted`,
      );
      return counted?.count ?? 0;
    }),
  ]);
  return { ...toPage(rows, input, SORTS), ...total };
}
