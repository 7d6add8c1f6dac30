import { describe, expect, it } from "vitest";
import type { Release } from "@/lib/features/releases/schema";
import { groupReleases, installerName } from "./release-groups";

function release(id: string, kind: "ipa" | "apk" | "aab", build = "118", environment = "staging"): Release {
  const platform = kind === "ipa" ? { name: "iOS", kind: "ios" } : { name: "Android", kind: "android" };
  return {
    id,
    version: "2.4.0",
    buildNumber: build,
    environment: { id: environment, name: environment },
    platform,
    installer: { kind },
  } as Release;
}

const ids = (releases: readonly Release[]) =>
  groupReleases(releases).map((group) => group.releases.map(({ id }) => id).join(" "));

describe("groupReleases", () => {
  it("makes one group of the installers of a version and build, iOS first and bundles last", () => {
    expect(ids([release("bundle", "aab"), release("apk", "apk"), release("ios", "ipa")])).toEqual(["ios apk bundle"]);
  });

  it("keeps the order of the list by the first release of each group", () => {
    const list = [release("a", "apk", "119"), release("b", "ipa"), release("c", "ipa", "119"), release("d", "apk")];
    expect(ids(list)).toEqual(["c a", "b d"]);
  });

  it("keeps environments apart", () => {
    expect(ids([release("a", "ipa"), release("b", "ipa", "118", "production")])).toEqual(["a", "b"]);
  });

  it("leads with a release that a device can install", () => {
    expect(groupReleases([release("bundle", "aab"), release("apk", "apk")])[0]?.lead.id).toBe("apk");
    expect(groupReleases([release("bundle", "aab")])[0]?.lead.id).toBe("bundle");
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
