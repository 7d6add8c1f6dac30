import { describe, expect, it } from "vitest";
import { clock, progressLine, WaitingLog } from "./progress";
import { symbolsFor } from "./terminal";

const state = {
  phase: "uploading",
  sentBytes: 420e6,
  totalBytes: 1e9,
  bytesPerSecond: 12.3e6,
  secondsLeft: 47,
} as const;

describe("the progress of a transfer", () => {
  it("has share, amount, speed and time left", () => {
    expect(progressLine(state, 100, symbolsFor(true))).toBe(
      " 42 %  ██████████░░░░░░░░░░░░░░  420 MB of 1.0 GB  12.3 MB/s  0:47 left",
    );
  });

  it.each([80, 60, 40, 20, 8])("fits a terminal of %i columns", (columns) => {
    expect(progressLine(state, columns, symbolsFor(true)).length).toBeLessThan(columns);
  });

  it("shows speed and time left in 40 columns", () => {
    expect(progressLine(state, 40, symbolsFor(true))).toBe(" 42 %  12.3 MB/s  0:47 left");
  });

  it("has only ASCII characters where the terminal has no UTF-8", () => {
    expect(progressLine(state, 100, symbolsFor(false))).toMatch(/^[ -~]+$/);
  });

  it("says what it waits for", () => {
    const waiting = { ...state, phase: "waiting", bytesPerSecond: null, secondsLeft: null } as const;
    expect(progressLine(waiting, 60, symbolsFor(true))).toContain("Waiting for the server");
  });

  it("says once, and then once a minute, what a log waits for", () => {
    const said: string[] = [];
    let now = 0;
    const log = new WaitingLog(
      (text) => said.push(`${now} ${text}`),
      () => now,
    );
    for (; now <= 120_000; now += 1_000) {
      log.say("Waiting for the server");
      if (now === 5_000) log.say("Joining the parts");
    }
    expect(said).toEqual([
      "0 Waiting for the server",
      "5000 Joining the parts",
      "60000 Waiting for the server",
      "120000 Waiting for the server",
    ]);
  });

  it.each([
    [7, "0:07"],
    [750, "12:30"],
    [3723, "1:02:03"],
  ])("writes %i seconds as %s", (seconds, text) => expect(clock(seconds)).toBe(text));
});
