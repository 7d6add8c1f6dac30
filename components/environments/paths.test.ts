import { describe, expect, it } from "vitest";
import { contextPath, releasePath, releasePaths } from "./paths";

const APP = "0198c0de-0000-7000-8000-000000000001";
const ENVIRONMENT = "0198c0de-0000-7000-8000-000000000002";

describe("contextPath", () => {
  it("names the application, and the environment where there is one", () => {
    expect(contextPath("/registered-app", APP)).toBe(`/registered-app?app=${APP}`);
    expect(contextPath("/environment-app", APP, ENVIRONMENT)).toBe(
      `/environment-app?app=${APP}&environment=${ENVIRONMENT}`,
    );
  });

  it("encodes what it is given", () => {
    expect(contextPath("/releases", "a&b=c")).toBe("/releases?app=a%26b%3Dc");
    expect(releasePath("a&b")).toBe("/releases?id=a%26b");
  });
});

describe("releasePaths", () => {
  it("leads whoever changes releases to their management, and to the releases too", () => {
    for (const scope of ["release:create", "release:update", "release:delete"] as const) {
      const paths = releasePaths(APP, { id: ENVIRONMENT, scopes: [scope, "release:read"] });
      expect(paths).toEqual({
        view: `/releases?app=${APP}&environment=${ENVIRONMENT}`,
        manage: `/manage-testing-deploys?app=${APP}&environment=${ENVIRONMENT}`,
      });
    }
  });

  it("leads whoever only reads releases to them alone", () => {
    const { view, manage } = releasePaths(APP, { id: ENVIRONMENT, scopes: ["release:read", "release:download"] });
    expect(view).not.toBeNull();
    expect(manage).toBeNull();
  });

  it("leads nobody without scopes for releases anywhere", () => {
    const scopes = ["environment:read", "environment:write", "dev-variable:read"] as const;
    expect(releasePaths(APP, { id: ENVIRONMENT, scopes })).toEqual({ view: null, manage: null });
  });
});
