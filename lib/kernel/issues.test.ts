import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fieldIssues } from "./issues";

function issuesOf(schema: z.ZodType, input: unknown) {
  return fieldIssues(schema.safeParse(input, { reportInput: true }).error?.issues ?? []);
}

describe("fieldIssues", () => {
  it("returns the message key of a pattern", () => {
    const schema = z.object({ identifier: z.string().regex(/^\w+\.\w+$/, { error: "identifierForm" }) });
    expect(issuesOf(schema, { identifier: "acme" })).toEqual([
      { path: ["identifier"], code: "invalid_format", message: "identifierForm" },
    ]);
  });

  it("returns a general key for a pattern without a message key", () => {
    expect(issuesOf(z.string().regex(/^\d+$/), "x")).toEqual([
      { path: [], code: "invalid_format", message: "invalidFormat" },
    ]);
  });

  it("returns a key for each known format", () => {
    expect(issuesOf(z.email(), "x")[0]?.message).toBe("email");
    expect(issuesOf(z.uuid(), "x")[0]?.message).toBe("id");
    expect(issuesOf(z.url(), "x")[0]?.message).toBe("url");
    expect(issuesOf(z.iso.date(), "x")[0]?.message).toBe("date");
  });
});
