import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { makeAssetCatalog } from "../../testing/make-asset-catalog";
import { makeExecutable } from "../../testing/make-executable";
import { makeIcon } from "../../testing/make-icon";
import { type IpaOptions, ipaEntries, makeIpa, writeIpa } from "../../testing/make-ipa";
import { makeBinaryPlist, makeXmlPlist } from "../../testing/make-plist";
import { makeZip, type ZipFile } from "../../testing/make-zip";
import { countingSource } from "../../testing/sources";
import { openArchive } from "../archive/archive";
import { bytesSource } from "../source";
import { inspectIpa } from "./ipa";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const text = (value: string, encoding: BufferEncoding = "utf8") => new Uint8Array(Buffer.from(value, encoding));
const inspectBytes = async (bytes: Uint8Array) =>
  inspectIpa(await openArchive(bytesSource(bytes)), new AbortController().signal);
const inspect = (options?: IpaOptions) => inspectBytes(makeIpa(options));
const inspectFiles = (files: ZipFile[]) => inspectBytes(makeZip(files));
const refusedFor = (reason: string, params: object = {}) =>
  expect.objectContaining({ name: "InstallerError", reason, params: expect.objectContaining(params) });

describe("an iOS app", () => {
  test("tells what devices check: signature, capabilities, platform, and the end of its certificates", async () => {
    const simple = await inspect({});
    expect(simple).toMatchObject({ signed: true, simulator: false, requiredCapabilities: [] });
    expect(simple.certificateExpiry).toMatch(/^\d{4}-/);
    expect(await inspect({ profile: null })).toMatchObject({ signed: false, certificateExpiry: null });
    const simulator = { CFBundleSupportedPlatforms: ["iPhoneSimulator"], DTPlatformName: "iphonesimulator" };
    expect(await inspect({ info: simulator })).toMatchObject({ simulator: true });
    const listed = await inspect({ info: { UIRequiredDeviceCapabilities: ["arm64", "nfc"] } });
    expect(listed.requiredCapabilities).toEqual(["arm64", "nfc"]);
    const named = await inspect({ info: { UIRequiredDeviceCapabilities: { nfc: true, arkit: false } } });
    expect(named.requiredCapabilities).toEqual(["nfc"]);
  });

  test("tells a file that iOS cannot unpack, and none of those beside the app", async () => {
    const lzma = (name: string) => ({ name, data: text("x"), method: 14 });
    const inApp = "Payload/Example.app/Code";
    expect(await inspect({ extraEntries: [lzma(inApp)] })).toMatchObject({ unpackable: inApp });
    const encrypted = { name: inApp, data: text("x"), flags: 1 };
    expect(await inspect({ extraEntries: [encrypted] })).toMatchObject({ unpackable: inApp });
    expect(await inspect({ extraEntries: [lzma("Symbols/a.symbols")] })).toMatchObject({ unpackable: null });
  });

  test("has the architecture and the platform of its executable, whatever the normalization of its name", async () => {
    const name = "Ausführung";
    const files = { [name.normalize("NFD")]: makeExecutable({ fat: true, codeBytes: 40_000 }) };
    const info = { CFBundleExecutable: name.normalize("NFC") };
    expect(await inspect({ info, files })).toMatchObject({ architectures: ["armv7", "arm64"] });
  });

  test("has the properties of its Info.plist and provisioning profile", async () => {
    const installer = await inspect({
      identifier: "com.acme.shop",
      name: "Shop – Ñandú",
      version: "2.4.0",
      build: "118",
      minOs: "15.1",
      profile: {
        type: "development",
        name: "Acme Dev",
        team: "TEAM123456",
        teamName: "Acme S.A.",
        devices: 12,
        created: new Date("2026-01-02T03:04:05Z"),
        expires: new Date("2027-01-02T03:04:05Z"),
      },
    });
    expect(installer).toMatchObject({
      kind: "ipa",
      identifier: "com.acme.shop",
      displayName: "Shop – Ñandú",
      version: "2.4.0",
      buildNumber: "118",
      minOs: "15.1",
      sdkVersion: "26.0",
      deviceFamilies: ["iphone", "ipad"],
      profileName: "Acme Dev",
      profileType: "development",
      team: "TEAM123456",
      teamName: "Acme S.A.",
      profileCreated: "2026-01-02T03:04:05.000Z",
      profileExpiry: "2027-01-02T03:04:05.000Z",
      deviceCount: 12,
    });
    expect(installer.entitlements).toMatchObject({ "get-task-allow": true });
    expect(installer.signingSha256).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  test("without a profile is read", async () => {
    expect(await inspect({ profile: null })).toMatchObject({
      profileType: null,
      profileName: null,
      deviceCount: null,
      entitlements: {},
      signingSha256: [],
    });
  });

  test.each(["xml", "binary"] as const)("is read with an Info.plist in %s", async (infoFormat) => {
    expect((await inspect({ infoFormat, identifier: "com.acme.x" })).identifier).toBe("com.acme.x");
  });

  test.each(["Ñandú 日本", "very capable app", "..app", "x.app", "(a+)+b"])(
    "in a folder called %s.app is found",
    async (appFolder) => {
      expect((await inspect({ appFolder })).identifier).toBe("com.example.app");
    },
  );

  test("is found among the files that systems and build tools add to an archive", async () => {
    const clutter = [
      "__MACOSX/Payload/._Example.app",
      "Payload/.DS_Store",
      "SwiftSupport/iphoneos/a.dylib",
      "Symbols/a",
    ];
    const extraEntries = clutter.map((name) => ({ name, data: text(name) }));
    expect((await inspect({ extraEntries })).identifier).toBe("com.example.app");
  });

  test("is found when names start with ./", async () => {
    const files = ipaEntries().map((file) => ({ ...file, name: `./${file.name}` }));
    expect(await inspectFiles(files)).toMatchObject({ identifier: "com.example.app", icon: { width: 180 } });
  });

  test("is found without entries for folders", async () => {
    const files = ipaEntries().filter(({ name }) => !String(name).endsWith("/"));
    expect((await inspectFiles(files)).identifier).toBe("com.example.app");
  });

  test("is the outer app, not one of its extensions, watch apps and frameworks", async () => {
    const nested = makeBinaryPlist({ CFBundleIdentifier: "com.example.nested" });
    const files = {
      "Watch/Watch.app/Info.plist": nested,
      "PlugIns/Share.appex/Info.plist": nested,
      "Frameworks/A.framework/Info.plist": nested,
    };
    expect((await inspect({ files })).identifier).toBe("com.example.app");
  });

  test("has device families from numbers, texts or platforms", async () => {
    const families = async (info: IpaOptions["info"]) => (await inspect({ info })).deviceFamilies;
    expect(await families({ UIDeviceFamily: [3] })).toEqual(["tv"]);
    expect(await families({ UIDeviceFamily: "2" })).toEqual(["ipad"]);
    expect(await families({ UIDeviceFamily: [1, 1, 7, 99] })).toEqual(["iphone", "vision"]);
    expect(await families({ UIDeviceFamily: undefined, CFBundleSupportedPlatforms: ["AppleTVOS"] })).toEqual(["tv"]);
    expect(await families({ UIDeviceFamily: undefined })).toEqual([]);
  });
});

describe("version and build number", () => {
  const versions = async (info: IpaOptions["info"]) => {
    const { version, buildNumber } = await inspect({ info });
    return [version, buildNumber];
  };

  test("may be numbers instead of texts", async () => {
    expect(await versions({ CFBundleShortVersionString: 2.5, CFBundleVersion: 20260101123456 })).toEqual([
      "2.5",
      "20260101123456",
    ]);
  });

  test("replace each other when one is missing", async () => {
    expect(await versions({ CFBundleShortVersionString: undefined, CFBundleVersion: "7" })).toEqual(["7", "7"]);
    expect(await versions({ CFBundleShortVersionString: "1.2", CFBundleVersion: undefined })).toEqual(["1.2", "1.2"]);
    expect(await versions({ CFBundleShortVersionString: " ", CFBundleVersion: "7" })).toEqual(["7", "7"]);
  });

  test("are refused when both are missing", async () => {
    const info = { CFBundleShortVersionString: undefined, CFBundleVersion: undefined };
    await expect(inspect({ info })).rejects.toEqual(
      refusedFor("ipa_value_missing", { key: "CFBundleShortVersionString" }),
    );
  });
});

describe("the display name", () => {
  const named = async (info: IpaOptions["info"], files?: IpaOptions["files"]) =>
    (await inspect({ info: { CFBundleDisplayName: undefined, ...info }, files, appFolder: "Folder" })).displayName;

  test("is CFBundleDisplayName, then CFBundleName, then the executable's, then the folder's", async () => {
    const info = { CFBundleDisplayName: "Display", CFBundleName: "Name", CFBundleExecutable: "Executable" };
    expect(await named(info)).toBe("Display");
    expect(await named({ ...info, CFBundleDisplayName: undefined })).toBe("Name");
    expect(await named({ CFBundleExecutable: "Executable", CFBundleName: undefined })).toBe("Executable");
    expect(await named({ CFBundleName: undefined, CFBundleExecutable: undefined })).toBe("Folder");
  });

  test("is never an unreplaced build setting", async () => {
    expect(await named({ CFBundleDisplayName: "$(PRODUCT_NAME)", CFBundleName: "Name" })).toBe("Name");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a build setting as Xcode writes it
    expect(await named({ CFBundleDisplayName: "${APP_NAME}", CFBundleName: "Name" })).toBe("Name");
  });

  test.each([
    ["old text", text('"CFBundleDisplayName" = "Tienda";')],
    ["text in UTF-16", text('\ufeff"CFBundleDisplayName" = "Tienda";', "utf16le")],
    ["XML", makeXmlPlist({ CFBundleDisplayName: "Tienda" })],
    ["binary", makeBinaryPlist({ CFBundleDisplayName: "Tienda" })],
  ])("is that of the development language if only that has one, in %s", async (_, strings) => {
    expect(await named({ CFBundleDevelopmentRegion: "es" }, { "es.lproj/InfoPlist.strings": strings })).toBe("Tienda");
  });

  test("is searched in the region, its language, Base and English, in this order", async () => {
    const strings = (name: string) => text(`CFBundleDisplayName = "${name}";`);
    const files = { "pt.lproj/InfoPlist.strings": strings("Loja"), "Base.lproj/InfoPlist.strings": strings("Base") };
    expect(await named({ CFBundleDevelopmentRegion: "pt_BR" }, files)).toBe("Loja");
    expect(await named({ CFBundleDevelopmentRegion: "fr" }, files)).toBe("Base");
    expect(
      await named({ CFBundleDevelopmentRegion: "../../x" }, { "en.lproj/InfoPlist.strings": strings("Shop") }),
    ).toBe("Shop");
  });

  test("is CFBundleName when the strings cannot be read", async () => {
    expect(await named({ CFBundleName: "Name" }, { "en.lproj/InfoPlist.strings": text('"broken') })).toBe("Name");
  });
});

describe("the icon", () => {
  const iconOf = async (info: IpaOptions["info"], files: IpaOptions["files"], extraEntries?: ZipFile[]) =>
    (await inspect({ icon: null, info, files, extraEntries }))?.icon;
  const icons = (...names: string[]) => ({ CFBundleIcons: { CFBundlePrimaryIcon: { CFBundleIconFiles: names } } });
  const png = (size: number) => makeIcon({ size });

  test("is the largest declared one, in a format that browsers show", async () => {
    const { icon } = await inspect();
    expect(icon).toMatchObject({ contentType: "image/png", width: 180, height: 180 });
    expect(Buffer.from(icon?.bytes ?? []).includes("CgBI")).toBe(false);
  });

  test("is found by its name with or without scale, device and extension", async () => {
    const files = {
      "A60x60@2x.png": png(12),
      "A60x60@3x~ipad.png": png(18),
      "Other.png": png(90),
      "Sub/A60x60@3x.png": png(95),
    };
    expect((await iconOf(icons("A60x60"), files))?.width).toBe(18);
    expect((await iconOf(icons("Other.png"), files))?.width).toBe(90);
    expect((await iconOf({ CFBundleIconFile: "A60x60@2x.png" }, files))?.width).toBe(12);
    expect((await iconOf({ CFBundleIconFiles: ["A60x60"] }, files))?.width).toBe(18);
    expect((await iconOf({ "CFBundleIcons~ipad": icons("Other").CFBundleIcons }, files))?.width).toBe(90);
  });

  test("is the one with the most pixels when names contain no size", async () => {
    const files = { "Icon.png": png(57), "Icon@2x.png": png(114), "Icon-72.png": png(72) };
    expect((await iconOf(icons("Icon.png", "Icon@2x.png", "Icon-72.png"), files))?.width).toBe(114);
    expect((await iconOf({}, files))?.width).toBe(114);
  });

  test("is the next largest when the largest cannot be read", async () => {
    const broken = png(180).slice(0, 60);
    expect((await iconOf(icons("A60x60"), { "A60x60@3x.png": text("no png"), "A60x60@2x.png": png(120) }))?.width).toBe(
      120,
    );
    expect((await iconOf(icons("A60x60"), { "A60x60@3x.png": broken, "A60x60@2x.png": png(120) }))?.width).toBe(120);
    expect((await iconOf(icons("A", "B"), { "A.png": broken, "B.png": png(20) }))?.width).toBe(20);
  });

  test("is the next largest when the largest expands a hundredfold", async () => {
    const blank = new Uint8Array(1024 * 1024);
    expect((await iconOf(icons("A60x60"), { "A60x60@3x.png": blank, "A60x60@2x.png": png(120) }))?.width).toBe(120);
  });

  test("is found by any normalization of its name", async () => {
    const name = "Größe60x60";
    const files = { [`${name.normalize("NFD")}@2x.png`]: png(120) };
    expect((await iconOf(icons(name.normalize("NFC")), files))?.width).toBe(120);
  });

  test("is the iTunes artwork or that of the asset catalog when no file is declared", async () => {
    const artwork = { name: "iTunesArtwork", data: png(512), method: 8 };
    expect((await iconOf({}, {}, [artwork]))?.width).toBe(512);
    const data = new Uint8Array(40 * 40 * 4).fill(255);
    const catalog = makeAssetCatalog("AppIcon", [{ width: 40, height: 40, encoding: "gzip", data }]);
    expect((await iconOf({}, { "Assets.car": catalog }))?.width).toBe(40);
  });

  test("is null when there is none", async () => {
    expect(await iconOf({}, {})).toBeNull();
    expect(await iconOf(icons("Missing"), { "Assets.car": text("no catalog") })).toBeNull();
    const huge = Buffer.from(png(10));
    huge.writeUInt32BE(5000, 16);
    expect(await iconOf(icons("Huge"), { "Huge.png": new Uint8Array(huge) })).toBeNull();
  });

  test("is not searched by a pattern from the file", async () => {
    const name = "(a+)+b";
    expect((await iconOf(icons(name, `${"a".repeat(40)}!`), { [`${name}.png`]: png(33) }))?.width).toBe(33);
  });
});

describe("an app that no device installs is refused", () => {
  test.each<[string, string, object, () => Promise<unknown>]>([
    ["an empty Payload", "ipa_app_missing", {}, () => inspectFiles([{ name: "Payload/", data: text("") }])],
    [
      "an app without Info.plist",
      "ipa_info_plist_missing",
      { app: "A.app" },
      () => inspectFiles([{ name: "Payload/A.app/A", data: text("") }]),
    ],
    [
      "two apps",
      "ipa_several_apps",
      { names: "Other.app, Example.app" },
      () => inspect({ extraEntries: [{ name: "Payload/Other.app/Info.plist", data: text("") }] }),
    ],
    [
      "an Info.plist that is no list",
      "ipa_info_plist_invalid",
      { app: "A.app" },
      () => inspectFiles([{ name: "Payload/A.app/Info.plist", data: text("<html>") }]),
    ],
    [
      "an Info.plist beyond a mebibyte",
      "entry_too_large",
      { name: "Payload/A.app/Info.plist", limitKb: 1024 },
      () => inspectFiles([{ name: "Payload/A.app/Info.plist", data: { zeros: 2 ** 20 + 1 } }]),
    ],
    [
      "no identifier",
      "ipa_value_missing",
      { key: "CFBundleIdentifier" },
      () => inspect({ info: { CFBundleIdentifier: undefined } }),
    ],
    [
      "an identifier that is none",
      "ipa_value_missing",
      { key: "CFBundleIdentifier" },
      () => inspect({ info: { CFBundleIdentifier: "com.acme/../x" } }),
    ],
    [
      "a profile that nobody signed",
      "profile_invalid",
      {},
      () => inspect({ profile: null, files: { "embedded.mobileprovision": makeXmlPlist({ Name: "x" }) } }),
    ],
    [
      "a damaged icon",
      "entry_damaged",
      {},
      () =>
        inspectFiles(
          ipaEntries().map((file) => (String(file.name).includes("@3x") ? { ...file, lies: { crc32: 1 } } : file)),
        ),
    ],
  ])("%s", async (_, reason, params, attempt) => {
    await expect(attempt()).rejects.toEqual(refusedFor(reason, params));
  });
});

describe("the cost", () => {
  test("of a 500 MB app is a few reads of far less than 1 % of its bytes, and the same for 5 GB", async () => {
    const folder = await mkdtemp(join(tmpdir(), "slipway-ipa-"));
    try {
      const costs = [];
      for (const fillerBytes of [500_000_000, 5_000_000_000]) {
        const path = join(folder, "large.ipa");
        const size = await writeIpa(path, { fillerBytes });
        const file = await open(path);
        const source = countingSource({
          size,
          read: async (offset, length) => (await file.read(new Uint8Array(length), 0, length, offset)).buffer,
        });
        const installer = await inspectIpa(await openArchive(source), new AbortController().signal);
        await file.close();
        expect(installer).toMatchObject({ identifier: "com.example.app", profileType: "ad-hoc", icon: { width: 180 } });
        expect(source.bytesRead).toBeLessThan(size / 100);
        costs.push({ reads: source.reads, kilobytes: Math.round(source.bytesRead / 1024) });
      }
      expect(costs[0]?.reads).toBeLessThanOrEqual(6);
      expect(costs[1]).toEqual(costs[0]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
