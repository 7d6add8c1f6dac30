import { readdirSync } from "node:fs";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectDir } from "../scripts/lib/files.mjs";
import { canary, notedConsoles, plant, plantedCanaries } from "../testing/canaries";
import { baseUrl, databaseUrl, masterKey } from "../testing/environment.ts";
import { findInLogs, inspect } from "../testing/inspection";
import { signingKeys } from "./fixtures/signing-keys";
import { expect, test } from "./fixtures/test";

test.use({ signedIn: false });

const results = join(projectDir, "test-results");
const logFiles = () =>
  readdirSync(results)
    .filter((name) => name.endsWith(".log"))
    .map((name) => join(results, name));

test("databases, files, mails and logs of the run have none of the secrets that its tests used, and all reveals are recorded", async ({
  browserName: _,
}, info) => {
  plant("master-key", masterKey());
  plant("master-key", Buffer.from(masterKey(), "base64"));
  for (const key of await signingKeys()) plant("signing-key", key);
  const kinds = Map.groupBy(plantedCanaries(), ({ kind }) => kind);
  const counts = [...kinds].map(([kind, { length }]) => `${length} ${kind}`);
  info.annotations.push({ type: "secrets", description: counts.join(", ") });
  expect([...kinds.keys()]).toEqual(expect.arrayContaining(["master-key", "password", "session-token", "signing-key"]));

  const consoles = notedConsoles();
  expect(consoles.length).toBeGreaterThan(1);
  for (const one of consoles) expect(await inspect({ ...one, logFiles: [] }), one.databaseUrl).toEqual([]);
  expect(await findInLogs(logFiles())).toEqual([]);
});

test("the inspection finds a secret in a log, a file, a table, a page and the storage of a browser", async ({
  page,
  database,
  secrets,
}, info) => {
  const secret = canary("leak");
  const folder = info.outputPath("data");
  await mkdir(folder, { recursive: true });
  const logFile = join(folder, "server.log");
  await appendFile(logFile, `{"msg":"signed in with ${secret}"}\n`);
  await writeFile(join(folder, "mail.eml"), Buffer.from(`password: ${secret}`).toString("base64"));
  await database.query(`CREATE TABLE "Leak" AS SELECT $1::bytea AS "plain"`, [Buffer.from(secret)]);
  try {
    const remains = { origin: "", databaseUrl: databaseUrl(), dataDir: folder, logFiles: [logFile] };
    expect((await inspect(remains)).sort()).toEqual([
      "leak in file mail.eml",
      "leak in file server.log",
      `leak in log ${logFile}`,
      'leak in table public."Leak"',
    ]);
  } finally {
    await database.query(`DROP TABLE "Leak"`);
    await rm(folder, { recursive: true });
  }

  secrets.expected.push("leak in /leak", `leak in the storage of ${baseUrl()}/`);
  await page.route("**/leak", (route) => route.fulfill({ contentType: "text/x-component", body: `0:["${secret}"]` }));
  await page.goto("/");
  await page.evaluate(async (value) => {
    await (await fetch("/leak")).text();
    localStorage.setItem("draft", encodeURIComponent(value));
  }, secret);
});
