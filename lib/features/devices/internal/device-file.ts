import "server-only";
import { withoutFormula } from "@/lib/api/csv";
import { nameSchema } from "@/lib/kernel/name-schema";
import { normalizeUdid } from "@/lib/kernel/udid";
import { type LINE_PROBLEMS, MAX_IMPORT_ROWS, MAX_NAMED_LINES } from "../schema";

/** The header of Apple's file for many devices. */
const HEADER = ["Device ID", "Device Name", "Device Platform"];
/** The longest name that Apple takes. */
const MAX_APPLE_NAME = 50;

/** The devices of a file, each once. */
interface DeviceFile {
  devices: { udid: string; name: string }[];
  repeated: number;
  macs: number;
  invalid: number;
  invalidLines: { line: number; problem: (typeof LINE_PROBLEMS)[number] }[];
  /** Whether the file has more lines than an import may have. */
  tooMany: boolean;
}

type Line = { udid: string; name: string } | { problem: (typeof LINE_PROBLEMS)[number] } | "mac";

/** Of Intel Macs, whose identifiers are UUIDs. */
const MAC_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function readLine(fields: readonly string[]): Line {
  const [id = "", name = "", platform = ""] = fields.map((field) => field.trim());
  if (/^mac(os)?$/i.test(platform) || (platform === "" && MAC_ID.test(id))) return "mac";
  const udid = normalizeUdid(id);
  if (udid === null) return { problem: "udid" };
  if (platform !== "" && !/^(ios|ipados|tvos|watchos|visionos)$/i.test(platform)) return { problem: "platform" };
  const named = nameSchema.safeParse(name);
  return named.success ? { udid, name: named.data } : { problem: "name" };
}

/** Reads Apple's file for many devices (Apple Developer, "Register multiple devices"). A file of spreadsheets may begin with a BOM. */
export function readDeviceFile(text: string): DeviceFile {
  const file: DeviceFile = { devices: [], repeated: 0, macs: 0, invalid: 0, invalidLines: [], tooMany: false };
  const known = new Set<string>();
  let rows = 0;
  for (const [index, line] of text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (line.trim() === "" || (rows === 0 && /^"?device id/i.test(line.trim()))) continue;
    rows += 1;
    if (rows > MAX_IMPORT_ROWS) return { ...file, tooMany: true };
    const read = readLine(line.split("\t").map((field) => field.replace(/^"(.*)"$/, "$1")));
    if (read === "mac") file.macs += 1;
    else if ("problem" in read) {
      file.invalid += 1;
      if (file.invalidLines.length < MAX_NAMED_LINES) file.invalidLines.push({ line: index + 1, ...read });
    } else if (known.has(read.udid)) file.repeated += 1;
    else {
      known.add(read.udid);
      file.devices.push(read);
    }
  }
  return file;
}

/** The header of an exported file. */
export const DEVICE_FILE_HEADER = `${HEADER.join("\t")}\r\n`;

/** A line of Apple's file. A name that a spreadsheet would read as a formula gets a leading apostrophe. */
export function deviceFileLine({ udid, name }: { udid: string; name: string }): string {
  return `${udid}\t${[...withoutFormula(name)].slice(0, MAX_APPLE_NAME).join("")}\tios\r\n`;
}
