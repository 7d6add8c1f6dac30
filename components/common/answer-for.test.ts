import { expect, it } from "vitest";
import { answerFor } from "./answer-for";

it("returns an answer for the input that was asked about, and none for another one", () => {
  const asked = { text: "API_URL=1", mode: "merge" };
  const kept = { input: JSON.stringify(asked), answer: "1 added" };
  expect(answerFor(kept, asked)).toBe("1 added");
  // The mode was changed before the answer arrived.
  expect(answerFor(kept, { ...asked, mode: "replace" })).toBeNull();
  expect(answerFor(null, asked)).toBeNull();
});
