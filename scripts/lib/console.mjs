/** A failure that the user can correct. Its message is shown without a stack trace. */
export class StepError extends Error {
  /** @override */
  name = "StepError";
}

/**
 * @param {number} ms
 * @returns {string} such as "0.4 s", "12 s" or "3 min 5 s"
 */
export function formatDuration(ms) {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Set for the process that takes over under the project's own Node, to the time of the first process's start. */
const STARTED_AT = "SLIPWAY_STARTED_AT";

/** Makes programs that this process starts count their time from the start of this one. */
export function keepStartTime() {
  process.env[STARTED_AT] ??= String(performance.timeOrigin);
}

/** @returns {string} the time since the command was started, with the installation of the packages */
export function sinceStart() {
  return formatDuration(Date.now() - Number(process.env[STARTED_AT] ?? performance.timeOrigin));
}

/** @type {{ write(text: string): boolean }} */
let output = process.stdout;

/** Prints the steps of this process to standard error from here on. */
export function printStepsToStderr() {
  output = process.stderr;
}

/**
 * Runs a step and prints one line: its title, its result and its duration.
 *
 * @template T
 * @param {string} title
 * @param {(report: (detail: string) => void) => T | Promise<T>} work calls `report` with the result to print
 * @param {number} [start] when the work began, if before this call, by `performance.now()`
 * @returns {Promise<Awaited<T>>}
 */
export async function step(title, work, start = performance.now()) {
  let detail = "done";
  output.write(`  ${title.padEnd(14)}`);
  try {
    const result = await work((text) => {
      detail = text;
    });
    output.write(`${detail}  (${formatDuration(performance.now() - start)})\n`);
    return result;
  } catch (error) {
    output.write(`failed  (${formatDuration(performance.now() - start)})\n`);
    throw error;
  }
}

/**
 * @param {string} output
 * @param {number} [count]
 * @returns {string} the last lines, indented
 */
export function lastLines(output, count = 40) {
  return output
    .trimEnd()
    .split("\n")
    .slice(-count)
    .map((line) => `    ${line}`)
    .join("\n");
}
