import { describe, expect, it } from "vitest";
import { createAppInput, identifierSchema, updateAppInput } from "./schema";

const accepts = (identifier: string) => identifierSchema.safeParse(identifier).success;

describe("an identifier", () => {
  it.each(["com.acme.app", "com.acme", "COM.Acme.my-app_2", "1password.7", "a.b.c.d.e.f", "Test", "my-app_2"])(
    "may be the bundle ID or package name %s",
    (identifier) => {
      expect(accepts(identifier)).toBe(true);
    },
  );

  it.each([
    "",
    ".",
    ".app",
    "app.",
    "my app",
    ".com.acme",
    "com.acme.",
    "com..acme",
    "com.acme app",
    "com.acme/app",
    "com.acmé.app",
    "com.acme.*",
    "com.acme\u0000.app",
  ])("may not be %j", (identifier) => {
    expect(accepts(identifier)).toBe(false);
  });

  it("has at most 255 characters", () => {
    expect(accepts(`com.${"a".repeat(251)}`)).toBe(true);
    expect(accepts(`com.${"a".repeat(252)}`)).toBe(false);
  });
});

describe("an application's fields", () => {
  it("are trimmed, and an empty description means none", () => {
    const input = createAppInput.parse({ name: " Notes ", identifier: " com.acme.notes ", description: "  " });
    expect(input).toEqual({ name: "Notes", identifier: "com.acme.notes", description: null, status: "active" });
  });

  it("are not changed if a change omits them", () => {
    const id = "019a0000-0000-7000-8000-000000000001";
    expect(updateAppInput.parse({ id })).toEqual({ id });
    expect(updateAppInput.parse({ id, description: null, logoFileId: null })).toEqual({
      id,
      description: null,
      logoFileId: null,
    });
  });

  it("include at least a name and an identifier", () => {
    const issues = createAppInput.safeParse({ name: "   " }).error?.issues;
    expect(issues?.map(({ path }) => path.join("."))).toEqual(["name", "identifier"]);
  });
});
