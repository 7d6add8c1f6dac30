import { buildCommand } from "@stricli/core";
import type { ShareFlags } from "../actions/sharing";
import type { Context } from "../lib/context";
import {
  appFlag,
  consoleFlag,
  environmentFlag,
  jsonFlag,
  parseDays,
  parseVersionNumber,
  switchFlag,
  textArgument,
  textFlag,
} from "./flags";

export const shareCommand = buildCommand<ShareFlags, [string?], Context>({
  loader: async () => (await import("../actions/sharing")).share,
  parameters: {
    flags: {
      console: consoleFlag,
      app: appFlag,
      environment: environmentFlag,
      name: textFlag("name", "The name in the list of links; those who open the link do not see it"),
      passwordStdin: switchFlag("Read a password from stdin, which the page asks for"),
      days: {
        kind: "parsed",
        parse: parseDays,
        optional: true,
        placeholder: "number",
        brief: "After how many days the link ends",
      },
      maxInstalls: {
        kind: "parsed",
        parse: parseVersionNumber,
        optional: true,
        placeholder: "number",
        brief: "After how many installations the link ends",
      },
      onlyPhones: switchFlag("Give computers a QR code and no file"),
      hideNotes: switchFlag("Do not show the release notes"),
      json: jsonFlag,
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          ...textArgument("id", "The ID of a release; by default always the latest release of the environment"),
          optional: true,
        },
      ],
    },
  },
  docs: {
    brief: "Create a link that opens a release without an account",
    fullDescription: "Writes the address of the link to stdout. It needs the right to edit releases (release:update).",
  },
});
