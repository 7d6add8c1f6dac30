import { appendFileSync, renameSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { interruptLine } from "./console.mjs";

/** The size at which the file begins again, in bytes. The one before it is kept as `<file>.1`. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The levels of pino from which a line is also shown in the terminal. */
const [WARNING, ERROR] = [40, 50];
/** What Next prints when it starts. */
const NEXT_BANNER = /^\s*(▲ Next\.js|- (Local|Network|Environments|Experiments)\b|[✓○] |Running next\.config)/;

/**
 * @param {string} line a line of the server's output
 * @returns {{ terminal?: string, file?: string }} what is shown in the terminal, and what is written to the file. Events go to
 * the file, warnings and errors in plain words to the terminal too. What the server prints for people, such as the setup link,
 * goes to the terminal only.
 */
export function sortLine(line) {
  if (NEXT_BANNER.test(line)) return {};
  if (!line.startsWith("{")) return { terminal: line };
  try {
    const { level, msg, err, reason } = JSON.parse(line);
    if (typeof level !== "number") return { terminal: line };
    if (level < WARNING) return { file: line };
    const why = err?.message ?? (typeof reason === "string" ? reason : undefined);
    const suffix = why && why !== msg ? `: ${why}` : "";
    return { file: line, terminal: `  ${level < ERROR ? "Warning" : "Error"}: ${msg ?? "failed"}${suffix}` };
  } catch {
    return { terminal: line };
  }
}

/**
 * Sorts the output of the server into the terminal and the log file. Lines for the terminal are held until the returned function is
 * called or the first warning comes, which says what a start waits for.
 *
 * @param {readonly import("node:stream").Readable[]} outputs
 * @param {string} file
 * @param {(line: string) => void} [print]
 * @returns {() => void} shows the lines that were held, and the later ones at once
 */
export function sortOutput(outputs, file, print = console.log) {
  let isAfterEmptyLine = true;
  /** @type {string[] | undefined} */
  let held = [];
  const show = (/** @type {string} */ line) => {
    const isEmpty = line.trim() === "";
    if (!(isEmpty && isAfterEmptyLine)) print(line);
    isAfterEmptyLine = isEmpty;
  };
  const release = () => {
    const lines = held ?? [];
    held = undefined;
    for (const line of lines) show(line);
  };
  for (const output of outputs) {
    createInterface({ input: output }).on("line", (line) => {
      const { terminal, file: entry } = sortLine(line);
      if (entry !== undefined) append(file, entry);
      if (terminal === undefined) return;
      if (!held) return show(terminal);
      held.push(terminal);
      if (entry === undefined) return;
      interruptLine();
      release();
    });
  }
  return release;
}

/**
 * @param {string} file
 * @param {string} line
 */
function append(file, line) {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(file, `${file}.1`);
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  } catch {
    // The disk is full. The server must go on.
  }
}
