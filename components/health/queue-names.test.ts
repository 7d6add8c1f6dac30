import { expect, it } from "vitest";
import { JOBS } from "@/lib/jobs";
import { messagesFor } from "@/lib/kernel/i18n/translator";

it("the names of queues on the health page are those of the background jobs, each its own", () => {
  const { other, ...names } = messagesFor("en").health.queues;
  expect(Object.keys(names).toSorted(), "health.queues of messages/").toEqual(
    JOBS.map(({ queue }) => queue).toSorted(),
  );
  expect(new Set([other, ...Object.values(names)]).size).toBe(JOBS.length + 1);
});
