import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fieldIssues } from "./issues";

function issuesOf(schema: z.ZodType, input: unknown) {
  return fieldIssues(schema.safeParse(input, { reportInput: true }).error?.issues ?? []);
}

describe("fieldIssues", () => {
  it("gives a pattern's own key, so that the reader learns which form is meant", () => {
    const schema = z.object({ identifier: z.string().regex(/^\w+\.\w+$/, { error: "identifierForm" }) });
    expect(issuesOf(schema, { identifier: "acme" })).toEqual([
      { path: ["identifier"], code: "invalid_format", message: "identifierForm" },
    ]);
  });

  it("has words of its own for a pattern without a key", () => {
    expect(issuesOf(z.string().regex(/^\d+$/), "x")).toEqual([
      { path: [], code: "invalid_format", message: "invalidFormat" },
    ]);
  });

  it("has a key for each format that is known", () => {
    expect(issuesOf(z.email(), "x")[0]?.message).toBe("email");
    expect(issuesOf(z.uuid(), "x")[0]?.message).toBe("id");
    expect(issuesOf(z.url(), "x")[0]?.message).toBe("url");
    expect(issuesOf(z.iso.date(), "x")[0]?.message).toBe("date");
  });
});
