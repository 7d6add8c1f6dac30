import { buildCommand, buildRouteMap } from "@stricli/core";
import type { ExportDevicesFlags, ImportDevicesFlags, ListDevicesFlags } from "../actions/devices";
import type { Context } from "../lib/context";
import { consoleFlag, jsonFlag, outputFlags, switchFlag, textArgument, textFlag } from "./flags";

const searchFlag = textFlag("text", "Only devices with this name, model, owner or whole UDID");

const listCommand = buildCommand<ListDevicesFlags, [], Context>({
  loader: async () => (await import("../actions/devices")).listDevices,
  parameters: {
    flags: {
      console: consoleFlag,
      own: switchFlag("One’s own devices instead of those of all users"),
      search: searchFlag,
      release: textFlag("id", "The devices that this release covers and misses, without their UDIDs"),
      json: jsonFlag,
    },
  },
  docs: {
    brief: "List the devices on which releases are tested",
    fullDescription:
      "Administrators list those of all users. Users who can read a release list the devices that it covers.",
  },
});

const importCommand = buildCommand<ImportDevicesFlags, [string], Context>({
  loader: async () => (await import("../actions/devices")).importDevices,
  parameters: {
    flags: { console: consoleFlag, dryRun: switchFlag("Only say what an import would do"), json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [textArgument("file", "Apple’s file: UDID, name and platform, separated by tabs; - for stdin")],
    },
  },
  docs: {
    brief: "Import devices from Apple’s file",
    fullDescription: "If a line is wrong, it is named, and nothing is added. Only administrators import devices.",
  },
});

const exportCommand = buildCommand<ExportDevicesFlags, [], Context>({
  loader: async () => (await import("../actions/devices")).exportDevices,
  parameters: {
    flags: {
      console: consoleFlag,
      missingIn: textFlag("id", "Only the devices that the profile of this release does not list"),
      search: searchFlag,
      ...outputFlags,
    },
  },
  docs: {
    brief: "Export devices in Apple’s format for registering many devices",
    fullDescription: "Only administrators export devices, because the file has their UDIDs.",
  },
});

export const devicesRoutes = buildRouteMap({
  routes: { list: listCommand, import: importCommand, export: exportCommand },
  docs: { brief: "Devices on which releases are tested" },
});
