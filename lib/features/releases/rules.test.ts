import { readFileSync } from "node:fs";
import { DESKTOP, type DeviceFacts } from "@slipway/installers";
import { describe, expect, it } from "vitest";
import type { ApiError } from "@/lib/kernel/errors";
import {
  beginsDownload,
  fileForDevice,
  fitsPlatform,
  type ReleaseInstallFacts,
  releaseInstallFacts,
  releaseVerdict,
  requireFileName,
  requireIdentifier,
  requireVersion,
  userAgentFamily,
} from "./rules";
import type { Release } from "./schema";

function errorOf(work: () => void): ApiError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as ApiError;
  }
}

describe("an installer", () => {
  it("is accepted by platforms of its kind and by platforms for any kind", () => {
    expect(fitsPlatform("ios", "ipa")).toBe(true);
    expect(fitsPlatform("android", "apk")).toBe(true);
    expect(fitsPlatform("android", "aab")).toBe(true);
    expect(fitsPlatform("other", "aab")).toBe(true);
    expect(fitsPlatform("ios", "apk")).toBe(false);
    expect(fitsPlatform("android", "ipa")).toBe(false);
  });

  it("must have one of the accepted identifiers, which are case-sensitive", () => {
    expect(errorOf(() => requireIdentifier("com.acme.b", ["com.acme.a", "com.acme.b"]))).toBeUndefined();
    const error = errorOf(() => requireIdentifier("com.acme.A", ["com.acme.a", "com.acme.b"]));
    expect(error?.code).toBe("identifier_mismatch");
    expect(error?.params).toEqual({ found: "com.acme.A", expected: "com.acme.a, com.acme.b" });
  });

  it("must have the given version and build number, if any", () => {
    const installer = { version: "2.4.0", buildNumber: "118" };
    expect(errorOf(() => requireVersion({}, installer))).toBeUndefined();
    expect(errorOf(() => requireVersion({ version: "2.4.0", buildNumber: "118" }, installer))).toBeUndefined();
    expect(errorOf(() => requireVersion({ version: "2.4" }, installer))?.params).toEqual({
      given: "2.4",
      found: "2.4.0",
    });
    expect(errorOf(() => requireVersion({ buildNumber: "119" }, installer))?.code).toBe("version_mismatch");
  });

  it("is saved under a name with its own extension", () => {
    for (const name of ["Acme.apk", "Acme 2.4.APK", null, undefined]) {
      expect(() => requireFileName(name, "apk")).not.toThrow();
    }
    for (const name of ["Acme", "Acme.ipa", "Makefile", "run.sh", "../Acme.apk"]) {
      expect(errorOf(() => requireFileName(name, "apk"))?.code, name).toBe("validation_failed");
    }
  });
});

describe("a download", () => {
  const asks = (method: string, range?: string) => ({ method, headers: new Headers(range ? { range } : {}) });

  it.each([
    ["the whole file", asks("GET"), 200, true],
    ["the first range", asks("GET", "bytes=0-1023"), 206, true],
    ["the first range, from the store", asks("GET", "bytes=0-"), 302, true],
    ["the whole file, from the store", asks("GET"), 302, true],
    ["the whole file, since the condition of its range does not hold", asks("GET", "bytes=5-"), 200, true],
    ["a later range", asks("GET", "bytes=1024-"), 206, false],
    ["the last bytes", asks("GET", "bytes=-500"), 206, false],
    ["a later range, from the store", asks("GET", "bytes=1024-"), 302, false],
    ["what is cached already", asks("GET"), 304, false],
    ["nothing but the headers", asks("HEAD"), 200, false],
    ["a range that is not there", asks("GET", "bytes=0-"), 416, false],
  ])("of %s is counted: %$", (_what, request, status, counted) => {
    expect(beginsDownload(request, status)).toBe(counted);
  });

  it.each([
    [null, null],
    ["", "other"],
    ["com.apple.appstored/1.0 iOS/18.1 model/iPhone16,1", "iOS installer"],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1", "iPhone"],
    ["Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/130.0 Mobile Safari/537.36", "Android"],
    ["Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36 Edg/130.0", "Edge"],
    ["Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36", "Chrome"],
    ["Mozilla/5.0 (Macintosh) Version/18.0 Safari/605.1.15", "Safari"],
    ["curl/8.5.0", "curl"],
    ["x".repeat(5_000), "other"],
  ])("by %s is one of a known family", (userAgent, family) => {
    expect(userAgentFamily(userAgent)).toBe(family);
  });
});

const NOW = new Date("2026-11-20T12:00:00Z");
const OPTIONS = { now: NOW, mayDownload: true };
const PAST = "2026-11-19T12:00:00Z";

const IPHONE: DeviceFacts = { ...DESKTOP, os: "ios", osVersion: "18.0" };
const ANDROID: DeviceFacts = { ...DESKTOP, os: "android", osVersion: "34" };

const INSTALL_URL = "https://console.example.com/releases?id=1";
const IPA = {
  kind: "ipa" as const,
  signingSha256: [],
  deviceFamilies: ["iphone" as const, "ipad" as const],
  sdkVersion: null,
  profileName: "Acme",
  profileType: "ad-hoc" as const,
  team: null,
  teamName: null,
  profileCreated: null,
  profileExpiry: "2027-06-01T00:00:00Z",
  deviceCount: 12,
  entitlements: {},
};
const APK = {
  kind: "apk" as const,
  signingSha256: ["0".repeat(64)],
  minSdk: 24,
  targetSdk: 35,
  permissions: [],
  abis: [],
  signatureSchemes: ["v2" as const],
  split: false,
  debuggable: false,
};

const common = {
  identifier: "com.example.app",
  iosEnabled: true,
  buildNumber: "87",
  installUrl: INSTALL_URL,
  universal: null,
};
type Changes = Partial<typeof common> & { minOs?: string };
const ipa = (changes: Changes = {}, installer: object = {}) =>
  releaseInstallFacts({ ...common, minOs: "16.0", ...changes, installer: { ...IPA, ...installer } });
const apk = (changes: Changes = {}, installer: object = {}) =>
  releaseInstallFacts({ ...common, minOs: "24", ...changes, installer: { ...APK, ...installer } });

const refusalOf = (release: ReleaseInstallFacts, device: DeviceFacts, options = OPTIONS) =>
  releaseVerdict(release, device, options).refusal?.code ?? null;

describe("releaseVerdict", () => {
  const overHttp = { installUrl: "http://console.example.com/releases?id=1" };

  it("refuses iOS while the flag is off, and over plain HTTP", () => {
    expect(refusalOf(ipa(), IPHONE)).toBeNull();
    expect(refusalOf(ipa({ iosEnabled: false }), IPHONE)).toBe("ios_disabled");
    expect(refusalOf(ipa(overHttp), IPHONE)).toBe("manifest_not_https");
    expect(refusalOf(ipa(overHttp), DESKTOP)).toBe("manifest_not_https");
  });

  it("does not need HTTPS or the flag for Android", () => {
    expect(refusalOf(apk({ ...overHttp, iosEnabled: false }), ANDROID)).toBeNull();
  });

  it("names reasons that cannot be changed before those that can", () => {
    const closed = { ...overHttp, iosEnabled: false };
    expect(refusalOf(ipa(closed, { profileExpiry: PAST }), IPHONE)).toBe("profile_expired");
    expect(refusalOf(ipa(closed), IPHONE)).toBe("ios_disabled");
  });

  it("refuses without the right to download, after what applies to everyone", () => {
    const options = { ...OPTIONS, mayDownload: false };
    expect(refusalOf(apk(), ANDROID, options)).toBe("not_allowed");
    expect(refusalOf(ipa(), DESKTOP, options)).toBe("not_allowed");
    expect(refusalOf(ipa(overHttp), IPHONE, options)).toBe("manifest_not_https");
    expect(refusalOf(ipa({}, { profileExpiry: PAST }), IPHONE, options)).toBe("profile_expired");
  });

  it("tells what a person should know, without that a computer is one", () => {
    const notes = (release: ReleaseInstallFacts, device: DeviceFacts) =>
      releaseVerdict(release, device, OPTIONS).notes.map(({ code }) => code);
    expect(notes(ipa(), IPHONE)).toEqual(["device_not_enrolled"]);
    expect(notes(ipa(), DESKTOP)).toEqual(["device_not_enrolled"]);
    expect(notes(apk(), { ...ANDROID, browser: "in-app" })).toEqual([
      "unknown_sources",
      "browser_cannot_install",
      "developer_verification",
    ]);
  });

  it("opens nothing where it does not install, and on a computer", () => {
    const way = (release: ReleaseInstallFacts, device: DeviceFacts) => releaseVerdict(release, device, OPTIONS).way;
    expect([way(ipa(), IPHONE), way(apk(), ANDROID)]).toEqual(["itms-services", "apk"]);
    expect([way(ipa(), ANDROID), way(ipa(), DESKTOP), way(ipa({ minOs: "18.1" }), IPHONE)]).toEqual([null, null, null]);
  });
});

describe("releaseInstallFacts", () => {
  it("extracts the properties of a release that decide where it installs", () => {
    expect(apk({ installUrl: "http://console.example.com", iosEnabled: false }, { split: true })).toMatchObject({
      kind: "apk",
      android: { split: true },
      buildNumber: "87",
      iosEnabled: false,
      https: false,
      minOs: "24",
    });
  });
});

it("are small enough for the first load of a page: the schemas, and zod with them, are not part of them", () => {
  const source = readFileSync(new URL("./rules.ts", import.meta.url), "utf8");
  expect(source).not.toMatch(/^import (?!type\b)[^;]*from "(?:zod|\.\/schema|.*\/schema)"/m);
});

describe("the file that a link gives to a device", () => {
  const file = (kind: "ipa" | "apk" | "aab", universal: object | null = null) => ({
    id: kind,
    installer: { kind } as Release["installer"],
    universal: universal as Release["universal"],
  });
  const [ipa, apk, aab] = [file("ipa"), file("apk"), file("aab")];
  const phone = (os: "ios" | "ipados" | "android") => ({ ...DESKTOP, os });

  it("is the build's file for the system of the phone, whichever file the link names", () => {
    for (const linked of [ipa, apk, aab]) {
      expect(fileForDevice(linked, [ipa, aab, apk], phone("android"))).toBe(apk);
      expect(fileForDevice(linked, [ipa, aab, apk], phone("ios"))).toBe(ipa);
      expect(fileForDevice(linked, [ipa, aab, apk], phone("ipados"))).toBe(ipa);
    }
  });

  it("is a bundle of which there is an APK, if the build has no other file for the phone", () => {
    const made = file("aab", { state: "ready" });
    expect(fileForDevice(ipa, [ipa, made], phone("android"))).toBe(made);
    expect(fileForDevice(ipa, [ipa, made, apk], phone("android"))).toBe(apk);
    expect(fileForDevice(made, [ipa, made, apk], phone("android"))).toBe(apk);
    expect(fileForDevice(ipa, [ipa, aab, made], phone("android"))).toBe(made);
  });

  it("is the linked one on a computer, and where the build has none for the phone", () => {
    expect(fileForDevice(aab, [ipa, apk, aab], DESKTOP)).toBe(aab);
    expect(fileForDevice(ipa, [ipa], phone("android"))).toBe(ipa);
    expect(fileForDevice(aab, [ipa, aab], phone("android"))).toBe(aab);
    expect(fileForDevice(ipa, [ipa, aab], phone("android"))).toBe(aab);
  });
});
