import type { Application, CommandContext, StricliProcess } from "@stricli/core";
import { EXIT } from "./failure";
import { type Environment, hasUnicode, type Output, outputOf, type Symbols, symbolsFor } from "./terminal";

/** Everything that commands use of the process. */
export interface Context extends CommandContext {
  readonly process: StricliProcess;
  /** The tool itself, for commands about commands. */
  readonly application: Application<Context>;
  readonly environment: Environment;
  /** The working directory. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly out: Output;
  readonly err: Output;
  readonly stdin: NodeJS.ReadStream;
  readonly symbols: Symbols;
  /**
   * Ctrl-C (and the signal TERM) ends the tool with exit code 130. A command that has to tidy up calls this: the first Ctrl-C
   * then only aborts the returned signal.
   */
  holdInterrupts(): AbortSignal;
  /** Leaves signals to the caller, such as a command that passes them on to another program. */
  releaseSignals(): void;
}

/** Whether a person can be asked. */
export function isInteractive({ stdin, err, environment }: Context): boolean {
  return stdin.isTTY === true && err.isTTY && !environment.CI;
}

/** Writes what the library says of an error: its first line in red. */
function sayError(err: Output, text: string): void {
  const [title = "", ...rest] = text.trimEnd().split("\n");
  err.say([err.paint("red", title), ...rest].join("\n"));
}

/** The context of this process. */
export function processContext(application: Application<Context>): Context {
  const environment: Environment = process.env;
  let held: AbortController | null = null;
  const interrupt = () => {
    if (held && !held.signal.aborted) held.abort();
    else process.exit(EXIT.interrupted);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
  const unicode = hasUnicode(environment, process.platform);
  const out = outputOf(process.stdout, environment, { unicode, carriesData: true });
  const err = outputOf(process.stderr, environment, { unicode, carriesData: false });
  return {
    application,
    process: {
      stdout: outputOf(process.stdout, environment, { unicode, carriesData: false }),
      stderr: { write: (text) => sayError(err, text) },
      get exitCode() {
        return process.exitCode;
      },
      set exitCode(code) {
        process.exitCode = code;
      },
    },
    environment,
    folder: process.cwd(),
    platform: process.platform,
    out,
    err,
    stdin: process.stdin,
    symbols: symbolsFor(unicode),
    holdInterrupts() {
      held ??= new AbortController();
      return held.signal;
    },
    releaseSignals() {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupt);
    },
  };
}
