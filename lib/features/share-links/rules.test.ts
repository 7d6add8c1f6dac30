import { DESKTOP, type DeviceFacts, deviceFromBrowser } from "@slipway/installers";
import { describe, expect, it } from "vitest";
import { releaseInstallFacts, releaseVerdict } from "@/lib/features/releases/rules";
import type { Release } from "@/lib/features/releases/schema";
import { html } from "@/lib/kernel/html";
import { messagesFor, translatorFor } from "@/lib/kernel/i18n/translator";
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
        release: release(),
        verdict,
        device: DESKTOP,
        url: "https://console.test/i/1",
        action: "/i/1/install?visit=2",
        mayBeIpad,
        qr: html``,
        onlyPhones: true,
        onPhones: false,
        now: NOW,
      }).toString();
    expect(card(true)).toContain(
      'action="/i/1/install?visit=2&amp;device=ipad"><button class="button quiet">This is an iPad',
    );
    expect(card(false)).not.toContain("<form");
  });
});

describe("what a release says before it is installed", () => {
  const phone = (browser: "chrome" | "in-app" = "chrome"): DeviceFacts => ({
    ...DESKTOP,
    os: "android",
    osVersion: "36",
    browser,
  });
  const APK = { kind: "apk", abis: [], signatureSchemes: ["v2"], targetSdk: 36, split: false, debuggable: false };
  const cardOf = (of: Release, device: DeviceFacts, onPhones = false) =>
    installationCard(translatorFor("en"), {
      release: of,
      verdict: releaseVerdict(releaseInstallFacts(of), device, { now: NOW, mayDownload: true }),
      device,
      url: "https://console.test/i/1",
      action: "/i/1/install",
      mayBeIpad: false,
      qr: html`<svg></svg>`,
      onlyPhones: false,
      onPhones,
      now: NOW,
    }).toString();
  const { install, sharePage } = messagesFor("en");
  const ready = release({ minOs: "24" }, APK);

  it("says inside another app first where to open the page, with its address, and promises nothing", () => {
    const inside = cardOf(ready, phone("in-app"));
    expect(inside.indexOf("Open this page in Chrome")).toBeLessThan(inside.indexOf("<form"));
    expect(inside.indexOf('value="https://console.test/i/1" readonly')).toBeLessThan(inside.indexOf("<form"));
    expect(inside).not.toContain(install.ready);
    expect(inside).not.toContain(install.reasons.unknown_sources.title);
    expect(cardOf(ready, phone())).toContain(install.ready);
  });

  it("promises nothing where a reason is not known", () => {
    const only32 = release({ minOs: "24" }, { ...APK, abis: ["armeabi-v7a"] });
    const card = cardOf(only32, phone());
    expect(card).not.toContain(install.ready);
    expect(card).toContain(install.reasons.architecture_unknown.title);
  });

  it("tells why it does not install, with a text for the sender, and offers a computer nothing that phones refuse", () => {
    const store = release({ displayName: "Acme", version: "2.0" }, { profileType: "app-store" });
    for (const device of [DESKTOP, { ...DESKTOP, os: "ios" as const, osVersion: "26.1", browser: "safari" as const }]) {
      const card = cardOf(store, device);
      expect(card).toContain(install.reasons.app_store_build.detail);
      expect(card).toContain("Acme 2.0 (1): Signed for the App Store. With this profile");
      expect(card).not.toMatch(/<form|class="qr"/);
    }
    // Another file of the build may be what the phone gets.
    expect(cardOf(store, DESKTOP, true)).toContain('class="qr"');
    expect(cardOf(store, DESKTOP, true)).not.toContain("<form");
  });

  it("speaks on a computer of the phone", () => {
    const card = cardOf(ready, DESKTOP);
    expect(card.indexOf(sharePage.onPhone)).toBeGreaterThan(0);
    expect(card.indexOf(sharePage.onPhone)).toBeLessThan(card.indexOf(install.reasons.unknown_sources.title));
  });
});
