import { expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { SettingsError } from "@/lib/kernel/env";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createAdminFromSettings } from "./admin-from-settings";

setUpTestDatabase();

const SETTINGS = { email: "ada@example.com", password: "a lantern over the harbour" };
const users = () => db.user.findMany({ where: { role: { name: "SUPER_ADMIN" } } });

it("a weak password of the settings is refused, and makes no administrator", async () => {
  await expect(createAdminFromSettings({ ...SETTINGS, password: "password1234" })).rejects.toThrow(SettingsError);
  expect(await users()).toEqual([]);
});

it("an administrator is not made without the record of it", async () => {
  await db.$executeRaw`ALTER TABLE "AuditRecord" ADD CONSTRAINT broken CHECK ("action" <> 'setup') NOT VALID`;
  await expect(createAdminFromSettings(SETTINGS)).rejects.toThrow();
  await db.$executeRaw`ALTER TABLE "AuditRecord" DROP CONSTRAINT broken`;
  expect(await users()).toEqual([]);
});

it("instances that start together make one administrator from the settings, with one record", async () => {
  await Promise.all([createAdminFromSettings(SETTINGS), createAdminFromSettings(SETTINGS)]);
  await createAdminFromSettings(SETTINGS);
  const [admin, ...others] = await users();
  expect([admin?.email, others]).toEqual([SETTINGS.email, []]);
  const records = await db.auditRecord.findMany();
  expect(records).toMatchObject([
    {
      table: "User",
      action: "setup",
      recordId: admin?.id,
      userId: null,
      changes: { email: [null, SETTINGS.email], by: [null, "SETUP_ADMIN_EMAIL"] },
    },
  ]);
});
