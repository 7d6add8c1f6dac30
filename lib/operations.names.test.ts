import { describe, expect, it } from "vitest";
import { z } from "zod";
import { operations } from "@/lib/operations";

/** The inputs that name something, by the field. */
const NAMES = ["name", "firstNames", "lastNames", "team", "registrant"];

const named = Object.values(operations).flatMap(({ name: operation, kind, input }) => {
  const { properties = {} } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  return NAMES.filter((field) => kind === "command" && field in properties).map((field) => ({
    operation,
    field,
    input,
  }));
});

describe("a command", () => {
  // Names of files have a rule of their own.
  const others = named.filter(({ operation }) => !["create-upload", "create-release-file"].includes(operation));

  it.each(others)("refuses control characters in $operation’s $field", ({ field, input }) => {
    const { error } = input.safeParse({ [field]: "a\u202eb\u0007" });
    expect(error?.issues.some(({ path, code }) => path[0] === field && code === "invalid_format")).toBe(true);
  });

  it("names something in many places", () => {
    expect(others.length).toBeGreaterThan(20);
  });
});
