import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "@/lib/kernel/errors";
import { containsText, pageClauses, toPage } from "./list";

const id = "019a0000-0000-7000-8000-000000000001";
const cursorOf = (sort: string, row: Record<string, unknown>) =>
  toPage(
    [
      { id, ...row },
      { id, ...row },
    ],
    { sort, limit: 1 },
  ).nextCursor as string;
const forged = (value: unknown) => btoa(encodeURIComponent(JSON.stringify(value)));

describe("a cursor", () => {
  it("leads on from the last row of its page, whatever text that holds", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
        (name) => {
          const { where } = pageClauses({ sort: "name", cursor: cursorOf("name", { name }), limit: 25 });
          expect(where).toEqual({
            AND: [{ name: { gte: name } }, { OR: [{ name: { gt: name } }, { name, id: { gt: id } }] }],
          });
        },
      ),
    );
  });

  it.each([
    ["nonsense", "nonsense"],
    ["one of another order", cursorOf("-name", { name: "a" })],
    ["a number for a text", forged(["name", 7, id])],
    ["null for a text", forged(["name", null, id])],
    ["a NUL", forged(["name", "a\0", id])],
    ["another shape", forged({ name: 1 })],
    ["no id", forged(["name", "a", "1; DROP TABLE"])],
  ])("is refused when it is %s", (_what, cursor) => {
    expect(() => pageClauses({ sort: "name", cursor, limit: 25 })).toThrow(ApiError);
  });

  it("is refused with an instant that is none", () => {
    for (const value of ["yesterday", "-8.64e15", "+275760-09-13T00:00:00.001Z", "0000-01-01T00:00:00.000Z"]) {
      expect(() => pageClauses({ sort: "createdAt", cursor: forged(["createdAt", value, id]), limit: 25 })).toThrow(
        ApiError,
      );
    }
  });

  it("is refused or understood, never anything else, for any text at all", () => {
    fc.assert(
      fc.property(fc.string(), (cursor) => {
        try {
          pageClauses({ sort: "name", cursor, limit: 25 });
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
    );
  });
});

it("searches for what was typed, not for what a pattern would mean", () => {
  expect(containsText("100%_\\", ["name"])).toEqual({
    OR: [{ name: { contains: "100\\%\\_\\\\", mode: "insensitive" } }],
  });
});

describe("a page in the order of a field that is no plain column", () => {
  const clauses = (sort: string, cursor: string | undefined, fields: Parameters<typeof pageClauses>[2]) =>
    pageClauses({ sort, cursor, limit: 25 }, ["lastSignInAt"], fields);

  it("reads the column of a related row, for the order and the cursor", () => {
    const fields = { role: { path: ["role", "name"] } } as const;
    const row = { id, role: { name: "Testers" } };
    const cursor = toPage([row, row], { sort: "role", limit: 1 }, fields).nextCursor as string;
    expect(clauses("role", cursor, fields)).toEqual({
      where: {
        AND: [
          { role: { name: { gte: "Testers" } } },
          { OR: [{ role: { name: { gt: "Testers" } } }, { role: { name: "Testers" }, id: { gt: id } }] },
        ],
      },
      orderBy: [{ role: { name: "asc" } }, { id: "asc" }],
      take: 26,
    });
  });

  it("names the values of an enum that follow, and refuses a cursor with another", () => {
    const fields = { status: { values: ["active", "inactive"] } };
    expect(clauses("status", forged(["status", "active", id]), fields).where).toEqual({
      OR: [{ status: { in: ["inactive"] } }, { status: "active", id: { gt: id } }],
    });
    expect(clauses("-status", forged(["-status", "active", id]), fields).where).toEqual({
      OR: [{ status: { in: [] } }, { status: "active", id: { lt: id } }],
    });
    expect(() => clauses("status", forged(["status", "other", id]), fields)).toThrow(ApiError);
  });

  it("puts null before every value", () => {
    const fields = { lastSignInAt: { nullable: true } } as const;
    const instant = "2026-11-22T12:00:00.000Z";
    const at = new Date(instant);
    expect(clauses("lastSignInAt", undefined, fields).orderBy[0]).toEqual({
      lastSignInAt: { sort: "asc", nulls: "first" },
    });
    expect(clauses("-lastSignInAt", forged(["-lastSignInAt", instant, id]), fields).where).toEqual({
      OR: [{ lastSignInAt: { lt: at } }, { lastSignInAt: at, id: { lt: id } }, { lastSignInAt: null }],
    });
    expect(clauses("lastSignInAt", forged(["lastSignInAt", null, id]), fields).where).toEqual({
      OR: [{ lastSignInAt: null, id: { gt: id } }, { lastSignInAt: { not: null } }],
    });
    expect(clauses("-lastSignInAt", forged(["-lastSignInAt", null, id]), fields).where).toEqual({
      lastSignInAt: null,
      id: { lt: id },
    });
  });
});
