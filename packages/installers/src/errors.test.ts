import { expect, test } from "vitest";
import { InstallerError } from "./errors";

test("an error has a hostile name in its parameters on one short line, without bidirectional characters", () => {
  const { params } = new InstallerError("entry_duplicate", { name: `a\nb\0\u202Egpa.exe${"x".repeat(500)}` });
  expect(params.name).toMatch(/^a b gpa\.exex+…$/);
  expect(String(params.name).length).toBe(120);
});
