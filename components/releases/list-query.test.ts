import { describe, expect, it } from "vitest";
import { getTestingDeploysInput } from "@/lib/features/releases/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { isFiltered, single, withInstants } from "./list-query";

const ENVIRONMENT = "0198c0de-0000-7000-8000-000000000001";

describe("withInstants", () => {
  it("converts days of the time zone to inclusive times", () => {
    const query = withInstants({ from: "2026-11-19", to: "2026-11-20", search: "x" }, "America/Bogota");
    expect(listQuery(getTestingDeploysInput, query, { environmentId: ENVIRONMENT })).toEqual({
      environmentId: ENVIRONMENT,
      search: "x",
      from: "2026-11-19T05:00:00.000Z",
      to: "2026-11-21T04:59:59.999Z",
    });
  });

  it("drops values that are not days", () => {
    const query = withInstants({ from: "yesterday", to: ["2026-11-19", "2026-11-20"] }, "UTC");
    expect(listQuery(getTestingDeploysInput, query, { environmentId: ENVIRONMENT })).toEqual({
      environmentId: ENVIRONMENT,
    });
  });
});

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
