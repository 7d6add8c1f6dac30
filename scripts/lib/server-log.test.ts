import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { sortLine, sortOutput } from "./server-log.mjs";

const event = (level: number, rest: object) => JSON.stringify({ level, time: "2026-11-22T08:00:00.000Z", ...rest });

it.each([
  "▲ Next.js 16.4.6",
  "- Local:         http://localhost:3000",
  "- Network:       http://0.0.0.0:3000",
  "✓ Starting...",
  "✓ Ready in 120ms",
  " ✓ Running next.config took 4ms",
  "Running next.config took 4ms",
])("drops what Next prints when it starts: %s", (line) => {
  expect(sortLine(line)).toEqual({});
});

it("writes events to the file only", () => {
  const line = event(30, { msg: "the store is ready" });
  expect(sortLine(line)).toEqual({ file: line });
});

it("shows warnings and errors in plain words too", () => {
  const warning = event(40, { msg: "no mail server" });
  expect(sortLine(warning)).toEqual({ file: warning, terminal: "  Warning: no mail server" });
  const error = event(50, { msg: "the mail was not sent", err: { message: "connect ECONNREFUSED" } });
  expect(sortLine(error)).toEqual({ file: error, terminal: "  Error: the mail was not sent: connect ECONNREFUSED" });
});

it("shows the reason for which a start waits", () => {
  const warning = event(40, { msg: "waiting for the store", reason: "connect ECONNREFUSED" });
  expect(sortLine(warning).terminal).toBe("  Warning: waiting for the store: connect ECONNREFUSED");
});

/** The output of a server that starts. @returns also what was shown and the file */
function anOutput() {
  const folder = mkdtempSync(join(tmpdir(), "slipway-server-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [stream, shown, file] = [new PassThrough(), [] as string[], join(folder, "server.log")];
  const release = sortOutput([stream], file, (line) => shown.push(line));
  return { stream, shown, file, release };
}

it("holds what is for people while the server starts, and writes events to the file at once", async () => {
  const { stream, shown, file, release } = anOutput();
  const started = event(30, { msg: "started" });
  stream.write(`http://localhost:3000/setup\n${started}\n`);
  await expect.poll(() => readFileSync(file, { encoding: "utf8", flag: "a+" })).toBe(`${started}\n`);
  expect(shown).toEqual([]);
  release();
  expect(shown).toEqual(["http://localhost:3000/setup"]);
});

it("shows a warning while the server starts, with what was held", async () => {
  const { stream, shown } = anOutput();
  stream.write(`first\n${event(40, { msg: "waiting for the database" })}\nlast\n`);
  await expect.poll(() => shown).toEqual(["first", "  Warning: waiting for the database", "last"]);
});

it("shows what the server prints for people, and keeps the setup link out of the file", () => {
  const link = "  http://localhost:3000/setup?token=abc";
  expect(sortLine(link)).toEqual({ terminal: link });
  expect(sortLine("{ not JSON")).toEqual({ terminal: "{ not JSON" });
});
