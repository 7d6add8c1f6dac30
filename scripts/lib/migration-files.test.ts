import { describe, expect, it } from "vitest";
import { findDestructiveLines, nextMigrationName, toMigrationTitle } from "./migration-files.mjs";

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
