import { appendFileSync, renameSync, statSync } from "node:fs";
import { createInterface } from "node:readline";

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
    const { level, msg, err } = JSON.parse(line);
    if (typeof level !== "number") return { terminal: line };
    if (level < WARNING) return { file: line };
    const reason = err?.message && err.message !== msg ? `: ${err.message}` : "";
    return { file: line, terminal: `  ${level < ERROR ? "Warning" : "Error"}: ${msg ?? "failed"}${reason}` };
  } catch {
    return { terminal: line };
  }
}

/**
 * Sorts the output of the server into the terminal and the log file.
 *
 * @param {readonly import("node:stream").Readable[]} outputs
 * @param {string} file
 */
export function sortOutput(outputs, file) {
  let isAfterEmptyLine = true;
  for (const output of outputs) {
    createInterface({ input: output }).on("line", (line) => {
      const { terminal, file: entry } = sortLine(line);
      if (entry !== undefined) append(file, entry);
      if (terminal === undefined) return;
      const isEmpty = terminal.trim() === "";
      if (!(isEmpty && isAfterEmptyLine)) console.log(terminal);
      isAfterEmptyLine = isEmpty;
    });
  }
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
