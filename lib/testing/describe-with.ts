import { describe, it } from "vitest";

/**
 * A group of tests that need something of the machine. Where that is missing, one skipped test stands for them and says
 * why.
 *
 * @param needed what they need, or an error that says why it is missing
 */
export function describeWith<T>(needed: T | Error, title: string, tests: (found: T) => void): void {
  describe(title, () => {
    if (needed instanceof Error) it("cannot be tested here", ({ skip }) => skip(needed.message));
    else tests(needed);
  });
}
