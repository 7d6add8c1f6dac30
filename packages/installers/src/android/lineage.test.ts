import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { makeApk } from "../../testing/make-apk";
import { inspectInstaller } from "../inspect";
import { bytesSource } from "../source";
import type { AndroidInstaller } from "../types";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const has = (program: string, args: string[]) => spawnSync(program, args).error === undefined;
const missing = has("apksigner", ["--version"]) && has("keytool", ["-help"]) ? null : "apksigner or keytool is missing";

/** Short Java programs spend most of their time in the optimizing compiler, which these options turn off. */
const JAVA_TOOL_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

const runJava = (program: "apksigner" | "keytool", args: readonly string[]) =>
  execFileSync(program, args, { env: { ...process.env, JAVA_TOOL_OPTIONS }, stdio: "pipe" });

let folder: string;
const at = (name: string) => join(folder, name);
const key = (name: string) => ["--ks", at(`${name}.p12`), "--ks-pass", "pass:password"];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lineage-"));
  if (missing) return;
  for (const name of ["old", "new"]) {
    const options = ["-alias", name, "-keyalg", "EC", "-dname", `CN=${name}`, "-validity", "9000"];
    const store = ["-keystore", at(`${name}.p12`), "-storetype", "PKCS12", "-storepass", "password"];
    runJava("keytool", ["-genkeypair", ...store, ...options]);
  }
  writeFileSync(at("app.apk"), await makeApk({ minSdk: 26, targetSdk: 34 }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The SHA-256 of the certificates that apksigner prints. */
const printed = (output: string) =>
  [...output.matchAll(/certificate SHA-256 digest: ([0-9a-f]{64})/g)].map(([, sha256]) => sha256 as string);

async function signed(name: string, args: readonly string[]): Promise<AndroidInstaller> {
  runJava("apksigner", ["sign", "--out", at(name), ...args, at("app.apk")]);
  const installer = await inspectInstaller(bytesSource(new Uint8Array(readFileSync(at(name)))), { fileName: name });
  return installer as AndroidInstaller;
}

const rotate = (capabilities: readonly string[] = []) =>
  runJava("apksigner", [
    ...[
      "rotate",
      "--out",
      at("lineage"),
      "--old-signer",
      ...key("old"),
      ...capabilities,
      "--new-signer",
      ...key("new"),
    ],
  ]);

describe("an APK that apksigner signed with a rotated key", () => {
  it("continues the certificate before, as apksigner says", async ({ skip }) => {
    if (missing) skip(missing);
    rotate();
    const [old] = (await signed("old.apk", key("old"))).signingSha256;
    const both = [...key("old"), "--next-signer", ...key("new"), "--lineage", at("lineage")];
    const installer = await signed("rotated.apk", both);
    expect(installer.continuedSha256).toEqual([old]);
    expect(installer.signingSha256.at(-1)).not.toBe(old);
    const lineage = printed(runJava("apksigner", ["lineage", "--in", at("lineage"), "--print-certs"]).toString());
    expect(lineage).toEqual([old, installer.signingSha256.at(-1)]);
  });

  it("does not continue a certificate whose installed apps the lineage excludes", async ({ skip }) => {
    if (missing) skip(missing);
    rotate(["--set-installed-data", "false"]);
    const both = [...key("old"), "--next-signer", ...key("new"), "--lineage", at("lineage")];
    const installer = await signed("excluded.apk", both);
    expect(installer.signingSha256).toHaveLength(1);
    expect(installer.continuedSha256).toEqual([]);
  });

  it("without a lineage continues none", async ({ skip }) => {
    if (missing) skip(missing);
    expect((await signed("plain.apk", key("new"))).continuedSha256).toEqual([]);
  });
});
