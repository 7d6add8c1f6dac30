import { describe, expect, it } from "vitest";
import { findStrays, isBuildSource } from "./build.mjs";
import { listProjectFiles } from "./files.mjs";

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
    "scripts/lib/precompress.mjs",
    "scripts/lib/terminal-qr.mjs",
  ])("include %s", (path) => {
    expect(isBuildSource(path, "data/")).toBe(true);
  });

  it("include everything in the repository, except what is known to be of no use to the build", () => {
    const others = new Set([
      ...[
        ".ci/",
        ".dockerignore",
        ".env.example",
        ".github/",
        ".gitignore",
        ".npmrc",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
      ],
      ...["Dockerfile", "README.md", "SECURITY.md", "bench/", "biome.json", "components.json", "deploy/"],
      ...["docker-compose.yml", "e2e/", "exec.cmd", "prisma.config.ts", "testing/", "torture/", "vitest.config.ts"],
    ]);
    const entries = new Set(listProjectFiles().map((path) => path.split(/(?<=\/)/)[0] as string));
    expect([...entries].filter((entry) => !isBuildSource(entry, "") && !others.has(entry))).toEqual([]);
  });

  it.each([
    "node_modules/",
    "packages/installers/node_modules/",
    "notes.txt",
    "Acme.ipa",
    "some-folder/",
    "scripts/demo.ts",
    ".next/",
    ".git/",
    ".env",
    "e2e/",
    "lib/db/generated/",
    "lib/auth/actor.test.ts",
    "lib/features/apps/operations/create-app.sample.ts",
    "components/common/form-dialog.test.tsx",
    "README.md",
    "components/README.md",
    "docs/decisions/",
    "tsconfig.tsbuildinfo",
    "next-env.d.ts",
    "data/",
  ])("exclude %s", (path) => {
    expect(isBuildSource(path, "data/")).toBe(false);
  });
});

describe("the files of a built server", () => {
  it("are accepted if the server needs them", () => {
    expect(findStrays([".next", "server.mjs", "node_modules", "package.json", "prisma", "public"], ".data/")).toEqual(
      [],
    );
  });

  it("are rejected if they are the repository, settings or data", () => {
    expect(findStrays([".git", ".next", ".env.local", "server.mjs"], "../elsewhere/")).toEqual([".git", ".env.local"]);
    expect(findStrays([".data", "server.mjs"], ".data/")).toEqual([".data"]);
    expect(findStrays(["app", "package-lock.json", "server.mjs"], ".data/")).toEqual(["package-lock.json"]);
    expect(findStrays(["var", "server.mjs"], "var/slipway/")).toEqual(["var"]);
  });
});
