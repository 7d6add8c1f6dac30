import { execFile } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { OperationOutput } from "@/lib/client/operation-types";
import { baseUrl } from "../testing/environment.ts";
import { anIpa, inFolder } from "../testing/installers";
import { t } from "./fixtures/messages";
import { SLOW } from "./fixtures/slow";
import { expect, type Place, test } from "./fixtures/test";
import { ApiTokensPage } from "./pages/api-tokens-page";
import { AppShell } from "./pages/app-shell";
import { ConfirmDialog } from "./pages/confirm-dialog";
import { ReleasesPage } from "./pages/releases-page";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const run = promisify(execFile);

type PublishedRelease = OperationOutput<"apps/create-testing-deploy">;

async function isInstalled(program: string): Promise<boolean> {
  try {
    await run(program, ["--version"]);
    return true;
  } catch {
    return false;
  }
}

/** Runs a command as a shell of CI does, and takes apart what curl prints: the body, and after it the status. */
async function publishByShell(
  command: string,
  options: { folder: string; token?: string },
): Promise<{ status: number; body: PublishedRelease & { code?: string } }> {
  const { folder, token = "" } = options;
  const { stdout } = await run("bash", ["-c", `${command} --silent --write-out '\n%{http_code}' || true`], {
    cwd: folder,
    env: { ...process.env, SLIPWAY_TOKEN: token },
  });
  const [body, status] = [stdout.slice(0, stdout.lastIndexOf("\n")), stdout.slice(stdout.lastIndexOf("\n") + 1)];
  return { status: Number(status), body: JSON.parse(body) };
}

/** The command of docs/ci.md for a place; nothing of it is changed but the console and what is published where. */
async function documentedCommand({ identifier, environmentName }: Place): Promise<string> {
  const guide = await readFile(new URL("../docs/ci.md", import.meta.url), "utf8");
  const commands = [...guide.matchAll(/```sh\n(curl [\s\S]+?)\n```/g)].map(([, command]) => command as string);
  const command = commands.find((one) => one.includes("/api/apps/create-testing-deploy")) ?? "";
  expect(command).not.toBe("");
  return command
    .replace("https://slipway.example.com", baseUrl())
    .replace("app=com.acme.app", `app=${identifier}`)
    .replace("environment=Staging", `"environment=${environmentName}"`);
}

/** Makes a repository with one commit, as CI checks one out. */
async function checkOut(folder: string, message: string): Promise<string> {
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=CI", "-c", "user.email=ci@slipway.test", ...args], { cwd: folder });
  await git("init", "--quiet", "--initial-branch=main");
  await git("commit", "--quiet", "--allow-empty", "--message", message);
  return (await git("rev-parse", "HEAD")).stdout.trim();
}

test.beforeEach(async () => {
  for (const program of ["curl", "git", "bash"])
    test.skip(!(await isInstalled(program)), `there is no ${program} here`);
});

test("a token is shown once, and the documented command publishes with it until the token is deleted", async ({
  page,
  place,
}, info) => {
  const folder = info.outputPath("checkout");
  await mkdir(join(folder, "build"), { recursive: true });
  const message = "@qa: fixes <the login>; see #42";
  const commit = await checkOut(folder, message);
  const ipa = anIpa(place.identifier, { version: "3.1.0", build: "310" });
  await inFolder(join(folder, "build"), { ...ipa, name: "Acme.ipa" });
  const command = await documentedCommand(place);
  const name = `Nightly ${place.identifier}`;
  const tokens = new ApiTokensPage(page);

  let token = "";
  await test.step("the token is copied from the dialog, the only place that ever shows it", async () => {
    await page.goto(ApiTokensPage.PATH);
    await tokens.createForServer(name, place);
    token = await tokens.copyFromDialog(name, t("apiTokens.token"));
    expect(token).toMatch(/^slw_/);
    await tokens
      .newToken(name)
      .getByRole("button", { name: t("apiTokens.saved"), exact: true })
      .click();
    await expect(tokens.row(name)).toBeVisible();
    await page.reload();
    await expect(tokens.row(name)).toContainText(place.environmentName);
    expect(await page.content()).not.toContain(token);
  });

  let published = "";
  await test.step("the command publishes what the repository says", async () => {
    const { status, body } = await publishByShell(command, { folder, token });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      version: "3.1.0",
      buildNumber: "310",
      description: message,
      metadata: { gitCommit: commit, gitBranch: "main" },
      createdBy: { kind: "token", name },
    });
    published = body.id;
    await page.goto(ReleasesPage.path(place));
    await expect(new ReleasesPage(page).row("3.1.0 (310)")).toContainText(message);
  });

  await test.step("a repeated job makes no twin", async () => {
    const { status, body } = await publishByShell(command, { folder, token });
    expect([status, body.id]).toEqual([200, published]);
    await page.reload();
    await expect(new ReleasesPage(page).rows).toHaveCount(1);
  });

  await test.step("the deleted token is refused", async () => {
    await page.goto(ApiTokensPage.PATH);
    await page.getByRole("button", { name: t("apiTokens.delete", { name }), exact: true }).click();
    const question = new ConfirmDialog(page);
    await question.name.fill(name);
    await question.button(t("apiTokens.deleteConfirm")).click();
    await expect(new AppShell(page).notification(t("apiTokens.deleted", { name }))).toBeVisible();
    const { status, body } = await publishByShell(command, { folder, token });
    expect([status, body.code]).toEqual([401, "invalid_token"]);
  });
});

test("the command in the token's dialog works as copied", SLOW, async ({ page, place }, info) => {
  const folder = info.outputPath("checkout");
  await mkdir(folder, { recursive: true });
  const ipa = anIpa(place.identifier, { version: "1.2.3", build: "123" });
  await inFolder(folder, { ...ipa, name: "app.ipa" });
  const name = `It's "CI" of ${place.identifier}`;
  const tokens = new ApiTokensPage(page);
  await page.goto(ApiTokensPage.PATH);
  await tokens.createForServer(name, place);
  const command = await tokens.copyFromDialog(name, t("apiTokens.command"));
  const { status, body } = await publishByShell(command, { folder });
  expect([status, body.version, body.buildNumber]).toEqual([201, "1.2.3", "123"]);
});
