import { type ConsoleFlags, connect } from "../lib/console";
import type { Context } from "../lib/context";
import { EXIT, Failure } from "../lib/failure";
import { type OutputFlags, outputPath, writeOutput } from "../lib/output-file";
import { allItems } from "../lib/places";
import { readText } from "../lib/read-text";
import { requireReleaseId } from "../lib/release";
import { printable, writeTable } from "../lib/terminal";
import { writeJson } from "../lib/write-json";

export interface ListDevicesFlags extends ConsoleFlags {
  own: boolean;
  search?: string;
  release?: string;
  json: boolean;
}

export interface ImportDevicesFlags extends ConsoleFlags {
  dryRun: boolean;
  json: boolean;
}

export interface ExportDevicesFlags extends ConsoleFlags, OutputFlags {
  missingIn?: string;
  search?: string;
}

interface Listed {
  name: string;
  os: string;
  osVersion: string | null;
  model: string | null;
  modelName: string | null;
  user: { email: string } | null;
}

const factsOf = ({ name, os, osVersion, model, modelName, user }: Listed) => [
  printable(name),
  printable(modelName ?? model ?? os),
  osVersion ?? "",
  printable(user?.email ?? ""),
];

/** Lists the devices that a release covers and misses. */
async function listOfRelease(context: Context, flags: ListDevicesFlags, id: string): Promise<void> {
  requireReleaseId(id);
  const console = await connect(context, flags);
  const { search } = flags;
  const first = await console.query("devices/get-release-devices", { id, search, limit: 100 });
  const items = await allItems(async (cursor) =>
    cursor === undefined ? first : console.query("devices/get-release-devices", { id, search, limit: 100, cursor }),
  );
  const { profile, covered, notCovered, unknownUdids } = first;
  if (flags.json) return writeJson(context, { profile, covered, notCovered, unknownUdids, items });
  if (profile !== "listed") {
    const reasons = {
      all: "The profile of the release is for all devices.",
      none: "The release has no profile with devices.",
      unknown: "The profile of the release has not been read yet. Try again later.",
    };
    return context.err.say(reasons[profile]);
  }
  context.err.say(`${covered} covered, ${notCovered} not covered, ${unknownUdids} of the profile not known here.`);
  const rows = items.map((device) => [device.covered ? "covered" : "missing", ...factsOf(device)]);
  writeTable(context.out, ["state", "name", "model", "version", "owner"], rows);
}

/** Lists devices: those of all users, one's own, or those of a release. */
export async function listDevices(this: Context, flags: ListDevicesFlags): Promise<void> {
  if (flags.release !== undefined) return listOfRelease(this, flags, flags.release);
  const console = await connect(this, flags);
  const { search } = flags;
  const items = await allItems((cursor) =>
    flags.own
      ? console.query("devices/get-own-devices", { limit: 100, cursor })
      : console.query("devices/get-devices", { search, limit: 100, cursor }),
  );
  if (flags.json) return writeJson(this, items);
  if (items.length === 0) this.err.say("There are no devices.");
  const rows = items.map((device) => [...factsOf(device), device.udid ?? ""]);
  writeTable(this.out, ["name", "model", "version", "owner", "udid"], rows);
}

/** Imports Apple's file of devices. */
export async function importDevices(this: Context, flags: ImportDevicesFlags, file: string): Promise<void> {
  const text = await readText(this, file);
  const console = await connect(this, flags);
  const done = await console.command("devices/import-devices", { text, dryRun: flags.dryRun });
  if (flags.json) writeJson(this, done);
  else {
    const verb = flags.dryRun ? "would be added" : "added";
    const macs = done.macs > 0 ? ` ${done.macs} Macs are left out.` : "";
    this.err.say(`${done.added} ${verb}, ${done.already} were there already.${macs}`);
  }
  if (done.invalid === 0) return;
  const hints = done.invalidLines.map(({ line, problem }) => `Line ${line}: the ${problem} is missing or wrong.`);
  throw new Failure(EXIT.refused, `${done.invalid} lines are wrong. An import with them adds nothing.`, { hints });
}

/** Writes devices in Apple's format. */
export async function exportDevices(this: Context, flags: ExportDevicesFlags): Promise<void> {
  const { missingIn, search } = flags;
  if (missingIn !== undefined) requireReleaseId(missingIn);
  const name = missingIn === undefined ? "devices.txt" : "missing-devices.txt";
  const path = outputPath(this, flags, name);
  const console = await connect(this, flags);
  const response = await console.download("devices/export-devices", { missingIn, search });
  const text = await response.text();
  if (path === null) this.out.write(text);
  else {
    await writeOutput(path, text, { mode: 0o600, force: flags.force });
    this.err.say(`${text.trimEnd().split("\n").length - 1} devices are in ${path}.`);
  }
}
