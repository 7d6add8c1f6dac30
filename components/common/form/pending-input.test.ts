import { expect, it } from "vitest";
import { hasPendingInput, untilReady } from "./pending-input";

it("holds a form back until all its fields have their values, also if one does not get it", async () => {
  const [form, other] = [{}, {}];
  const [logo, icon] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const results = [untilReady(form, logo.promise), untilReady(form, icon.promise).catch(() => null)];
  expect([hasPendingInput(form), hasPendingInput(other)]).toEqual([true, false]);
  logo.resolve("file-1");
  await expect(results[0]).resolves.toBe("file-1");
  expect(hasPendingInput(form)).toBe(true);
  icon.reject(new Error("The upload failed."));
  await results[1];
  expect(hasPendingInput(form)).toBe(false);
});
