import type { Deployment } from "../testing/deployment";
import { expectNamed, startWithRecords, TAMPERING } from "./fixtures/audit-tampering";
import { expectAccessible } from "./fixtures/page-health";
import { test } from "./fixtures/test";

test.use({ signedIn: false });
test.describe.configure({ mode: "serial" });

let deployment: Deployment;
test.beforeAll(async () => {
  deployment = await startWithRecords();
});
test.afterAll(() => deployment?.stop());

for (const what of ["changed", "removed", "inserted", "re-ordered"] as const) {
  test(`a record that a superuser of the database has ${what} is named on the screen and by npm run audit`, async ({
    page,
  }) => {
    await expectNamed(page, deployment, TAMPERING[what]);
    if (what === "changed") await expectAccessible(page);
  });
}
