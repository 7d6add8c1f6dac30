import type { Page, Response } from "@playwright/test";
import { makeIcon } from "@slipway/installers/testing";
import type { OperationOutput } from "@/lib/client/operation-types";
import { anApk, anIpa, sha256Of } from "../testing/installers";
import { t } from "./fixtures/messages";
import { axeViolations, sidewaysOverflow } from "./fixtures/page-health";
import { ANDROID, test as base, DESKTOP, IPHONE } from "./fixtures/phones";
import { readPlist } from "./fixtures/plist";
import { SLOW } from "./fixtures/slow";
import { expect } from "./fixtures/test";

type ShareLink = OperationOutput<"share-links/create-share-link">;

/** Pages are opened without a session and, unless said otherwise, without JavaScript. */
const test = base.extend({
  openOn: async ({ openOn }, use) =>
    use((device) => openOn({ javaScriptEnabled: false, ...device }, { signedIn: false })),
});

const PASSWORD = "correct horse";
/** Of the pages of a link together, as they are sent, without icons. */
const MAX_BYTES = 60_000;

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The address of a link's page at the console behind TLS. */
const pathOf = ({ url }: ShareLink) => new URL(url).pathname;

/** Takes note of what a page loads. */
function loadsOf(page: Page): Response[] {
  const responses: Response[] = [];
  page.on("response", (response) => void responses.push(response));
  return responses;
}

test("a client installs with a link and its password on an iPhone, without an account and JavaScript, and gives feedback with a picture", async ({
  openOn,
  secureAdmin,
  problems,
  place,
}) => {
  const ipa = anIpa(place.identifier);
  const release = await secureAdmin.publish(ipa, { environmentId: place.environmentId, description: "What changed" });
  const link = await secureAdmin.command("share-links/create-share-link", {
    releaseId: release.id,
    name: "For the client",
    password: PASSWORD,
  });
  const phone = await openOn(IPHONE);
  // A wrong password is answered with 401, and Chromium knows no application for `itms-services`.
  problems.expect(/401|itms-services/);
  const loads = loadsOf(phone);
  await phone.goto(pathOf(link));
  await expect(phone.getByRole("heading", { name: t("sharePage.password.title") })).toBeVisible();
  await expect(phone.getByText(release.displayName)).toHaveCount(0);
  for (const password of ["correct donkey", PASSWORD]) {
    await phone.getByLabel(t("sharePage.password.label")).fill(password);
    await button(phone, t("sharePage.password.open")).click();
    if (password !== PASSWORD) await expect(phone.getByRole("alert")).toBeVisible();
  }
  await expect(phone.getByRole("heading", { level: 1, name: release.displayName })).toBeVisible();
  await expect(phone.getByText("For the client")).toHaveCount(0);
  expect(await sidewaysOverflow(phone)).toBe(0);

  await button(phone, t("install.action")).click();
  await expect(phone.getByRole("heading", { name: t("sharePage.started.ios") })).toBeVisible();
  const href = await phone.getByRole("link", { name: t("sharePage.started.again") }).getAttribute("href");
  const manifestUrl = new URL(href ?? "").searchParams.get("url") ?? "";
  expect(href).toMatch(/^itms-services:\/\/\?action=download-manifest&url=/);
  const manifest = (await readPlist(await (await phone.request.get(manifestUrl)).text())) as {
    items: { assets: { kind: string; url: string }[] }[];
  };
  const asset = manifest.items[0]?.assets.find(({ kind }) => kind === "software-package");
  expect(sha256Of(await (await phone.request.get(asset?.url ?? "")).body())).toBe(sha256Of(ipa.bytes));

  await phone.goto(pathOf(link));
  await phone.getByRole("link", { name: t("sharePage.feedback.give") }).click();
  await phone.getByLabel(t("sharePage.feedback.text")).fill("The cart is empty after a restart.");
  await phone.getByRole("radio", { name: "2" }).check();
  const picture = { name: "IMG_0001.PNG", mimeType: "image/png", buffer: Buffer.from(makeIcon({ size: 256 })) };
  await phone.getByLabel(t("sharePage.feedback.picture")).setInputFiles(picture);
  expect(await sidewaysOverflow(phone)).toBe(0);
  await button(phone, t("sharePage.feedback.send")).click();
  await expect(phone.getByRole("heading", { name: t("sharePage.feedback.thanks") })).toBeVisible();
  const { items } = await secureAdmin.query("feedback/get-feedback", { releaseId: release.id });
  expect(items).toMatchObject([
    { rating: 2, device: "ios", text: "The cart is empty after a restart.", author: { kind: "link", name: link.name } },
  ]);
  const { screenshotUrl } = items[0] ?? {};
  const answers = [await phone.request.get(screenshotUrl ?? ""), await secureAdmin.request.get(screenshotUrl ?? "")];
  expect(answers.map((answer) => answer.status())).toEqual([401, 200]);

  // "other" is the icon of the tab.
  const further = loads.filter(
    (response) => !["document", "image", "other"].includes(response.request().resourceType()),
  );
  expect(further.map((response) => response.url())).toEqual([]);
  const documents = loads.filter((response) => response.request().resourceType() === "document");
  const sizes = await Promise.all(
    documents
      .filter((response) => response.status() !== 303)
      .map(async (response) => (await response.request().sizes()).responseBodySize),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
});

test(
  "a computer shows the code for a phone, and no file of a link for phones",
  SLOW,
  async ({ openOn, secureAdmin, place }) => {
    const fields = { environmentId: place.environmentId, description: "What changed" };
    const release = await secureAdmin.publish(await anApk(place.identifier), fields);
    const [open, onlyPhones] = await Promise.all(
      [false, true].map((isForPhones) =>
        secureAdmin.command("share-links/create-share-link", {
          releaseId: release.id,
          name: "For everybody",
          onlyPhones: isForPhones,
        }),
      ),
    );
    const desk = await openOn({ ...DESKTOP, javaScriptEnabled: true });
    await desk.goto(pathOf(open as ShareLink));
    await expect(desk.getByRole("img", { name: t("sharePage.qr") })).toBeVisible();
    await expect(button(desk, t("install.download"))).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await desk.emulateMedia({ colorScheme });
      expect(await axeViolations(desk)).toEqual([]);
    }
    await desk.getByRole("link", { name: t("sharePage.feedback.give") }).click();
    for (const colorScheme of ["light", "dark"] as const) {
      await desk.emulateMedia({ colorScheme });
      expect(await axeViolations(desk)).toEqual([]);
    }
    await desk.goto(pathOf(onlyPhones as ShareLink));
    await expect(desk.getByRole("img", { name: t("sharePage.qr") })).toBeVisible();
    await expect(button(desk, t("install.download"))).toHaveCount(0);
  },
);

test("a link that has ended names nobody, and one that never was is not found", async ({
  openOn,
  secureAdmin,
  problems,
  place,
}) => {
  problems.expect(/4(04|10)/);
  const fields = { environmentId: place.environmentId, description: "What changed" };
  const release = await secureAdmin.publish(await anApk(place.identifier), fields);
  const link = await secureAdmin.command("share-links/create-share-link", { releaseId: release.id, name: "For Acme" });
  await secureAdmin.command("share-links/delete-share-link", { id: link.id });
  const phone = await openOn(ANDROID);
  for (const path of [pathOf(link), `${pathOf(link)}/feedback`]) {
    const ended = await phone.goto(path);
    expect(ended?.status()).toBe(410);
    const text = (await ended?.text()) ?? "";
    for (const name of [release.displayName, place.appName, place.identifier, place.environmentName, "For Acme"]) {
      expect(text).not.toContain(name);
    }
    await expect(phone.getByRole("heading", { name: t("errors.link_ended.title") })).toBeVisible();
  }
  expect((await phone.goto("/i/AAAAAAAAAAAAAAAAAAAAAA"))?.status()).toBe(404);
});
