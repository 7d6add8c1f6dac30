import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { projectDir } from "./lib/files.mjs";

/**
 * Docker with containers that are lines of a file. Those of `docker compose run` are lines of another one. Writes down how many
 * instances there are when one is stopped.
 */
const DOCKER = `#!/bin/sh
cd "$STATE"
echo "$*" >> calls
for last; do :; done
case "$*" in
"compose --profile backup ps"*) cat backup ;;
"compose ps"*) cat oneoffs instances ;;
"compose up"*--scale*) echo "new-$(($(wc -l < calls)))" >> instances ;;
inspect*oneoff*) grep -qx "$last" oneoffs && echo True || echo False ;;
inspect*) cat health ;;
logs*) echo "the reason" ;;
stop*) wc -l < instances >> at-stop ;;
rm*) for list in instances oneoffs; do grep -vx "$last" $list > rest; mv rest $list; done ;;
esac
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-rolling-update-"));
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin", "docker"), DOCKER, { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the update of three instances. */
function update({ health = "healthy 0", backup = "", oneoffs = "" }) {
  const files = { instances: "old-1\nold-2\nold-3\n", oneoffs, "at-stop": "", health, backup };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}`, STATE: folder };
  const { status, stderr } = spawnSync("sh", ["deploy/rolling-update.sh"], { cwd: projectDir, env, encoding: "utf8" });
  const lines = (name: string) => readFileSync(join(folder, name), "utf8").trim().split(/\s+/);
  return {
    status,
    stderr,
    instances: lines("instances"),
    oneoffs: lines("oneoffs"),
    atStop: lines("at-stop"),
    calls: join(folder, "calls"),
  };
}

it("replaces each instance, of which one more runs when another is stopped", () => {
  const { status, instances, atStop } = update({});
  expect(status).toBe(0);
  expect(instances.map((name) => name.split("-")[0])).toEqual(["new", "new", "new"]);
  expect(atStop).toEqual(["4", "4", "4"]);
});

it("does not stop a maintenance command that runs during the update", () => {
  const { status, instances, oneoffs, atStop, calls } = update({ oneoffs: "run-1\n" });
  expect([status, instances.length, oneoffs, atStop]).toEqual([0, 3, ["run-1"], ["4", "4", "4"]]);
  expect(readFileSync(calls, "utf8")).toMatch(/--scale app=4 app/);
});

it.each(["unhealthy 0", "starting 3"])(
  "removes a new instance that does not start (%s), says why, and keeps the others",
  (health) => {
    const { status, stderr, instances, atStop } = update({ health });
    expect([status, instances, atStop]).toEqual([1, ["old-1", "old-2", "old-3"], [""]]);
    expect(stderr).toMatch(/^the reason\nThe new instance did not become ready/m);
  },
);

it.each([
  ["too, if it runs", "backup-1", true],
  ["not, if it does not run", "", false],
])("replaces the schedule of backups %s", (_when, backup, isReplaced) => {
  const { calls } = update({ backup });
  expect(readFileSync(calls, "utf8").includes("--profile backup up --detach")).toBe(isReplaced);
});
