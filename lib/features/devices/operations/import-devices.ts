import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { ApiError, type FieldIssue, invalidField } from "@/lib/kernel/errors";
import { importUnknownDevices, sealDevices } from "../data";
import { readDeviceFile } from "../internal/device-file";
import { importDevicesInput, importedDevicesSchema, MAX_IMPORT_ROWS } from "../schema";

/** The messages below `validation` for wrong lines. */
const MESSAGES = { udid: "importLineUdid", name: "importLineName", platform: "importLinePlatform" } as const;

/** Adds the devices of Apple's file for many devices, or says what that would do. If one line is wrong, nothing is added. */
export const importDevices = defineCommand({
  area: "devices",
  name: "import-devices",
  summary: "Import devices from Apple’s tab-separated file",
  access: "admin",
  input: importDevicesInput,
  output: importedDevicesSchema,
  status: 200,
  errors: [],
  maxJsonBytes: 12.5 * 1024 * 1024,
  rateLimit: { points: 30, seconds: 60, by: "actor" },
  audit: { table: "Device", action: "import" },
  async prepare({ input: { text, dryRun } }) {
    const file = readDeviceFile(text);
    if (file.tooMany) throw invalidField("text", "tooManyDeviceLines", { limit: MAX_IMPORT_ROWS });
    if (!dryRun && file.invalid > 0) {
      const issues = file.invalidLines.map(({ line, problem }): FieldIssue => {
        return { path: ["text"], code: `line_${problem}`, message: MESSAGES[problem], params: { line } };
      });
      throw new ApiError("validation_failed", { issues });
    }
    return { ...file, sealed: await sealDevices(file.devices) };
  },
  async handler({ input: { dryRun }, prepared, tx, request: { now } }) {
    const { sealed, repeated, macs, invalid, invalidLines } = prepared;
    const added = await importUnknownDevices(tx, sealed, { dryRun, now });
    const counts = { added, already: sealed.length - added };
    return {
      output: { dryRun, ...counts, repeated, macs, invalid, invalidLines },
      audit: { recordId: null, changes: changesBetween(null, { ...counts, dryRun }) },
    };
  },
});
