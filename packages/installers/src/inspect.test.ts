import { describe, expect, test, vi } from "vitest";
import { ipaEntries, makeIpa } from "../testing/make-ipa";
import { makeZip, type ZipFile } from "../testing/make-zip";
import { fileNameError, kindFromFileName } from "./file-names";
import { inspectInstaller } from "./inspect";
import { installerDetails, installerDetailsSchema } from "./schema";
import { type ByteSource, bytesSource } from "./source";

const file = (name: string, value = name): ZipFile => ({ name, data: new TextEncoder().encode(value) });
const inspect = (bytes: Uint8Array, fileName: string) => inspectInstaller(bytesSource(bytes), { fileName });
const refusedFor = (reason: string, params: object = {}) =>
  expect.objectContaining({ name: "InstallerError", reason, params: expect.objectContaining(params) });

test("the kind of a file name is that of its extension, in any case", () => {
  expect(["a.ipa", "A.B.APK", "ü.Aab", ".ipa"].map(kindFromFileName)).toEqual(["ipa", "apk", "aab", "ipa"]);
  expect(["a", "ipa", "a.ipa ", "a.ipa.zip", "a.ipax", "a.apk/", ""].map(kindFromFileName)).toEqual(
    Array(7).fill(null),
  );
});

test.each<[string, string, string | undefined]>([
  ["app.apk.1", "file_renamed", "app.apk"],
  ["app.apk.1.1", "file_renamed", "app.apk"],
  ["App (2).IPA.zip", "file_renamed", "App (2).IPA"],
  ["app.apk (1)", "file_renamed", "app.apk"],
  ["app.aab.bin", "file_renamed", "app.aab"],
  ["app.xapk", "apk_set", undefined],
  ["app.apks.1", "apk_set", undefined],
  ["app.APKM", "apk_set", undefined],
  ["apk.1", "extension_unsupported", undefined],
  ["app.ipa.exe", "extension_unsupported", undefined],
])("the name %s is refused with the way out", (fileName, reason, name) => {
  expect(fileNameError(fileName)).toEqual(refusedFor(reason, { fileName, ...(name && { name }) }));
});

test("a name that browsers count up is that of an installer", () => {
  expect(["app (1).apk", "app.1.apk"].map(fileNameError)).toEqual([null, null]);
});

describe("inspecting an installer", () => {
  test("returns the properties of its contents", async () => {
    const installer = await inspect(makeIpa({ identifier: "com.acme.shop" }), "Acme Shop.IPA");
    expect(installer).toMatchObject({ kind: "ipa", identifier: "com.acme.shop" });
  });

  test("returns details that match the schema", async () => {
    const installer = await inspect(makeIpa({ profile: { type: "enterprise" } }), "a.ipa");
    const details = installerDetails(installer);
    expect(details).toMatchObject({ kind: "ipa", profileType: "enterprise", deviceCount: null });
    expect(details).not.toHaveProperty("icon");
    expect(installerDetailsSchema.parse(JSON.parse(JSON.stringify(details)))).toEqual(details);
  });

  test.each(["a.zip", "a", "a.ipa.exe"])("with the name %s is refused, whatever its contents", async (fileName) => {
    await expect(inspect(makeIpa(), fileName)).rejects.toEqual(refusedFor("extension_unsupported", { fileName }));
  });

  test("whose extension does not match its contents is refused with both kinds", async () => {
    await expect(inspect(makeIpa(), "a.apk")).rejects.toEqual(
      refusedFor("kind_mismatch", { extension: "apk", kind: "ipa" }),
    );
    const apk = makeZip([file("AndroidManifest.xml")]);
    await expect(inspect(apk, "a.ipa")).rejects.toEqual(refusedFor("kind_mismatch", { extension: "ipa", kind: "apk" }));
    const aab = makeZip([file("BundleConfig.pb"), file("base/manifest/AndroidManifest.xml")]);
    await expect(inspect(aab, "a.apk")).rejects.toEqual(refusedFor("kind_mismatch", { extension: "apk", kind: "aab" }));
  });

  test("whose version is too long is refused, and names the value", async () => {
    const refused = (options: Parameters<typeof makeIpa>[0], params: object) =>
      expect(inspect(makeIpa(options), "a.ipa")).rejects.toEqual(refusedFor("value_too_long", params));
    await refused({ version: "1".repeat(101) }, { what: "version", key: "CFBundleShortVersionString", limit: 100 });
    await refused({ build: "1".repeat(300) }, { what: "buildNumber", key: "CFBundleVersion", limit: 100 });
    await refused({ minOs: "1".repeat(31) }, { what: "minOs", key: "MinimumOSVersion", limit: 30 });
    expect(await inspect(makeIpa({ version: "1".repeat(100) }), "a.ipa")).toMatchObject({ kind: "ipa" });
  });

  test("whose entries are counted modulo 65,536 is read as Apple's tools do, if it is an iOS app", async () => {
    const many = Array.from({ length: 65_536 }, (_, index) => file(`Payload/Example.app/${index}`, ""));
    const ipa = ipaEntries({ files: {} });
    const app = makeZip([...ipa, ...many], { count16: true });
    expect(await inspect(app, "a.ipa")).toMatchObject({ identifier: "com.example.app" });
    const apk = makeZip([file("AndroidManifest.xml"), ...many], { count16: true });
    await expect(inspect(apk, "a.apk")).rejects.toEqual(refusedFor("archive_damaged"));
  });

  test("that is of two kinds at once is refused", async () => {
    const both = makeIpa({ extraEntries: [file("AndroidManifest.xml")] });
    await expect(inspect(both, "a.ipa")).rejects.toEqual(refusedFor("installer_ambiguous"));
  });

  test.each<[string, ZipFile[], string, object]>([
    ["an archive of other things", [file("readme.txt")], "not_an_installer", {}],
    ["an archive of nothing", [], "not_an_installer", {}],
    ["an installer zipped once more", [file("build/App.ipa")], "installer_nested", { name: "build/App.ipa" }],
    ["a Payload in a folder", [file("Out/Payload/A.app/Info.plist")], "ipa_payload_nested", { path: "Out/Payload" }],
    ["an app in a folder in lower case", [file("payload/A.app/Info.plist")], "ipa_payload_name", { name: "payload" }],
    ["an app in a folder in capitals", [file("PAYLOAD/A.app/Info.plist")], "ipa_payload_name", { name: "PAYLOAD" }],
    ["an app at the root", [file("A.app/Info.plist"), file("A.app/A")], "ipa_app_outside", { path: "A.app" }],
    [
      "an Xcode archive",
      [file("A.xcarchive/Products/Applications/A.app/Info.plist")],
      "ipa_app_outside",
      { path: "A.xcarchive/Products/Applications/A.app" },
    ],
    [
      "an app behind backslashes",
      [file("Payload\\A.app\\Info.plist")],
      "ipa_backslashes",
      { name: "Payload\\A.app\\Info.plist" },
    ],
    ["leavings of macOS", [file("__MACOSX/Out/Payload/A.app/Info.plist")], "not_an_installer", {}],
    ["a Payload without an app", [file("Payload/", "")], "ipa_app_missing", {}],
  ])("that is %s is refused with the precise reason", async (_, files, reason, params) => {
    await expect(inspect(makeZip(files), "a.ipa")).rejects.toEqual(refusedFor(reason, params));
  });
});

describe("an inspection", () => {
  const never: ByteSource = { size: 1000, read: () => new Promise(() => undefined) };

  test("times out even when the source never answers", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const inspection = inspectInstaller(never, { fileName: "a.ipa", timeoutMs: 30_000 });
      const refused = expect(inspection).rejects.toEqual(refusedFor("inspection_timed_out", { seconds: 30 }));
      vi.advanceTimersByTime(30_000);
      await refused;
    } finally {
      vi.useRealTimers();
    }
  });

  test("is aborted by the signal of the caller, before it starts and while it runs", async () => {
    const controller = new AbortController();
    const inspection = inspectInstaller(never, { fileName: "a.ipa", signal: controller.signal });
    controller.abort(new Error("left the page"));
    await expect(inspection).rejects.toThrow("left the page");
    const again = inspectInstaller(bytesSource(makeIpa()), { fileName: "a.ipa", signal: controller.signal });
    await expect(again).rejects.toThrow("left the page");
  });

  test("rejects with the error of a source that fails", async () => {
    const failing: ByteSource = { size: 1000, read: () => Promise.reject(new Error("store is away")) };
    await expect(inspectInstaller(failing, { fileName: "a.ipa" })).rejects.toThrow("store is away");
  });
});
