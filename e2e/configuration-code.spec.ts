import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Locator, Page } from "@playwright/test";
import { t } from "./fixtures/messages";
import { SLOW } from "./fixtures/slow";
import { expect, type Place, test } from "./fixtures/test";
import { AppPage } from "./pages/app-page";
import { copyButton } from "./pages/copy-button";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

/** Opens a part of the connection of an environment from the menu of its row. @returns the part of the page */
async function openPart(page: Page, place: Place, kind: "server" | "mobile"): Promise<Locator> {
  await page.goto(`/registered-app?app=${place.appId}`);
  await new AppPage(page).choose(place.environmentName, t(`environments.configuration.${kind}`));
  await expect(page).toHaveURL(new RegExp(`tab=connect#${kind}$`));
  return page.locator(`#${kind}`);
}

const tab = (part: Locator, name: string) => part.getByRole("tab", { name, exact: true });

test("the code for a server reads the environment when it is copied and run", async ({ page, place, admin }, info) => {
  const { token } = await admin.command("config/create-api-token", {
    name: `Server ${place.identifier}`,
    appId: place.appId,
    environmentId: place.environmentId,
    identifiers: ["server"],
    validUntil: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await admin.command("apps/create-development-variable", {
    environmentId: place.environmentId,
    name: "Greeting",
    key: "GREETING",
    value: "¡Hola!",
  });
  const server = await openPart(page, place, "server");
  await tab(server, "TypeScript").click();
  await copyButton(server, t("environments.connect.readConfiguration")).click();
  await expect(server.getByRole("button", { name: t("common.copy.done") })).toBeVisible();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).not.toContain(token);

  const folder = info.outputPath("program");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "configuration.mts"), code);
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", "configuration.mts"], {
    cwd: folder,
    env: { ...process.env, SLIPWAY_TOKEN: token },
  });
  expect(JSON.parse(stdout)).toMatchObject({
    environment: { name: place.environmentName },
    variables: { GREETING: "¡Hola!" },
  });
});

test("the language of the code is chosen by keyboard and remembered", SLOW, async ({ page, place }) => {
  const mobile = await openPart(page, place, "mobile");
  await tab(mobile, "Kotlin").focus();
  await page.keyboard.press("ArrowRight");
  await expect(tab(mobile, "Swift")).toHaveAttribute("aria-selected", "true");
  await expect(mobile.getByRole("tabpanel")).toContainText("import CryptoKit");

  await page.reload();
  await expect(tab(mobile, "Swift")).toHaveAttribute("aria-selected", "true");
});

test("a token is created for the environment whose connection is shown", SLOW, async ({ page, place }) => {
  await openPart(page, place, "server");
  await page
    .getByRole("main")
    .getByRole("button", { name: t("apiTokens.create"), exact: true })
    .click();
  const form = page.getByRole("dialog", { name: t("apiTokens.createTitle"), exact: true });
  await expect(form).toContainText(place.appName);
  await expect(form).toContainText(place.environmentName);
});
