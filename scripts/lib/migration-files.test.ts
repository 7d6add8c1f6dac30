import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectDir } from "./files.mjs";
import {
  findBreakingStatements,
  findDestructiveLines,
  nextMigrationName,
  toMigrationTitle,
} from "./migration-files.mjs";

describe("the name of a migration", () => {
  it("consists of lower-case words", () => {
    expect(toMigrationTitle("Añadir  notas/de-Release!")).toBe("anadir_notas_de_release");
  });

  it.each(["", " ", "../..", "¿?"])("is rejected without letters or digits, as in %j", (title) => {
    expect(() => toMigrationTitle(title)).toThrow(/needs a name/);
  });

  it("begins with the time in UTC", () => {
    expect(nextMigrationName([], "a", new Date("2026-11-20T16:45:01.999Z"))).toBe("20261120164501_a");
  });

  it("sorts after a migration from a machine whose clock was ahead", () => {
    expect(nextMigrationName(["20270101000009_b", "readme", "1_x"], "a", new Date("2026-11-20T16:45:01Z"))).toBe(
      "20270101000010_a",
    );
  });
});

describe("destructive lines", () => {
  it("are those that delete something, without Prisma's comments", () => {
    const sql = '-- DropTable\nDROP TABLE "A";\nALTER TABLE "B" DROP COLUMN "c";\nCREATE TABLE "Dropped" ();\n';
    expect(findDestructiveLines(sql)).toEqual(['DROP TABLE "A";', 'ALTER TABLE "B" DROP COLUMN "c";']);
  });
});

describe("the rule that the previous version runs on the new schema", () => {
  const reasons = (sql: string) => findBreakingStatements(sql).map(({ reason }) => reason);

  it.each([
    'ALTER TABLE "App" DROP COLUMN "name";',
    'ALTER TABLE "App" RENAME COLUMN "name" TO "title";',
    'ALTER TABLE "App" RENAME TO "Application";',
    'ALTER TABLE "App" ADD COLUMN "team" TEXT NOT NULL;',
    'ALTER TABLE "App" ADD COLUMN "a" TEXT NOT NULL DEFAULT \'\',\n ADD COLUMN "b" TEXT NOT NULL;',
    'ALTER TABLE "App" ALTER COLUMN "description" SET NOT NULL;',
    'ALTER TABLE "App" ALTER COLUMN "name" SET DATA TYPE VARCHAR(10);',
    'ALTER TABLE "App" ALTER COLUMN "createdAt" DROP DEFAULT;',
    'ALTER TABLE "App" ADD CONSTRAINT "short" CHECK (length("name") < 10);',
    'CREATE UNIQUE INDEX "App_name_key" ON "App" ("name");',
    "ALTER TYPE \"Status\" RENAME VALUE 'active' TO 'on';",
    'DROP TABLE "App";',
    'DROP FUNCTION audit_record_hash("AuditRecord");',
    'DO $$ BEGIN EXECUTE \'x\'; ALTER TABLE "App" DROP COLUMN "name"; END $$;',
  ])("finds %s", (sql) => {
    expect(reasons(sql)).toHaveLength(1);
  });

  it.each([
    'ALTER TABLE "App" ADD COLUMN "team" TEXT;',
    'ALTER TABLE "App" ADD COLUMN "team" TEXT NOT NULL DEFAULT \'\';',
    'ALTER TABLE "App" ADD COLUMN "text" TEXT NOT NULL GENERATED ALWAYS AS (lower("name")) STORED;',
    'CREATE TABLE "New" ("id" UUID NOT NULL); ALTER TABLE "New" ADD CONSTRAINT "a" CHECK (true); CREATE UNIQUE INDEX "b" ON "New"("id");',
    'CREATE INDEX "App_name_idx" ON "App" ("name"); DROP INDEX "App_old_idx";',
    'ALTER TABLE "App" ALTER COLUMN "description" DROP NOT NULL;',
    "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DROP TABLE x $$;",
    '-- DROP TABLE "App";',
    '-- Contract: version 1.2 is the last one that reads it.\nALTER TABLE "App" DROP COLUMN "old";',
  ])("accepts %s", (sql) => {
    expect(reasons(sql)).toEqual([]);
  });

  it("holds for every migration after the first release", () => {
    const folder = join(projectDir, "prisma", "migrations");
    /** The last migration of the first release: no earlier version has run on a later schema. */
    const first = "20261122154000_backup";
    const later = readdirSync(folder).filter((name) => /^\d/.test(name) && name > first);
    const broken = later.flatMap((name) =>
      findBreakingStatements(readFileSync(join(folder, name, "migration.sql"), "utf8")).map((found) => ({
        name,
        ...found,
      })),
    );
    expect(broken).toEqual([]);
  });
});
