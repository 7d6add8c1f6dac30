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
import { fewFound, longestWord } from "@/lib/db/few-found";
import type { Prisma } from "@/lib/db/generated/client";
import { lockRow, lockUntilCommit } from "@/lib/db/locks";
import { countRows, empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { detailsOf, type ReleaseRow } from "@/lib/features/releases/data/rows";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { ApiError, conflict } from "@/lib/kernel/errors";
import { hex } from "@/lib/kernel/hex";
import { newId } from "@/lib/kernel/ids";
import { normalizeUdid } from "@/lib/kernel/udid";
import { hashUdid, hashUdids } from "@/lib/keys/udid-hash";
import { SUPER_ADMIN, type UserActor } from "@/lib/permissions/actor";
import { permissionOfGroupSql } from "@/lib/permissions/visibility";
import { readInstallerFacts, type StoredFacts } from "@/lib/storage/installer-facts";
import type { EnrolledDevice } from "./internal/enrollment";
import { modelName } from "./internal/model-names";
import { type DeviceSystem, defaultDeviceName, systemOfModel } from "./rules";
import {
  type Device,
  type getDevicesInput,
  type getReleaseDevicesInput,
  MAX_OWN_DEVICES,
  type releaseDevicesOutput,
} from "./schema";

export { modelName };

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
    updatedAt: row.updatedAt.toISOString(),
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

/**
 * Locks the UDID of a device, if it has one, until the transaction ends. To be called before a device or a user is locked, as an
 * enrolment locks them after the UDID: another order ends in a deadlock.
 */
export async function lockUdidOf(tx: Db, id: string): Promise<void> {
  const device = await tx.device.findUnique({ where: { id }, select: { id: true, udid: true } });
  const udid = device && udidOf(device);
  if (udid) await lockDevicesOfUdid(tx, udid);
}

export async function removeDevice(tx: Db, id: string): Promise<void> {
  await tx.device.delete({ where: { id }, select: { id: true } });
}

function sealUdid(id: string, udid: string): Uint8Array<ArrayBuffer> {
  return seal(udid, { table: "Device", id, column: "udid" });
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
  const sealed = udid === null ? {} : { udid: sealUdid(id, udid), udidHash: await hashUdid(udid) };
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
async function lockDevicesOfUdid(tx: Db, udid: string): Promise<{ id: string; userId: string | null }[]> {
  const udidHash = await hashUdid(udid);
  await lockUntilCommit(tx, `device:${hex(udidHash)}`);
  return tx.device.findMany({ where: { udidHash }, select: { id: true, userId: true } });
}

/**
 * Refuses a UDID that another device of the same owner has. For a device without an owner, refuses a UDID that any
 * device has.
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
  const count = await tx.device.count({ where: { userId } });
  if (count >= MAX_OWN_DEVICES) throw conflict("name", "tooManyDevices", { limit: MAX_OWN_DEVICES });
}

/**
 * Registers a device by the UDID that it sent: updates the user's device with this UDID, assigns one without an owner
 * that was entered or imported, or creates one.
 * @returns the device before, null if it is new, and after
 * @throws ApiError conflict if the user has too many devices, link_expired if they have been switched off since
 */
export async function enrollDevice(
  tx: Db,
  userId: string,
  { name, deviceName, udid, os, osVersion, model, attested }: EnrolledDevice & { name: string | null },
  now: Date,
): Promise<{ before: DeviceRow | null; after: DeviceRow }> {
  const devices = await lockDevicesOfUdid(tx, udid);
  await lockRow(tx, "User", userId);
  const user = await tx.user.findUnique({ where: { id: userId }, select: { status: true } });
  if (user?.status !== "active") throw new ApiError("link_expired", { detailKey: "detailEnrollment" });
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
 * @returns what it was issued for, as `readEnrollmentSubject` reads it
 * @throws ApiError invalid_token, link_expired
 */
export async function requireEnrollment(from: Db, token: string, now: Date): Promise<string> {
  const found = await peekToken(from, { token, purpose: "device-enrollment", now });
  if (!found) throw new ApiError("invalid_token", { detailKey: "detailEnrollment" });
  if (found.state !== "valid") throw new ApiError("link_expired", { detailKey: "detailEnrollment" });
  return found.subject;
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

type Filters = Partial<Pick<z.output<typeof getDevicesInput>, "userId" | "os" | "search">>;

/** A search for the whole of a UDID finds its devices; any other looks for each word in the device and its owner. */
async function searchOf(from: Db, search: string): Promise<Sql[]> {
  const udid = normalizeUdid(search);
  if (udid) return [sql`d."udidHash" = ${await hashUdid(udid)}`];
  const patternOf = (word: string) => sql`search_text(${`%${likeText(word)}%`})`;
  const words = search.split(/\s+/).filter(Boolean).slice(0, 8);
  const conditions = words.map((word) => {
    const pattern = patternOf(word);
    return sql`(d."searchText" LIKE ${pattern} OR u."searchText" LIKE ${pattern})`;
  });
  const pattern = patternOf(longestWord(words.join(" ")));
  const few = await fewFound(
    from,
    sql`SELECT d."id" FROM "Device" d WHERE d."searchText" LIKE ${pattern}
      UNION ALL SELECT d."id" FROM "User" u JOIN "Device" d ON d."userId" = u."id" WHERE u."searchText" LIKE ${pattern}`,
  );
  return few ? [sql`d."id" = ANY(${few}::uuid[])`, ...conditions] : conditions;
}

async function conditionsOf(from: Db, { userId, os, search }: Filters): Promise<Sql[]> {
  return [
    sql`true`,
    ...(userId ? [sql`d."userId" = ${userId}::uuid`] : []),
    ...(os ? [sql`d."os" = ${os}::"DeviceKind"`] : []),
    ...(search ? await searchOf(from, search) : []),
  ];
}

interface PageInput {
  sort: string;
  limit: number;
  cursor?: string | undefined;
}

/** The rows of one page of the devices that meet some conditions. @param columns in addition, such as `, true AS "covered"` */
async function pageOfDevices<Row extends DeviceRow>(
  from: Db,
  input: PageInput,
  conditions: readonly Sql[],
  columns: Sql = empty,
) {
  const field = sortField(input);
  const position = { sort: input.sort, ...(input.cursor !== undefined && { cursor: input.cursor }) };
  const { descending, after } = pagePosition(position, ["createdAt", "lastSeenAt"], undefined, SORTS[field]);
  const { key: text, cast } = SORT_KEYS[field] as (typeof SORT_KEYS)[string];
  const [key, direction] = [raw(text), raw(descending ? "DESC" : "ASC")];
  const wanted = join([...conditions], " AND ");
  const value = after && (after.value ?? "-infinity");
  const beyond = after
    ? sql`AND (${key}, d."id") ${raw(descending ? "<" : ">")} (${value}${raw(cast)}, ${after.id}::uuid)`
    : empty;
  const rows = await queryRows<Row>(
    from,
    sql`SELECT ${COLUMNS} ${columns} ${FROM} WHERE ${wanted} ${beyond}
      ORDER BY ${key} ${direction}, d."id" ${direction} LIMIT ${input.limit + 1}`,
  );
  return toPage(rows, input, SORTS);
}

/** One page of the devices that meet `further` conditions too, with how many there are. */
export async function listDevices(from: Db, input: Filters & PageInput, further: readonly Sql[] = []) {
  const conditions = [...(await conditionsOf(from, input)), ...further];
  const [page, total] = await Promise.all([
    pageOfDevices<DeviceRow>(from, input, conditions),
    cappedCount(input.search ? SEARCH_COUNT_CAP : FILTERED_COUNT_CAP, (take) =>
      countRows(from, sql`SELECT 1 ${FROM} WHERE ${join(conditions, " AND ")}`, take),
    ),
  ]);
  return { ...page, ...total };
}

/** A device that is ready to be inserted. */
interface SealedDevice {
  id: string;
  name: string;
  udid: Uint8Array<ArrayBuffer>;
  udidHash: Uint8Array<ArrayBuffer>;
}

/** Seals the UDIDs of an import, which takes too long for a transaction. */
export async function sealDevices(devices: readonly { udid: string; name: string }[]): Promise<SealedDevice[]> {
  const hashes = await hashUdids(devices.map(({ udid }) => udid));
  return devices.map(({ udid, name }, index) => {
    const id = newId();
    return { id, name, udid: sealUdid(id, udid), udidHash: hashes[index] as Uint8Array<ArrayBuffer> };
  });
}

/** Devices of one statement. */
const IMPORT_BATCH = 1_000;

/**
 * Inserts the devices whose UDIDs no device has, as nobody's.
 * @returns how many there are; with `dryRun`, nothing is inserted
 */
export async function importUnknownDevices(
  tx: Db,
  devices: readonly SealedDevice[],
  { dryRun, now }: { dryRun: boolean; now: Date },
): Promise<number> {
  if (!dryRun) await lockUntilCommit(tx, "device-import");
  let added = 0;
  for (let start = 0; start < devices.length; start += IMPORT_BATCH) {
    const batch = devices.slice(start, start + IMPORT_BATCH);
    const unknown = sql`
      SELECT given."id"::uuid AS "id", given."name", decode(given."udid", 'hex') AS "udid", decode(given."hash", 'hex') AS "hash"
      FROM unnest(${batch.map(({ id }) => id)}::text[], ${batch.map(({ name }) => name)}::text[],
        ${batch.map(({ udid }) => hex(udid))}::text[], ${batch.map(({ udidHash }) => hex(udidHash))}::text[])
        AS given("id", "name", "udid", "hash")
      WHERE NOT EXISTS (SELECT 1 FROM "Device" d WHERE d."udidHash" = decode(given."hash", 'hex'))`;
    const statement = dryRun
      ? unknown
      : sql`
        INSERT INTO "Device" ("id", "name", "os", "udid", "udidHash", "createdAt", "updatedAt")
        SELECT "id", "name", ${systemOfModel(null)}::"DeviceKind", "udid", "hash", ${now}::timestamptz, ${now}::timestamptz
        FROM (${unknown}) unknown ON CONFLICT DO NOTHING RETURNING "id"`;
    added += (await queryRows(tx, statement)).length;
  }
  return added;
}

/** The hashes of the devices that the profile of a release lists, as a set in SQL. */
const listedHashes = ({ fileId }: Pick<ReleaseRow, "fileId">) =>
  sql`(SELECT unnest(f."deviceHashes") FROM "InstallerFacts" f WHERE f."fileId" = ${fileId}::uuid)`;

/** An environment, as far as it decides who sees it. */
type SeenEnvironment = Pick<ReleaseRow["environment"], "id" | "status"> & {
  app: Pick<ReleaseRow["environment"]["app"], "id" | "status">;
};

/**
 * Devices `d` with a UDID, of nobody or of active users `u` who see an environment, which is the rule of `rolesWithAccess` as a part
 * of one statement, or something of it because of a group.
 * @param ofGroup that a permission `p` for groups counts
 */
function devicesOfPlace({ id, app, status }: SeenEnvironment, ofGroup: Sql): Sql {
  const isActive = status === "active" && app.status === "active";
  const scopes = isActive ? sql`cardinality(p."scopes") > 0` : sql`'environment:write' = ANY(p."scopes")`;
  return sql`d."udidHash" IS NOT NULL AND (d."userId" IS NULL OR (u."status" = 'active' AND (
    u."roleId" = (SELECT r."id" FROM "Role" r WHERE r."name" = ${SUPER_ADMIN})
    OR EXISTS (SELECT 1 FROM "RolePermission" p WHERE p."roleId" = u."roleId" AND ${scopes}
      AND (p."allApps" OR EXISTS (SELECT 1 FROM "RolePermissionTarget" t WHERE t."permissionId" = p."id"
        AND t."appId" = ${app.id}::uuid AND (t."environmentId" IS NULL OR t."environmentId" = ${id}::uuid))
        OR ${isActive ? ofGroup : sql`false`})))))`;
}

const devicesOfRelease = ({ id, environment }: ReleaseRow): Sql =>
  devicesOfPlace(environment, permissionOfGroupSql(sql`${id}::uuid`, sql`${environment.id}::uuid`));

/**
 * Conditions on devices `d` of owners `u`: the iPhones and iPads that may be registered with Apple for an environment.
 * @throws ApiError not_found
 */
export async function devicesToRegister(from: Db, environmentId: string): Promise<Sql> {
  const select = { id: true, status: true, app: { select: { id: true, status: true } } } as const;
  const environment = orNotFound(await from.environment.findUnique({ where: { id: environmentId }, select }));
  const ofGroup = sql`EXISTS (SELECT 1 FROM "RolePermissionGroup" pg JOIN "TesterGroup" g ON g."id" = pg."groupId"
    WHERE pg."permissionId" = p."id" AND g."appId" = ${environment.app.id}::uuid
      AND (g."allEnvironments" OR ${environment.id}::uuid = ANY(g."environmentIds")))`;
  return sql`${devicesOfPlace(environment, ofGroup)} AND d."os" IN ('ios', 'ipados')`;
}

/** Conditions on devices `d` of owners `u`: iPhones and iPads for a release that its profile does not list. */
export const missingIn = (release: ReleaseRow): Sql =>
  sql`${devicesOfRelease(release)} AND d."os" IN ('ios', 'ipados') AND d."udidHash" NOT IN ${listedHashes(release)}`;

/** Devices of one page of an export. */
const EXPORT_PAGE = 500;

/**
 * The UDIDs and names of devices, page by page, each UDID once.
 * @param release one whose profile does not list them
 */
export async function* exportedDevices(
  from: Db,
  filters: Filters,
  release?: ReleaseRow,
): AsyncGenerator<{ udid: string; name: string }[]> {
  const conditions = [sql`d."udidHash" IS NOT NULL`, ...(await conditionsOf(from, filters))];
  if (release) conditions.push(missingIn(release));
  const wanted = join(conditions, " AND ");
  for (let after: Uint8Array | null = null; ; ) {
    const beyond: Sql = after ? sql`AND d."udidHash" > decode(${hex(after)}, 'hex')` : empty;
    const rows: Pick<DeviceRow, "id" | "name" | "udid" | "udidHash">[] = await queryRows(
      from,
      sql`SELECT DISTINCT ON (d."udidHash") d."id", d."name", d."udid", d."udidHash" ${FROM} WHERE ${wanted} ${beyond}
        ORDER BY d."udidHash", d."createdAt", d."id" LIMIT ${EXPORT_PAGE}`,
    );
    if (rows.length > 0) yield rows.map((row) => ({ name: row.name, udid: udidOf(row) as string }));
    if (rows.length < EXPORT_PAGE) return;
    after = rows.at(-1)?.udidHash ?? null;
  }
}

/** Whether the profile of a release lists devices; see the schema of `get-release-devices`. */
function profileOf(release: ReleaseRow, facts: StoredFacts): z.output<typeof releaseDevicesOutput>["profile"] {
  const details = detailsOf(release);
  if (details.kind !== "ipa" || details.profileType === null || details.profileType === "app-store") return "none";
  if (details.profileType === "enterprise") return "all";
  return facts.deviceHashes === null ? "unknown" : "listed";
}

/**
 * Requires that the profile of a release lists devices.
 * @throws ApiError conflict
 */
export async function requireListedDevices(from: Db, release: ReleaseRow): Promise<void> {
  const profile = profileOf(release, await readInstallerFacts(from, release.fileId));
  if (profile !== "listed") throw new ApiError("conflict", { detailKey: "detailAppleProfile" });
}

/** One page of the devices that the profile of a release covers or does not cover, with the numbers of both. */
export async function listReleaseDevices(
  from: Db,
  release: ReleaseRow,
  input: z.output<typeof getReleaseDevicesInput> & Pick<Filters, "userId">,
): Promise<z.output<typeof releaseDevicesOutput>> {
  const profile = profileOf(release, await readInstallerFacts(from, release.fileId));
  const none = { items: [], nextCursor: null, total: 0, covered: 0, notCovered: 0, unknownUdids: 0 };
  if (profile !== "listed") return { ...none, profile };
  const isCovered = sql`d."udidHash" IN ${listedHashes(release)}`;
  const reached = sql`${devicesOfRelease(release)} AND d."os" IN ('ios', 'ipados')`;
  const conditions = [reached, ...(await conditionsOf(from, input))];
  if (input.covered !== undefined) conditions.push(input.covered === "true" ? isCovered : sql`NOT ${isCovered}`);
  const [page, counts] = await Promise.all([
    pageOfDevices<DeviceRow & { covered: boolean }>(from, input, conditions, sql`, ${isCovered} AS "covered"`),
    queryRows<{ total: number; covered: number; notCovered: number; unknownUdids: number }>(
      from,
      sql`SELECT count(*) FILTER (WHERE ${join(conditions, " AND ")})::int AS "total",
        count(*) FILTER (WHERE ${isCovered})::int AS "covered",
        count(*) FILTER (WHERE NOT ${isCovered})::int AS "notCovered",
        (SELECT count(*)::int FROM ${listedHashes(release)} listed("hash")
          WHERE NOT EXISTS (SELECT 1 FROM "Device" known WHERE known."udidHash" = listed."hash")) AS "unknownUdids"
      ${FROM} WHERE ${reached}`,
    ),
  ]);
  const { rows, ...rest } = page;
  const items = rows.map(({ covered, id, user, name, os, osVersion, model }) => {
    return { id, user, name, os, osVersion, model, modelName: modelName(model), covered };
  });
  return { items, ...rest, ...(counts[0] ?? none), profile };
}
