import { buildCommand } from "@stricli/core";
import type { Context } from "../lib/context";
import { textArgument } from "./flags";

const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

export const completionCommand = buildCommand<Record<never, never>, [Shell], Context>({
  loader: async () => (await import("../actions/completion")).completion,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        {
          placeholder: "shell",
          brief: SHELLS.join(", "),
          parse: (input: string) => {
            const shell = SHELLS.find((one) => one === input);
            if (!shell) throw new Error(`the shells are ${SHELLS.join(", ")}`);
            return shell;
          },
          proposeCompletions: (partial: string) => SHELLS.filter((shell) => shell.startsWith(partial)),
        },
      ],
    },
  },
  docs: {
    brief: "Write the completion script of a shell",
    fullDescription: [
      "For bash, add `source <(slipway completion bash)` to ~/.bashrc. For zsh, add `source <(slipway completion zsh)` to ~/.zshrc, after compinit.",
      "For fish, write the script to ~/.config/fish/completions/slipway.fish.",
    ].join("\n"),
  },
});

/** Called by the scripts of `completion`. */
export const proposeCommand = buildCommand<Record<never, never>, string[], Context>({
  loader: async () => (await import("../actions/completion")).propose,
  parameters: {
    positional: { kind: "array", parameter: textArgument("word", "The words of the command line") },
  },
  docs: { brief: "Propose completions" },
});

export const helpCommand = buildCommand<Record<never, never>, string[], Context>({
  loader: async () => (await import("../actions/help")).help,
  parameters: {
    positional: { kind: "array", parameter: textArgument("command", "The command") },
  },
  docs: { brief: "Show the help of a command" },
});
