import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noRoute } from "@/lib/api/route";
import { operationRoutes } from "@/lib/api/routes";
import { db } from "@/lib/db/client";
import { downloadTestingDeployAppleFile } from "@/lib/features/releases/operations/download-testing-deploy-apple-file";
import { downloadTestingDeployByToken } from "@/lib/features/releases/operations/download-testing-deploy-by-token";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { createConsoleServer } from "@/lib/http/server/console-server";
import { makeGate } from "@/lib/http/server/gate";
import { listenerOf } from "@/lib/http/server/listener";
import { listenTls } from "@/lib/http/server/tls";
import { installCheckJob } from "@/lib/jobs/install-check";
import { env } from "@/lib/kernel/env";
import { newId } from "@/lib/kernel/ids";
import { INSTALL_CHECKS } from "@/lib/kernel/install-check-codes";
import { ensureLanCertificates, lanFolder } from "@/lib/keys/lan-certificates";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { anApk, aRelease, publish } from "@/lib/testing/releases";
import { findFreePort } from "@/scripts/lib/ports.mjs";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getInstallCheck } from "./operations/get-install-check";
import { runInstallCheck } from "./operations/run-install-check";
import type { InstallCheck } from "./schema";

setUpTestDatabase();

let admin: TestUser;
let place: { identifier: string; environmentId: string };
/** A release for iOS. */
let releaseId: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  const port = await findFreePort("127.0.0.1");
  // Read when a setting is used for the first time.
  process.env.APP_URL = `https://127.0.0.1:${port}`;
  expect(env.APP_URL).toBe(process.env.APP_URL);
  admin = await aUser({ admin: true });
  const app = await anApp();
  place = { identifier: app.identifier, environmentId: app.environmentIds[0] as string };
  releaseId = (await aRelease(admin, place)).id;
  const routes = {
    byPath: operationRoutes([downloadTestingDeployAppleFile, downloadTestingDeployByToken]),
    below: {},
    otherwise: noRoute,
    pages: [],
  };
  const server = createConsoleServer((_request, response) => void response.end("{}"), {
    gate: makeGate(routes),
    listener: listenerOf(routes),
  });
  const tls = listenTls(await ensureLanCertificates(lanFolder(), ["127.0.0.1"], new Date()));
  tls.attach(server.http);
  await server.listen(port, "127.0.0.1");
  stop = async () => {
    server.destroy();
    await new Promise((resolve) => server.http.close(resolve));
  };
});
afterAll(() => stop());

const resultsOf = ({ checks }: InstallCheck) => Object.fromEntries(checks.map(({ code, result }) => [code, result]));

describe("the install check of this console", () => {
  it("goes the way of an iPhone to a release", async () => {
    const { status, body } = await send(runInstallCheck, admin, { id: releaseId });
    expect(status).toBe(200);
    expect(body.checks.map(({ code }: { code: string }) => code)).toEqual(INSTALL_CHECKS);
    expect(resultsOf(body)).toEqual({
      dns: "ok",
      // The test’s server is on this machine.
      address_public: "failure",
      tls_chain: "warning",
      tls_name: "ok",
      tls_expiry: "ok",
      tls_version: "ok",
      clock: "ok",
      redirects: "ok",
      manifest_type: "ok",
      manifest_first_byte: "ok",
      manifest_keys: "ok",
      manifest_urls: "ok",
      ipa_length: "ok",
      ipa_compression: "ok",
      ipa_range: "ok",
      icon_57: "ok",
      icon_512: "ok",
      // Apple is asked only where the settings say so.
      certificate_revoked: "skipped",
      apk_type: "skipped",
    });
    expect(body.ok).toBe(false);
  });

  it("goes the way of an Android phone to a release", async () => {
    const fields = { environmentId: place.environmentId };
    const { body: release } = await publish(admin, await anApk(place.identifier), "Example.apk", fields);
    const { body } = await send(runInstallCheck, admin, { id: release.id });
    expect(resultsOf(body)).toMatchObject({ redirects: "ok", manifest_type: "skipped", apk_type: "ok" });
  });

  it("takes the newest release for iOS that the caller may read, if none is named", async () => {
    const newest = await aRelease(admin, place);
    const { status } = await send(runInstallCheck, admin, {});
    expect(status).toBe(200);
    const { body } = await send(getInstallCheck, admin, { id: newest.id });
    expect(body.check.checks).toHaveLength(INSTALL_CHECKS.length);
    const stranger = await aUser({ grants: [{ scopes: ["release:read"], apps: [] }] });
    expect((await send(runInstallCheck, stranger, {})).status).toBe(404);
  });

  it("counts no download, and leaves no link", async () => {
    await send(runInstallCheck, admin, { id: releaseId });
    const { body } = await send(getTestingDeployById, admin, { id: releaseId });
    expect(body.downloads).toBe(0);
    expect(await db.oneTimeToken.count({ where: { subject: releaseId } })).toBe(0);
  });

  it("says in the language of the caller what is wrong", async () => {
    const inSpanish = { headers: { ...admin.headers, "accept-language": "es" } };
    const { body } = await send(runInstallCheck, inSpanish, { id: releaseId });
    const address = body.checks.find(({ code }: { code: string }) => code === "address_public");
    expect(address).toMatchObject({ title: "Dirección pública", seen: "127.0.0.1" });
    expect(address.advice).toContain("ningún teléfono");
  });

  it("is kept with the release, and made by a job after a publication", async () => {
    const { id } = await aRelease(admin, place);
    expect((await send(getInstallCheck, admin, { id })).body).toEqual({ check: null });
    const context = { id: newId(), signal: AbortSignal.timeout(30_000) };
    expect(await installCheckJob.run({ releaseIds: [id, newId()] }, context)).toBe("done");
    const { body } = await send(getInstallCheck, admin, { id });
    expect(resultsOf(body.check)).toMatchObject({ ipa_range: "ok", tls_chain: "warning" });
  });

  it("is requested by the publication of an .ipa, and of no .apk", async () => {
    const requested = async () =>
      (
        await db.$queryRaw<{ data: { releaseIds: string[] } }[]>`
        SELECT "data" FROM pgboss.job WHERE "name" = 'install-check'`
      ).flatMap(({ data }) => data.releaseIds);
    const ipa = await aRelease(admin, place);
    const fields = { environmentId: place.environmentId };
    const apk = await publish(admin, await anApk(place.identifier), "Example.apk", fields);
    expect(await requested()).toContain(ipa.id);
    expect(await requested()).not.toContain(apk.body.id);
  });
});
