import { describe, expect, it } from "vitest";
import type { Release } from "@/lib/features/releases/schema";
import { inOrderOfKinds, installerName } from "./release-groups";

function release(id: string, kind: "ipa" | "apk" | "aab"): Release {
  const platform = kind === "ipa" ? { name: "iOS", kind: "ios" } : { name: "Android", kind: "android" };
  return {
    id,
    version: "2.4.0",
    buildNumber: "118",
    environment: { id: "staging", name: "Staging" },
    platform,
    installer: { kind },
  } as Release;
}

describe("inOrderOfKinds", () => {
  it("puts iOS first and bundles last", () => {
    const ordered = inOrderOfKinds([release("bundle", "aab"), release("apk", "apk"), release("ios", "ipa")]);
    expect(ordered.map(({ id }) => id)).toEqual(["ios", "apk", "bundle"]);
  });
});

describe("installerName", () => {
  it("is the platform for iOS and the format for Android", () => {
    expect(installerName(release("a", "ipa"))).toBe("iOS");
    expect(installerName(release("a", "apk"))).toBe("APK");
    const other = { ...release("a", "aab"), platform: { name: "Quest", kind: "other" } } as Release;
    expect(installerName(other)).toBe("Quest AAB");
  });
});
