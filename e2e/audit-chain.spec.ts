import pg from "pg";
import { type Deployment, startDeployment } from "./fixtures/deployment";
import { t } from "./fixtures/messages";
import { expectAccessible, settled } from "./fixtures/page-health";
import { expect, test } from "./fixtures/test";
import { AuditLogPage } from "./pages/audit-log-page";

test.use({ signedIn: false });
test.describe.configure({ mode: "serial" });

let deployment: Deployment;
test.beforeAll(async () => {
  deployment = await startDeployment("server-audit");
  const admin = await deployment.signIn();
  for (let index = 1; index <= 8; index++) await admin.command("config/create-role", { name: `Testers ${index}` });
  await admin.dispose();
});
test.afterAll(() => deployment?.stop());

/** Runs statements as a superuser whose changes fire no trigger. */
async function asSuperuser(...statements: string[]): Promise<void> {
  const { superuserUrl } = deployment.postgres;
  const { pathname } = new URL(deployment.databaseUrl);
  const client = new pg.Client({ connectionString: Object.assign(new URL(superuserUrl), { pathname }).href });
  await client.connect();
  await client.query(["BEGIN", "SET LOCAL session_replication_role = replica", ...statements, "COMMIT"].join(";"));
  await client.end();
}

const record = (id: number) => t("auditLog.chain.faults.records", { one: "one", from: id, to: id });
const move = (from: number, to: number) => `UPDATE "AuditRecord" SET "id" = ${to} WHERE "id" = ${from}`;

const TAMPERING = [
  {
    what: "changed",
    statements: [`UPDATE "AuditRecord" SET "recordId" = 'forged' WHERE "id" = 5`],
    onScreen: t("auditLog.chain.faults.changed", { records: record(5) }),
    inTerminal: "record 5 was changed",
    first: 5,
  },
  {
    what: "removed",
    statements: [`DELETE FROM "AuditRecord" WHERE "id" = 5`],
    onScreen: t("auditLog.chain.faults.removed", { records: record(5) }),
    inTerminal: "record 5 was removed",
    first: 5,
  },
  {
    // Forged as well as its hash allows: the record after it no longer follows the one before it.
    what: "inserted",
    statements: [
      move(6, 1_000_006),
      `UPDATE "AuditRecord" SET "id" = "id" + 1 + 1000000 WHERE "id" > 6 AND "id" < 1000000`,
      move(1_000_006, 1_000_007),
      `UPDATE "AuditRecord" SET "id" = "id" - 1000000 WHERE "id" > 1000000`,
      `INSERT INTO "AuditRecord" SELECT 6, NULL, NULL, 'User', 'forged', 'delete', now(), '{}', NULL, 'r', "hash", ''
         FROM "AuditRecord" WHERE "id" = 5`,
      `UPDATE "AuditRecord" SET "hash" = audit_record_hash("AuditRecord") WHERE "id" = 6`,
    ],
    onScreen: t("auditLog.chain.faults.reordered", { records: record(7) }),
    inTerminal: "record 7 is not where it was written",
    first: 7,
  },
  {
    what: "re-ordered",
    statements: [move(5, 1_000_000), move(6, 5), move(1_000_000, 6)],
    onScreen: t("auditLog.chain.faults.reordered", { records: record(5) }),
    inTerminal: "record 5 is not where it was written",
    first: 5,
  },
] as const;

for (const { what, statements, onScreen, inTerminal, first } of TAMPERING) {
  test(`a record that a superuser of the database has ${what} is named on the screen and by npm run audit`, async ({
    page,
  }) => {
    const admin = await deployment.signIn();
    await page.context().addCookies((await admin.request.storageState()).cookies);
    await asSuperuser(`CREATE TABLE "Kept" AS SELECT * FROM "AuditRecord"`, ...statements);
    const verified = await deployment.run("audit", "verify");
    expect(verified.code).toBe(1);
    expect(verified.out).toContain(`${inTerminal}\n`);

    const log = new AuditLogPage(page);
    await page.goto(`${deployment.url}${AuditLogPage.PATH}`);
    await settled(page);
    await log.chain.getByRole("button", { name: t("auditLog.chain.verify"), exact: true }).click();
    await expect(log.chain.getByText(t("auditLog.chain.broken", { id: first }), { exact: true })).toBeVisible();
    await expect(log.chain.getByText(onScreen, { exact: true })).toBeVisible();
    await expect(log.chain.getByText(t("auditLog.chain.stateBroken"), { exact: true })).toBeVisible();
    // The other faults are the same card with another sentence.
    if (what === "changed") await expectAccessible(page);

    // As it was: neither the change nor what was written after it.
    await asSuperuser(
      `DELETE FROM "AuditRecord"`,
      `INSERT INTO "AuditRecord" SELECT * FROM "Kept"`,
      `DELETE FROM "AuditCheckpoint"`,
      `DROP TABLE "Kept"`,
    );
    await admin.dispose();
  });
}
