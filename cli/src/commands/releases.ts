import { buildCommand, buildRouteMap } from "@stricli/core";
import type { DiffFlags } from "../actions/diff";
import type { PromoteFlags } from "../actions/promote";
import type { AddFilesFlags } from "../actions/release-files";
import type { DeleteFlags, ListReleasesFlags } from "../actions/releases";
import type { Context } from "../lib/context";
import type { DownloadFlags } from "../lib/download";
import type { ReleaseFlags } from "../lib/release";
import {
  appFlag,
  consoleFlag,
  dsymFlag,
  environmentFlag,
  groupFlag,
  jsonFlag,
  mappingFlag,
  outputFlags,
  parseLimit,
  parseName,
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
  docs: {
    brief: "List the releases of an environment, newest first",
    fullDescription: "The latest release of each platform is marked.",
  },
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

const retryApkCommand = buildCommand<ReleaseFlags, [string], Context>({
  loader: async () => (await import("../actions/releases")).retryApk,
  parameters: { flags: { console: consoleFlag, json: jsonFlag }, positional: id },
  docs: {
    brief: "Make the APK for all devices of an app bundle again",
    fullDescription:
      "Has the console make the APK that it could not make of an app bundle, or make that of a bundle which has none. It is made in the background; `slipway releases show` says how far it is.",
  },
});

const filesCommand = buildCommand<ReleaseFlags, [string], Context>({
  loader: async () => (await import("../actions/release-files")).listFiles,
  parameters: { flags: { console: consoleFlag, json: jsonFlag }, positional: id },
  docs: {
    brief: "List the symbols and other files of a release",
    fullDescription: "Lists them with their IDs, and says which programs of an .ipa have no symbols.",
  },
});

const addFilesCommand = buildCommand<AddFilesFlags, [string], Context>({
  loader: async () => (await import("../actions/release-files")).addFiles,
  parameters: {
    flags: {
      console: consoleFlag,
      dsym: dsymFlag,
      mapping: mappingFlag,
      file: {
        kind: "parsed",
        parse: parseName,
        optional: true,
        variadic: true,
        placeholder: "path",
        brief: "Any other file; can be repeated",
      },
      json: jsonFlag,
    },
    positional: id,
  },
  docs: {
    brief: "Add symbols or other files to a release",
    fullDescription:
      "Folders of symbols are compressed. Symbols of another build are refused. A file that is there already stays as it is, and the command succeeds.",
  },
});

const downloadFileCommand = buildCommand<DownloadFlags, [string, string], Context>({
  loader: async () => (await import("../actions/release-files")).downloadFile,
  parameters: {
    flags: { console: consoleFlag, ...outputFlags },
    positional: {
      kind: "tuple",
      parameters: [
        textArgument("release", "The ID of the release"),
        textArgument("file", "The ID or the name of the file"),
      ],
    },
  },
  docs: {
    brief: "Download the symbols or another file of a release",
    fullDescription:
      "Writes it under its own name to this folder or the one that --output names, and verifies the SHA-256. Symbols need the right to publish there.",
  },
});

const diffCommand = buildCommand<DiffFlags, [string], Context>({
  loader: async () => (await import("../actions/diff")).diff,
  parameters: {
    flags: {
      console: consoleFlag,
      from: textFlag("id", "The release to compare with; by default the one before"),
      all: switchFlag("Show all changes"),
      markdown: switchFlag("Write Markdown, for a pull request"),
      json: jsonFlag,
    },
    positional: id,
  },
  docs: {
    brief: "Compare a release with the one before",
    fullDescription:
      "Shows the changes of size, systems, certificate, permissions and entitlements, with --all also those of features, URL schemes, libraries, files and the values of the manifest. Both releases must be of one application and the same kind of installer.",
  },
});

export const promoteCommand = buildCommand<PromoteFlags, [string], Context>({
  loader: async () => (await import("../actions/promote")).promote,
  parameters: {
    flags: {
      console: consoleFlag,
      to: { ...environmentFlag, optional: false, brief: "The environment to publish in: its name or ID" },
      app: { ...appFlag, brief: "The application of that environment; by default that of the release" },
      notes: textFlag("text", "The release notes there; by default those of the release"),
      group: groupFlag,
      noNotify: switchFlag("Give the groups access without telling them"),
      onlyThisFile: switchFlag("Only the file of the release, not the whole build"),
      overrideRules: switchFlag("Publish builds that break rules of the environment; needs the right to change it"),
      json: jsonFlag,
    },
    positional: id,
  },
  docs: {
    brief: "Publish a build in another environment, without uploading it again",
    fullDescription: [
      "The build of the release, all its files or only this one, is published in the other environment with the same bytes. What is there already stays as it is, and the command succeeds. Groups of --group that do not have it yet get it.",
      "The install links are written to stdout, one a line. You need the right to download in the environment of the release and to publish in the other one. An API token is for one environment only, so sign in with `slipway login`.",
    ].join("\n"),
  },
});

export const releasesRoutes = buildRouteMap({
  routes: {
    list: listCommand,
    show: showCommand,
    download: downloadCommand,
    delete: deleteCommand,
    diff: diffCommand,
    "retry-apk": retryApkCommand,
    files: filesCommand,
    "add-files": addFilesCommand,
    "download-file": downloadFileCommand,
  },
  docs: { brief: "List, show, compare, download and delete releases" },
});
