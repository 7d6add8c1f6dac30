import { buildCommand, buildRouteMap } from "@stricli/core";
import type { DeleteFlags, DownloadFlags, ListReleasesFlags, ReleaseFlags } from "../actions/releases";
import type { Context } from "../lib/context";
import {
  appFlag,
  consoleFlag,
  environmentFlag,
  jsonFlag,
  outputFlags,
  parseLimit,
  switchFlag,
  textArgument,
  textFlag,
} from "./flags";

const id = { kind: "tuple", parameters: [textArgument("id", "The ID of the release")] } as const;

const listCommand = buildCommand<ListReleasesFlags, [], Context>({
  loader: async () => (await import("../actions/releases")).list,
  parameters: {
    flags: {
      console: consoleFlag,
      app: appFlag,
      environment: environmentFlag,
      version: textFlag("version", "Only this version"),
      limit: {
        kind: "parsed",
        parse: parseLimit,
        default: "25",
        placeholder: "number",
        brief: "How many releases, at most 100",
      },
      json: jsonFlag,
    },
  },
  docs: { brief: "List the releases of an environment, newest first" },
});

const showCommand = buildCommand<ReleaseFlags, [string], Context>({
  loader: async () => (await import("../actions/releases")).show,
  parameters: { flags: { console: consoleFlag, json: jsonFlag }, positional: id },
  docs: { brief: "Show a release" },
});

const downloadCommand = buildCommand<DownloadFlags, [string], Context>({
  loader: async () => (await import("../actions/releases")).download,
  parameters: {
    flags: {
      console: consoleFlag,
      ...outputFlags,
    },
    positional: id,
  },
  docs: {
    brief: "Download the installer of a release",
    fullDescription:
      "Writes it under its own name to this folder or the one that --output names, and verifies the SHA-256. An interrupted download leaves no file.",
  },
});

const deleteCommand = buildCommand<DeleteFlags, [string], Context>({
  loader: async () => (await import("../actions/releases")).remove,
  parameters: { flags: { console: consoleFlag, yes: switchFlag("Do not ask") }, positional: id },
  docs: { brief: "Delete a release" },
});

const diffCommand = buildCommand<ReleaseFlags, [string], Context>({
  loader: async () => (await import("../actions/releases")).diff,
  parameters: { flags: { console: consoleFlag, json: jsonFlag }, positional: id },
  docs: {
    brief: "Compare a release with the one before",
    fullDescription: "Shows the changes of size, permissions, entitlements, and system and SDK versions.",
  },
});

export const releasesRoutes = buildRouteMap({
  routes: {
    list: listCommand,
    show: showCommand,
    download: downloadCommand,
    delete: deleteCommand,
    diff: diffCommand,
  },
  docs: { brief: "List, show, download and delete releases" },
});
