import type { InstallerDetails } from "@slipway/installers";
import { describe, expect, it } from "vitest";
import { type Comparable, compareReleases } from "./release-changes";

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

describe("against the release before", () => {
  it("an Android release lists added and removed permissions and changed SDK levels", () => {
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

  it("an iOS release lists changed entitlements and OS versions", () => {
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
