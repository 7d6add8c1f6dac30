import { describe, expect, it } from "vitest";
import { z } from "zod";
import { listInput } from "@/lib/api/list";
import { listQuery } from "./list-query";

const schema = listInput({
  sorts: ["name", "createdAt"],
  filters: { status: z.enum(["active", "inactive"]).optional(), appId: z.uuid() },
});
const APP = "0198c0de-0000-7000-8000-000000000001";

describe("listQuery", () => {
  it("passes on the list's parameters", () => {
    const query = { search: "ñandú", sort: "-name", status: "active", cursor: "abc", appId: APP };
    expect(listQuery(schema, query)).toEqual(query);
  });

  it("omits unknown parameters and names of Object.prototype", () => {
    const query = { tab: "tokens", utm_source: "mail", constructor: "x", __proto__: "y", toString: "z" };
    expect(listQuery(schema, query, { appId: APP })).toEqual({ appId: APP });
  });

  it("omits values that the list would reject: unknown order or status, repeated name, empty text", () => {
    const query = { sort: "password", status: "deleted", search: ["a", "b"], cursor: "", limit: "1000" };
    expect(listQuery(schema, query, { appId: APP })).toEqual({ appId: APP });
  });

  it("gives fixed parameters precedence over the query", () => {
    expect(listQuery(schema, { limit: "100", appId: "other" }, { limit: 10, appId: APP })).toEqual({
      limit: 10,
      appId: APP,
    });
  });
});
