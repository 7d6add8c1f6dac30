import { expect, it } from "vitest";
import { JOBS } from "@/lib/jobs";
import { queueLabel } from "./queue-label";

it("each background job has a name of its own on the health page", () => {
  const labels = JOBS.map(({ queue }) => queueLabel(queue));
  expect(labels).not.toContain("other");
  expect(new Set(labels).size).toBe(JOBS.length);
});
