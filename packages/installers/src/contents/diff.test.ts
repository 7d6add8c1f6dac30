import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeApk, makeIpa } from "../../testing";
import { android, element } from "../../testing/android-sources";
import { type ApkOptions, writeApk } from "../../testing/make-apk";
import { makeSigningIdentity } from "../../testing/make-certificate";
import { writeIpa } from "../../testing/make-ipa";
import { makeZip } from "../../testing/make-zip";
import { processorTimeMs } from "../../testing/processor-time";
import { countingSource } from "../../testing/sources";
import { inspectInstaller } from "../inspect";
import { openFileSource } from "../node";
import { type InstallerDetails, installerDetails } from "../schema";
import { type ByteSource, bytesSource } from "../source";
import { readContents } from "./contents";
import { diffContents, diffDetails, installerDiffSchema } from "./diff";
import type { InstallerContents } from "./types";

interface Compared {
  contents: InstallerContents;
  details: InstallerDetails;
}

function diffInstallers(from: Compared, to: Compared) {
  return { ...diffContents(from.contents, to.contents), ...diffDetails(from.details, to.details) };
}

async function compared(source: ByteSource, fileName: string): Promise<Compared> {
  const details = installerDetails(await inspectInstaller(source, { fileName }));
  return { details, contents: await readContents(source) };
}

const ipa = (options: Parameters<typeof makeIpa>[0] = {}) => compared(bytesSource(makeIpa(options)), "a.ipa");
const apk = async (options: ApkOptions = {}) => compared(bytesSource(await makeApk(options)), "a.apk");
const file = (name: string, text: string) => ({ name, data: Buffer.from(text) });

const VIEW = "android.intent.action.VIEW";

/** A component with one intent filter. */
function filtering(kind: string, name: string, actions: string[], scheme: string) {
  const filter = [
    ...actions.map((action) => element("action", [android("name", { string: action })])),
    element("data", [android("scheme", { string: scheme })]),
  ];
  return element(kind, [android("name", { string: name })], [element("intent-filter", [], filter)]);
}

const NOTHING = { added: [], removed: [] };

describe("diffInstallers", () => {
  test("finds nothing between a build and itself", async () => {
    for (const side of [await ipa(), await apk()]) {
      const diff = diffInstallers(side, side);
      expect(installerDiffSchema.parse(diff)).toEqual(diff);
      expect(diff.files).toEqual({ added: 0, removed: 0, changed: 0, items: [] });
      expect(diff).toMatchObject({
        permissions: NOTHING,
        features: NOTHING,
        manifest: [],
        signing: { changed: false },
      });
      expect(diff.size.byKind.every(({ from, to }) => from === to)).toBe(true);
    }
  });

  test("lists the files of Android that were added, removed and changed, the largest first", async () => {
    const from = await apk({
      extraEntries: [file("assets/a", "1"), file("assets/gone", "12"), file("classes.dex", "d")],
    });
    const to = await apk({
      extraEntries: [file("assets/a", "2"), file("assets/new", "12345"), file("classes.dex", "d")],
    });
    expect(diffInstallers(from, to).files).toEqual({
      added: 1,
      removed: 1,
      changed: 1,
      items: [
        { path: "assets/new", change: "added", from: null, to: 5 },
        { path: "assets/gone", change: "removed", from: 2, to: null },
        { path: "assets/a", change: "changed", from: 1, to: 1 },
      ],
    });
  });

  test("adds up what the files of each kind take to the size of the whole", async () => {
    const more = [file("classes2.dex", "dex"), file("META-INF/androidx.core_core.version", "1"), file("kotlin/x", "1")];
    const diff = diffInstallers(await apk(), await apk({ abis: ["arm64-v8a"], extraEntries: more }));
    const { from, to, byKind } = diff.size;
    expect(byKind.reduce((sum, kind) => sum + kind.from, 0)).toBe(from);
    expect(byKind.reduce((sum, kind) => sum + kind.to, 0)).toBe(to);
    expect(byKind.map(({ kind }) => kind)).toEqual(["code", "nativeLibraries", "resources", "other", "archive"]);
    expect(diff.libraries).toEqual({ added: ["arm64-v8a/libexample.so"], removed: [] });
    expect(diff.frameworks).toEqual({ added: ["androidx.core:core"], removed: [] });
  });

  test("compares the permissions, systems, manifest and certificate of Android", async () => {
    const diff = diffInstallers(
      await apk({ permissions: ["android.permission.INTERNET", "android.permission.CAMERA"], minSdk: 24 }),
      await apk({
        permissions: ["android.permission.INTERNET", "android.permission.RECORD_AUDIO"],
        minSdk: 26,
        targetSdk: 35,
        debuggable: true,
        identity: makeSigningIdentity({ name: "Another" }),
      }),
    );
    expect(diff.permissions).toEqual({
      added: ["android.permission.RECORD_AUDIO"],
      removed: ["android.permission.CAMERA"],
    });
    expect(diff.sdk).toEqual({ min: { from: "24", to: "26" }, target: { from: "36", to: "35" } });
    expect(diff.signing.changed).toBe(true);
    expect(diff.manifest).toContainEqual({ path: "application@debuggable", from: null, to: "true" });
    expect(diff.manifest).toContainEqual({ path: "uses-sdk@minSdkVersion", from: "24", to: "26" });
  });

  test("takes the relative name of the class of the application for the same, and another one for one change", async () => {
    const changes = async (from: string, to: string) => {
      const [before, after] = [await apk({ applicationClass: from }), await apk({ applicationClass: to })];
      return diffInstallers(before, after).manifest;
    };
    expect(await changes(".App", "com.example.app.App")).toEqual([]);
    expect(await changes("App", "com.example.app.App")).toEqual([]);
    expect(await changes(".App", "com.example.app.Other")).toEqual([
      { path: "application@name", from: "com.example.app.App", to: "com.example.app.Other" },
    ]);
  });

  test("takes a name relative to the package for the same as the whole name", async () => {
    const component = (name: string) => ({ components: [filtering("activity", name, [VIEW], "harbor")] });
    const diff = diffInstallers(
      await apk(component(".Preferences")),
      await apk(component("com.example.app.Preferences")),
    );
    expect(diff).toMatchObject({ intentFilters: NOTHING, urlSchemes: NOTHING, manifest: [] });
    expect(diffInstallers(await apk(component("Preferences")), await apk(component(".Other"))).intentFilters).toEqual({
      added: [`com.example.app.Other ${VIEW} scheme=harbor`],
      removed: [`com.example.app.Preferences ${VIEW} scheme=harbor`],
    });
  });

  test("counts the schemes of activities that open links as those of Android, and no other", async () => {
    const components = [
      filtering("activity", ".Open", [VIEW], "harbor"),
      filtering("activity", ".Send", ["android.intent.action.SEND"], "mailto"),
      filtering("receiver", ".Update", ["android.intent.action.PROVIDER_CHANGED"], "content"),
    ];
    expect(diffInstallers(await apk(), await apk({ components })).urlSchemes).toEqual({
      added: ["harbor"],
      removed: [],
    });
  });

  test("compares the usage descriptions, capabilities, schemes and entitlements of iOS", async () => {
    const from = await ipa({
      info: { NSCameraUsageDescription: "Scan", UIRequiredDeviceCapabilities: ["arm64"] },
      profile: { entitlements: { "aps-environment": "development", "com.apple.developer.siri": true } },
    });
    const to = await ipa({
      minOs: "17.0",
      info: {
        NSMicrophoneUsageDescription: "Speak",
        UIRequiredDeviceCapabilities: ["arm64", "nfc"],
        CFBundleURLTypes: [{ CFBundleURLName: "main", CFBundleURLSchemes: ["acme"] }],
      },
      profile: { entitlements: { "aps-environment": "production", "com.apple.developer.nfc": ["TAG"] } },
      files: { "Frameworks/Core.framework/Core": Buffer.from("x"), "Frameworks/libswift.dylib": Buffer.from("x") },
    });
    const diff = diffInstallers(from, to);
    expect(diff).toMatchObject({
      permissions: { added: ["NSMicrophoneUsageDescription"], removed: ["NSCameraUsageDescription"] },
      features: { added: ["nfc"], removed: [] },
      urlSchemes: { added: ["acme"], removed: [] },
      frameworks: { added: ["Core"], removed: [] },
      libraries: { added: ["libswift.dylib"], removed: [] },
      sdk: { min: { from: "16.0", to: "17.0" } },
    });
    expect(diff.entitlements.changed).toEqual(["aps-environment"]);
    expect(diff.entitlements.added).toEqual(["com.apple.developer.nfc"]);
    expect(diff.entitlements.removed).toEqual(["com.apple.developer.siri"]);
    expect(diff.manifest).toContainEqual({ path: "CFBundleURLTypes[0].CFBundleURLSchemes[0]", from: null, to: "acme" });
  });

  test("takes an app whose folder was renamed for the same files", async () => {
    const profile = null;
    const { files } = diffInstallers(
      await ipa({ appFolder: "Old", profile }),
      await ipa({ appFolder: "New", profile }),
    );
    expect(files).toEqual({ added: 0, removed: 0, changed: 0, items: [] });
  });

  test("counts all changed files and lists at most 500 of them", async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => file(`assets/${index}`, "x".repeat(index % 50)));
    const { files } = diffInstallers(await apk(), await apk({ extraEntries: many }));
    expect(files.added).toBe(3_000);
    expect(files.items).toHaveLength(500);
    expect(files.items.every(({ to }) => to === 49 || to === 48 || (to as number) >= 41)).toBe(true);
  });
});

describe("readContents", () => {
  test("refuses a file that is not an installer", async () => {
    await expect(readContents(bytesSource(makeZip([file("a.txt", "a")])))).rejects.toMatchObject({
      reason: "not_an_installer",
    });
  });

  test.each([
    ["ipa", writeIpa],
    ["apk", writeApk],
  ] as const)("reads little of two .%s of 4 GB", async (kind, write) => {
    const folder = await mkdtemp(join(tmpdir(), "slipway-diff-"));
    try {
      const path = join(folder, `a.${kind}`);
      await write(path, { fillerBytes: 4 * 2 ** 30, ...(kind === "apk" && { schemes: [] }) });
      await using opened = await openFileSource(path);
      const source = countingSource(opened);
      const started = processorTimeMs();
      await readContents(source);
      await readContents(source);
      expect(processorTimeMs() - started).toBeLessThan(2_000);
      expect(source.bytesRead).toBeLessThan(512 * 1024);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
