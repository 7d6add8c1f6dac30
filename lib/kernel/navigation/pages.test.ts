import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contextPath, isReleasePath, PAGES, releasePath } from "./pages";

const APP = "0198c0de-0000-7000-8000-000000000001";
const ENVIRONMENT = "0198c0de-0000-7000-8000-000000000002";

it("names exactly the pages under app/", () => {
  const files = globSync("app/**/page.tsx", { cwd: new URL("../../../", import.meta.url).pathname });
  const paths = files.map(
    (file) =>
      `/${file
        .split("/")
        .slice(1, -1)
        // Groups, and the segments of a page that serves the paths below it too
        .filter((part) => !part.startsWith("(") && !part.startsWith("[["))
        .join("/")}`,
  );
  // Those that next.config.ts shows for another path.
  const shown = paths.filter((path) => !path.endsWith("/one"));
  expect(Object.values(PAGES).toSorted()).toEqual(shown.toSorted());
});

describe("contextPath", () => {
  it("contains the application, and the environment if there is one", () => {
    expect(contextPath(PAGES.adminApp, APP)).toBe(`/registered-app?app=${APP}`);
    expect(contextPath(PAGES.adminEnvironment, APP, ENVIRONMENT)).toBe(
      `/environment-app?app=${APP}&environment=${ENVIRONMENT}`,
    );
  });

  it("encodes its arguments", () => {
    expect(contextPath(PAGES.releases, "a&b=c")).toBe("/releases?app=a%26b%3Dc");
    expect(releasePath("a&b")).toBe("/releases?id=a%26b");
  });
});

describe("isReleasePath", () => {
  it("is true for the page of a release only, whether or not it exists", () => {
    expect(isReleasePath(releasePath(APP))).toBe(true);
    for (const path of ["/releases", contextPath(PAGES.releases, APP), "/home?id=1", "/"]) {
      expect(isReleasePath(path), path).toBe(false);
    }
  });
});
