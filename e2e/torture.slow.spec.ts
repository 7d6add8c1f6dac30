import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { TestInfo } from "@playwright/test";
import { projectDir } from "../scripts/lib/files.mjs";
import { expect, test } from "./fixtures/test";

test.use({ signedIn: false });
test.setTimeout(240_000);

/** Runs `npm run torture`, and expects every invariant to hold. */
async function torture(info: TestInfo, ...args: string[]): Promise<void> {
  const program = ["--import", "tsx", "--conditions=react-server", "torture/run.ts", ...args];
  const ended = promisify(execFile)(process.execPath, program, { cwd: projectDir });
  const { stdout, stderr } = await ended.catch((error) => error);
  // Its first line repeats the run.
  info.annotations.push({ type: "torture", description: stdout.split("\n")[0] });
  test.skip(stderr.includes("NoS3Server"), "there is no S3 server");
  expect(stdout, stderr).toMatch(/Every invariant held\.\n$/);
}

for (const [title, args] of [
  [
    "after kills of random instances at random moments, versions, secrets, releases and the audit log have all that was answered",
    ["configuration", "releases", "--kills", "3"],
  ],
  [
    "after a kill of PostgreSQL, everything that was answered is there",
    ["releases", "--kill", "postgres", "--kills", "1"],
  ],
  [
    "after a kill of the S3 store, everything that was answered is there",
    ["releases", "--kill", "store", "--kills", "1"],
  ],
] as const) {
  test(title, async ({ browserName: _ }, info) => torture(info, ...args));
}
