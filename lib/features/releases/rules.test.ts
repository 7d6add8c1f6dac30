import type { InstallerDetails } from "@slipway/installers";
import { describe, expect, it } from "vitest";
import type { ApiError } from "@/lib/kernel/errors";
import {
  beginsDownload,
  type Comparable,
  compareReleases,
  downloadName,
  fitsPlatform,
  requireIdentifier,
  requireVersion,
  userAgentFamily,
} from "./rules";

const apk: InstallerDetails = {
  kind: "apk",
  signingSha256: [],
  minSdk: 21,
  targetSdk: 35,
  permissions: ["CAMERA", "INTERNET"],
  abis: [],
  signatureSchemes: ["v2"],
  split: false,
  debuggable: false,
};
const ipa: InstallerDetails = {
  kind: "ipa",
  signingSha256: [],
  deviceFamilies: ["iphone"],
  sdkVersion: "18.0",
  profileName: null,
  profileType: "ad-hoc",
  team: null,
  teamName: null,
  profileCreated: null,
  profileExpiry: null,
  deviceCount: 3,
  entitlements: { "aps-environment": "development", groups: ["a"], "get-task-allow": true },
};

function release(installer: InstallerDetails, more: Partial<Comparable> = {}): Comparable {
  const deployDate = new Date("2026-11-20T10:00:00Z");
  return { id: "1", version: "1.0", buildNumber: "1", deployDate, size: 100, minOs: "16.0", installer, ...more };
}

function errorOf(work: () => void): ApiError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as ApiError;
  }
}

describe("an installer", () => {
  it("belongs to platforms of its own kind and to those that take any", () => {
    expect(fitsPlatform("ios", "ipa")).toBe(true);
    expect(fitsPlatform("android", "apk")).toBe(true);
    expect(fitsPlatform("android", "aab")).toBe(true);
    expect(fitsPlatform("other", "aab")).toBe(true);
    expect(fitsPlatform("ios", "apk")).toBe(false);
    expect(fitsPlatform("android", "ipa")).toBe(false);
  });

  it("must have one of the accepted identifiers, in just that case", () => {
    expect(errorOf(() => requireIdentifier("com.acme.b", ["com.acme.a", "com.acme.b"]))).toBeUndefined();
    const error = errorOf(() => requireIdentifier("com.acme.A", ["com.acme.a", "com.acme.b"]));
    expect(error?.code).toBe("identifier_mismatch");
    expect(error?.params).toEqual({ found: "com.acme.A", expected: "com.acme.a, com.acme.b" });
  });

  it("must have the version and the build number that were given, where they were", () => {
    const installer = { version: "2.4.0", buildNumber: "118" };
    expect(errorOf(() => requireVersion({}, installer))).toBeUndefined();
    expect(errorOf(() => requireVersion({ version: "2.4.0", buildNumber: "118" }, installer))).toBeUndefined();
    expect(errorOf(() => requireVersion({ version: "2.4" }, installer))?.params).toEqual({
      given: "2.4",
      found: "2.4.0",
    });
    expect(errorOf(() => requireVersion({ buildNumber: "119" }, installer))?.code).toBe("version_mismatch");
  });

  it("is saved under its name, with its extension added where that is missing", () => {
    expect(downloadName("Acme.apk", "apk")).toBe("Acme.apk");
    expect(downloadName("Acme.APK", "apk")).toBe("Acme.APK");
    expect(downloadName("Acme 2.4", "ipa")).toBe("Acme 2.4.ipa");
  });
});

describe("against the release before", () => {
  it("an Android release tells permissions and SDK levels that came and went", () => {
    const before = release(apk);
    const after = release(
      { ...apk, targetSdk: 36, permissions: ["INTERNET", "VIBRATE", "VIBRATE"] },
      { id: "2", size: 90, minOs: "24" },
    );
    expect(compareReleases(before, after)).toEqual({
      previous: { id: "1", version: "1.0", buildNumber: "1", deployDate: "2026-11-20T10:00:00.000Z" },
      size: { before: 100, after: 90 },
      permissions: { added: ["VIBRATE"], removed: ["CAMERA"] },
      entitlements: { added: [], removed: [], changed: [] },
      sdk: [{ name: "targetSdk", before: "35", after: "36" }],
    });
  });

  it("an iOS release tells entitlements and system versions that changed", () => {
    const entitlements = { "aps-environment": "production", groups: ["a"], "keychain-access-groups": ["x"] };
    const changes = compareReleases(
      release(ipa),
      release({ ...ipa, sdkVersion: "26.0", entitlements }, { minOs: "17.0" }),
    );
    expect(changes.entitlements).toEqual({
      added: ["keychain-access-groups"],
      removed: ["get-task-allow"],
      changed: ["aps-environment"],
    });
    expect(changes.sdk).toEqual([
      { name: "minOs", before: "16.0", after: "17.0" },
      { name: "sdkVersion", before: "18.0", after: "26.0" },
    ]);
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
