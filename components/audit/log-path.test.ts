import { expect, it } from "vitest";
import { logPath } from "./log-path";

it("keeps the filters and the page of the list, and replaces the open record", () => {
  const query = { search: "app", cursor: "abc", record: "7", from: ["2026-01-01", "2026-01-02"] };
  expect(logPath(query)).toBe("/admin-logs?search=app&cursor=abc");
  expect(logPath(query, 9)).toBe("/admin-logs?search=app&cursor=abc&record=9");
});
