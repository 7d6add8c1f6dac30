/** The reason why a command cannot run, as shown to the administrator. */
export class Refusal extends Error {}

/** Defined when the commands of the container image are bundled (scripts/lib/commands.mjs). */
declare const IS_BUNDLED: boolean | undefined;

/** Returns how a maintenance command is started: in the container image, or in a copy of the repository. */
export function commandLine(name: string): string {
  return typeof IS_BUNDLED === "undefined" ? `npm run ${name} --` : `node commands/${name}.mjs`;
}

/** Writes the usage to standard error and sets the exit code to 2. */
export function showUsage(usage: string): void {
  process.stderr.write(usage);
  process.exitCode = 2;
}
