import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { collect, type Run, type Tool } from "./tool";

/** `script` of util-linux, which runs a program in a terminal, or why it cannot be used. */
export const terminal: string | Error = (() => {
  try {
    execFileSync("script", ["--version"], { stdio: "ignore" });
    return "script";
  } catch {
    return new Error("script of util-linux is not on this machine");
  }
})();

/** What is written to it is typed. */
export type Keyboard = NonNullable<ChildProcess["stdin"]>;

export interface TerminalOptions {
  columns?: number;
  env?: Record<string, string>;
  /** Receives the terminal's keyboard and everything that it has shown so far, when it shows more. */
  onOutput?(keyboard: Keyboard, shown: string): void;
}

/** A run in a terminal. */
export interface TerminalRun extends Run {
  /** Whether the terminal has the same settings as before the run. */
  restored: boolean;
}

/** Runs the tool in a terminal. Both of its outputs are `stdout`. */
export async function runInTerminal(
  program: string,
  tool: Tool,
  words: readonly string[],
  { columns = 80, env = {}, onOutput }: TerminalOptions = {},
): Promise<TerminalRun> {
  const quoted = [process.execPath, tool.file, ...words].map((word) => `'${word}'`).join(" ");
  // The shell outlives a Ctrl-C, which the terminal sends to it, too.
  const command = `trap : INT; stty cols ${columns} rows 24; echo "<$(stty -g)>"; ${quoted}; code=$?; echo "<$(stty -g)>"; exit $code`;
  const child = spawn(program, ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd: tool.folder,
    env: {
      PATH: process.env.PATH ?? "",
      NODE_ENV: "production",
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      SLIPWAY_CONFIG_DIR: tool.configuration,
      ...env,
    },
  });
  const run = collect(child, {
    keepStdin: onOutput !== undefined,
    onStdout: (_child, shown) => {
      if (child.stdin) onOutput?.(child.stdin, shown);
    },
  });
  const { stdout, ...ended } = await run;
  const settings = [...stdout.matchAll(/<([\da-f:]+)>/g)].map(([, one]) => one);
  return {
    ...ended,
    stdout: stdout.replace(/<[\da-f:]+>\r?\n/g, ""),
    restored: settings.length === 2 && settings[0] === settings[1],
  };
}
