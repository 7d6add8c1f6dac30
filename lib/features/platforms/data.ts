import "server-only";
import type { z } from "zod";
import { containsText, pageClauses, type SortFields, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { type Prisma, Status } from "@/lib/db/generated/client";
import { fileUrl } from "@/lib/kernel/navigation/file-url";
import type { getPlatformsInput, Platform } from "./schema";

const SORTS: SortFields = { status: { values: Object.values(Status) } };

type PlatformRow = Prisma.PlatformGetPayload<object>;

/** The URL of a platform's logo. The two built-in platforms have built-in logos. */
export function platformLogoUrl(platform: Pick<PlatformRow, "kind" | "logoFileId">): string {
  return platform.logoFileId ? fileUrl(platform.logoFileId) : `/platforms/${platform.kind}.svg`;
}

/** A platform's row as the API shows it. */
export function toPlatform(row: PlatformRow): Platform {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    logoUrl: platformLogoUrl(row),
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export async function listPlatforms(db: Db, input: z.output<typeof getPlatformsInput>) {
  const filter = { ...(input.status && { status: input.status }), ...containsText(input.search, ["name"]) };
  const { where, orderBy, take } = pageClauses(input, undefined, SORTS);
  const [rows, total] = await Promise.all([
    db.platform.findMany({ where: { AND: [filter, where] }, orderBy, take }),
    db.platform.count({ where: filter }),
  ]);
  return { ...toPage(rows, input, SORTS), total };
}

export function findPlatform(db: Db, id: string): Promise<PlatformRow | null> {
  return db.platform.findUnique({ where: { id } });
}

/** The default platform for a kind of installer: the oldest active one. */
export function defaultPlatform(db: Db, kind: "ios" | "android"): Promise<PlatformRow | null> {
  return db.platform.findFirst({ where: { kind, status: "active" }, orderBy: { id: "asc" } });
}

export function createPlatform(db: Db, data: Prisma.PlatformUncheckedCreateInput): Promise<PlatformRow> {
  return db.platform.create({ data });
}

export function updatePlatform(db: Db, id: string, data: Prisma.PlatformUncheckedUpdateInput): Promise<PlatformRow> {
  return db.platform.update({ where: { id }, data });
}
