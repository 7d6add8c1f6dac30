import { buildCommand } from "@stricli/core";
import type { BisectFlags } from "../actions/bisect";
import type { Context } from "../lib/context";
import { consoleFlag, jsonFlag, switchFlag, textArgument, textFlag } from "./flags";

export const bisectCommand = buildCommand<BisectFlags, [string?], Context>({
  loader: async () => (await import("../actions/bisect")).bisect,
  parameters: {
    flags: {
      console: consoleFlag,
      good: textFlag("id", "A release without the bug"),
      bad: textFlag("id", "A later release with the bug, of the same environment, platform and kind of installer"),
      run: textFlag("command", "Tries each build: 0 is good, 125 skips it, 1 to 124 is bad"),
      undo: switchFlag("Takes back the last answer of the search first"),
      all: switchFlag("Show all changes of the first bad build, not only size, systems, certificate and permissions"),
      json: jsonFlag,
    },
    positional: {
      kind: "tuple",
      parameters: [{ ...textArgument("search", "The ID of a search to go on with"), optional: true }],
    },
  },
  docs: {
    brief: "Find the build that broke it",
    fullDescription: [
      "Asks about the build in the middle between a good and a bad release, until the first bad one is known: at most 7 builds of 100. A build that cannot be tried is skipped, and one that was deleted is left out. The search can be interrupted and continued, also in the console. A wrong answer is taken back while it asks, or with --undo.",
      "With --run, each build is downloaded to a temporary folder and the command is started by the shell, with the path of the file as its last argument and as SLIPWAY_FILE, and with SLIPWAY_RELEASE, SLIPWAY_VERSION and SLIPWAY_BUILD. To a command that uses variables, such as $1 for the path, no argument is added. Its exit code is the answer, as for `git bisect run`; from 126 on, or if a signal ended it, it is none, and the search stops. What it writes goes to stderr. SLIPWAY_TOKEN is not passed on. You need the right to download.",
      "The exit code is 1 if only skipped builds are left.",
    ].join("\n"),
  },
});
