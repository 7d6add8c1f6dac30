import { plant } from "../testing/canaries";
import { type Deployment, startDeployment } from "../testing/deployment";
import { anIpa, inFolder } from "../testing/installers";
import { fileChooserByKeyboard, focusFault, pressByKeyboard, tabTo } from "./fixtures/keyboard";
import { t } from "./fixtures/messages";
import { settled } from "./fixtures/page-health";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { AppsPage } from "./pages/apps-page";
import { ResetPasswordPage } from "./pages/recovery-pages";
import { ReleasePage } from "./pages/release-page";
import { SetupPage } from "./pages/setup-page";
import { SignInPage } from "./pages/sign-in-page";
import { UploadDialog } from "./pages/upload-dialog";

test.use({ signedIn: false });
test.setTimeout(240_000);

let deployment: Deployment;
test.beforeAll(async () => {
  // Nobody is there: the console prints its setup link.
  const settings = { SETUP_ADMIN_EMAIL: undefined, SETUP_ADMIN_PASSWORD: undefined };
  deployment = await startDeployment("server-keyboard", { settings });
});
test.afterAll(() => deployment?.stop());

test("by keyboard alone, a new console is set up, a release is published and shared, and an invited tester opens it", async ({
  page,
}, info) => {
  const { keyboard } = page;
  const shell = new AppShell(page);
  const { main } = shell;
  const chooseFile = fileChooserByKeyboard(page);
  const identifier = "com.example.lantern";
  const ipa = await inFolder(info.outputPath(), anIpa(identifier, { version: "2.4.0", build: "118" }));
  const admin = { firstNames: "Ada", lastNames: "Quay", email: "ada@slipway.test" };
  const tester = "grace@slipway.test";
  const password = plant("password", "a lantern on the quay");

  const button = (name: string) => main.getByRole("button", { name, exact: true }).first();
  const dialog = page.getByRole("dialog");
  const progress = (done: number) => main.getByText(t("dashboard.progress", { done, total: 4 }), { exact: true });
  const focusIsShown = async () => expect.poll(() => focusFault(page)).toBeNull();
  const openMenuEntry = async (name: string) => {
    await pressByKeyboard(page, page.getByRole("button", { name: t("shell.account.label", { name }) }));
    const entry = page.getByRole("menuitem", { name: t("shell.account.signOut"), exact: true });
    await expect(entry).toBeVisible();
    await expect(async () => {
      await keyboard.press("ArrowDown");
      await expect(entry).toBeFocused({ timeout: 500 });
    }).toPass();
    await focusIsShown();
    await keyboard.press("Enter");
  };

  await test.step("the setup link makes the first administrator", async () => {
    const link = /http:\/\/localhost:\d+\/setup\?token=\S+/.exec(deployment.servers[0]?.log() ?? "")?.[0] ?? "";
    plant("setup-link", new URL(link).searchParams.get("token") ?? "");
    await page.goto(link);
    await expect(new SetupPage(page).firstNames).toBeFocused();
    for (const label of ["firstNames", "lastNames", "email"] as const) {
      await tabTo(page, page.getByLabel(t(`setup.${label}`), { exact: true }));
      await keyboard.type(admin[label]);
    }
    for (const label of ["password", "confirmation"] as const) {
      await tabTo(page, page.getByLabel(t(`newPassword.${label}`), { exact: true }));
      await keyboard.type(password);
    }
    await keyboard.press("Enter");
    await expect(page).toHaveURL(`${deployment.url}/admin-dashboard`);
    await expect(progress(0)).toBeVisible();
  });

  await test.step("adds the application; Escape gives the focus back to the button", async () => {
    const apps = new AppsPage(page);
    await pressByKeyboard(page, apps.create);
    await expect(apps.dialog).toBeVisible();
    await keyboard.press("Escape");
    await expect(apps.create).toBeFocused();
    await keyboard.press("Enter");
    await tabTo(page, apps.name);
    await keyboard.type("Lantern");
    await tabTo(page, apps.identifier);
    await keyboard.type(identifier);
    await keyboard.press("Enter");
    await expect(apps.dialog).toHaveCount(0);
    await expect(progress(1)).toBeVisible();
    await focusIsShown();
  });

  await test.step("adds the environment", async () => {
    await pressByKeyboard(page, button(t("environments.create")));
    await tabTo(page, dialog.getByRole("textbox", { name: t("environments.name"), exact: true }));
    await keyboard.type("Staging");
    await keyboard.press("Enter");
    await expect(dialog).toHaveCount(0);
    await expect(progress(2)).toBeVisible();
    await focusIsShown();
  });

  await test.step("publishes an installer that is chosen with Enter", async () => {
    const upload = new UploadDialog(page);
    await pressByKeyboard(page, button(t("upload.action")));
    await tabTo(page, upload.file);
    await chooseFile(ipa.path);
    await expect(upload.description).toBeFocused();
    await keyboard.type("The first one of all.");
    await pressByKeyboard(page, upload.submit);
    await expect(upload.published("2.4.0 (118)")).toBeVisible();
    await focusIsShown();
    await keyboard.press("Escape");
    await expect(upload.dialog).toHaveCount(0);
    await expect(progress(3)).toBeVisible();
    await focusIsShown();
  });

  await test.step("shares it; Escape gives the focus back", async () => {
    const share = main.getByRole("button", { name: new RegExp(`^${t("releases.share.action")}`) }).first();
    await pressByKeyboard(page, share);
    await expect(dialog.getByRole("img", { name: /QR/ })).toBeVisible();
    await focusIsShown();
    await keyboard.press("Escape");
    await expect(share).toBeFocused();
    await focusIsShown();
  });

  let invitation = "";
  await test.step("invites the tester, and gets the link to pass on", async () => {
    await pressByKeyboard(page, button(t("dashboard.steps.tester.action")));
    await tabTo(page, dialog.getByRole("textbox", { name: t("invite.emails"), exact: true }));
    await keyboard.type(tester);
    await keyboard.press("Enter");
    await pressByKeyboard(page, dialog.getByRole("button", { name: t("invite.submit"), exact: true }));
    const shown = dialog.getByText("/reset-password?token=");
    await expect(shown).toBeVisible();
    invitation = (await shown.textContent()) ?? "";
    plant("one-time-link", new URL(invitation).searchParams.get("token") ?? "");
    await focusIsShown();
    await pressByKeyboard(page, dialog.getByRole("button", { name: t("users.invitationLink.done"), exact: true }));
    await expect(dialog).toHaveCount(0);
    await expect(main.getByText(t("dashboard.firstSteps"))).toHaveCount(0);
    await focusIsShown();
  });

  await test.step("signs out", async () => {
    await openMenuEntry("Ada Quay");
    await expect(new SignInPage(page).heading).toBeVisible();
  });

  await test.step("the tester chooses a password by the invitation, and signs out", async () => {
    await page.goto(invitation);
    const reset = new ResetPasswordPage(page);
    for (const field of [reset.password, reset.confirmation]) {
      await tabTo(page, field);
      await keyboard.type(password);
    }
    await keyboard.press("Enter");
    await expect(page).toHaveURL(`${deployment.url}/home`);
    await settled(page);
    await openMenuEntry(tester.split("@")[0] as string);
    await expect(new SignInPage(page).heading).toBeVisible();
  });

  await test.step("the tester signs in, and opens the page from which the release is installed", async () => {
    const signIn = new SignInPage(page);
    await tabTo(page, signIn.email);
    await keyboard.type(tester);
    await tabTo(page, signIn.password);
    await keyboard.type(password);
    await keyboard.press("Enter");
    await expect(page).toHaveURL(`${deployment.url}/home`);
    await settled(page);
    const release = main.locator("a[href^='/releases?id=']").first();
    await pressByKeyboard(page, release);
    const shown = new ReleasePage(page);
    await expect(shown.heading("2.4.0 (118)")).toBeVisible();
    await focusIsShown();
    await tabTo(page, shown.download);
  });
});
