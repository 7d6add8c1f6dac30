import { expect, it } from "vitest";
import type { InstallCheck } from "@/lib/features/installs/schema";
import { checkOutcome, firstProblem } from "./install-check-outcome";

const checkOf = (...results: InstallCheck["checks"][number]["result"][]): InstallCheck => ({
  ok: !results.includes("failure"),
  checks: results.map((result, index) => ({ code: "dns", result, title: String(index), seen: "", advice: null })),
  ranAt: "2026-11-25T00:00:00.000Z",
});

it.each([
  ["ok", ["ok", "skipped"]],
  ["warning", ["ok", "warning", "skipped"]],
  ["failure", ["warning", "failure", "ok"]],
] as const)("the outcome is %s for %j", (outcome, results) => {
  expect(checkOutcome(checkOf(...results))).toBe(outcome);
});

it("the first failure is the one at which a phone stops", () => {
  expect(firstProblem(checkOf("ok", "warning", "failure", "failure"))?.title).toBe("2");
  expect(firstProblem(checkOf("ok", "warning"))).toBeNull();
});
