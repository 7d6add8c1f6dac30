import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeAab } from "@slipway/installers/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { downloadTestingDeployFile } from "@/lib/features/releases/operations/download-testing-deploy-file";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { universalApksJob } from "@/lib/jobs/universal-apks";
import { newId } from "@/lib/kernel/ids";
import { anApp, aUser, send, sendRaw } from "@/lib/testing/console";
import { publish } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { makeUniversalApks } from "./universal-apk";

setUpTestDatabase();

const before = { ...process.env };
const folder = mkdtempSync(join(tmpdir(), "slipway-no-bundletool-"));
beforeAll(() => {
  Object.assign(process.env, { BUNDLETOOL_DIR: folder, PATH: folder, JAVA_HOME: "" });
});
afterAll(() => {
  Object.assign(process.env, before);
  rmSync(folder, { recursive: true });
});

it("a release says what is missing to make its APK", async () => {
  const admin = await aUser({ admin: true });
  const app = await anApp();
  const fields = { environmentId: app.environmentIds[0] as string };
  const { body } = await publish(admin, makeAab({ identifier: app.identifier }), "Example.aab", fields);
  await universalApksJob.run({}, { id: newId(), signal: AbortSignal.timeout(60_000) });
  const { body: release } = await send(getTestingDeployById, admin, { id: body.id });
  expect(release.universal).toMatchObject({ state: "unavailable", error: "java_missing", size: null });
  const response = await sendRaw(downloadTestingDeployFile, admin, { id: body.id, variant: "universal" });
  expect(response.status).toBe(404);
});

it("the bundles of one caller wait for one of another caller at a time", async () => {
  const [one, other] = [await aUser({ admin: true }), await aUser({ admin: true })];
  const app = await anApp();
  const published = async (caller: typeof one, versionCode: number) => {
    const bundle = makeAab({ identifier: app.identifier, versionCode });
    return (await publish(caller, bundle, "Example.aab", { environmentId: app.environmentIds[0] as string })).body.id;
  };
  const ids = [await published(one, 1), await published(one, 2), await published(other, 3)];
  // It is asked before a bundle and after its failure, so it ends the run after two.
  let left = 4;
  const throwIfAborted = () => {
    if (left-- === 0) throw new Error("aborted");
  };
  const until = new Date(Date.now() + 60_000);
  await expect(makeUniversalApks({ until, signal: { throwIfAborted } as AbortSignal })).rejects.toThrow("aborted");
  const rows = await db.release.findMany({ where: { id: { in: ids } }, select: { id: true, universalState: true } });
  expect(ids.map((id) => rows.find((row) => row.id === id)?.universalState)).toEqual([
    "unavailable",
    "pending",
    "unavailable",
  ]);
});
