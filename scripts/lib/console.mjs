/** A failure that the person at the console can understand and mend: its message is shown without a stack. */
export class StepError extends Error {
  /** @override */
  name = "StepError";
}

/**
 * @param {number} ms
 * @returns {string} like "0.4 s", "12 s" or "3 min 5 s"
 */
export function formatDuration(ms) {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Does one step and says so on one line: what, how it ended, how long it took.
 *
 * @template T
 * @param {string} title
 * @param {(tell: (detail: string) => void) => T | Promise<T>} work calls `tell` with what is worth saying at the end
 * @returns {Promise<Awaited<T>>}
 */
export async function step(title, work) {
  const start = performance.now();
  let detail = "done";
  process.stdout.write(`  ${title.padEnd(14)}`);
  try {
    const result = await work((text) => {
      detail = text;
    });
    process.stdout.write(`${detail}  (${formatDuration(performance.now() - start)})\n`);
    return result;
  } catch (error) {
    process.stdout.write(`failed  (${formatDuration(performance.now() - start)})\n`);
    throw error;
  }
}

/**
 * @param {string} output
 * @param {number} [count]
 * @returns {string} its last lines, indented
 */
export function lastLines(output, count = 40) {
  return output
    .trimEnd()
    .split("\n")
    .slice(-count)
    .map((line) => `    ${line}`)
    .join("\n");
}
