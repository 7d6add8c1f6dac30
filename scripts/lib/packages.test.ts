import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectDir } from "./files.mjs";
import { findNpmErrors, findStaleness, ownNode, placeOwnNode } from "./packages.mjs";

const machine = { os: "linux", cpu: "x64", libc: "glibc" };
const wanted = {
  packages: {
    "": { version: "0.1.0" },
    "node_modules/next": { version: "16.4.6", integrity: "sha512-a" },
    "node_modules/oxide-darwin": {
      version: "4.3.5",
      integrity: "sha512-b",
      optional: true,
      os: ["darwin"],
      cpu: ["x64"],
    },
    "node_modules/wasm-helper": { version: "1.0.0", integrity: "sha512-c", optional: true },
    "node_modules/oxide-musl": {
      version: "4.3.5",
      integrity: "sha512-d",
      optional: true,
      os: ["linux"],
      cpu: ["x64"],
      libc: ["musl"],
    },
    "node_modules/oxide-gnu": {
      version: "4.3.5",
      integrity: "sha512-e",
      optional: true,
      os: ["linux"],
      cpu: ["x64"],
      libc: ["glibc"],
    },
  },
};
const next = { version: "16.4.6", integrity: "sha512-a" };
const native = { version: "4.3.5", integrity: "sha512-e" };
const whole = { "node_modules/next": next, "node_modules/oxide-gnu": native };
const staleness = (packages?: object) => findStaleness(wanted, { packages: packages as typeof whole }, machine);

describe("installed packages", () => {
  it("are fresh if they match the lock file; packages for other platforms may be missing", () => {
    expect(staleness(whole)).toBeUndefined();
  });

  it("are fresh with additional packages", () => {
    expect(staleness({ ...whole, "node_modules/extra": { version: "1.0.0" } })).toBeUndefined();
  });

  it("are stale when one is missing", () => {
    expect(staleness({})).toBe("node_modules/next is missing");
    expect(staleness(undefined)).toBe("node_modules/next is missing");
  });

  it("are stale without an optional package for this platform, which npm omits on an old Node", () => {
    expect(staleness({ "node_modules/next": next })).toBe("node_modules/oxide-gnu is missing");
  });

  it("are stale if one has another version or integrity hash", () => {
    for (const other of [
      { ...next, version: "16.4.5" },
      { ...next, integrity: "sha512-x" },
    ]) {
      expect(staleness({ ...whole, "node_modules/next": other })).toBe("node_modules/next is another version");
    }
  });

  it("are stale without the link to a workspace package, and fresh with it", () => {
    const link = { resolved: "packages/installers", link: true };
    const lock = {
      packages: { "node_modules/@slipway/installers": link, "packages/installers": { version: "0.1.0" } },
    };
    expect(findStaleness(lock, { packages: {} }, machine)).toBe("node_modules/@slipway/installers is missing");
    expect(findStaleness(lock, structuredClone(lock), machine)).toBeUndefined();
  });

  it("are stale if an optional one is installed in another version", () => {
    expect(staleness({ ...whole, "node_modules/wasm-helper": { version: "0.9.0" } })).toMatch(/another version/);
  });
});

describe("the error output of npm", () => {
  it("is reduced to its errors, without warnings and usage", () => {
    const output =
      "npm warn deprecated x\nnpm error code EUSAGE\nnpm error Missing: y\nnpm error Usage:\nnpm error npm ci\n";
    expect(findNpmErrors(output)).toBe("    npm error code EUSAGE\n    npm error Missing: y");
  });

  it("is the last lines if it contains no error", () => {
    expect(findNpmErrors("sh: npm: not found\n")).toBe("    sh: npm: not found");
  });
});

/** Resolves a dependency of a package to its entry in the lock file, as Node does. */
function findEntry(packages: Record<string, unknown>, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.replace(/(^|\/)(node_modules\/(@[^/]+\/)?)?[^/]+$/, "")) {
    const path = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (at === "") return undefined;
  }
}

it("the project's own Node is a file of its own, and the program of the packages' folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-own-node-"));
  try {
    const shared = join(folder, "shared");
    writeFileSync(shared, "another installation's");
    mkdirSync(join(folder, "node", "bin"), { recursive: true });
    linkSync(shared, join(folder, "node", "bin", basename(ownNode)));
    placeOwnNode(process.execPath, folder);
    expect(readFileSync(shared, "utf8")).toBe("another installation's");
    const program =
      process.platform === "win32" ? join(folder, "node", "bin", basename(ownNode)) : join(folder, ".bin", "node");
    expect(execFileSync(program, ["--version"], { encoding: "utf8" }).trim()).toBe(process.version);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe("package-lock.json", () => {
  it("has every dependency, also for other platforms, as npm ci requires", () => {
    const { packages } = JSON.parse(readFileSync(join(projectDir, "package-lock.json"), "utf8")) as {
      packages: Record<string, { dependencies?: object; optionalDependencies?: object; devDependencies?: object }>;
    };
    const missing = Object.entries(packages).flatMap(
      ([path, { dependencies, optionalDependencies, devDependencies }]) =>
        Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
          .filter((name) => !findEntry(packages, path, name))
          .map((name) => `${name}, of ${path || "the project"}`),
    );
    expect(missing).toEqual([]);
  });

  it("names no registry host", () => {
    expect(readFileSync(join(projectDir, "package-lock.json"), "utf8")).not.toMatch(/"resolved": "http/);
  });
});

describe("the Dockerfile", () => {
  it("copies the package.json of every workspace before npm ci, which fails without them", () => {
    const lines = readFileSync(join(projectDir, "Dockerfile"), "utf8").split("\n");
    const installation = lines.findIndex((line) => /npm ci/.test(line));
    const copied = lines.slice(0, installation).join("\n");
    const workspaces = readdirSync(join(projectDir, "packages"));
    expect(
      workspaces.filter((name) => !copied.includes(`COPY packages/${name}/package.json packages/${name}/`)),
    ).toEqual([]);
  });
});
