import { DESKTOP, deviceFromBrowser } from "@slipway/installers";
import { describe, expect, it } from "vitest";
import { releaseInstallFacts, releaseVerdict } from "@/lib/features/releases/rules";
import type { Release } from "@/lib/features/releases/schema";
import { html } from "@/lib/kernel/html";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { installationCard, installsOnIpad } from "./rules";

const NOW = new Date("2026-01-01T00:00:00Z");
const MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15";
const IPAD =
  "Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";
const LINUX = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";
const INSTALLER = {
  kind: "ipa",
  profileType: "ad-hoc",
  profileExpiry: null,
  deviceCount: 1,
  deviceFamilies: ["iphone", "ipad"],
  entitlements: {},
  signingSha256: ["00"],
};

function release(changes: object = {}, installer: object = {}): Release {
  const facts = { iosEnabled: true, minOs: "16.0", buildNumber: "1", installUrl: "https://console.test/i/1" };
  return { ...facts, universal: null, ...changes, installer: { ...INSTALLER, ...installer } } as unknown as Release;
}

function isOffered(of: Release | null, userAgent = MAC): boolean {
  const devices = {
    device: deviceFromBrowser({ userAgent }),
    ipad: deviceFromBrowser({ userAgent, platform: "MacIntel", maxTouchPoints: 5 }),
  };
  return installsOnIpad(of, devices, NOW);
}

describe("an iPad, which presents itself as a Mac", () => {
  it("is offered what it installs, and other devices are not", () => {
    expect(isOffered(release())).toBe(true);
    expect([isOffered(release(), IPAD), isOffered(release(), LINUX)]).toEqual([false, false]);
  });

  it("is not offered what it does not install", () => {
    const others = [
      release({ iosEnabled: false }),
      release({ installUrl: "http://console.test/i/1" }),
      release({ minOs: "99" }),
      release({}, { profileExpiry: "2025-12-31T00:00:00Z" }),
      release({}, { kind: "apk", abis: [], signatureSchemes: ["v2"], targetSdk: 36, split: false }),
      null,
    ];
    expect(others.map((one) => isOffered(one))).toEqual(others.map(() => false));
  });

  it("is offered it by a button of its own, also on a page for phones", () => {
    const verdict = releaseVerdict(releaseInstallFacts(release()), DESKTOP, { now: NOW, mayDownload: true });
    const card = (mayBeIpad: boolean) =>
      installationCard(translatorFor("en"), {
        verdict,
        kind: "ipa",
        device: DESKTOP,
        action: "/i/1/install?visit=2",
        mayBeIpad,
        qr: html``,
        onlyPhones: true,
        now: NOW,
      }).toString();
    expect(card(true)).toContain(
      'action="/i/1/install?visit=2&amp;device=ipad"><button class="button quiet">This is an iPad',
    );
    expect(card(false)).not.toContain("<form");
  });
});
