import { expectFailures, SCREENS, test, UNREACHABLE } from "./fixtures/failing-operations";
import { slowUnless } from "./fixtures/slow";

/** A form in a dialog with an image, a question and an entry of a menu, a switch, and a form in the page. */
const QUICK = ["the applications", "the releases", "the ways to sign in", "the sign-in"];

// One operation of each kind of control; `error-catalogue.slow.spec.ts` has the others.
for (const screen of SCREENS) {
  const rows = screen.rows.filter(({ operation }) => UNREACHABLE.has(operation));
  if (rows.length === 0) continue;
  const { name, signedOut = false, session } = screen;
  test.describe(name, slowUnless(QUICK.includes(name)), () => {
    test.use({ signedIn: !signedOut && !session });

    const operations = rows.map(({ operation }) => operation).join(", ");
    test(`a failure on ${name} is told once, with a title that says what could not be done: ${operations}`, ({
      page,
      sample,
      problems,
    }) => expectFailures(page, sample, problems, { ...screen, rows }));
  });
}
