import { describe, expect, it } from "vitest";
import { isFiltered, single } from "./list-query";

describe("single", () => {
  it("returns a value that occurs once", () => {
    expect([single("a"), single(""), single(["a", "b"]), single(undefined)]).toEqual([
      "a",
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("isFiltered", () => {
  it("is true only for parameters that narrow the list", () => {
    expect(isFiltered({ app: "a", environment: "b", cursor: "c", search: "" })).toBe(false);
    for (const name of ["search", "platformId", "version", "from", "to"])
      expect(isFiltered({ [name]: "x" })).toBe(true);
  });
});
