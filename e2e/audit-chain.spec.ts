import type { Deployment } from "../testing/deployment";
import { expectNamed, startWithRecords, TAMPERING } from "./fixtures/audit-tampering";
import { expectAccessible } from "./fixtures/page-health";
import { test } from "./fixtures/test";

test.use({ signedIn: false });

let deployment: Deployment;
test.beforeAll(async () => {
  deployment = await startWithRecords();
});
test.afterAll(() => deployment?.stop());

// The other kinds are the same card and the same command with another sentence: `audit-chain.slow.spec.ts` has them.
test("a record that a superuser of the database has changed is named on the screen and by npm run audit", async ({
  page,
}) => {
  await expectNamed(page, deployment, TAMPERING.changed);
  await expectAccessible(page);
});
