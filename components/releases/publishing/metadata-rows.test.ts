import { describe, expect, it } from "vitest";
import { metadataRows, metadataRowsSchema } from "./metadata-rows";

const issues = (rows: unknown) =>
  (metadataRowsSchema.safeParse(rows).error?.issues ?? []).map(({ path, message }) => [path.join("."), message]);

describe("metadataRowsSchema", () => {
  it("converts rows to a record and drops empty rows", () => {
    const rows = [
      { key: " gitCommit ", value: " abc " },
      { key: "", value: "" },
      { key: "gitBranch", value: "main" },
    ];
    expect(metadataRowsSchema.parse(rows)).toEqual({ gitCommit: "abc", gitBranch: "main" });
  });

  it("requires the name and the value of a row", () => {
    expect(
      issues([
        { key: "", value: "x" },
        { key: "x", value: "" },
      ]),
    ).toEqual([
      ["0.key", "required"],
      ["1.value", "required"],
    ]);
  });

  it("rejects a duplicate name", () => {
    expect(
      issues([
        { key: "a", value: "1" },
        { key: "a ", value: "2" },
      ]),
    ).toEqual([["1.key", "taken"]]);
  });

  it("rejects more entries than the server accepts", () => {
    const rows = Array.from({ length: 51 }, (_, index) => ({ key: `k${index}`, value: "v" }));
    expect(issues(rows)).toEqual([["", "tooBig.list"]]);
    expect(issues(rows.slice(0, 50))).toEqual([]);
  });

  it("converts its own record back to rows", () => {
    const metadata = { gitCommit: "abc", note: "x" };
    expect(metadataRowsSchema.parse(metadataRows(metadata))).toEqual(metadata);
  });
});
