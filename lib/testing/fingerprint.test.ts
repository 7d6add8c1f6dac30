import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { setUpTestDatabase } from "@/scripts/test-database";
import { anApp, aRole, aToken } from "./console";
import { databaseFingerprint } from "./fingerprint";

setUpTestDatabase();

let roleId: string;
let tokenId: string;

beforeAll(async () => {
  roleId = await aRole();
  const { appId, environmentIds } = await anApp();
  ({ tokenId } = await aToken({ appId, environmentId: environmentIds[0] as string }));
});

it("is the same while nothing is written, whatever is read, locked or rolled back", async () => {
  const before = await databaseFingerprint();
  expect(Object.keys(before)).toEqual(expect.arrayContaining(["ApiToken", "AuditRecord", "Role", "User"]));
  await db.$queryRaw`SELECT * FROM "Role" FOR UPDATE`;
  await expect(
    db.$transaction(async (tx) => {
      await tx.role.create({ data: { id: newId(), name: "rolled back" } });
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  expect(await databaseFingerprint()).toEqual(before);
});

it.each([
  ["an insert", "Role", () => aRole()],
  ["an update", "Role", () => db.role.update({ where: { id: roleId }, data: { name: "renamed" } })],
  ["an update to the same values", "Role", () => db.$executeRaw`UPDATE "Role" SET "name" = "name"`],
  ["a deletion", "Role", () => db.role.delete({ where: { id: roleId } })],
  [
    "an update of a table with uses",
    "ApiToken",
    () => db.apiToken.update({ where: { id: tokenId }, data: { name: "renamed" } }),
  ],
] as const)("differs in the table of %s alone", async (_, table, write) => {
  const before = await databaseFingerprint();
  await write();
  const { [table]: written, ...others } = await databaseFingerprint();
  const { [table]: original, ...unchanged } = before;
  expect(written).not.toBe(original);
  expect(others).toEqual(unchanged);
});

it("leaves out when a token was last used", async () => {
  const before = await databaseFingerprint();
  await db.apiToken.update({ where: { id: tokenId }, data: { lastUsedAt: new Date() } });
  expect(await databaseFingerprint()).toEqual(before);
});
