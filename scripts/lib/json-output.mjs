// Loaded into the server before anything else (node --import), so that its log is one JSON object per line: Next prints its
// banner and its errors as text. Lines of the log itself do not pass here, since pino writes to the file descriptor.
import { stripVTControlCharacters } from "node:util";

const INFO = 30;
const WARN = 40;
const ERROR = 50;

/**
 * @param {number} level of pino
 * @param {string} msg
 * @returns {string} a line as the log writes them
 */
export function jsonLine(level, msg) {
  return `${JSON.stringify({ level, time: new Date().toISOString(), msg })}\n`;
}

/**
 * @param {string} text what was written at once, of one or more lines
 * @param {number} level if the text does not say
 * @returns {string} one line of JSON; the text itself if it is one, and nothing for blank text
 */
export function toJsonLine(text, level) {
  const message = stripVTControlCharacters(text).trim();
  if (message === "") return "";
  if (message.startsWith("{") && message.endsWith("}") && !message.includes("\n")) {
    try {
      JSON.parse(message);
      return `${message}\n`;
    } catch {
      // Text in braces.
    }
  }
  // An expected failure of a page, as `lib/api/call.ts` prints it
  if (message.startsWith("⚠") || /^⨯ ApiError: \w+$/.test(message)) return jsonLine(WARN, message);
  return jsonLine(message.startsWith("⨯") ? ERROR : level, message);
}

/**
 * @param {NodeJS.WriteStream} stream
 * @param {number} level
 */
function writeJson(stream, level) {
  const write = stream.write.bind(stream);
  /** @type {(chunk: string | Uint8Array, encoding?: BufferEncoding | (() => void), done?: () => void) => boolean} */
  const writeLine = (chunk, encoding, done) => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    return write(toJsonLine(text, level), typeof encoding === "function" ? encoding : done);
  };
  stream.write = /** @type {NodeJS.WriteStream["write"]} */ (writeLine);
}

// `npm start` shows the output to people.
if (!process.env.SLIPWAY_LOCAL) {
  writeJson(process.stdout, INFO);
  writeJson(process.stderr, ERROR);
  // Node writes warnings past the stream.
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => process.stderr.write(jsonLine(WARN, `${name}: ${message}`)));
}
