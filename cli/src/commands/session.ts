import { buildCommand } from "@stricli/core";
import type { DoctorFlags } from "../actions/doctor";
import type { LoginFlags } from "../actions/login";
import type { WhoamiFlags } from "../actions/session";
import type { ConsoleFlags } from "../lib/console";
import type { Context } from "../lib/context";
import { appFlag, consoleFlag, environmentFlag, jsonFlag, switchFlag, textArgument, textFlag } from "./flags";

export const loginCommand = buildCommand<LoginFlags, [string?], Context>({
  loader: async () => (await import("../actions/login")).login,
  parameters: {
    flags: {
      noBrowser: switchFlag("Confirm in a browser of any device, and type the code that it shows, such as over SSH"),
      token: switchFlag("Store an API token instead, which is asked for or read from stdin"),
    },
    positional: {
      kind: "tuple",
      parameters: [
        { ...textArgument("url", "The console; by default that of slipway.json or the current one"), optional: true },
      ],
    },
  },
  docs: {
    brief: "Sign in to a console",
    fullDescription:
      "Opens the console in the browser, where you sign in as usual and confirm. The tool gets a session of its own, which you can end in your profile. In a terminal of a machine without a browser, and with --no-browser, it shows an address for a browser of any device and asks for the code that the console shows there. Several consoles can be signed in to; the last one is the current one.",
  },
});

export const doctorCommand = buildCommand<DoctorFlags, [string?], Context>({
  loader: async () => (await import("../actions/doctor")).doctor,
  parameters: {
    flags: {
      console: consoleFlag,
      app: appFlag,
      environment: environmentFlag,
      release: textFlag(
        "id",
        "The release whose way to a device is checked: manifest, installer, ranges, types and icons; by default the newest one of the environment",
      ),
      json: jsonFlag,
    },
    positional: {
      kind: "tuple",
      parameters: [
        { ...textArgument("url", "The console; by default that of slipway.json or the current one"), optional: true },
      ],
    },
  },
  docs: {
    brief: "Check the way from here to an installation",
    fullDescription:
      "Checks DNS, the TLS certificate as a phone judges it, the console and the clock of this machine, and what a device fetches to install a release, also as the console sees it from its own address. Ends with 1 if a check fails and with 3 if the console cannot be reached.",
  },
});

export const logoutCommand = buildCommand<ConsoleFlags, [], Context>({
  loader: async () => (await import("../actions/session")).logout,
  parameters: { flags: { console: consoleFlag } },
  docs: { brief: "Sign out of a console" },
});

export const whoamiCommand = buildCommand<WhoamiFlags, [], Context>({
  loader: async () => (await import("../actions/session")).whoami,
  parameters: { flags: { console: consoleFlag, json: jsonFlag } },
  docs: { brief: "Say who the tool acts as" },
});
