import { expect, it, vi } from "vitest";
import { notifyUnlessShown, showInPlace } from "./shown-problems";

/** A form that gets the result of a call through some functions, and shows it. */
async function fail(isShown: boolean): Promise<number> {
  const notify = vi.fn();
  const problem = { title: "The role was not added", detail: "Try again." };
  const call = async () => {
    notifyUnlessShown(problem, notify);
    return problem;
  };
  const save = async () => call();
  const submit = async () => save();
  const result = await submit();
  if (isShown) showInPlace(result);
  await new Promise((resolve) => setTimeout(resolve, 1));
  return notify.mock.calls.length;
}

it("a failure is shown once: by the form that caused it, or else as a notification", async () => {
  expect(await fail(true)).toBe(0);
  expect(await fail(false)).toBe(1);
});
