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
 * Lets this process go on when nobody reads its output any more, as after `npm start | grep -m1 ready`: it would end by the error, and leave
 * the server that it started behind.
 */
export function outliveReaders() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EPIPE") throw error;
    });
  }
}

/** @type {string | undefined} the title of the step whose line is not complete */
let openTitle;

/**
 * @param {string} title
 */
function openLine(title) {
  output.write(`  ${title.padEnd(14)}`);
  openTitle = title;
}

/** Ends the line of the step that runs, if one does, so that other lines can follow. The step ends with a line of its own. */
export function interruptLine() {
  if (openTitle !== undefined) output.write("…\n");
  openTitle = undefined;
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
  openLine(title);
  const close = (/** @type {string} */ result) => {
    if (openTitle !== title) openLine(title);
    output.write(`${result}  (${formatDuration(performance.now() - start)})\n`);
    openTitle = undefined;
  };
  try {
    const result = await work((text) => {
      detail = text;
    });
    close(detail);
    return result;
  } catch (error) {
    close("failed");
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
