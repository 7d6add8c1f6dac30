import { describe, expect, it } from "vitest";
import { getTestingDeploysInput } from "@/lib/features/releases/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { withInstants } from "./with-instants";

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
