import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { t } from "./fixtures/messages";
import { expect, type Place, test } from "./fixtures/test";
import { copyButton } from "./pages/copy-button";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const dialogOf = (page: Page) => page.getByRole("dialog");
const tab = (page: Page, name: string) => dialogOf(page).getByRole("tab", { name, exact: true });

async function openConfiguration(page: Page, place: Place, kind: "server" | "mobile" | "cli"): Promise<void> {
  await page
    .getByRole("button", { name: t("common.moreActionsFor", { name: place.environmentName }), exact: true })
    .click();
  await page.getByRole("menuitem", { name: t(`environments.configuration.${kind}`), exact: true }).click();
}

test("the code of the server configuration reads the environment when it is copied and run", async ({
  page,
  place,
  admin,
}, info) => {
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
  await page.goto(`/registered-app?app=${place.appId}`);
  await openConfiguration(page, place, "server");
  await tab(page, "TypeScript").click();
  await copyButton(dialogOf(page), t("environments.configuration.readConfiguration")).click();
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

test("the language of the code is chosen by keyboard and remembered", async ({ page, place }) => {
  await page.goto(`/registered-app?app=${place.appId}`);
  await openConfiguration(page, place, "mobile");
  await tab(page, "Kotlin").focus();
  await page.keyboard.press("ArrowRight");
  await expect(tab(page, "Swift")).toHaveAttribute("aria-selected", "true");
  await expect(dialogOf(page).getByRole("tabpanel")).toContainText("import CryptoKit");

  await page.reload();
  await openConfiguration(page, place, "mobile");
  await expect(tab(page, "Swift")).toHaveAttribute("aria-selected", "true");
});
