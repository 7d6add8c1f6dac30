import "server-only";
import type { z } from "zod";
import { containsText, pageClauses, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { queryRows, sql } from "@/lib/db/query";
import { SUPER_ADMIN } from "@/lib/permissions/actor";
import type { getRolesInput, Role } from "./schema";

const counted = { _count: { select: { users: true, permissions: true } } } satisfies Prisma.RoleInclude;
type RoleRow = Prisma.RoleGetPayload<{ include: typeof counted }>;

/** A role's row as the API shows it. */
export function toRole(row: RoleRow): Role {
  return {
    id: row.id,
    name: row.name,
    superAdmin: row.name === SUPER_ADMIN,
    userCount: row._count.users,
    permissionCount: row._count.permissions,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export async function listRoles(db: Db, input: z.output<typeof getRolesInput>) {
  const filter = containsText(input.search, ["name"]);
  const { where, orderBy, take } = pageClauses(input);
  const [rows, total] = await Promise.all([
    db.role.findMany({ where: { AND: [filter, where] }, orderBy, take, include: counted }),
    db.role.count({ where: filter }),
  ]);
  return { ...toPage(rows, input), total };
}

export function findRole(db: Db, id: string): Promise<RoleRow | null> {
  return db.role.findUnique({ where: { id }, include: counted });
}

export function createRole(db: Db, data: Prisma.RoleUncheckedCreateInput): Promise<RoleRow> {
  return db.role.create({ data, include: counted });
}

export function renameRole(db: Db, id: string, name: string): Promise<RoleRow> {
  return db.role.update({ where: { id }, data: { name }, include: counted });
}

/** A name that no role has: the wanted one, with a number if a role has it. */
export async function freeRoleName(tx: Db, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    const taken = await queryRows(
      tx,
      sql`SELECT 1 FROM "Role" WHERE lower("name" COLLATE "default") = lower(${candidate})`,
    );
    if (taken.length === 0) return candidate;
  }
}
