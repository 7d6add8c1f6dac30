import type { Application, CommandContext } from "@stricli/core";
import { EXIT } from "./failure";
import { type Environment, hasUnicode, type Output, outputOf, type Symbols, symbolsFor } from "./terminal";

/** Everything that commands use of the process. */
export interface Context extends CommandContext {
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

/** The context of this process. */
export function processContext(application: Application<Context>): Context {
  const environment: Environment = process.env;
  let held: AbortController | null = null;
  const interrupt = () => {
    if (held && !held.signal.aborted) held.abort();
    else process.exit(EXIT.interrupted);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
  return {
    application,
    process,
    environment,
    folder: process.cwd(),
    platform: process.platform,
    out: outputOf(process.stdout, environment),
    err: outputOf(process.stderr, environment),
    stdin: process.stdin,
    symbols: symbolsFor(hasUnicode(environment, process.platform)),
    holdInterrupts() {
      held ??= new AbortController();
      return held.signal;
    },
    releaseSignals() {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupt);
    },
  };
}
