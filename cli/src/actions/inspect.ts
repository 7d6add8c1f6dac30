import { statSync } from "node:fs";
import { basename } from "node:path";
import {
  androidSystem,
  type ConsoleFacts,
  DESKTOP,
  type DeviceFacts,
  deviceFromText,
  type Installer,
  type InstallVerdict,
  installerDetails,
  installerFacts,
  installVerdict,
} from "@slipway/installers";
import type { Context } from "../lib/context";
import { EXIT } from "../lib/failure";
import { fileSha256, readInstaller, readUngrantedEntitlements } from "../lib/installer";
import { printable, size, wrapFact, writeFacts } from "../lib/terminal";
import { deviceFailure, deviceName, VERDICT_WORDS, wordsOf } from "../lib/verdict-words";
import { writeJson } from "../lib/write-json";

export interface InspectFlags {
  json: boolean;
  device?: string;
}

function verdictOf(installer: Installer, device: DeviceFacts, now: Date, known: ConsoleFacts = {}): InstallVerdict {
  return installVerdict(installerFacts(installerDetails(installer), installer), device, { now, console: known });
}

/** Why no device installs the file, and what else a publisher should know. */
export function warningsOf(installer: Installer, now: Date, known?: ConsoleFacts): string[] {
  return verdictOf(installer, DESKTOP, now, known)
    .reasons.filter(({ code, severity }) => severity === "blocks" || code === "profile_ends_soon")
    .map((reason) => {
      const { title, detail } = wordsOf(reason, installer.kind, now);
      return `${title}. ${detail}`;
    });
}

/** @throws Failure if the text is not a device */
function typedDevice(text: string): DeviceFacts {
  const read = deviceFromText(text);
  if ("problem" in read) throw deviceFailure(read.problem, printable(read.word));
  return read.device;
}

const DEVICES: Record<string, string> = { iphone: "iPhone", ipad: "iPad", tv: "Apple TV", watch: "Apple Watch" };

/** The facts of an installer as label and value. */
function factsOf(installer: Installer): [string, string | number | null][] {
  const common: [string, string | number | null][] = [
    ["Name", installer.displayName],
    ["Identifier", installer.identifier],
    ["Version", `${installer.version} (${installer.buildNumber})`],
    [
      "Minimum system",
      installer.minOs && (installer.kind === "ipa" ? `iOS ${installer.minOs}` : androidSystem(installer.minOs)),
    ],
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
    ["Target system", installer.targetSdk && androidSystem(installer.targetSdk)],
    ["Architectures", installer.abis.join(", ")],
    ["Signature", installer.signatureSchemes.join(", ")],
    ["Signed by (SHA-256)", installer.signingSha256.join(", ")],
    ["Permissions", installer.permissions.length],
  ];
}

const SEVERITIES = { blocks: "red", unknown: "yellow", step: "cyan", note: "dim" } as const;
/** Where the words of a reason begin. */
const REASON_COLUMN = 9;

/** Writes whether the installer installs on a device, with each reason in a line. */
function writeVerdict(
  { out }: Context,
  { verdict: { verdict, reasons }, device }: { verdict: InstallVerdict; device: DeviceFacts },
  { kind, now }: { kind: Installer["kind"]; now: Date },
): void {
  out.write("\n");
  writeFacts(out, [
    ["Device", deviceName(device)],
    ["Verdict", VERDICT_WORDS[verdict]],
  ]);
  for (const reason of reasons) {
    const { title, detail, steps } = wordsOf(reason, kind, now);
    const write = (label: string, text: string) => {
      const line = `${label}${printable(text)}`;
      out.write(`${out.isTTY ? wrapFact(line, out.columns, REASON_COLUMN) : line}\n`);
    };
    write(out.paint(SEVERITIES[reason.severity], reason.severity.padEnd(REASON_COLUMN)), `${title}. ${detail}`);
    // Each on a line of its own, as they are done one after another.
    for (const [index, step] of steps.entries()) {
      write(" ".repeat(REASON_COLUMN), steps.length > 1 ? `${index + 1}. ${step}` : step);
    }
  }
}

/** Reads an installer offline, and says whether a device installs it. */
export async function inspect(this: Context, flags: InspectFlags, file: string): Promise<void> {
  const device = flags.device === undefined ? null : typedDevice(flags.device);
  const installer = await readInstaller(file);
  const facts = { fileName: basename(file), size: statSync(file).size, sha256: await fileSha256(file) };
  const now = new Date();
  const known = { ungrantedEntitlements: await readUngrantedEntitlements(file, installer) };
  const judged = device && { device, verdict: verdictOf(installer, device, now, known) };
  if (judged?.verdict.verdict === "does_not_install") process.exitCode = EXIT.refused;
  // With a device, the verdict says these.
  const warnings = judged ? [] : warningsOf(installer, now, known);
  if (flags.json) {
    const { icon, ...rest } = installer;
    // Device identifiers are personal data: output is pasted into logs and tickets.
    const { profileDevices: _, ...properties } = rest.kind === "ipa" ? rest : { ...rest, profileDevices: [] };
    const shown = {
      ...facts,
      ...properties,
      icon: icon && { contentType: icon.contentType, width: icon.width, height: icon.height },
    };
    const answer = judged && {
      ...judged.verdict,
      reasons: judged.verdict.reasons.map((reason) => ({ ...reason, ...wordsOf(reason, installer.kind, now) })),
      device: judged.device,
    };
    const verdict = answer ? { verdict: answer } : {};
    writeJson(this, { ...shown, warnings, ...verdict });
    return;
  }
  const rows = [["File", facts.fileName], ["Size", size(facts.size)], ["SHA-256", facts.sha256], ...factsOf(installer)];
  writeFacts(
    this.out,
    rows.map(([label, value]) => [String(label), String(value ?? "")]),
  );
  if (judged) writeVerdict(this, judged, { kind: installer.kind, now });
  for (const warning of warnings) this.err.say(`${this.err.paint("yellow", "Warning:")} ${warning}`);
}
