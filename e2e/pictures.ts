import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type BrowserContextOptions, chromium, devices, type Page } from "@playwright/test";
import { makeIpa } from "@slipway/installers/testing";
import sharp from "sharp";
import { ssoProviderSchema } from "@/lib/features/auth-providers/schema";
import { anAppleKey } from "@/lib/testing/apple-key";
import { projectDir } from "../scripts/lib/files.mjs";
import { ConsoleClient, type Credentials } from "../testing/console-client";
import { ADMIN, baseUrl, databaseUrl, dataDir, masterKey } from "../testing/environment.ts";
import { startConsole } from "./console.ts";
import { ConsoleDatabase } from "./fixtures/database";
import { makeTlsIdentity, startHttpsConsole, type TlsIdentity } from "./fixtures/https-console";
import { textsIn } from "./fixtures/messages";
import config from "./playwright.config.ts";
import prepareTemplate from "./template.ts";

// Takes the pictures of the README and of docs/, from the built server and with the demonstration's data: `tsx e2e/pictures.ts`.

const FOLDER = join(projectDir, "docs", "pictures");
const MAX_BYTES = 150_000;
/** What the pictures show as the console's address (RFC 2606). */
const PUBLIC_URL = "https://slipway.example.com";
const HOUR_MS = 3_600_000;
const t = textsIn("en");

interface Sample {
  appId: string;
  environmentId: string;
  releaseId: string;
  roleId: string;
  /** A person who may install the releases. */
  tester: Credentials;
}

interface Picture {
  name: string;
  /** On a phone, someone who installs releases looks at it, not the administrator. */
  device?: "phone";
  theme?: "dark";
  signedOut?: true;
  path: (sample: Sample) => string;
  /** What is done before the picture is taken. */
  prepare?: (page: Page) => Promise<void>;
}

const place = ({ appId, environmentId }: Sample) => `app=${appId}&environment=${environmentId}`;
const list = (sample: Sample) => `/testing-deploys?${place(sample)}`;
const release = ({ releaseId }: Sample) => `/releases?id=${releaseId}`;

const PICTURES: Picture[] = [
  { name: "sign-in", path: () => "/", signedOut: true },
  { name: "dashboard", path: () => "/admin-dashboard" },
  { name: "releases", path: list },
  {
    name: "release",
    theme: "dark",
    path: release,
    prepare: (page) => page.getByRole("img", { name: /QR/ }).waitFor(),
  },
  { name: "upload", path: list, prepare: chooseInstaller },
  { name: "palette", theme: "dark", path: list, prepare: search },
  { name: "connect", path: (sample) => `/environment-app?${place(sample)}&tab=connect` },
  { name: "token", path: () => "/admin-app-config?tab=api-tokens", prepare: beginToken },
  { name: "variables", path: (sample) => `/dev-variables?${place(sample)}&tab=environments` },
  { name: "role", path: ({ roleId }) => `/admin-roles?role=${roleId}` },
  { name: "health", path: () => "/admin-health" },
  { name: "home", device: "phone", path: () => "/home" },
  {
    name: "install",
    device: "phone",
    path: release,
    prepare: (page) => page.getByRole("button", { name: t("install.action"), exact: true }).waitFor(),
  },
  // Those of docs/sso.
  { name: "sso-enable", path: () => "/admin-app-config?tab=enable-sso" },
  ...ssoProviderSchema.options.map((provider) => ({
    name: `sso-${provider}`,
    path: () => `/admin-app-config?tab=configure-sso&provider=${provider}`,
  })),
];

const DESKTOP: BrowserContextOptions = { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 800 } };
const PHONE: BrowserContextOptions = {
  ...devices["iPhone 14"],
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
};

async function search(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("staging");
  await page.getByRole("option").first().waitFor();
}

async function beginToken(page: Page): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: t("apiTokens.create"), exact: true })
    .click();
  await page.getByRole("dialog").getByLabel(t("apiTokens.name"), { exact: true }).fill("GitHub Actions");
}

async function chooseInstaller(page: Page): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: t("upload.action"), exact: true })
    .first()
    .click();
  const ipa = makeIpa({
    identifier: "com.example.orbit",
    name: "Orbit",
    version: "2.5.0",
    build: "124",
    minOs: "17.0",
    iconHue: 262,
    profile: { type: "ad-hoc", devices: 41, expires: new Date(Date.now() + 200 * 24 * HOUR_MS) },
  });
  const file = { name: "Orbit-2.5.0.ipa", mimeType: "application/octet-stream", buffer: Buffer.from(ipa) };
  await page.getByRole("dialog").locator("input[type=file]").setInputFiles(file);
  await page.getByLabel(t("releases.fields.description"), { exact: true }).fill("Trips can be shared as a link.");
}

/** Fills the console with the demonstration, as if it had been published over the last days. */
async function seed(): Promise<Sample> {
  const demo = spawnSync("tsx", ["--conditions=react-server", "scripts/demo.ts"], {
    cwd: projectDir,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, DATABASE_URL: databaseUrl(), DATA_DIR: dataDir(), MASTER_KEY: masterKey() },
  });
  if (demo.status !== 0) throw new Error("The demonstration could not be made.");
  const admin = await ConsoleClient.signIn(baseUrl(), ADMIN);
  const database = new ConsoleDatabase(databaseUrl());
  try {
    const [app] = (await admin.query("apps/get-apps", { search: "Orbit" })).items;
    if (!app) throw new Error("The demonstration has no application.");
    const environments = (await admin.query("apps/get-app-environments", { appId: app.id })).items;
    const staging = environments.find(({ name }) => name === "Staging");
    if (!staging) throw new Error("The demonstration has no environment named Staging.");
    const { items } = await admin.query("apps/get-testing-deploys", { environmentId: staging.id });
    for (const [index, { id }] of items.entries()) {
      await database.backdateRelease(id, new Date(Date.now() - (2 + index * index * 7) * HOUR_MS));
    }
    await configureProviders(admin);
    await configureEnvironments(admin, environments);
    const roleId = await addPeople(admin, { appId: app.id, environmentId: staging.id });
    const tester = await database.addPerson([
      { scopes: ["release:download"], appId: app.id, environmentId: staging.id },
    ]);
    const newest = items.find(({ installer }) => installer.kind === "ipa");
    if (!newest) throw new Error("The demonstration has no .ipa.");
    return { appId: app.id, environmentId: staging.id, releaseId: newest.id, roleId, tester };
  } finally {
    await Promise.all([admin.dispose(), database.close()]);
  }
}

/** Adds development variables, some of which one of the environments does not have. */
async function configureEnvironments(admin: ConsoleClient, environments: readonly { id: string; name: string }[]) {
  for (const { id: environmentId, name } of environments) {
    const stage = name.toLowerCase();
    const variables = {
      API_URL: `https://${stage}.api.example.com`,
      MAPS_STYLE: "outdoors",
      ...(name === "Staging" ? { CRASH_REPORTS: "true" } : { DEBUG_MENU: "true" }),
      LOG_LEVEL: name === "Staging" ? "info" : "debug",
    };
    for (const [key, value] of Object.entries(variables)) {
      await admin.command("apps/create-development-variable", { environmentId, name: key, key, value });
    }
  }
}

/** Adds a role that installs the releases of a place, and its members. @returns the ID of the role */
async function addPeople(
  admin: ConsoleClient,
  { appId, environmentId }: { appId: string; environmentId: string },
): Promise<string> {
  const { id: roleId } = await admin.command("config/create-role", { name: "Beta testers" });
  await admin.command("permissions/create-role-permission", {
    roleId,
    scopes: ["release:read", "release:download"],
    apps: [{ appId, environmentIds: [environmentId] }],
  });
  for (const [firstNames, lastNames] of [
    ["Grace", "Hopper"],
    ["Katherine", "Johnson"],
    ["Margaret", "Hamilton"],
  ] as const) {
    const email = `${firstNames.toLowerCase()}@example.com`;
    await admin.command("auth/register-user", { firstNames, lastNames, email, roleId, provider: "email" });
  }
  return roleId;
}

/** Configures each provider as a company would that is known as example.com, and switches two of them on. */
async function configureProviders(admin: ConsoleClient): Promise<void> {
  const clientSecret = "demonstration";
  await admin.command("config/create-apple-config", {
    clientId: "com.example.slipway.sign-in",
    teamId: "8F3K2N7QRT",
    keyId: "2X9R4HJ6WD",
    privateKey: anAppleKey(),
  });
  await admin.command("config/create-azure-config", {
    clientId: "6f1c2a94-3d57-4b0e-9a86-5c7e21d4f803",
    clientSecret,
    authority: "https://login.microsoftonline.com/example.com",
  });
  await admin.command("config/create-github-config", { clientId: "Ov23liK8w2QeXampLe04", clientSecret });
  await admin.command("config/create-gitlab-config", {
    clientId: "c1f0a7be52d94e6f8a3b7d2c9e5f10486ab3d7c2e9f15804a6b3d7c2e9f15804",
    clientSecret,
    baseUrl: "https://gitlab.example.com",
  });
  await admin.command("config/create-google-config", {
    clientId: "402816357914-b7q2example.apps.googleusercontent.com",
    clientSecret,
  });
  for (const provider of ["azure", "google"] as const) {
    await admin.command("config/update-auth-provider", { provider, enabled: true });
  }
}

/** Writes a picture as a PNG that is as small as it may be. */
async function write(name: string, picture: Buffer): Promise<void> {
  const path = join(FOLDER, `${name}.png`);
  for (const colours of [256, 128, 64]) {
    const { size } = await sharp(picture).png({ palette: true, colours, effort: 10, compressionLevel: 9 }).toFile(path);
    if (size <= MAX_BYTES) {
      console.log(`  ${name}.png  ${Math.ceil(size / 1000)} kB`);
      return;
    }
  }
  throw new Error(`${name}.png is larger than ${MAX_BYTES} bytes.`);
}

async function signIn(page: Page, { email, password }: Credentials, landing: string): Promise<void> {
  await page.goto("/");
  await page.getByLabel(t("auth.email"), { exact: true }).fill(email);
  await page.getByLabel(t("auth.password"), { exact: true }).fill(password);
  await page.getByRole("button", { name: t("auth.submit"), exact: true }).click();
  await page.waitForURL(`**${landing}`);
}

async function takePictures(sample: Sample, port: number, tls: TlsIdentity): Promise<void> {
  const { executablePath, args = [] } = config.use?.launchOptions ?? {};
  const here = `--host-resolver-rules=MAP ${new URL(PUBLIC_URL).hostname}:443 127.0.0.1:${port}`;
  const browser = await chromium.launch({ executablePath, args: [...args, here, tls.trustArgument] });
  try {
    for (const { name, device = "desktop", theme = "light", signedOut = false, path, prepare } of PICTURES) {
      const context = await browser.newContext({
        ...(device === "phone" ? PHONE : DESKTOP),
        baseURL: PUBLIC_URL,
        locale: "en-GB",
        colorScheme: theme,
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      if (device === "phone") await signIn(page, sample.tester, "/home");
      else if (!signedOut) await signIn(page, ADMIN, "/admin-dashboard");
      await page.goto(path(sample));
      await page.getByRole("heading", { level: 1 }).waitFor();
      await prepare?.(page);
      await page.waitForLoadState("networkidle");
      await write(`${name}-${device}-${theme}`, await page.screenshot({ animations: "disabled", caret: "hide" }));
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

await mkdir(FOLDER, { recursive: true });
const removeTemplate = await prepareTemplate();
const server = await startConsole();
try {
  const sample = await seed();
  const tls = makeTlsIdentity();
  const secure = await startHttpsConsole(tls, PUBLIC_URL);
  try {
    await takePictures(sample, secure.port, tls);
  } finally {
    await secure.stop();
  }
} finally {
  await server.stop();
  await removeTemplate();
}
