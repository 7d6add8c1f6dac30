import { compareVersions } from "../versions";
import { type DeviceFacts, type InstallerFacts, rulesFor } from "./types";

export const isApple = ({ os }: DeviceFacts) => os === "ios" || os === "ipados";

/** Rules of both systems that come before all others. */
export const FIRST_RULES = rulesFor<InstallerFacts>()([
  {
    code: "wrong_system",
    severities: ["blocks"],
    source: "https://developer.apple.com/documentation/xcode/distributing-your-app-to-registered-devices",
    judge({ installer: { kind }, device }) {
      if (kind !== "ipa" && isApple(device)) return { severity: "blocks", params: { for: "android" } };
      return kind === "ipa" && device.os === "android" ? { severity: "blocks", params: { for: "ios" } } : null;
    },
  },
  {
    code: "desktop",
    severities: ["note"],
    source: "The installer of a phone or tablet is opened there.",
    judge: ({ installer, device }) =>
      device.os === "desktop"
        ? { severity: "note", params: { for: installer.kind === "ipa" ? "ios" : "android" } }
        : null,
  },
]);

/** Rules of both systems that come after those of each. */
export const LAST_RULES = rulesFor<InstallerFacts>()([
  {
    code: "unsigned",
    severities: ["blocks"],
    source: "https://source.android.com/docs/security/features/apksigning",
    judge({ installer }) {
      if (installer.kind === "ipa") return installer.ios.signed === false ? { severity: "blocks" } : null;
      // Bundles are signed for the upload to a store only.
      if (installer.kind !== "apk" || installer.signingSha256.length > 0) return null;
      const signed = installer.android.signatureSchemes.length > 0;
      return { severity: "blocks", params: { signature: signed ? "broken" : "none" } };
    },
  },
  {
    code: "not_allowed",
    severities: ["blocks"],
    source: "The permissions of the console.",
    judge: ({ console }) => (console.mayDownload === false ? { severity: "blocks" } : null),
  },
  {
    code: "system_too_old",
    severities: ["blocks", "unknown"],
    source: "https://developer.apple.com/documentation/bundleresources/information-property-list/minimumosversion",
    judge({ installer: { kind, minOs }, device }) {
      const { os, osVersion, osVersionIsMinimum } = device;
      if (minOs === null || os === "desktop" || (kind === "ipa") !== isApple(device)) return null;
      const isVersion = /^\d/.test(minOs);
      // A codename of Android says nothing of released systems, for which it is a reason of its own.
      if (!isVersion && kind !== "ipa") return null;
      const params = { needed: minOs, ...(osVersion !== null && { found: osVersion }) };
      if (osVersion === null || !isVersion) return { severity: "unknown", params };
      if (compareVersions(osVersion, minOs) >= 0) return null;
      return { severity: osVersionIsMinimum ? "unknown" : "blocks", params };
    },
  },
  {
    code: "browser_cannot_install",
    severities: ["step"],
    source: "https://developer.android.com/develop/ui/views/layout/webapps/managing-webview",
    judge: ({ device: { browser } }) => (browser === "in-app" ? { severity: "step" } : null),
  },
  {
    code: "chain_not_trusted",
    severities: ["step"],
    source: "https://support.apple.com/102390",
    judge: ({ device: { os }, console }) =>
      console.ownAuthority === true && os !== "desktop" ? { severity: "step" } : null,
  },
]);
