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
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { lockRow, lockUntilCommit } from "@/lib/db/locks";
import { empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { conflict } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { normalizeUdid } from "@/lib/kernel/udid";
import { hashUdid } from "@/lib/keys/udid-hash";
import type { UserActor } from "@/lib/permissions/actor";
import { modelName } from "./internal/model-names";
import type { Device, DeviceSystem, getDevicesInput } from "./schema";

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

export async function countDevicesOf(from: Db, userId: string): Promise<number> {
  return from.device.count({ where: { userId } });
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
