import { randomBytes } from "node:crypto";
import { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { t } from "./fixtures/messages";
import { linkTo, mailTo } from "./fixtures/outbox";
import { axeViolations } from "./fixtures/page-health";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { RecoveryPage, ResetPasswordPage } from "./pages/recovery-pages";
import { SignInPage } from "./pages/sign-in-page";

test.use({ signedIn: false });

const aPassword = () => `lantern ${randomBytes(6).toString("hex")} quay`;

test("a user with a forgotten password gets a link by mail and sets another, and all earlier sessions end", async ({
  page,
  server,
  database,
}) => {
  const person = await database.addPerson([]);
  const before = await ConsoleClient.signIn(baseUrl(), person);

  await page.goto("/");
  await page.getByRole("link", { name: t("auth.forgotPassword"), exact: true }).click();
  await expect(page).toHaveURL(RecoveryPage.PATH);
  const recovery = new RecoveryPage(page);
  await recovery.submit.click();
  await expect(page.getByText(t("validation.required"))).toBeVisible();
  await recovery.ask(person.email);
  await expect(recovery.sent).toBeFocused();
  await expect(page.getByText(t("recovery.sent.description", { email: person.email }))).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);

  const link = await linkTo(person.email);
  const token = new URL(link, baseUrl()).searchParams.get("token") as string;
  const told: string[] = [];
  page.on("request", (request) => {
    const { referer = "" } = request.headers();
    if (referer.includes(token)) told.push(`${request.url()} was told in Referer`);
    if (!request.url().startsWith(baseUrl())) told.push(request.url());
  });
  const answer = await page.goto(link);
  expect(answer?.headers()["referrer-policy"]).toBe("no-referrer");
  expect(answer?.headers()["cache-control"]).toContain("no-store");
  const reset = new ResetPasswordPage(page);
  await expect(reset.heading).toBeVisible();
  await expect(page.getByText(t("newPassword.length", { limit: 12 }))).toBeVisible();

  const password = aPassword();
  await reset.choose(password, `${password}!`);
  await expect(page.getByText(t("validation.passwordMismatch"))).toBeVisible();
  await expect(reset.confirmation).toBeFocused();
  await reset.confirmation.fill(password);
  await reset.submit.click();
  await expect(reset.done).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);
  expect(told).toEqual([]);
  expect(server.log()).not.toContain(token);

  await expect(before.query("auth/get-user-profile", {})).rejects.toThrow(/401/);
  await before.dispose();
  await reset.toLogin.click();
  await new SignInPage(page).signIn({ email: person.email, password });
  await expect(page).toHaveURL("/home");
  const notice = await mailTo(person.email, 2);
  expect(notice.headers.get("subject")).toBe(t("mail.passwordChanged.subject", { brand: "Slipway" }));
});

test("a rejected password leaves the link valid", SLOW, async ({ page, database, problems }) => {
  problems.expect(/422/);
  const person = await database.addPerson([]);
  await page.goto(RecoveryPage.PATH);
  await new RecoveryPage(page).ask(person.email);
  await page.goto(await linkTo(person.email));
  const reset = new ResetPasswordPage(page);
  await reset.choose("too short");
  await expect(page.getByText(t("validation.passwordTooShort", { limit: 12 }))).toBeVisible();
  await reset.choose("slipway-slipway-1");
  await expect(page.getByText(t("validation.passwordFromNames"))).toBeVisible();
  await expect(reset.password).toBeFocused();
  await reset.choose(aPassword());
  await expect(reset.done).toBeVisible();
});

test(
  "a link that is used, unknown or truncated says so and offers another, also when its form is open",
  SLOW,
  async ({ page, context, database, problems }) => {
    problems.expect(/410/);
    const person = await database.addPerson([]);
    await page.goto(RecoveryPage.PATH);
    await new RecoveryPage(page).ask(person.email);
    const link = await linkTo(person.email);
    await page.goto(link);
    const reset = new ResetPasswordPage(page);
    await expect(reset.heading).toBeVisible();

    const other = await context.newPage();
    await other.goto(link);
    await new ResetPasswordPage(other).choose(aPassword());
    await expect(new ResetPasswordPage(other).done).toBeVisible();
    await other.close();

    await reset.choose(aPassword());
    await expect(reset.expired).toBeFocused();
    for (const path of [
      link,
      link.slice(0, -1),
      "/reset-password?token=",
      "/reset-password",
      "/reset-password?token=a&token=b",
    ]) {
      await page.goto(path);
      await expect(reset.expired).toBeVisible();
    }
    await reset.toRecovery.click();
    await expect(page).toHaveURL(RecoveryPage.PATH);
  },
);

test("an unknown address gets the same answer, and nothing is sent", async ({ page }) => {
  await page.goto(RecoveryPage.PATH);
  const recovery = new RecoveryPage(page);
  const email = `nobody-${randomBytes(6).toString("hex")}@slipway.test`;
  await recovery.ask(email);
  await expect(recovery.sent).toBeVisible();
  await expect(page.getByText(t("recovery.sent.description", { email }))).toBeVisible();
  await recovery.again.click();
  await expect(recovery.email).toHaveValue(email);
});

test("an invited person is welcomed, chooses a password, is signed in, and signs in with it", async ({
  page,
  admin,
}) => {
  const role = await admin.command("config/create-role", { name: `Testers ${randomBytes(6).toString("hex")}` });
  const email = `invited-${randomBytes(6).toString("hex")}@slipway.test`;
  await admin.command("auth/register-user", {
    firstNames: "Inés",
    lastNames: "Vitada",
    email,
    roleId: role.id,
    provider: "email",
    status: "active",
  });
  await page.goto(await linkTo(email));
  await expect(
    page.getByRole("heading", { name: t("resetPassword.invitation.title", { name: "Slipway" }), exact: true }),
  ).toBeVisible();
  const reset = new ResetPasswordPage(page);
  const password = aPassword();
  await reset.choose(password);
  await expect(page).toHaveURL("/home");
  await new AppShell(page).signOut("Inés Vitada");
  await new SignInPage(page).signIn({ email, password });
  await expect(page).toHaveURL("/home");
});
