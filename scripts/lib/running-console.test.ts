import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { recordPlace, takeAddress } from "./running-console.mjs";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "slipway-place-"));
  mkdirSync(join(dataDir, "run"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
});

const PLACE = { port: 3000, appUrl: "https://mac.local:3000", lanHosts: "mac.local,192.168.1.20" };

/** The settings of a command that begins with some. */
function settingsAfter(env: Record<string, string>) {
  takeAddress(dataDir, env as NodeJS.ProcessEnv);
  return env;
}

it("a command has the address of the console that runs, such as that of --lan", () => {
  recordPlace(dataDir, PLACE);
  expect(settingsAfter({})).toEqual({ APP_URL: PLACE.appUrl, LAN_HOSTS: PLACE.lanHosts });
});

it("a command keeps its own address, and has none of a console that does not run", () => {
  expect(settingsAfter({})).toEqual({});
  recordPlace(dataDir, PLACE);
  expect(settingsAfter({ APP_URL: "https://slipway.example.com" })).toEqual({ APP_URL: "https://slipway.example.com" });
});
