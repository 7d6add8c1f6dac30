import { buildCommand } from "@stricli/core";
import type { InspectFlags } from "../actions/inspect";
import type { UploadFlags } from "../actions/upload";
import type { Context } from "../lib/context";
import { takingVariables } from "../lib/option-variables";
import {
  appFlag,
  consoleFlag,
  dsymFlag,
  environmentFlag,
  groupFlag,
  jsonFlag,
  mappingFlag,
  parseDuration,
  parsePair,
  parseVersionNumber,
  switchFlag,
  textArgument,
  textFlag,
} from "./flags";

const file = textArgument("file", "The installer: an .ipa, .apk or .aab file");

export const inspectCommand = buildCommand<InspectFlags, [string], Context>({
  loader: async () => (await import("../actions/inspect")).inspect,
  parameters: {
    flags: {
      device: textFlag("device", "A device, such as “iphone 17.5”, “android 14 arm64-v8a” or a User-Agent"),
      json: jsonFlag,
    },
    positional: { kind: "tuple", parameters: [file] },
  },
  docs: {
    brief: "Read an installer offline",
    fullDescription: [
      "Reads an installer as the console does, without a network: identifier, version, signature, provisioning profile, and whether devices will refuse it.",
      "With --device, it says whether that device installs it, why not, and what is to be done. The device is its system, Apple’s identifier of its model (iPhone15,2) or the name of an Android device (Pixel 9), and in any order what else is known: the version (of Android, or its API level from 20 on or after “api”), ABIs, the browser (safari, chrome, firefox, in-app, other), and “registered” or “unregistered” for whether the provisioning profile lists it. What is not known is said as such. The exit code is 1 if the device does not install it.",
    ].join("\n"),
  },
});

/** The options of `upload` that can be environment variables. Each is an input of the CI integrations, too. */
export const uploadInputs = {
  console: consoleFlag,
  app: appFlag,
  environment: environmentFlag,
  notes: textFlag("text", "The release notes, in Markdown; by default name and version"),
  notesFile: textFlag("file", "A file with the release notes; - for stdin"),
  notesFromGit: switchFlag("Use the subjects of the commits since the last tag as release notes"),
  branch: textFlag("branch", "The branch; by default that of the CI system or of the git repository"),
  commit: textFlag("commit", "The commit; by default that of the CI system or of the git repository"),
  buildUrl: textFlag("url", "The address of the build; by default that of the CI system"),
  metadata: {
    kind: "parsed",
    parse: parsePair,
    optional: true,
    variadic: true,
    placeholder: "key=value",
    brief: "A further entry of the release’s metadata; can be repeated",
  },
  configVersion: {
    kind: "parsed",
    parse: parseVersionNumber,
    optional: true,
    placeholder: "number",
    brief: "The configuration version that the build was made with; by default the current one",
  },
  mandatory: switchFlag("Apps that ask for updates must install it to go on"),
  group: groupFlag,
  noNotify: switchFlag("Give the groups access without telling them"),
  overrideRules: switchFlag("Publish a build that breaks rules of the environment; needs the right to change it"),
  dsym: dsymFlag,
  mapping: mappingFlag,
  timeout: {
    kind: "parsed",
    parse: parseDuration,
    optional: true,
    placeholder: "duration",
    brief: "How long the upload may take, as 90s, 30m or 2h; by default 1h",
  },
} as const;

export const uploadCommand = buildCommand<UploadFlags, [string?], Context>({
  loader: async () => takingVariables(uploadInputs, (await import("../actions/upload")).upload),
  parameters: {
    flags: { ...uploadInputs, json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [{ ...file, brief: `${file.brief}; by default that of SLIPWAY_FILE`, optional: true }],
    },
  },
  docs: {
    brief: "Publish an installer",
    fullDescription: [
      "Reads the installer, sends it in several parts at a time, verifies its SHA-256 and publishes it in an environment.",
      "The application is found by the installer’s identifier. After a lost connection, a restart of the server or Ctrl-C, the same command continues with the parts that have arrived. The tool waits for a console that is busy or restarts, up to --timeout. One that does not answer the first request ends it at once, because the address may be wrong, unless --timeout is given.",
      "A build that is in the environment already stays as it is, and the command succeeds. Groups of --group that do not have it yet get it, and a warning names what was not changed.",
      "With --dsym and --mapping, symbols for crash reports are added to the release. They are read first: symbols of another build are refused before anything is sent.",
      "In GitHub Actions, GitLab CI, Bitrise, CircleCI, Jenkins, Azure Pipelines, Codemagic and Xcode Cloud, commit, branch and build URL come from the environment. Where GITHUB_OUTPUT, GITHUB_STEP_SUMMARY or SLIPWAY_OUTPUT_FILE is set, release-id, install-url, qr-url, version and build-number are written there.",
    ].join("\n"),
  },
});
