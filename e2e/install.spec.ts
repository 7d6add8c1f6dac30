import type { BrowserContextOptions, Page } from "@playwright/test";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { ReasonKey } from "@/lib/features/releases/rules";
import { dialogPath } from "../lib/kernel/navigation/requested-dialog.ts";
import { DAY_MS } from "../lib/kernel/time.ts";
import { ConsoleClient } from "../testing/console-client";
import { anAab, anApk, anIpa, type Installer, sha256Of, sha256OfFile } from "../testing/installers";
import { waitForHydration } from "./fixtures/hydration";
import { t } from "./fixtures/messages";
import { axeViolations, sidewaysOverflow } from "./fixtures/page-health";
import { ANDROID, DESKTOP, IPHONE, test } from "./fixtures/phones";
import { readPlist } from "./fixtures/plist";
import { SLOW, slowUnless } from "./fixtures/slow";
import { expect, type Place } from "./fixtures/test";
import { ReleasePage } from "./pages/release-page";
import { ReleasesPage } from "./pages/releases-page";
import { SignInPage } from "./pages/sign-in-page";

type AppleLink = OperationOutput<"apps/generate-apple-manifest-request-token">;
type Release = OperationOutput<"apps/create-testing-deploy">;

function publishIn(client: ConsoleClient, { environmentId }: Place, installer: Installer): Promise<Release> {
  return client.publish(installer, { environmentId, description: "What changed" });
}

function releaseNameOf({ version, buildNumber }: Release): string {
  return `${version} (${buildNumber})`;
}

interface Manifest {
  items: {
    assets: { kind: string; url: string }[];
    metadata: Record<string, string>;
  }[];
}

test(
  "the dialog that shares a release shows the first phone that opens it, and the release when it was last opened",
  SLOW,
  async ({ openOn, database, https, secureAdmin, place }) => {
    const release = await publishIn(secureAdmin, place, anIpa(place.identifier));
    const tester = await database.addPerson([{ scopes: ["release:download"], appId: place.appId }]);
    const desk = await openOn(DESKTOP);
    const opened = () => desk.waitForResponse(/record-testing-deploy-opening/);
    const ownOpening = opened();
    await desk.goto(dialogPath(ReleasePage.path(release.id), "share"));
    // The openings of people who can publish are kept apart from those of testers.
    expect(await (await ownOpening).json()).toEqual({ recorded: true });
    const dialog = desk.getByRole("dialog");
    await expect(dialog.getByRole("img", { name: /QR/ })).toBeVisible();
    const status = dialog.getByRole("status").filter({ hasText: "iPhone" });
    await desk.waitForResponse(/get-testing-deploy-openings/);
    await expect(status).toHaveCount(0);

    const phone = await openOn(IPHONE, { signedIn: false });
    const { userAgent = "" } = IPHONE;
    const version = /Version\/([\d.]+)/.exec(userAgent)?.[1];
    const recorded = phone.waitForRequest(/record-testing-deploy-opening/);
    await phone.goto(`${https.url}${ReleasePage.path(release.id)}`);
    await new SignInPage(phone).signIn(tester);
    expect((await recorded).postDataJSON()).toEqual({ id: release.id, device: "ios", osVersion: version });
    const device = `iPhone (iOS ${version})`;
    await expect(status).toHaveText(t("releases.share.opened", { device }));
    expect(await axeViolations(desk)).toEqual([]);

    // Going back and forth in the same tab is the same opening.
    const again: string[] = [];
    phone.on("request", (request) => void again.push(request.url()));
    await phone.getByRole("banner").getByRole("link").first().click();
    await phone.waitForURL((url) => url.pathname !== "/releases");
    await phone.goBack();
    await expect(new ReleasePage(phone).heading(releaseNameOf(release))).toBeVisible();
    expect(again.filter((url) => url.includes("record-testing-deploy-opening"))).toEqual([]);

    await desk.goto(ReleasePage.path(release.id));
    const activity = desk.getByRole("listitem").filter({ hasText: device });
    await expect(activity).not.toContainText(t("releases.computer"));
  },
);

test(
  "a dialog that shares a release asks nothing while its page is hidden or offline",
  SLOW,
  async ({ openOn, secureAdmin, place }) => {
    const release = await publishIn(secureAdmin, place, anIpa(place.identifier));
    const desk = await openOn(DESKTOP);
    await desk.goto(dialogPath(ReleasePage.path(release.id), "share"));
    const asked = () => desk.waitForResponse(/get-testing-deploy-openings/);
    await asked();
    await desk.clock.install();
    await desk.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    const urls: string[] = [];
    desk.on("request", (request) => void urls.push(request.url()));
    await desk.clock.runFor(60_000);
    expect(urls.filter((url) => url.includes("openings"))).toEqual([]);
    const resumed = asked();
    await desk.evaluate(() => {
      Reflect.deleteProperty(document, "visibilityState");
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await resumed;
  },
);

test("a tester opens the link signed out, signs in, and Install gives iOS a manifest that it can fetch without cookies", async ({
  openOn,
  https,
  secureAdmin,
  database,
  place,
  problems,
}) => {
  // There is nothing here that takes itms-services: links; iPhones do.
  problems.expect(/itms-services/);
  const { appId, environmentId } = place;
  const tester = await database.addPerson([{ scopes: ["release:download"], appId, environmentId }]);
  const ipa = anIpa(place.identifier, {
    name: "Orbit & <Friends>",
    version: "2.4.0",
    build: "118",
    profile: { type: "ad-hoc", devices: 41 },
  });
  const release = await publishIn(secureAdmin, place, ipa);
  expect(release.installUrl).toMatch(new RegExp(`^${https.url}/releases\\?id=`));
  const page = await openOn(IPHONE, { signedIn: false });
  const shown = new ReleasePage(page);

  await test.step("the link leads through the sign-in, which says so, to the release", async () => {
    await page.goto(release.installUrl);
    await expect(page.getByText(t("auth.releaseDescription", { name: "Slipway" }))).toBeVisible();
    await new SignInPage(page).signIn(tester);
    await expect(page).toHaveURL(release.installUrl);
    await expect(shown.heading("2.4.0 (118)")).toBeVisible();
    expect(await sidewaysOverflow(page)).toBe(0);
    await expect(page.getByText(t("install.registered", { count: 41 }))).toBeVisible();
  });

  const link = await test.step("Install asks for a link, and says what happens next", async () => {
    const answered = page.waitForResponse(/generate-apple-manifest-request-token/);
    await shown.install.click();
    const made: AppleLink = await (await answered).json();
    await expect(page.getByText(t("install.next.ios", { name: release.displayName }))).toBeVisible();
    expect(made.installUrl).toBe(
      `itms-services://?action=download-manifest&url=${encodeURIComponent(made.manifestUrl)}`,
    );
    const minutes = (Date.parse(made.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(13);
    expect(minutes).toBeLessThanOrEqual(15.1);
    return made;
  });

  const ios = await ConsoleClient.anonymous(https.url);
  const assets = await test.step("the manifest is a property list that names the app and its files", async () => {
    const answer = await ios.request.get(link.manifestUrl);
    expect(answer.status()).toBe(200);
    expect(answer.headers()["content-type"]).toContain("xml");
    const manifest = (await readPlist(await answer.text())) as Manifest | null;
    test.skip(manifest === null, "there is neither python3 nor plutil nor plistutil to read a property list with");
    const [item] = (manifest as Manifest).items;
    expect(item?.metadata).toEqual({
      "bundle-identifier": place.identifier,
      "bundle-version": "2.4.0",
      kind: "software",
      title: "Orbit & <Friends>",
    });
    return new Map(item?.assets.map(({ kind, url }) => [kind, url]));
  });

  await test.step("the installer is the file that was published, whole and in ranges", async () => {
    const url = assets.get("software-package") ?? "";
    expect(url).toMatch(/^https:/);
    const whole = await ios.request.get(url);
    expect(whole.status()).toBe(200);
    expect(sha256Of(await whole.body())).toBe(sha256Of(ipa.bytes));
    const part = await ios.request.get(url, { headers: { range: "bytes=100-299" } });
    expect(part.status()).toBe(206);
    expect(part.headers()["content-range"]).toBe(`bytes 100-299/${ipa.bytes.length}`);
    expect(Buffer.compare(await part.body(), ipa.bytes.subarray(100, 300))).toBe(0);
    const rest = await ios.request.get(url, { headers: { range: "bytes=-50" } });
    expect(Buffer.compare(await rest.body(), ipa.bytes.subarray(-50))).toBe(0);
    const beyond = await ios.request.get(url, { headers: { range: `bytes=${ipa.bytes.length}-` } });
    expect(beyond.status()).toBe(416);
  });

  await test.step("the two pictures have the sides that iOS wants", async () => {
    for (const [kind, side] of [
      ["display-image", 57],
      ["full-size-image", 512],
    ] as const) {
      const picture = await ios.request.get(assets.get(kind) ?? "");
      expect(picture.headers()["content-type"]).toBe("image/png");
      const png = await picture.body();
      // IHDR: width and height stand behind the signature and the chunk's head.
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([side, side]);
    }
  });

  await test.step("the token opens nothing else, and nothing any more once its time is over", async () => {
    const { token, manifestUrl } = link;
    const others = [
      manifestUrl.replace(token, `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`),
      `${https.url}/api/apps/get-testing-deploy-by-id?id=${release.id}&token=${token}`,
    ];
    for (const url of others) expect((await ios.request.get(url)).ok(), url).toBe(false);
    await database.expireAppleLinks(release.id);
    for (const url of [manifestUrl, assets.get("software-package") ?? ""]) {
      expect((await ios.request.get(url)).status()).toBe(410);
    }
  });

  const { downloads } = await secureAdmin.query("apps/get-testing-deploy-by-id", { id: release.id });
  expect(downloads).toBe(1);
  await ios.dispose();
});

const REFUSED: {
  what: string;
  reason: ReasonKey;
  installer: (identifier: string) => Installer | Promise<Installer>;
}[] = [
  {
    what: "an expired profile",
    reason: "profile_expired",
    installer: (identifier) =>
      anIpa(identifier, { profile: { type: "ad-hoc", expires: new Date(Date.now() - DAY_MS) } }),
  },
  {
    what: "an App Store profile",
    reason: "app_store_build",
    installer: (identifier) => anIpa(identifier, { profile: { type: "app-store" } }),
  },
  { what: "no profile", reason: "no_profile", installer: (identifier) => anIpa(identifier, { profile: null }) },
  {
    what: "a system that is newer than the phone's",
    reason: "system_too_old",
    installer: (identifier) => anIpa(identifier, { minOs: "99.0" }),
  },
  { what: "an .apk", reason: "wrong_system_android", installer: (identifier) => anApk(identifier) },
];

for (const { what, reason, installer } of REFUSED) {
  test(
    `an iPhone gets the reason in place of a button: ${what}`,
    slowUnless(reason === "profile_expired"),
    async ({ openOn, secureAdmin, place }) => {
      const release = await publishIn(secureAdmin, place, await installer(place.identifier));
      const page = await openOn(IPHONE);
      await page.goto(ReleasePage.path(release.id));
      const shown = new ReleasePage(page);
      await expect(shown.refusal(reason)).toBeVisible();
      await expect(shown.install).toHaveCount(0);
      expect(await sidewaysOverflow(page)).toBe(0);
    },
  );
}

test(
  "where installing on iOS is switched off, a user who may change the release switches it on from the phone",
  SLOW,
  async ({ openOn, secureAdmin, place }) => {
    const release = await publishIn(secureAdmin, place, anIpa(place.identifier));
    await secureAdmin.command("apps/update-testing-deploy", { id: release.id, iosEnabled: false });
    const refused = await secureAdmin.request.post("/api/apps/generate-apple-manifest-request-token", {
      data: { id: release.id },
    });
    expect(refused.status()).toBe(409);
    expect((await refused.json()).code).toBe("ios_disabled");
    const page = await openOn(IPHONE);
    await page.goto(ReleasePage.path(release.id));
    const shown = new ReleasePage(page);
    await expect(shown.refusal("ios_disabled")).toBeVisible();
    await page.getByRole("button", { name: t("install.allow"), exact: true }).click();
    await expect(shown.install).toBeVisible();
    await expect(shown.refusal("ios_disabled")).toHaveCount(0);
  },
);

test(
  "a desktop shows the code for the phone, the link and the download",
  SLOW,
  async ({ openOn, secureAdmin, place }) => {
    const release = await publishIn(secureAdmin, place, anIpa(place.identifier));
    const page = await openOn(DESKTOP);
    await page.goto(ReleasePage.path(release.id));
    const shown = new ReleasePage(page);
    await expect(shown.qr).toBeVisible();
    await expect(page.getByText(t("install.scan.ios"))).toBeVisible();
    await expect(page.getByText(release.installUrl, { exact: true })).toBeVisible();
    await expect(shown.install).toHaveCount(0);
    await expect(shown.download).toBeVisible();
  },
);

test("an .aab says that no device installs it, and its link serves the .apk of the same build if there is one", async ({
  openOn,
  secureAdmin,
  place,
}) => {
  const version = { versionName: "2.4.0", versionCode: 118 };
  const bundle = await publishIn(secureAdmin, place, anAab(place.identifier, version));
  const page = await openOn(ANDROID);
  const shown = new ReleasePage(page);
  await page.goto(ReleasePage.path(bundle.id));
  await expect(shown.refusal("bundle_without_apk")).toBeVisible();
  await expect(page.getByText(t("install.reasons.bundle_without_apk.detail"))).toBeVisible();
  await expect(shown.install).toHaveCount(0);

  const apk = await anApk(place.identifier, version);
  await publishIn(secureAdmin, place, apk);
  await page.reload();
  await expect(shown.install).toBeVisible();
  await expect(shown.refusal("bundle_without_apk")).toHaveCount(0);
  const downloading = page.waitForEvent("download");
  await shown.install.click();
  expect((await downloading).suggestedFilename()).toBe(apk.name);
});

test("Android gets the .apk with the content type that its installer opens, its name and its bytes", async ({
  openOn,
  secureAdmin,
  place,
}) => {
  const apk = await anApk(place.identifier, { versionName: "2.4.0", versionCode: 118 });
  const release = await publishIn(secureAdmin, place, apk);
  const page = await openOn(ANDROID);
  await page.goto(ReleasePage.path(release.id));
  const shown = new ReleasePage(page);
  const downloading = page.waitForEvent("download");
  await shown.install.click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(apk.name);
  expect(await sha256OfFile(await download.path())).toBe(sha256Of(apk.bytes));
  await expect(page.getByText(t("install.next.apk", { name: release.displayName }))).toBeVisible();
  const head = await secureAdmin.request.head(download.url());
  expect(head.headers()).toMatchObject({
    "content-type": "application/vnd.android.package-archive",
    "accept-ranges": "bytes",
  });
});

test(
  "an Android device gets an explanation for an .ipa, and a link to the releases that it can install",
  SLOW,
  async ({ openOn, secureAdmin, place }) => {
    const ipa = await publishIn(secureAdmin, place, anIpa(place.identifier, { version: "2.4.0", build: "118" }));
    const apk = await publishIn(
      secureAdmin,
      place,
      await anApk(place.identifier, { versionName: "2.4.0", versionCode: 9 }),
    );
    const page = await openOn(ANDROID);
    await page.goto(ReleasePage.path(ipa.id));
    const shown = new ReleasePage(page);
    await expect(shown.refusal("wrong_system_ios")).toBeVisible();
    await page.getByRole("link", { name: t("install.androidReleases"), exact: true }).click();
    const releases = new ReleasesPage(page);
    await expect(releases.link(`${apk.version} (${apk.buildNumber})`)).toBeVisible();
    await expect(releases.link("2.4.0 (118)")).toHaveCount(0);
  },
);

/** Instagram's own browser, which presents itself almost as Safari does. */
const INSTAGRAM: BrowserContextOptions = {
  ...IPHONE,
  userAgent:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 Instagram 361.0",
};

/** An application with a build for each system, and a bundle, as a CI job publishes them. */
async function publishBuild(
  client: ConsoleClient,
  place: Place,
): Promise<{ ipa: Release; apk: Release; aab: Release }> {
  const android = { versionName: "2.4.0", versionCode: 118 };
  return {
    ipa: await publishIn(client, place, anIpa(place.identifier, { version: "2.4.0", build: "118" })),
    apk: await publishIn(client, place, await anApk(place.identifier, android)),
    aab: await publishIn(client, place, anAab(place.identifier, android)),
  };
}

for (const { device, on, folded } of [
  { device: IPHONE, on: "iPhone", folded: "android" },
  { device: ANDROID, on: "Android", folded: "ios" },
] as const) {
  test(
    `home on ${on} has one button that installs, for its own build, and says where the installation goes on`,
    slowUnless(on === "iPhone"),
    async ({ openOn, database, https, secureAdmin, place, problems }) => {
      // There is nothing here that takes itms-services: links; iPhones do.
      problems.expect(/itms-services/);
      await publishBuild(secureAdmin, place);
      const { appId } = place;
      const tester = await database.addPerson([{ scopes: ["release:download"], appId }]);
      const page = await openOn(device, { signedIn: false });
      await page.goto(`${https.url}/home`);
      await new SignInPage(page).signIn(tester);
      const main = page.getByRole("main");
      const install = main.getByRole("button", { name: new RegExp(`^${t("install.action")} `) });
      await expect(install).toHaveCount(1);
      const box = await install.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect(await sidewaysOverflow(page)).toBe(0);
      // The bundle is among the Android builds, without a button.
      await main.getByText(t(`builds.others.${folded}`, { count: on === "iPhone" ? 2 : 1 })).click();
      if (on === "iPhone") await expect(main.getByText(t("install.bundle"), { exact: true })).toBeVisible();
      await expect(install).toHaveCount(1);
      await install.click();
      await expect(main.getByText(t(on === "iPhone" ? "install.checkHome" : "install.openDownload"))).toBeVisible();
      // The chip of the device's own system shows all builds when it is pressed.
      await main
        .getByRole("navigation", { name: t("builds.filter") })
        .locator("[aria-current]")
        .click();
      await expect(page).toHaveURL(/platform=all/);
    },
  );
}

test("home on a computer shows the code for a phone", SLOW, async ({ openOn, secureAdmin, place }) => {
  await publishBuild(secureAdmin, place);
  const page = await openOn(DESKTOP);
  await page.goto(`/home?search=${encodeURIComponent(place.appName)}`);
  const section = page.getByRole("region", { name: place.appName });
  await section
    .getByRole("button", { name: new RegExp(`^${t("install.onPhone")}`) })
    .first()
    .click();
  await expect(page.getByRole("dialog").getByRole("img", { name: /QR/ })).toBeVisible();
});

test("the browser of another app names the browser to use, copies the link, and does not push its own button", async ({
  openOn,
  secureAdmin,
  place,
}) => {
  const { ipa } = await publishBuild(secureAdmin, place);
  const page = await openOn(INSTAGRAM);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const title = t("install.inApp.title", { browser: "Safari" });
  for (const path of [ReleasePage.path(ipa.id), `/home?search=${encodeURIComponent(place.appName)}`]) {
    await page.goto(path);
    const notice = page.getByRole("status").filter({ hasText: title });
    await expect(notice).toBeVisible();
    const copy = notice.getByRole("button", { name: t("install.copyLink") });
    await copy.click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
    const colors = (locator: typeof copy) => locator.evaluate((element) => getComputedStyle(element).backgroundColor);
    const install = page.getByRole("button", { name: new RegExp(`^${t("install.action")}`) }).first();
    expect(await colors(install)).not.toBe(await colors(notice.getByRole("button")));
  }
});

test(
  "the link of any file of a build serves the phone that opens it, and a computer all files",
  SLOW,
  async ({ openOn, secureAdmin, place }) => {
    const { ipa, apk, aab } = await publishBuild(secureAdmin, place);
    const isShown = (page: Page, label: string) =>
      expect(
        page.getByRole("navigation", { name: t("releases.sameBuild") }).locator("[aria-current=page]"),
      ).toContainText(label);
    const iphone = await openOn(IPHONE);
    const android = await openOn(ANDROID);
    for (const { id } of [ipa, apk, aab]) {
      await iphone.goto(ReleasePage.path(id));
      await isShown(iphone, "iOS");
      await expect(new ReleasePage(iphone).install).toBeVisible();
      await android.goto(ReleasePage.path(id));
      await isShown(android, ".apk");
      await expect(new ReleasePage(android).install).toBeVisible();
    }
    // The tabs show each file, whichever the phone installs.
    const shown = new ReleasePage(iphone);
    await iphone
      .getByRole("navigation", { name: t("releases.sameBuild") })
      .getByText(".apk")
      .click();
    await expect(shown.refusal("wrong_system_android")).toBeVisible();
    await iphone.getByRole("link", { name: t("install.iosBuild"), exact: true }).click();
    await expect(shown.install).toBeVisible();

    const desk = await openOn(DESKTOP);
    await desk.goto(ReleasePage.path(ipa.id));
    await expect(desk.getByText(t("install.scan.both"))).toBeVisible();
    for (const file of ["iOS", "APK", "AAB"]) {
      await expect(desk.getByRole("button", { name: t("install.downloadFile", { file }) })).toBeVisible();
    }
  },
);

test(
  "an enterprise build says how to trust its developer once Install has been pressed",
  SLOW,
  async ({ openOn, secureAdmin, place, problems }) => {
    problems.expect(/itms-services/);
    const release = await publishIn(
      secureAdmin,
      place,
      anIpa(place.identifier, { profile: { type: "enterprise", expires: new Date(Date.now() + 90 * DAY_MS) } }),
    );
    const page = await openOn(IPHONE);
    const shown = new ReleasePage(page);
    await page.goto(ReleasePage.path(release.id));
    await expect(page.getByText(t("install.enterprise"))).toBeVisible();
    await expect(page.getByText(t("install.reasons.enterprise_trust.step"))).toHaveCount(0);
    await shown.install.click();
    await expect(page.getByText(t("install.reasons.enterprise_trust.step"))).toBeVisible();
  },
);

test("release notes are shown as Markdown, and nothing in them runs", async ({ openOn, secureAdmin, place }) => {
  const description =
    "## Offline maps\n\n- **Pick** a region\n- [guide](https://example.com/guide) [x](javascript:alert`1`)\n\n<img src=x onerror=alert(1)>";
  const release = await secureAdmin.publish(anIpa(place.identifier), {
    environmentId: place.environmentId,
    description,
  });
  const page = await openOn(DESKTOP);
  let ran = false;
  page.on("dialog", () => {
    ran = true;
  });
  await page.goto(ReleasePage.path(release.id));
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "Offline maps", level: 3 })).toBeVisible();
  await expect(main.getByRole("listitem").filter({ hasText: "Pick a region" }).locator("strong")).toHaveText("Pick");
  await expect(main.getByRole("link", { name: "guide" })).toHaveAttribute("rel", "noopener noreferrer nofollow");
  await expect(main.getByText("<img src=x onerror=alert(1)>")).toBeVisible();
  await expect(main.getByRole("link", { name: "x", exact: true })).toHaveCount(0);

  await page.getByRole("button", { name: t("common.moreActionsFor", { name: releaseNameOf(release) }) }).click();
  await page.getByRole("menuitem", { name: t("releases.menu.edit") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t("releases.fields.description"), { exact: true }).fill("# New\n\n1. first");
  await dialog.getByRole("button", { name: t("releases.fields.preview") }).click();
  await expect(dialog.getByRole("heading", { name: "New", level: 3 })).toBeVisible();
  await dialog.getByRole("button", { name: t("releases.fields.write") }).click();
  await expect(dialog.getByLabel(t("releases.fields.description"), { exact: true })).toHaveValue("# New\n\n1. first");
  expect(ran).toBe(false);
});

test("over plain http, the page says that iOS installs over https only, and links to the documentation", async ({
  browser,
  admin,
  adminState,
  place,
  problems,
  baseURL,
  locale,
}) => {
  const release = await publishIn(admin, place, anIpa(place.identifier));
  const context = await browser.newContext({ ...IPHONE, baseURL, locale, storageState: adminState });
  problems.watch(context);
  const page = await context.newPage();
  await waitForHydration(page);
  await page.goto(ReleasePage.path(release.id));
  await expect(new ReleasePage(page).refusal("manifest_not_https")).toBeVisible();
  await page.getByRole("link", { name: t("install.httpsGuide"), exact: true }).click();
  await expect(page.getByRole("heading", { name: t("httpsGuide.title") })).toBeVisible();
  await context.close();
});

test("a session that ends on one server ends on the other at once", async ({ https, database, place, baseURL }) => {
  const person = await database.addPerson([{ scopes: ["release:read"], appId: place.appId }]);
  const first = await ConsoleClient.signIn(baseURL ?? "", person);
  const cookie = (await first.request.storageState()).cookies.find(({ name }) => name.endsWith("session"));
  const second = await ConsoleClient.anonymous(https.url);
  const asPerson = { headers: { cookie: `__Host-slipway-session=${cookie?.value}` } };
  expect((await second.request.get("/api/auth/get-user-profile", asPerson)).status()).toBe(200);
  await first.command("auth/logout", {});
  expect((await second.request.get("/api/auth/get-user-profile", asPerson)).status()).toBe(401);
  await Promise.all([first.dispose(), second.dispose()]);
});
