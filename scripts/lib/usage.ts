/** The reason why a command cannot run, as shown to the administrator. */
export class Refusal extends Error {}

/** Writes the usage to standard error and sets the exit code to 2. */
export function showUsage(usage: string): void {
  process.stderr.write(usage);
  process.exitCode = 2;
}
