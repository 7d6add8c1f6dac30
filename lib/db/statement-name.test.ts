import { expect, it } from "vitest";
import { statementName, statementText } from "./statement-name";

it.each([
  ['SELECT * FROM "User" WHERE "email" = $1', "SELECT", "User"],
  ['  with x as (SELECT 1) SELECT * FROM x JOIN "App" a ON true', "WITH", "x"],
  ['INSERT INTO "public"."Session" ("id") VALUES ($1)', "INSERT", "Session"],
  ['UPDATE "Release" SET "version" = $1', "UPDATE", "Release"],
  ["-- a comment FROM nowhere\nDELETE FROM pgboss.job", "DELETE", "job"],
  ["SELECT 'FROM secret', 1", "SELECT", undefined],
  ["BEGIN", "BEGIN", undefined],
  ["", "STATEMENT", undefined],
])("a statement is named by its first word and table: %s", (text, operation, table) => {
  expect(statementName(text)).toEqual({ operation, table });
});

it("the text of a statement is read from a text or an object, and of nothing else", () => {
  expect(statementText("SELECT 1")).toBe("SELECT 1");
  expect(statementText({ text: "SELECT 1", values: ["secret"] })).toBe("SELECT 1");
  expect(statementText(undefined)).toBe("");
});
