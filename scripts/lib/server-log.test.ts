import { expect, it } from "vitest";
import { sortLine } from "./server-log.mjs";

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

it("shows what the server prints for people, and keeps the setup link out of the file", () => {
  const link = "  http://localhost:3000/setup?token=abc";
  expect(sortLine(link)).toEqual({ terminal: link });
  expect(sortLine("{ not JSON")).toEqual({ terminal: "{ not JSON" });
});
