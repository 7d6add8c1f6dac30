import { describe, it } from "vitest";

/**
 * Declares a group of tests that need a resource of the machine. If it is missing, the group is one skipped test with the
 * reason.
 *
 * @param needed the resource, or an error with the reason why it is missing
 */
export function describeWith<T>(needed: T | Error, title: string, tests: (found: T) => void): void {
  describe(title, () => {
    if (needed instanceof Error) it("cannot be tested here", ({ skip }) => skip(needed.message));
    else tests(needed);
  });
}
