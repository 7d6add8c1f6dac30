import { readFileSync } from "node:fs";
import type { BrowserDevice } from "@slipway/installers";
import { describe, expect, it } from "vitest";
import type { ApiError } from "@/lib/kernel/errors";
import {
  beginsDownload,
  fitsPlatform,
  type ReleaseInstallFacts,
  releaseInstallability,
  releaseInstallFacts,
  requireFileName,
  requireIdentifier,
  requireVersion,
  userAgentFamily,
} from "./rules";

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

const IPHONE: BrowserDevice = { os: "ios", osVersion: "18.0", inAppBrowser: false };
const ANDROID: BrowserDevice = { os: "android", osVersion: "34", inAppBrowser: false };
const DESKTOP: BrowserDevice = { os: "desktop", osVersion: null, inAppBrowser: false };

function ipaFacts(changes: Partial<ReleaseInstallFacts> = {}): ReleaseInstallFacts {
  return {
    kind: "ipa",
    iosEnabled: true,
    profileType: "ad-hoc",
    profileExpiry: "2027-06-01T00:00:00Z",
    deviceCount: 12,
    deviceFamilies: ["iphone", "ipad"],
    minOs: "16.0",
    split: false,
    signed: true,
    https: true,
    ...changes,
  };
}

function apkFacts(changes: Partial<ReleaseInstallFacts> = {}): ReleaseInstallFacts {
  const noProfile = { profileType: null, profileExpiry: null, deviceCount: null, deviceFamilies: [] };
  return { ...ipaFacts(), kind: "apk", ...noProfile, minOs: "24", iosEnabled: false, ...changes };
}

const reasonOf = (release: ReleaseInstallFacts, device: BrowserDevice, options = OPTIONS) => {
  const outcome = releaseInstallability(release, device, options);
  return outcome.verdict === "refused" ? outcome.reason : outcome.verdict;
};

describe("releaseInstallability", () => {
  it("refuses iOS while the flag is off, and over plain HTTP", () => {
    expect(reasonOf(ipaFacts(), IPHONE)).toBe("install");
    expect(reasonOf(ipaFacts({ iosEnabled: false }), IPHONE)).toBe("ios-disabled");
    expect(reasonOf(ipaFacts({ https: false }), IPHONE)).toBe("needs-https");
    expect(reasonOf(ipaFacts({ https: false }), DESKTOP)).toBe("needs-https");
  });

  it("does not need HTTPS or the flag for Android", () => {
    expect(reasonOf(apkFacts({ https: false, iosEnabled: false }), ANDROID)).toBe("install");
  });

  it("names reasons that cannot be changed before those that can", () => {
    const expired = "2026-11-19T12:00:00Z";
    expect(reasonOf(ipaFacts({ iosEnabled: false, https: false, profileExpiry: expired }), IPHONE)).toBe(
      "expired-profile",
    );
    expect(reasonOf(ipaFacts({ iosEnabled: false, https: false }), IPHONE)).toBe("ios-disabled");
  });

  it("refuses without the right to download, after what applies to everyone", () => {
    const options = { ...OPTIONS, mayDownload: false };
    expect(reasonOf(apkFacts(), ANDROID, options)).toBe("not-allowed");
    expect(reasonOf(ipaFacts(), DESKTOP, options)).toBe("not-allowed");
    expect(reasonOf(ipaFacts({ https: false }), IPHONE, options)).toBe("needs-https");
    expect(reasonOf(ipaFacts({ profileExpiry: "2026-11-19T12:00:00Z" }), IPHONE, options)).toBe("expired-profile");
  });

  it("warns first of all in the browser of another app", () => {
    for (const [release, device] of [
      [ipaFacts(), IPHONE],
      [apkFacts(), ANDROID],
    ] as const) {
      const notes = releaseInstallability(release, { ...device, inAppBrowser: true }, OPTIONS);
      expect(notes).toMatchObject({ verdict: "install", notes: [{ kind: "in-app-browser" }, {}] });
    }
  });
});

describe("releaseInstallFacts", () => {
  it("extracts the properties of a release that decide where it installs", () => {
    const installer = {
      kind: "apk" as const,
      signingSha256: [],
      minSdk: 24,
      targetSdk: 35,
      permissions: [],
      abis: [],
      signatureSchemes: [],
      split: true,
      debuggable: false,
    };
    const installUrl = "http://console.example.com/releases?id=1";
    expect(releaseInstallFacts({ installer, iosEnabled: false, minOs: "24", installUrl })).toMatchObject({
      kind: "apk",
      split: true,
      signed: false,
      https: false,
      minOs: "24",
    });
  });
});

it("are small enough for the first load of a page: the schemas, and zod with them, are not part of them", () => {
  const source = readFileSync(new URL("./rules.ts", import.meta.url), "utf8");
  expect(source).not.toMatch(/^import (?!type\b)[^;]*from "(?:zod|\.\/schema|.*\/schema)"/m);
});
