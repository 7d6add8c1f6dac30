import { describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "@/lib/permissions/scopes";
import { configurationPaths, ENVIRONMENT_TABS, environmentTabPath, releasePaths } from "./paths";

const APP = "0198c0de-0000-7000-8000-000000000001";
const ENVIRONMENT = "0198c0de-0000-7000-8000-000000000002";

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

describe("configurationPaths", () => {
  const query = `?app=${APP}&environment=${ENVIRONMENT}`;

  it("returns the pages of the kinds that the user can read", () => {
    const scopes = ["dev-variable:read", "environment:read"] as const;
    const paths = configurationPaths(APP, { id: ENVIRONMENT, scopes }, false);
    expect(paths).toEqual({ development: `/manage-dev-variables${query}`, secure: null, certificates: null });
  });

  it("returns the pages of the administration for administrators", () => {
    const scopes = ["dev-variable:read", "secure-variable:read", "secure-certificate:read"] as const;
    const paths = configurationPaths(APP, { id: ENVIRONMENT, scopes }, true);
    expect(paths).toEqual({
      development: `/dev-variables${query}`,
      secure: `/secure-variables${query}`,
      certificates: `/secure-certificates${query}`,
    });
  });

  it("returns no path for a user without scopes of variables or certificates", () => {
    const scopes = ["release:read", "environment:write"] as const;
    const paths = configurationPaths(APP, { id: ENVIRONMENT, scopes }, false);
    expect(paths).toEqual({ development: null, secure: null, certificates: null });
  });
});

describe("environmentTabPath", () => {
  const query = `?app=${APP}&environment=${ENVIRONMENT}`;
  const paths = (scopes: readonly Scope[], isAdmin: boolean) =>
    ENVIRONMENT_TABS.map((tab) => environmentTabPath(tab, { appId: APP, id: ENVIRONMENT, scopes }, isAdmin));

  it("returns the pages of the administration for administrators", () => {
    expect(paths(SCOPES, true)).toEqual([
      `/environment-app${query}`,
      `/dev-variables${query}`,
      `/environment-app${query}&tab=connect`,
      `/environment-app${query}&tab=access`,
      `/environment-app${query}&tab=settings`,
    ]);
  });

  it("returns the tabs that a user's scopes allow", () => {
    expect(paths(["release:read"], false)).toEqual([`/manage-testing-deploys${query}`, null, null, null, null]);
    expect(paths(["secure-certificate:read", "environment:read"], false)).toEqual([
      null,
      `/manage-secure-certificates${query}`,
      `/manage-testing-deploys${query}&tab=connect`,
      null,
      `/manage-testing-deploys${query}&tab=settings`,
    ]);
  });
});
