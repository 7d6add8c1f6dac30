import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { certificateSample, type SampleName } from "@slipway/certificates/testing";
import { makeAab } from "@slipway/installers/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { updateSecureCertificate } from "@/lib/features/certificates/operations/update-secure-certificate";
import { updateSigningKey } from "@/lib/features/certificates/operations/update-signing-key";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { downloadTestingDeployFile } from "@/lib/features/releases/operations/download-testing-deploy-file";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { retryUniversalApk } from "@/lib/features/releases/operations/retry-universal-apk";
import { restoreRelease } from "@/lib/features/retention/operations/restore-release";
import { universalApksJob } from "@/lib/jobs/universal-apks";
import { env } from "@/lib/kernel/env";
import { newId } from "@/lib/kernel/ids";
import { certificateValue, sendCertificate } from "@/lib/testing/certificates";
import { anApp, aUser, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { publish } from "@/lib/testing/releases";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { projectDir } from "@/scripts/lib/files.mjs";
import { setUpTestDatabase } from "@/scripts/test-database";
import { findBundleTools } from "./tools";
import { bundleFolder, makeUniversalApks } from "./universal-apk";

const BUNDLETOOL = join(projectDir, ".data", "bundletool");

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
let missing: string | null;
/** An administrator who has confirmed a second factor. */
let owner: TestUser;

beforeAll(async () => {
  process.env.BUNDLETOOL_DIR = BUNDLETOOL;
  expect(env.BUNDLETOOL_DIR).toBe(BUNDLETOOL);
  const tools = await findBundleTools();
  missing = typeof tools === "string" ? `${tools}: npm run bundletool downloads bundletool` : null;
  admin = await aUser({ admin: true });
  owner = await aUser({ admin: true });
  await withTwoFactor(owner, { passed: true });
  app = await anApp();
  environmentId = app.environmentIds[0] as string;
});

function aBundle(more: Parameters<typeof makeAab>[0] = {}): Uint8Array<ArrayBuffer> {
  const seed = { name: "base/assets/seed.txt", data: Buffer.from(crypto.randomUUID()) };
  return makeAab({ identifier: app.identifier, extraEntries: [seed], ...more });
}

async function published(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { status, body } = await publish(admin, bytes, "Example.aab", { environmentId });
  expect(status).toBe(201);
  expect(body.universal).toMatchObject({ state: "pending", size: null, error: null });
  return body.id;
}

/** Adds a certificate file to the environment and has its key sign. @returns its id */
async function chooseKey(file: SampleName, more: { keyPassword?: string } = {}): Promise<string> {
  const password = file === "empty-password.p12" ? undefined : "secret";
  const { id: certificateId } = (await sendCertificate(owner, file, { environmentId, password })).body;
  expect((await send(updateSigningKey, owner, { environmentId, certificateId, ...more })).status).toBe(200);
  return certificateId;
}

const options = () => ({ until: new Date(Date.now() + 60_000), signal: AbortSignal.timeout(120_000) });
const run = () => universalApksJob.run({}, { id: newId(), signal: AbortSignal.timeout(120_000) });
const universalOf = async (id: string) => (await send(getTestingDeployById, admin, { id })).body.universal;
const has = (program: string) => spawnSync("which", [program]).status === 0;

async function download(id: string): Promise<Buffer> {
  const response = await sendRaw(downloadTestingDeployFile, admin, { id, variant: "universal" });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/vnd.android.package-archive");
  expect(response.headers.get("content-disposition")).toContain("Example.apk");
  return Buffer.from(await response.arrayBuffer());
}

/** Calls a witness with an APK. @returns its output */
function witness(program: string, args: readonly string[], apk: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "slipway-apk-"));
  try {
    const file = join(folder, "app.apk");
    writeFileSync(file, apk);
    const { stdout, stderr, status } = spawnSync(program, [...args, file], { encoding: "utf8" });
    expect(`${status} ${stderr}`).toMatch(/^0/);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the APK of an app bundle", () => {
  it("is made by a job, signed with a key of the app, and is the same app for apksigner and aapt2", async (context) => {
    if (missing) context.skip(missing);
    const id = await published(aBundle());
    await run();
    const universal = await universalOf(id);
    expect(universal).toMatchObject({ state: "ready", key: "app", error: null });
    const apk = await download(id);
    expect(apk.length).toBe(universal.size);
    expect(readdirSync(bundleFolder())).toEqual([]);
    if (!has("apksigner") || !has("aapt2")) context.skip("apksigner or aapt2 is missing");
    expect(witness("apksigner", ["verify", "--print-certs"], apk)).toContain(universal.signingSha256);
    expect(witness("aapt2", ["dump", "badging"], apk)).toContain(`package: name='${app.identifier}' versionCode='`);
  });

  it("is signed with the same key for each bundle of the app, which is sealed", async (context) => {
    if (missing) context.skip(missing);
    const [one, other] = [await published(aBundle()), await published(aBundle())];
    await run();
    const hashes = [await universalOf(one), await universalOf(other)].map(({ signingSha256 }) => signingSha256);
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(hashes[1]).toBe(hashes[0]);
    const { keystore } = await db.appSigningKey.findUniqueOrThrow({ where: { appId: app.appId } });
    // The sequence at the beginning of a PKCS #12 file.
    expect(Buffer.from(keystore).indexOf(Buffer.from([0x02, 0x01, 0x03, 0x30]))).toBe(-1);
  });

  it.for([
    ["key-password.p12", "other"],
    ["key-password.jks", "other-key"],
    ["empty-password.p12", undefined],
  ] as const)(
    "is signed with the key that was chosen for its environment, also if the key has a password of its own or the file an empty one: %s",
    async ([file, keyPassword], context) => {
      if (missing) context.skip(missing);
      await chooseKey(file, { ...(keyPassword && { keyPassword }) });
      const id = await published(aBundle());
      await run();
      const universal = await universalOf(id);
      expect(universal).toMatchObject({ state: "ready", key: "environment", error: null });
      const certificate = new X509Certificate(certificateSample("leaf.pem"));
      expect(universal.signingSha256).toBe(certificate.fingerprint256.replaceAll(":", "").toLowerCase());
      await send(updateSigningKey, owner, { environmentId, certificateId: null });
    },
  );

  it("whose key was replaced in its file says so, and can be tried again", async (context) => {
    if (missing) context.skip(missing);
    const certificateId = await chooseKey("key-password.p12", { keyPassword: "other" });
    const file = { fileName: "keytool.p12", value: certificateValue("keytool.p12"), password: "secret" };
    expect((await send(updateSecureCertificate, owner, { id: certificateId, ...file })).status).toBe(200);
    const id = await published(aBundle());
    await run();
    const universal = await universalOf(id);
    expect(universal).toMatchObject({ state: "failed", error: "key", size: null });
    expect(universal.detail).not.toMatch(/secret|other|key\.p12/);
    expect((await send(updateSigningKey, owner, { environmentId, certificateId })).status).toBe(200);
    await send(retryUniversalApk, admin, { id });
    await run();
    expect(await universalOf(id)).toMatchObject({ state: "ready", key: "environment" });
    await send(updateSigningKey, owner, { environmentId, certificateId: null });
  });

  it("counts with the bundle, and goes to the bin and comes back with it", async (context) => {
    if (missing) context.skip(missing);
    const bytes = aBundle();
    const id = await published(bytes);
    await run();
    const { size } = await universalOf(id);
    const counted = async (kind: string) => {
      const { _sum } = await db.storageCount.aggregate({ where: { environmentId, kind }, _sum: { bytes: true } });
      return Number(_sum.bytes ?? 0);
    };
    const [aab, bin] = [await counted("aab"), await counted("bin")];
    await send(deleteTestingDeploy, admin, { id });
    expect(aab - (await counted("aab"))).toBe(bytes.length + size);
    expect((await counted("bin")) - bin).toBe(bytes.length + size);
    await send(restoreRelease, admin, { id });
    expect(await counted("aab")).toBe(aab);
    expect((await download(id)).length).toBe(size);
  });

  it("is refused with the words of bundletool, and can be tried again", async (context) => {
    if (missing) context.skip(missing);
    const extraEntries = [{ name: "base/dex/not-a-dex.txt", data: Buffer.from(crypto.randomUUID()) }];
    const id = await published(aBundle({ extraEntries }));
    await run();
    const universal = await universalOf(id);
    expect(universal).toMatchObject({ state: "failed", error: "refused", size: null });
    expect(universal.detail).toMatch(/dex/i);
    expect(universal.detail).not.toContain(bundleFolder());
    const again = await send(retryUniversalApk, admin, { id });
    expect(again.status).toBe(202);
    expect(again.body.universal).toMatchObject({ state: "pending", error: null, detail: null });
  });

  it("that takes too long is given up", async (context) => {
    if (missing) context.skip(missing);
    const id = await published(aBundle());
    await makeUniversalApks({ ...options(), limits: { seconds: 0.3, memoryMb: 512 } });
    expect(await universalOf(id)).toMatchObject({ state: "failed", error: "time" });
    expect(existsSync(bundleFolder()) && readdirSync(bundleFolder())).toEqual([]);
  });

  it("that needs more memory than Java has is given up", async (context) => {
    if (missing) context.skip(missing);
    const id = await published(aBundle());
    await makeUniversalApks({ ...options(), limits: { seconds: 100, memoryMb: 2 } });
    expect(await universalOf(id)).toMatchObject({ state: "failed", error: "memory" });
  });

  it("is not made again, and no other file has one", async (context) => {
    if (missing) context.skip(missing);
    const id = await published(aBundle());
    await run();
    expect((await send(retryUniversalApk, admin, { id })).status).toBe(409);
    const bundle = await sendRaw(downloadTestingDeployFile, admin, { id });
    expect(bundle.headers.get("content-disposition")).toContain("Example.aab");
  });
});

it("no file of bundletool that differs from the tested one is run", async () => {
  const { jars } = JSON.parse(readFileSync(join(projectDir, "lib", "bundles", "bundletool.json"), "utf8"));
  const folder = mkdtempSync(join(tmpdir(), "slipway-other-bundletool-"));
  for (const { path } of jars) writeFileSync(join(folder, path.split("/").at(-1)), "other");
  try {
    expect(["bundletool_missing", "java_missing"]).toContain(await findBundleTools(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
