import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { answerBisect } from "@/lib/features/bisects/operations/answer-bisect";
import { newId } from "@/lib/kernel/ids";
import { operations } from "@/lib/operations";
import { anApp, aSession, aUser, send, type TestUser } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { aRelease } from "@/lib/testing/releases";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { setUpTestDatabase } from "@/scripts/test-database";
import { runInTerminal, terminal } from "./testing/terminal";
import { type RunOptions, setUpTool } from "./testing/tool";

setUpTestDatabase();
const tool = setUpTool();

let server: TestServer;
let person: TestUser;
let env: Record<string, string>;

beforeAll(async () => {
  server = await serveOperations(Object.values(operations));
  person = await aUser({ admin: true });
  env = { SLIPWAY_CONSOLE: server.url, SLIPWAY_TOKEN: (await aSession(person.userId)).token };
});
afterAll(() => server.close());

const run = (words: readonly string[], options: RunOptions = {}) =>
  tool.run(["bisect", ...words], { ...options, env: { ...env, ...options.env } });

/** Publishes builds 1 to `count` of a new app, all with the same file. @returns their IDs */
async function builds(count: number): Promise<string[]> {
  const app = await anApp();
  const place = { identifier: app.identifier, environmentId: app.environmentIds[0] as string };
  const first = await aRelease(person, place, { version: "1.0", build: "1" });
  const { buildId: _, ...row } = await db.release.findUniqueOrThrow({ where: { id: first.id } });
  const rows = Array.from({ length: count - 1 }, (__, index) => ({
    ...row,
    id: newId(),
    buildNumber: String(index + 2),
    deployDate: new Date(row.deployDate.getTime() + (index + 1) * 1_000),
    installer: row.installer as object,
    metadata: { gitCommit: `c0ffee${index + 2}` },
    warnings: [],
  }));
  await db.release.createMany({ data: rows });
  return [first.id, ...rows.map(({ id }) => id)];
}

/** The options that name the first and the last of some builds. */
const ends = (ids: readonly string[]) => ["--good", ids[0] as string, "--bad", ids.at(-1) as string];

/** The builds for which a command that wrote to `name` was started. */
const triedIn = (name: string) => readFileSync(join(tool.folder, name), "utf8").trim().split("\n");

it("finds the planted one of 100 builds with at most 7 runs of a command, each with the file of the build", async () => {
  const ids = await builds(100);
  const command = `echo "$SLIPWAY_BUILD" >> hundred.txt; echo noise; test -s "$1" && test "$1" = "$SLIPWAY_FILE" && test -z "$SLIPWAY_TOKEN" && test "$SLIPWAY_BUILD" -lt 63`;
  const { code, stdout, stderr } = await run([...ends(ids), "--run", command]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("1.0 (63) is the first bad build.")]);
  expect(triedIn("hundred.txt").length).toBeLessThanOrEqual(7);
  expect(stdout).toMatch(/First bad +1\.0 \(63\)\n/);
  expect(stdout).toContain("c0ffee63");
  expect(stdout).toContain("Compared with 1.0 (62)");
  expect(stdout).not.toContain("noise");
});

it("adds the path to a command without variables, skips at 125, and says what remains", async () => {
  const ids = await builds(4);
  const result = await run([...ends(ids), "--json", "--run", "sh -c 'exit 125'"]);
  expect([result.code, JSON.parse(result.stdout)]).toMatchObject([1, { done: true, firstBad: null, remaining: 2 }]);
  const added = await run([...ends(ids), "--run", "grep -c example"]);
  expect(added.stderr).toMatch(/1\.0 \(3\): (good|bad)/);
});

it("stops at an exit code that is no answer, deletes the file, and goes on where it was", async () => {
  const ids = await builds(4);
  const stopped = await run([...ends(ids), "--run", `echo "$1" >> files.txt; exit 130`]);
  expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining("exit code 130")]);
  expect(triedIn("files.txt").map((path) => existsSync(path))).toEqual([false]);
  const id = /slipway bisect ([\w-]{36})/.exec(stopped.stderr)?.[1] as string;
  const missing = await run([id, "--run", "no-such-program"]);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("exit code 127")]);
  await send(answerBisect, person, { id, answer: "good" });
  const undone = await run([id, "--undo", "--run", "exit 130"]);
  expect(undone.stderr).toContain("2 builds in between");
  await send(answerBisect, person, { id, answer: "good" });
  expect((await run([...ends(ids), "--undo"])).code).toBe(2);
  const goneOn = await run([id, "--run", "false"]);
  expect(goneOn.stderr).toContain("1.0 (4) is the first bad build.");
});

it("refuses a command line that names no search, and lists those that are not over", async () => {
  const ids = await builds(3);
  const { stderr } = await run(ends(ids), { input: "" });
  expect(stderr).toContain("--run <command>");
  const alone = await run(["--good", ids[0] as string]);
  expect([alone.code, alone.stderr]).toEqual([
    2,
    expect.stringMatching(/These searches are not over:\n.*slipway bisect /),
  ]);
  const twice = await run([...ends(ids), ids[0] as string]);
  expect(twice.code).toBe(2);
});

describeWith(terminal, "in a terminal", (program) => {
  it("asks a person about each build", async () => {
    const ids = await builds(3);
    let asked = 0;
    const { stdout, code } = await runInTerminal(program, tool, ["bisect", ...ends(ids)], {
      env,
      onOutput: (keyboard, shown) => {
        if (asked > 0 || !shown.includes("Later")) return;
        asked += 1;
        keyboard.write("\r");
      },
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining("1.0 (3) is the first bad build.")]);
  });
});
