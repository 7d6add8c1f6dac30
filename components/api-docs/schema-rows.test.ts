import { expect, it } from "vitest";
import { schemaRows, typeInWords } from "./schema-rows";

it("names fields of nested objects by their path", () => {
  const rows = schemaRows({
    type: "object",
    required: ["items"],
    properties: {
      items: {
        type: "array",
        items: { type: "object", required: ["id"], properties: { id: { type: "string", format: "uuid" } } },
      },
      nextCursor: { anyOf: [{ type: "string" }, { type: "null" }] },
    },
  });
  expect(rows).toEqual([
    { name: "items", type: "object[]", required: true },
    { name: "items.id", type: "string (uuid)", required: true },
    { name: "nextCursor", type: "string | null", required: false },
  ]);
});

it("formats values and lists as text", () => {
  expect(typeInWords({ enum: ["active", "inactive"] })).toBe('"active" | "inactive"');
  expect(typeInWords({ type: "array", items: { type: "string" } })).toBe("string[]");
});
