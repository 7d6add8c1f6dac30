import { describe, expect, it } from "vitest";
import { nextSort, tableUrl } from "./table-url";

describe("tableUrl", () => {
  it("keeps the other parameters and returns to the first page when the order changes", () => {
    const current = new URLSearchParams("app=1&environment=2&cursor=abc&search=foo");
    expect(tableUrl(current, { sort: "-name" })).toBe("?app=1&environment=2&search=foo&sort=-name");
  });

  it("moves to another page when the cursor changes", () => {
    expect(tableUrl(new URLSearchParams("search=foo&cursor=a"), { cursor: "b" })).toBe("?search=foo&cursor=b");
  });

  it("removes parameters that are set to null", () => {
    expect(tableUrl(new URLSearchParams("status=active&sort=name"), { status: null, sort: "" })).toBe("?");
  });

  it("escapes values", () => {
    expect(tableUrl(new URLSearchParams(), { search: "a&b=c #?" })).toBe("?search=a%26b%3Dc+%23%3F");
  });

  it("does not change the current query", () => {
    const current = new URLSearchParams("cursor=a");
    tableUrl(current, { sort: "name" });
    expect(current.toString()).toBe("cursor=a");
  });
});

describe("nextSort", () => {
  it("goes from ascending to descending to the list's default order", () => {
    expect(nextSort(null, "name")).toBe("name");
    expect(nextSort("name", "name")).toBe("-name");
    expect(nextSort("-name", "name")).toBeNull();
  });

  it("starts ascending on another column", () => {
    expect(nextSort("-email", "name")).toBe("name");
  });
});
