import { describe, expect, it } from "vitest";
import { findStrays, isBuildSource } from "./build.mjs";

describe("what a build depends on", () => {
  it.each([
    "app/",
    "lib/auth/actor.ts",
    "messages/es.json",
    "public/sw.js",
    "next.config.ts",
    "package-lock.json",
    "proxy.ts",
  ])("includes %s", (path) => {
    expect(isBuildSource(path, "data/")).toBe(true);
  });

  it("includes what it does not know: a build too many is better than a stale one", () => {
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
  ])("leaves out %s", (path) => {
    expect(isBuildSource(path, "data/")).toBe(false);
  });
});

describe("what a built server holds", () => {
  it("may be what it needs", () => {
    expect(findStrays([".next", "server.js", "node_modules", "package.json", "prisma", "public"], ".data/")).toEqual(
      [],
    );
  });

  it("is never the repository, the settings or the data", () => {
    expect(findStrays([".git", ".next", ".env.local", "server.js"], "../elsewhere/")).toEqual([".git", ".env.local"]);
    expect(findStrays([".data", "server.js"], ".data/")).toEqual([".data"]);
    expect(findStrays(["var", "server.js"], "var/slipway/")).toEqual(["var"]);
  });
});
