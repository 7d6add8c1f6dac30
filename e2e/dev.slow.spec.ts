import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../scripts/lib/files.mjs";
import { findFreePort } from "../scripts/lib/ports.mjs";
import { noteConsole } from "../testing/canaries";
import { ConsoleClient } from "../testing/console-client";
import { ADMIN, masterKey } from "../testing/environment.ts";
import { makePlace } from "../testing/place";
import { makeStore } from "./console.ts";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { SignInPage } from "./pages/sign-in-page";

test.use({ signedIn: false });

/** The development server compiles a page when it is first requested. */
const COMPILED = { timeout: 300_000 };
test.setTimeout(15 * 60_000);

let child: ChildProcess;
let url: string;

test.beforeAll(async () => {
  const { databaseUrl, dataDir } = await makeStore("empty");
  const port = await findFreePort("0.0.0.0");
  url = `http://localhost:${port}`;
  noteConsole({ origin: url, databaseUrl, dataDir });
  // As `npm run dev` starts it, and in a group of its own, which is stopped as a whole.
  child = spawn(process.execPath, ["scripts/start.mjs", "--dev"], {
    cwd: projectDir,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      NODE_ENV: "development",
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      MASTER_KEY: masterKey(),
      SETUP_ADMIN_EMAIL: ADMIN.email,
      SETUP_ADMIN_PASSWORD: ADMIN.password,
    },
  });
  const results = join(projectDir, "test-results");
  mkdirSync(results, { recursive: true });
  const log = createWriteStream(join(results, "server-dev.log"));
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
});

test.afterAll(async () => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGINT");
  await ended;
});

test("the development server answers calls of the API and shows pages", async ({ page, problems }) => {
  // It connects to the browser again after each page.
  problems.expectLostConnections();
  // The list of the parts that a page preloads may name one that Next has renamed since, when it compiled another page.
  problems.expect(/404 .*\/_next\/static\/chunks\//);
  await expect
    .poll(
      () =>
        fetch(`${url}/api/health/ready`).then(
          ({ status }) => status,
          () => null,
        ),
      COMPILED,
    )
    .toBe(200);
  // Five calls: the key that seals the password, the sign-in, two that change something and one that reads it.
  const admin = await ConsoleClient.signIn(url, ADMIN);
  const place = await makePlace(admin);
  const { items } = await admin.query("apps/get-apps", { search: place.appName });
  expect(items.map(({ id }) => id)).toEqual([place.appId]);
  await admin.dispose();

  await page.goto(url, COMPILED);
  await new SignInPage(page).signIn(ADMIN);
  await expect(new AppShell(page).main.getByRole("heading", { level: 1 })).toBeVisible(COMPILED);
  await expect(page).toHaveURL(`${url}/admin-dashboard`, COMPILED);
});
