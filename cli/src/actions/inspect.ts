import { statSync } from "node:fs";
import { basename } from "node:path";
import { type Installer, installability, installerDetails, installFacts } from "@slipway/installers";
import type { Context } from "../lib/context";
import { fileSha256, readInstaller } from "../lib/installer";
import { size, writeFacts } from "../lib/terminal";

export interface InspectFlags {
  json: boolean;
}

const REFUSALS: Record<string, string> = {
  "app-store-profile": "It is signed for the App Store and does not install from a link.",
  "expired-profile": "Its provisioning profile has expired, so devices refuse it.",
  "no-profile": "It has no provisioning profile, so devices refuse it.",
  "other-device": "It is neither for iPhones nor for iPads.",
  bundle: "An app bundle does not install on devices; publish an APK, too.",
  split: "It is one of several split APKs and does not install on its own.",
  unsigned: "It is not signed, so devices refuse it.",
};

/** Why no device installs the file, and what else a publisher should know. */
export function warningsOf(installer: Installer, now: Date): string[] {
  const facts = installFacts(installerDetails(installer), installer.minOs);
  const answer = installability(facts, { os: "desktop", osVersion: null }, { now });
  if (answer.verdict === "refused") return [REFUSALS[answer.reason] ?? answer.reason];
  return answer.notes.flatMap((note) =>
    note.kind === "ends-soon" ? [`Its provisioning profile expires on ${note.at.slice(0, 10)}.`] : [],
  );
}

const DEVICES: Record<string, string> = { iphone: "iPhone", ipad: "iPad", tv: "Apple TV", watch: "Apple Watch" };

/** The facts of an installer as label and value. */
function factsOf(installer: Installer): [string, string | number | null][] {
  const common: [string, string | number | null][] = [
    ["Name", installer.displayName],
    ["Identifier", installer.identifier],
    ["Version", `${installer.version} (${installer.buildNumber})`],
    ["Minimum system", installer.minOs && `${installer.kind === "ipa" ? "iOS" : "API level"} ${installer.minOs}`],
  ];
  if (installer.kind === "ipa") {
    return [
      ...common,
      ["Devices", installer.deviceFamilies.map((family) => DEVICES[family] ?? family).join(", ")],
      ["Profile", installer.profileName && `${installer.profileName} (${installer.profileType})`],
      ["Profile expires", installer.profileExpiry?.slice(0, 10) ?? null],
      ["Registered devices", installer.deviceCount],
      ["Team", installer.teamName && `${installer.teamName} (${installer.team})`],
    ];
  }
  return [
    ...common,
    ["Target API level", installer.targetSdk],
    ["Architectures", installer.abis.join(", ")],
    ["Signature", installer.signatureSchemes.join(", ")],
    ["Signed by (SHA-256)", installer.signingSha256.join(", ")],
    ["Permissions", installer.permissions.length],
  ];
}

/** Reads an installer offline. */
export async function inspect(this: Context, flags: InspectFlags, file: string): Promise<void> {
  const installer = await readInstaller(file);
  const facts = { fileName: basename(file), size: statSync(file).size, sha256: await fileSha256(file) };
  const warnings = warningsOf(installer, new Date());
  if (flags.json) {
    const { icon, ...properties } = installer;
    const shown = {
      ...facts,
      ...properties,
      icon: icon && { contentType: icon.contentType, width: icon.width, height: icon.height },
    };
    this.out.write(`${JSON.stringify({ ...shown, warnings }, null, 2)}\n`);
    return;
  }
  const rows = [["File", facts.fileName], ["Size", size(facts.size)], ["SHA-256", facts.sha256], ...factsOf(installer)];
  writeFacts(
    this.out,
    rows.map(([label, value]) => [String(label), String(value ?? "")]),
  );
  for (const warning of warnings) this.err.say(`${this.err.paint("yellow", "Warning:")} ${warning}`);
}
