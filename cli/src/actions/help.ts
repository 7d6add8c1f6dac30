import { run } from "@stricli/core";
import type { Context } from "../lib/context";

/** Shows the help of the tool or of a command, as `--help` does. */
export async function help(this: Context, _flags: Record<never, never>, ...words: string[]): Promise<void> {
  await run(this.application, [...words, "--help"], this);
}
