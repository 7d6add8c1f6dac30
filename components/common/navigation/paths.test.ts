import { describe, expect, it } from "vitest";
import { contextPath, releasePath, releasePaths } from "./paths";

const APP = "0198c0de-0000-7000-8000-000000000001";
const ENVIRONMENT = "0198c0de-0000-7000-8000-000000000002";

describe("contextPath", () => {
  it("contains the application, and the environment if there is one", () => {
    expect(contextPath("/registered-app", APP)).toBe(`/registered-app?app=${APP}`);
    expect(contextPath("/environment-app", APP, ENVIRONMENT)).toBe(
      `/environment-app?app=${APP}&environment=${ENVIRONMENT}`,
    );
  });

  it("encodes its arguments", () => {
    expect(contextPath("/releases", "a&b=c")).toBe("/releases?app=a%26b%3Dc");
    expect(releasePath("a&b")).toBe("/releases?id=a%26b");
  });
});

describe("releasePaths", () => {
  it("returns the management and the list for a user who can change releases", () => {
    for (const scope of ["release:create", "release:update", "release:delete"] as const) {
      const paths = releasePaths(APP, { id: ENVIRONMENT, scopes: [scope, "release:read"] });
      expect(paths).toEqual({
        view: `/releases?app=${APP}&environment=${ENVIRONMENT}`,
        manage: `/manage-testing-deploys?app=${APP}&environment=${ENVIRONMENT}`,
      });
    }
  });

  it("returns only the list for a user who can only read releases", () => {
    const { view, manage } = releasePaths(APP, { id: ENVIRONMENT, scopes: ["release:read", "release:download"] });
    expect(view).not.toBeNull();
    expect(manage).toBeNull();
  });

  it("returns no path for a user without release scopes", () => {
    const scopes = ["environment:read", "environment:write", "dev-variable:read"] as const;
    expect(releasePaths(APP, { id: ENVIRONMENT, scopes })).toEqual({ view: null, manage: null });
  });
});
