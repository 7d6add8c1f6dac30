import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { projectDir } from "../scripts/lib/files.mjs";
import { expect, test } from "./fixtures/test";

test.use({ signedIn: false });
test.setTimeout(240_000);

const KILLS = 3;

test("after kills of random instances at random moments, versions, secrets and the audit log have all that was answered", async ({
  browserName: _,
}, info) => {
  const program = ["--import", "tsx", "--conditions=react-server", "torture/run.ts", "configuration"];
  const ended = promisify(execFile)(process.execPath, [...program, "--kills", String(KILLS)], { cwd: projectDir });
  const { stdout, stderr } = await ended.catch((error) => error);
  // Its first line repeats the run.
  info.annotations.push({ type: "torture", description: stdout.split("\n")[0] });
  expect(stdout, stderr).toMatch(/Every invariant held\.\n$/);
});
