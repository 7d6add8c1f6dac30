import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectDir } from "./lib/files.mjs";

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
  optional?: boolean;
}

/** Binaries for other platforms, which the registry did not have in these versions when the lock file was written. */
const WITHOUT_INTEGRITY = {
  "@biomejs/cli-": [
    "android-arm64",
    "android-x64",
    "darwin-arm64",
    "darwin-x64",
    "linux-arm64-musl",
    "linux-x64-musl",
    "win32-arm64",
    "win32-x64",
  ],
  "@next/swc-": ["darwin-arm64", "darwin-x64", "win32-arm64-msvc", "win32-x64-msvc"],
  "@swc/core-": [
    "darwin-arm64",
    "darwin-x64",
    "linux-arm-gnueabihf",
    "linux-ppc64-gnu",
    "linux-s390x-gnu",
    "win32-arm64-msvc",
    "win32-ia32-msvc",
    "win32-x64-msvc",
  ],
  "@tailwindcss/oxide-": [
    "android-arm64",
    "darwin-arm64",
    "darwin-x64",
    "freebsd-x64",
    "linux-arm-gnueabihf",
    "wasm32-wasi",
    "win32-arm64-msvc",
    "win32-x64-msvc",
  ],
};

const lock = JSON.parse(readFileSync(join(projectDir, "package-lock.json"), "utf8")) as {
  packages: Record<string, LockedPackage>;
};
/** The packages that npm downloads: not the project, its workspaces or bundled dependencies. */
const downloaded = Object.entries(lock.packages)
  .filter(([path, { link, inBundle }]) => path.startsWith("node_modules/") && !link && !inBundle)
  .map(([path, locked]) => ({ name: path.slice("node_modules/".length), ...locked }));

it("the lock file names no registry, so that each machine uses its own", () => {
  expect(downloaded.filter(({ resolved }) => resolved !== undefined).map(({ name }) => name)).toEqual([]);
  expect(downloaded.length).toBeGreaterThan(700);
});

it("the lock file has the SHA-512 of each package, except for known optional ones", () => {
  const known = Object.entries(WITHOUT_INTEGRITY).flatMap(([prefix, systems]) => systems.map((one) => prefix + one));
  const unchecked = downloaded.filter(({ integrity }) => !integrity?.startsWith("sha512-"));
  expect(unchecked.map(({ name }) => name).sort()).toEqual(known.sort());
  expect(unchecked.every(({ optional }) => optional)).toBe(true);
});

it("each binary for x64 has one for arm64 in the same version, so that the image is built for both", () => {
  const versions = new Map(downloaded.map(({ name, version }) => [name, version]));
  const binaries = downloaded.filter(({ name }) => /linux-x64(-gnu|-glibc)?$/.test(name));
  expect(binaries.length).toBeGreaterThan(8);
  expect(binaries.filter(({ name, version }) => versions.get(name.replace("x64", "arm64")) !== version)).toEqual([]);
});
