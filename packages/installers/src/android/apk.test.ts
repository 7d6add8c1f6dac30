import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { fingerprint } from "../../testing/android-signing";
import { type ApkOptions, apkEntries, makeApk, writeApk } from "../../testing/make-apk";
import { makeSigningIdentity } from "../../testing/make-certificate";
import { makeZip } from "../../testing/make-zip";
import { processorTimeMs } from "../../testing/processor-time";
import { countingSource } from "../../testing/sources";
import { openArchive } from "../archive/archive";
import { InstallerError } from "../errors";
import { installerDetails } from "../schema";
import { type ByteSource, bytesSource } from "../source";
import { inspectApk } from "./apk";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const signal = new AbortController().signal;
const identity = makeSigningIdentity({ name: "Shop" });
const inspect = async (source: ByteSource) => inspectApk(await openArchive(source), signal);
const inspectMade = async (options: ApkOptions = {}) => inspect(bytesSource(await makeApk({ identity, ...options })));

describe("an APK", () => {
  it("is read with all of its properties", async () => {
    const installer = await inspectMade({
      identifier: "com.example.shop",
      name: "Größe",
      versionName: "2.5.0",
      versionCode: 250,
      minSdk: 26,
      targetSdk: 35,
      permissions: ["android.permission.INTERNET"],
      abis: ["x86_64", "arm64-v8a"],
      debuggable: true,
    });
    expect(installer).toMatchObject({
      kind: "apk",
      identifier: "com.example.shop",
      displayName: "Größe",
      version: "2.5.0",
      buildNumber: "250",
      minOs: "26",
      minSdk: 26,
      targetSdk: 35,
      permissions: ["android.permission.INTERNET"],
      abis: ["arm64-v8a", "x86_64"],
      signatureSchemes: ["v2"],
      signingSha256: [fingerprint(identity)],
      split: false,
      debuggable: true,
      icon: { contentType: "image/png", width: 192, height: 192 },
    });
  });

  it("says whether it is for tests only", async () => {
    expect(await inspectMade({ testOnly: true })).toMatchObject({ testOnly: true });
    expect(await inspectMade()).toMatchObject({ testOnly: false, pageAligned: true });
  });

  it("is for all systems when its API levels are below 0, and its details can be stored", async () => {
    const installer = await inspectMade({ minSdk: -1, targetSdk: -(2 ** 31) });
    expect(installerDetails(installer)).toMatchObject({ minSdk: 0, targetSdk: 0 });
    expect(installer.minOs).toBe("0");
  });

  it("has its package name as display name when it has no label", async () => {
    expect((await inspectMade({ identifier: "com.example.mute", name: "" })).displayName).toBe("com.example.mute");
  });

  it("has no icon when its manifest declares none", async () => {
    expect((await inspectMade({ icon: "none" })).icon).toBeNull();
  });

  it.each<[string, ApkOptions, string[]]>([
    ["v1 alone", { schemes: ["v1"], targetSdk: 29 }, ["v1"]],
    [
      "v1 alone for a system of old that had a codename only",
      { schemes: ["v1"], minSdk: "JellyBean", targetSdk: null },
      ["v1"],
    ],
    ["v2 alone", { schemes: ["v2"] }, ["v2"]],
    ["v2 alone for the second security sandbox", { schemes: ["v2"], targetSandbox: 2 }, ["v2"]],
    ["v2 alone for a system to come", { schemes: ["v2"], minSdk: "Zzz", targetSdk: "Zzz" }, ["v2"]],
    ["v1 and v2 for old systems", { schemes: ["v1", "v2"], minSdk: 21 }, ["v1", "v2"]],
    ["v1, v2 and v3", { schemes: ["v1", "v2", "v3"], minSdk: 21 }, ["v1", "v2", "v3"]],
  ])("is signed with %s", async (_, options, signatureSchemes) => {
    expect(await inspectMade(options)).toMatchObject({ signatureSchemes, signingSha256: [fingerprint(identity)] });
  });

  it("has the certificate for older systems and the rotated one of v3.1", async () => {
    const rotatedTo = makeSigningIdentity({ name: "New key" });
    const installer = await inspectMade({ schemes: ["v2", "v3", "v3.1"], rotatedTo });
    expect(installer.signatureSchemes).toEqual(["v2", "v3", "v3.1"]);
    expect(installer.signingSha256).toEqual([fingerprint(identity), fingerprint(rotatedTo)]);
    expect(installer.continuedSha256).toEqual([fingerprint(identity)]);
  });

  it.each<[string, ApkOptions, string[]]>([
    ["nobody signed it", { schemes: [] }, []],
    ["it is for systems that know no v2 and has nothing else", { schemes: ["v2"], minSdk: 21 }, ["v2"]],
    ["it targets systems that want v2 and has v1 alone", { schemes: ["v1"], targetSdk: 30 }, ["v1"]],
    [
      "it asks for the second security sandbox and has v1 alone",
      { schemes: ["v1"], targetSdk: 29, targetSandbox: 2 },
      ["v1"],
    ],
    [
      "v2 was taken away that v1 speaks of",
      { schemes: ["v1", "v2"], targetSdk: 29, changeBlock: () => new Uint8Array() },
      ["v1"],
    ],
    ["a signer of the block was changed", { changeBlock: (pairs) => pairs.fill(0, 40, 60) }, ["v2"]],
  ])("has no signer when %s", async (_, options, signatureSchemes) => {
    expect(await inspectMade(options)).toMatchObject({ signatureSchemes, signingSha256: [] });
  });

  it("has no signer when its manifest was changed after signing with v1", async () => {
    const options: ApkOptions = { identity, schemes: ["v1"], targetSdk: 29, minSdk: 24 };
    const [table, , ...rest] = apkEntries(options);
    const [, otherManifest] = apkEntries({ ...options, identifier: "com.example.fake" });
    const mixed = makeZip([table, otherManifest, ...rest].filter((entry) => entry !== undefined));
    expect(await inspect(bytesSource(mixed))).toMatchObject({ identifier: "com.example.fake", signingSha256: [] });
  });

  it("is read with the unknown compression methods of packers", async () => {
    const entries = apkEntries({ identity, schemes: [] }).map((entry) =>
      entry.name === "AndroidManifest.xml" ? { ...entry, method: 0x4242 } : entry,
    );
    expect((await inspect(bytesSource(makeZip(entries)))).identifier).toBe("com.example.app");
  });

  it("is read with its signature when local headers have other compression methods", async () => {
    const entries = apkEntries({ identity, schemes: ["v1"], targetSdk: 29 }).map((entry) =>
      entry.method === 8 ? { ...entry, lies: { localMethod: 0 } } : entry,
    );
    expect(await inspect(bytesSource(makeZip(entries)))).toMatchObject({ signingSha256: [fingerprint(identity)] });
  });

  it("is read without a resource table and with a damaged one", async () => {
    for (const data of [null, Buffer.from("no table of resources")]) {
      const entries = apkEntries({ schemes: [] }).flatMap((entry) =>
        entry.name === "resources.arsc" ? (data ? [{ ...entry, data }] : []) : [entry],
      );
      const installer = await inspect(bytesSource(makeZip(entries)));
      expect(installer).toMatchObject({ identifier: "com.example.app", displayName: "com.example.app", icon: null });
    }
  });

  it.each<[string, string, (data: Uint8Array) => Uint8Array | null]>([
    ["has no manifest", "android_manifest_missing", () => null],
    ["has a manifest that is damaged", "android_manifest_invalid", (data) => data.subarray(0, -9)],
    [
      "has a manifest that nobody compiled",
      "android_manifest_not_compiled",
      () => Buffer.from("\ufeff<?xml version='1.0'?><manifest/>"),
    ],
    ["has a manifest of more than a mebibyte", "entry_too_large", () => Buffer.alloc(1024 * 1024 + 1, 1)],
  ])("is refused when it %s", async (_, reason, change) => {
    const entries = apkEntries({ schemes: [] }).flatMap((entry) => {
      if (entry.name !== "AndroidManifest.xml" || !(entry.data instanceof Uint8Array)) return [entry];
      const data = change(entry.data);
      return data ? [{ ...entry, data, method: 0 }] : [];
    });
    await expect(inspect(bytesSource(makeZip(entries)))).rejects.toMatchObject({ name: "InstallerError", reason });
  });

  it("of 500 MB is read from less than 1 % of its bytes", async () => {
    const folder = await mkdtemp(join(tmpdir(), "apk-"));
    try {
      const path = join(folder, "large.apk");
      const size = await writeApk(path, { identity, fillerBytes: 512 * 1024 * 1024, abis: ["arm64-v8a"] });
      const file = await open(path, "r");
      const source = countingSource({
        size,
        read: async (offset, length) => (await file.read(new Uint8Array(length), 0, length, offset)).buffer,
      });
      const started = processorTimeMs();
      const installer = await inspect(source).finally(() => file.close());
      expect(installer.signingSha256).toEqual([fingerprint(identity)]);
      expect(source.bytesRead).toBeLessThan(size / 100);
      expect(processorTimeMs() - started).toBeLessThan(2000);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("with any bytes of its files changed is read or refused with an InstallerError", async () => {
    const entries = apkEntries({ icon: "adaptive", schemes: [] });
    const change = fc.tuple(fc.nat(entries.length - 1), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        const changed = entries.map((entry, index) => {
          if (!(entry.data instanceof Uint8Array)) return entry;
          const data = entry.data.slice();
          for (const [which, at, byte] of changes) if (which === index) data[Math.floor(at * (data.length - 1))] = byte;
          return { ...entry, data };
        });
        await inspect(bytesSource(makeZip(changed))).catch((error: unknown) =>
          expect(error).toBeInstanceOf(InstallerError),
        );
      }),
      { numRuns: 300 },
    );
  });
});
