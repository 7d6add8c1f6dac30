import { makeAab } from "@slipway/installers/testing";
import { beforeAll, expect, it } from "vitest";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { getLatestRelease } from "@/lib/features/client/operations/get-latest-release";
import { getDashboard } from "@/lib/features/dashboard/operations/get-dashboard";
import { searchConsole } from "@/lib/features/navigation/operations/search-console";
import { anApp, aToken, aUser, type Caller, send, type TestUser } from "@/lib/testing/console";
import { anApk, publish } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getInstallableReleases } from "./operations/get-installable-releases";
import { getLatestTestingDeploys } from "./operations/get-latest-testing-deploys";
import { getLatestTestingDeploysByApp } from "./operations/get-latest-testing-deploys-by-app";
import { getTestingDeployById } from "./operations/get-testing-deploy-by-id";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;

async function publishApk(versionName: string, versionCode: number): Promise<string> {
  const bytes = await anApk(app.identifier, { versionName, versionCode });
  return (await publish(admin, bytes, "app.apk", { environmentId })).body.id;
}

/** What each part of the API says is the latest release. */
async function latestEverywhere(releaseId: string): Promise<Record<string, string>> {
  const token = await aToken({ appId: app.appId, environmentId, scopes: ["release:read"] });
  const read = async (
    operation: Parameters<typeof send>[0],
    input: Record<string, unknown>,
    caller: Caller = admin,
  ) => {
    const { status, body } = await send(operation, caller, input);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const ofApp = (items: { app?: { id: string }; id?: string }[]) => items.find((item) => item.app?.id === app.appId);
  const [client, environment, application, details, tester, dashboard, search] = [
    await read(getLatestRelease, { platform: "android" }, token),
    await read(getLatestTestingDeploys, { appId: app.appId, environmentIds: [environmentId] }),
    await read(getLatestTestingDeploysByApp, { appIds: [app.appId] }),
    await read(getTestingDeployById, { id: releaseId }),
    await read(getInstallableReleases, { appId: app.appId }),
    await read(getDashboard, {}),
    await read(searchConsole, { search: "nightly android" }),
  ];
  return {
    client: client.release.id,
    environment: environment.items[0].id,
    application: application.items[0].id,
    details: details.latest.id,
    tester: (ofApp(tester.items) as { releases: { id: string }[] } | undefined)?.releases[0]?.id ?? "",
    dashboard: dashboard.apps.find(({ id }: { id: string }) => id === app.appId).environments[0].latest.id,
    search: search.latest[0].id,
  };
}

beforeAll(async () => {
  await ensureServerKeys();
  admin = await aUser({ admin: true });
  app = await anApp({ environments: [{ name: "Nightly" }] });
  environmentId = app.environmentIds[0] as string;
});

it("is everywhere the installer with the highest version and build, not the one that was published last", async () => {
  const latest = await publishApk("1.10", 7);
  const hotfix = await publishApk("1.9", 8);
  const bundle = makeAab({ identifier: app.identifier, versionName: "2.0" });
  const published = await publish(admin, bundle, "app.aab", { environmentId });
  expect(published.status, JSON.stringify(published.body)).toBe(201);
  const answers = await latestEverywhere(hotfix);
  expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((part) => [part, latest])));
});
