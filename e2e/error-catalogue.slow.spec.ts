import { expectFailures, SCREENS, test, UNREACHABLE } from "./fixtures/failing-operations";

// Every operation that `error-catalogue.spec.ts` leaves out.
for (const screen of SCREENS) {
  const rows = screen.rows.filter(({ operation }) => !UNREACHABLE.has(operation));
  if (rows.length === 0) continue;
  const { name, signedOut = false, session } = screen;
  test.describe(name, () => {
    test.use({ signedIn: !signedOut && !session });

    const operations = rows.map(({ operation }) => operation).join(", ");
    test(`a failure on ${name} is told once, with a title that says what could not be done: ${operations}`, ({
      page,
      sample,
      problems,
    }) => expectFailures(page, sample, problems, { ...screen, rows }));
  });
}
