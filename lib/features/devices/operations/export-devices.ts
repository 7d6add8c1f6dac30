import "server-only";
import { Readable } from "node:stream";
import { orNotFound } from "@/lib/api/list";
import { defineDownload } from "@/lib/api/operation";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import { contentDisposition } from "@/lib/http/content-disposition";
import { exportedDevices } from "../data";
import { DEVICE_FILE_HEADER, deviceFileLine } from "../internal/device-file";
import { exportDevicesInput } from "../schema";

const CONTENT_TYPE = "text/tab-separated-values; charset=utf-8";

/** The devices with a UDID in Apple's format for registering many devices, each UDID once. */
export const exportDevices = defineDownload({
  area: "devices",
  name: "export-devices",
  summary: "Export devices in Apple’s format for registering many devices",
  access: "admin",
  input: exportDevicesInput,
  contentTypes: [CONTENT_TYPE],
  errors: ["not_found"],
  async handler({ input: { missingIn, ...filters }, db, request }) {
    const release = missingIn === undefined ? undefined : orNotFound(await releaseTarget(db, missingIn)).release;
    const pages = exportedDevices(db, filters, release);
    async function* lines() {
      yield Buffer.from(DEVICE_FILE_HEADER);
      for await (const devices of pages) yield Buffer.from(devices.map(deviceFileLine).join(""));
    }
    const name = release ? "missing-devices" : "devices";
    const headers = {
      "Content-Type": CONTENT_TYPE,
      "Content-Disposition": contentDisposition(`${name}-${request.now.toISOString().slice(0, 10)}.txt`),
      "Cache-Control": "no-store",
    };
    return { status: 200, headers, body: Readable.from(lines(), { highWaterMark: 1 }) };
  },
});
