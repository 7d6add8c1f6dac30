import { writeFileSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, devices, type LaunchOptions } from "@playwright/test";
import { findFreePort } from "../scripts/lib/ports.mjs";
import type { Credentials } from "../testing/console-client";
import { databaseUrl, dataDir, masterKey } from "../testing/environment.ts";
import { anApk, anIpa, sha256Of, sha256OfFile } from "../testing/installers";
import { startInstance } from "../testing/instance.ts";
import { waitForHydration } from "./fixtures/hydration";
import { t } from "./fixtures/messages";
import type { PageProblems } from "./fixtures/page-health";
import { type PhoneNetwork, startPhoneNetwork, whyNoPhoneNetwork } from "./fixtures/phone-network";
import { readPlist } from "./fixtures/plist";
import { expect, test } from "./fixtures/test";
import { ReleasePage } from "./pages/release-page";
import { SignInPage } from "./pages/sign-in-page";

const IPHONE: BrowserContextOptions = { ...devices["iPhone 14"], viewport: { width: 390, height: 844 } };
const ANDROID: BrowserContextOptions = devices["Pixel 7"] ?? {};

const obstacle = whyNoPhoneNetwork();
test.skip(obstacle !== undefined, `There is no second network: ${obstacle}`);
test.describe.configure({ mode: "serial" });

let network: PhoneNetwork;
let lanConsole: { origin: string; plainOrigin: string; stop(): Promise<void> };
/** PEM, as the phone downloads it before it trusts anything. */
let authority: string;

// The console as `npm start -- --lan` starts it, on an address that only the phone reaches.
test.beforeAll(async () => {
  network = startPhoneNetwork();
  const port = await findFreePort("0.0.0.0");
  const origin = `https://${network.address}:${port}`;
  const server = await startInstance(
    "server-lan",
    {
      DATABASE_URL: databaseUrl(),
      DATA_DIR: dataDir(),
      MASTER_KEY: masterKey(),
      APP_URL: origin,
      HOSTNAME: "0.0.0.0",
      LAN_HOSTS: `${network.address},localhost,127.0.0.1`,
    },
    port,
  );
  lanConsole = { origin, plainOrigin: `http://${network.address}:${port}`, stop: server.stop };
});

test.afterAll(async () => {
  await lanConsole?.stop();
  network?.stop();
});

/** How the other tests start Chromium. */
function launchOptions(): LaunchOptions {
  return test.info().project.use.launchOptions ?? {};
}

/** What the phone's curl answers, which trusts no authority but those given. */
function curl(url: string, ...options: string[]): Buffer {
  return network.run("curl", "--silent", "--show-error", "--max-time", "60", ...options, url);
}

function statusOf(url: string, ...options: string[]): string {
  return curl(url, "--output", "/dev/null", "--write-out", "%{http_code} %{redirect_url}", ...options).toString();
}

test("a phone that trusts nothing yet gets the trust page and the certificate over HTTP, and no other page", async () => {
  const { origin, plainOrigin } = lanConsole;
  expect(statusOf(`${plainOrigin}/trust`)).toBe("200 ");
  for (const path of ["/", "/admin-dashboard", "/releases?id=0199a7a4-0000-7000-8000-000000000000"]) {
    expect(statusOf(`${plainOrigin}${path}`), path).toBe(`302 ${plainOrigin}/trust`);
  }
  expect(statusOf(`${plainOrigin}/api/apps/get-apps`)).toBe(`308 ${origin}/api/apps/get-apps`);
  expect(() => curl(origin)).toThrow(/self-signed|unable to get local issuer/);

  authority = curl(`${plainOrigin}/api/trust/download-authority?format=certificate`).toString();
  const file = test.info().outputPath("authority.pem");
  writeFileSync(file, authority);
  expect(statusOf(`${origin}/`, "--cacert", file)).toBe("200 ");
});

test.describe("a phone that trusts the console's certificate", () => {
  let phone: Browser;

  test.beforeAll(async () => {
    phone = await network.launch(chromium, launchOptions(), authority);
  });

  test.afterAll(async () => phone?.close());

  /** Opens a link on the phone, signed out, and signs in there. */
  async function openSignedIn(
    device: BrowserContextOptions,
    link: string,
    tester: Credentials,
    problems: PageProblems,
  ) {
    const context = await phone.newContext({ ...device, locale: "es-ES" });
    problems.watch(context);
    const page = await context.newPage();
    await waitForHydration(page);
    await page.goto(link);
    await new SignInPage(page).signIn(tester);
    await expect(page).toHaveURL(link);
    return page;
  }

  test("downloads an .apk whole, and no browser without that certificate opens the link", async ({
    admin,
    database,
    place,
    problems,
  }) => {
    const { appId, environmentId } = place;
    const tester = await database.addPerson([{ scopes: ["release:download"], appId, environmentId }]);
    const apk = await anApk(place.identifier, { versionName: "2.4.0", versionCode: 118 });
    const release = await admin.publish(apk, { environmentId, description: "Offline maps" });
    const link = `${lanConsole.origin}${ReleasePage.path(release.id)}`;

    const stranger = await network.launch(chromium, launchOptions());
    try {
      const page = await stranger.newPage();
      await expect(page.goto(link)).rejects.toThrow("ERR_CERT_AUTHORITY_INVALID");
    } finally {
      await stranger.close();
    }

    const page = await openSignedIn(ANDROID, link, tester, problems);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page
        .getByRole("main")
        .getByRole("button", { name: t("install.action"), exact: true })
        .click(),
    ]);
    expect(await sha256OfFile(await download.path())).toBe(sha256Of(apk.bytes));
    await page.context().close();
  });

  test("gets a manifest and the .ipa over the chain that it trusts, without cookies", async ({
    admin,
    database,
    place,
    problems,
  }) => {
    // Chromium does not take itms-services: links; iPhones do.
    problems.expect(/itms-services/);
    const { appId, environmentId } = place;
    const tester = await database.addPerson([{ scopes: ["release:download"], appId, environmentId }]);
    const ipa = anIpa(place.identifier, { version: "2.4.0", build: "118", profile: { type: "ad-hoc", devices: 41 } });
    const release = await admin.publish(ipa, { environmentId, description: "Offline maps" });
    const link = `${lanConsole.origin}${ReleasePage.path(release.id)}`;

    const page = await openSignedIn(IPHONE, link, tester, problems);
    const answered = page.waitForResponse(/generate-apple-manifest-request-token/);
    await new ReleasePage(page).install.click();
    const { manifestUrl } = (await (await answered).json()) as { manifestUrl: string };
    await page.context().close();

    const file = test.info().outputPath("authority.pem");
    writeFileSync(file, authority);
    const manifest = curl(manifestUrl, "--fail", "--cacert", file).toString();
    const parsed = (await readPlist(manifest)) as { items: { assets: { kind: string; url: string }[] }[] } | null;
    test.skip(parsed === null, "there is neither python3 nor plutil nor plistutil to read a property list with");
    const installer = parsed?.items[0]?.assets.find(({ kind }) => kind === "software-package");
    expect(installer?.url).toContain(lanConsole.origin);
    expect(sha256Of(curl(installer?.url as string, "--fail", "--cacert", file))).toBe(sha256Of(ipa.bytes));
  });
});
