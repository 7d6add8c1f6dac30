import "server-only";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { fileUrl } from "@/lib/kernel/navigation/file-url";
import type { AppConfig } from "./schema";

type AppConfigRow = Prisma.AppConfigGetPayload<object>;

export function toAppConfig(row: AppConfigRow): AppConfig {
  return {
    name: row.name,
    description: row.description,
    logoUrl: row.logoFileId && fileUrl(row.logoFileId),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The ID of the only row, which a migration inserts. */
export function readAppConfig(db: Db): Promise<AppConfigRow> {
  return db.appConfig.findUniqueOrThrow({ where: { id: 1 } });
}

export function writeAppConfig(db: Db, data: Prisma.AppConfigUncheckedUpdateInput): Promise<AppConfigRow> {
  return db.appConfig.update({ where: { id: 1 }, data });
}
