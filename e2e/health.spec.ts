import { v7 as newId } from "uuid";
import { t } from "./fixtures/messages";
import { expectAccessible, settled } from "./fixtures/page-health";
import { expect, test } from "./fixtures/test";

const PATH = "/admin-health";
const JOB = t("health.queues.certificate-expiry");

/** A job that failed two days ago, so that it is no news on the dashboard. @returns the reason that the page shows */
async function addFailedJob(database: { query(text: string, values: unknown[]): Promise<void> }): Promise<string> {
  const reason = `the database was away (${newId()})`;
  await database.query(
    `INSERT INTO pgboss.job ("id", "name", "state", "policy", "completed_on", "output")
     SELECT gen_random_uuid(), "name", 'failed', "policy", now() - interval '2 days', jsonb_build_object('message', $1::text)
     FROM pgboss.queue WHERE "name" = 'certificate-expiry'`,
    [reason],
  );
  return reason;
}

test("an administrator has a failed job run again, and it is not listed as failed any more", async ({
  page,
  database,
}) => {
  const reason = await addFailedJob(database);
  await page.goto(PATH);
  const failure = page.getByRole("listitem").filter({ hasText: reason });
  await expect(failure).toBeVisible();
  await settled(page);
  await expectAccessible(page);

  const answer = Promise.withResolvers<void>();
  await page.route("**/api/config/retry-job", async (route) => {
    await answer.promise;
    await route.continue();
  });
  const button = failure.getByRole("button", { name: t("health.retryLabel", { job: JOB }) });
  await button.click();
  await expect(button).toHaveAttribute("aria-busy", "true");
  answer.resolve();
  await expect(page.getByText(t("health.retried"))).toBeVisible();
  await expect(failure).toHaveCount(0);
});

test("a job that is not failed any more is refused, and the page shows its new state", async ({
  page,
  database,
  problems,
}) => {
  problems.expect(/409/);
  const reason = await addFailedJob(database);
  await page.goto(PATH);
  const failure = page.getByRole("listitem").filter({ hasText: reason });
  await expect(failure).toBeVisible();
  await database.query(`UPDATE pgboss.job SET "state" = 'completed' WHERE "output"->>'message' = $1`, [reason]);
  await failure.getByRole("button").click();
  await expect(page.getByText(t("failures.config/retry-job"))).toBeVisible();
  await expect(page.getByText(t("errors.conflict.detailJob"))).toBeVisible();
  await expect(failure).toHaveCount(0);
});
