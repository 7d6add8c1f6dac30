import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ADMIN, baseUrl } from "../testing/environment.ts";
import { anIpa, inFolder } from "../testing/installers";
import { t } from "./fixtures/messages";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { SignInPage } from "./pages/sign-in-page";

const run = promisify(execFile);

/** Downloads the tool as docs/cli.md says, and checks its hash. @returns how it is started */
async function download(folder: string): Promise<{ file: string; env: Record<string, string> }> {
  await mkdir(folder, { recursive: true });
  const [tool, sum] = await Promise.all(
    ["slipway.mjs", "slipway.mjs.sha256"].map(async (name) => {
      const response = await fetch(`${baseUrl()}/cli/${name}`);
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    }),
  );
  const sha256 = createHash("sha256")
    .update(tool as Buffer)
    .digest("hex");
  expect(String(sum)).toBe(`${sha256}  slipway.mjs\n`);
  const file = join(folder, "slipway.mjs");
  await writeFile(file, tool as Buffer);
  const env = {
    PATH: process.env.PATH ?? "",
    LANG: "C.UTF-8",
    BROWSER: "none",
    SLIPWAY_CONFIG_DIR: join(folder, "own"),
  };
  return { file, env };
}

/** Begins `slipway login`. @returns the address that it asks to open, and its exit code when it has ended */
async function beginLogin({
  file,
  env,
}: {
  file: string;
  env: Record<string, string>;
}): Promise<{ address: string; ended: Promise<number | null> }> {
  const child: ChildProcess = spawn(process.execPath, [file, "login", baseUrl()], {
    env: { NODE_ENV: "production", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const address = await new Promise<string>((resolve) => {
    let text = "";
    child.stderr?.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const found = /^http\S+authorize-tool\?\S+$/m.exec(text)?.[0];
      if (found) resolve(found);
    });
  });
  return { address, ended };
}

test("the tool that the console serves signs in by the browser and publishes", async ({ page, place }, info) => {
  const tool = await download(info.outputPath("tool"));
  const { address, ended } = await beginLogin(tool);
  await page.goto(address);
  await expect(page.getByRole("heading", { name: t("toolSignIn.title") })).toBeVisible();
  await expect(page.getByText(new URL(new URL(address).searchParams.get("redirectUri") as string).host)).toBeVisible();
  await page.getByRole("button", { name: t("toolSignIn.allow"), exact: true }).click();
  await expect(page.getByRole("heading", { name: t("toolSignIn.doneTitle") })).toBeVisible();
  expect(await ended).toBe(0);

  const { path } = await inFolder(info.outputPath(), anIpa(place.identifier));
  const words = ["upload", path, "--environment", place.environmentName, "--notes", "From the tool"];
  const { stdout } = await run(process.execPath, [tool.file, ...words], {
    env: { NODE_ENV: "production", ...tool.env },
  });
  await page.goto(stdout.trim());
  await expect(page.getByText("From the tool").first()).toBeVisible();

  await page.goto("/profile");
  await expect(page.getByText("slipway-cli").first()).toBeVisible();
});

test("a tool on another machine gets its code by the person, who sees it once they have allowed it", async ({
  page,
}) => {
  const request = { codeChallenge: "c".repeat(43), state: "s".repeat(22), machine: "build-7.local" };
  await page.goto(`/authorize-tool?${new URLSearchParams(request)}`);
  await expect(page.getByText(t("toolSignIn.receiver"))).toHaveCount(0);
  await expect(page.getByText(t("toolSignIn.address"))).toHaveCount(0);
  await page.getByRole("button", { name: t("toolSignIn.allow"), exact: true }).click();
  await expect(page.getByText(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/)).toBeVisible();
});

test("a refusal ends the tool, and it is not signed in", async ({ page }, info) => {
  const tool = await download(info.outputPath("tool"));
  const { address, ended } = await beginLogin(tool);
  await page.goto(address);
  await page.getByRole("button", { name: t("toolSignIn.deny"), exact: true }).click();
  await expect(page.getByRole("heading", { name: t("toolSignIn.deniedTitle") })).toBeVisible();
  expect(await ended).toBe(1);
});

test("an address that no tool made is not a request", async ({ page }) => {
  await page.goto("/authorize-tool?redirectUri=https%3A%2F%2Fevil.example%2F&state=x");
  await expect(page.getByRole("heading", { name: t("toolSignIn.invalidTitle") })).toBeVisible();
});

test.describe("without a session", () => {
  test.use({ signedIn: false });

  test("a person signs in first, and is then asked", SLOW, async ({ page }, info) => {
    const tool = await download(info.outputPath("tool"));
    const { address, ended } = await beginLogin(tool);
    await page.goto(address);
    await new SignInPage(page).signIn(ADMIN);
    await expect(page.getByRole("heading", { name: t("toolSignIn.title") })).toBeVisible();
    await page.getByRole("button", { name: t("toolSignIn.deny"), exact: true }).click();
    expect(await ended).toBe(1);
  });
});
