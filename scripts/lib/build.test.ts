import { describe, expect, it } from "vitest";
import { findStrays, isBuildSource } from "./build.mjs";

describe("the sources of a build", () => {
  it.each([
    "app/",
    "lib/auth/actor.ts",
    "messages/es.json",
    "public/sw.js",
    "cli/",
    "cli/src/main.ts",
    "next.config.ts",
    "package-lock.json",
    "proxy.ts",
  ])("include %s", (path) => {
    expect(isBuildSource(path, "data/")).toBe(true);
  });

  it("include unknown files: an unnecessary build is better than a stale one", () => {
    expect(isBuildSource("something-new/", "data/")).toBe(true);
  });

  it.each([
    "node_modules/",
    ".next/",
    ".git/",
    ".env",
    "e2e/",
    "lib/db/generated/",
    "lib/auth/actor.test.ts",
    "lib/features/apps/operations/create-app.sample.ts",
    "components/common/form-dialog.test.tsx",
    "README.md",
    "tsconfig.tsbuildinfo",
    "next-env.d.ts",
    "data/",
  ])("exclude %s", (path) => {
    expect(isBuildSource(path, "data/")).toBe(false);
  });
});

describe("the files of a built server", () => {
  it("are accepted if the server needs them", () => {
    expect(findStrays([".next", "server.js", "node_modules", "package.json", "prisma", "public"], ".data/")).toEqual(
      [],
    );
  });

  it("are rejected if they are the repository, settings or data", () => {
    expect(findStrays([".git", ".next", ".env.local", "server.js"], "../elsewhere/")).toEqual([".git", ".env.local"]);
    expect(findStrays([".data", "server.js"], ".data/")).toEqual([".data"]);
    expect(findStrays(["var", "server.js"], "var/slipway/")).toEqual(["var"]);
  });
});
