import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { certificateSample, SAMPLE_PASSWORD } from "@slipway/certificates/testing";
import { makeAab, makeApk, makeDsyms, makeIpa, makeMachO, makeMapping } from "@slipway/installers/testing";
import sharp from "sharp";
import { execute } from "@/lib/api/execute";
import type { Operation } from "@/lib/api/operation";
import { actorFromHeaders } from "@/lib/auth/actor";
import { createFirstAdmin } from "@/lib/auth/first-admin";
import { hashPassword } from "@/lib/auth/passwords";
import { createSession, endSession } from "@/lib/auth/sessions";
import { db } from "@/lib/db/client";
import { applyMigrations } from "@/lib/db/migrations";
import { createApp } from "@/lib/features/apps/operations/create-app";
import { startBisect } from "@/lib/features/bisects/operations/start-bisect";
import { createSecureCertificate } from "@/lib/features/certificates/operations/create-secure-certificate";
import { updateSigningKey } from "@/lib/features/certificates/operations/update-signing-key";
import { importDevices } from "@/lib/features/devices/operations/import-devices";
import { createEnvironmentApp } from "@/lib/features/environments/operations/create-environment-app";
import { createFeedback } from "@/lib/features/feedback/operations/create-feedback";
import { updateFeedback } from "@/lib/features/feedback/operations/update-feedback";
import { createReleaseFile } from "@/lib/features/release-files/operations/create-release-file";
import { createTestingDeploy } from "@/lib/features/releases/operations/create-testing-deploy";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { updateRetention } from "@/lib/features/retention/operations/update-retention";
import { updateEnvironmentRules } from "@/lib/features/rules/operations/update-environment-rules";
import { createShareLink } from "@/lib/features/share-links/operations/create-share-link";
import { createTesterGroup } from "@/lib/features/testers/operations/create-tester-group";
import { distributeRelease } from "@/lib/features/testers/operations/distribute-release";
import { createWebhook } from "@/lib/features/webhooks/operations/create-webhook";
import { updateWebhook } from "@/lib/features/webhooks/operations/update-webhook";
import { closeQueues } from "@/lib/jobs/queue";
import { ApiError } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";
import { type Actor, type AuthenticatedActor, ownerOf, SUPER_ADMIN } from "@/lib/permissions/actor";
import { receiveFile } from "@/lib/storage/files";
import { recordDemoVisits } from "./lib/demo-visits";
import { runCommand } from "./lib/run-command";
import { commandLine } from "./lib/usage";

const IDENTIFIER = "com.example.orbit";
const USER_AGENT = "slipway demo";
/** Of the programs of the newest `.ipa`. */
const PROGRAM_UUID = "5E1B2C7A-93D4-4F0E-8A61-0C2D7B9E4F10";
const FRAMEWORK_UUID = "B0A4D6F2-1C3E-4859-9F7B-6D2E8A0C5B31";

/** Runs an operation as this actor, with access checks, a transaction and an audit record. */
async function run(operation: Operation, actor: Actor, input: object): Promise<{ id: string }> {
  const outcome = await execute(operation, {
    actor: async () => actor,
    input: async () => input,
    carriesFile: false,
    request: {
      requestId: newId(),
      locale: "en",
      ip: null,
      userAgent: USER_AGENT,
      now: new Date(),
      headers: new Headers(),
      method: operation.method,
      signal: new AbortController().signal,
    },
  });
  return outcome.output as { id: string };
}

/** Stores a generated installer and publishes it. @returns the ID of the release */
async function publish(
  actor: Actor,
  environmentId: string,
  release: { name: string; bytes: Uint8Array; description: string; metadata?: Record<string, string> },
): Promise<string> {
  const file = await receiveFile({
    name: release.name,
    contentType: "application/octet-stream",
    body: Readable.from([release.bytes]),
    purpose: "installer",
    maxBytes: release.bytes.length,
    tooLarge: () => new ApiError("file_too_large", { detailKey: "detailPlain" }),
  });
  const { description, metadata = {} } = release;
  const { id } = await run(createTestingDeploy, actor, { environmentId, file, description, metadata });
  console.log(`  ${release.name} is published`);
  return id;
}

/** The administrator that the demonstration acts as. If there is none, creates one and prints its password. */
async function administratorId(): Promise<string> {
  const existing = await db.user.findFirst({
    where: { role: { name: SUPER_ADMIN }, status: "active" },
    orderBy: { id: "asc" },
  });
  if (existing) return existing.id;
  const password = randomBytes(12).toString("base64url");
  const passwordHash = await hashPassword(password);
  const admin = { firstNames: "Dana", lastNames: "Demo", email: "dana@example.com", passwordHash, locale: null };
  console.log(`  An administrator: ${admin.email}, password ${password}`);
  return db.$transaction((tx) => createFirstAdmin(tx, admin));
}

/** Runs work as an administrator, in a session of its own: a change checks its caller's session before it is committed. */
async function asAdministrator(work: (actor: Actor) => Promise<void>): Promise<void> {
  const userId = await administratorId();
  const now = new Date();
  const { token, sessionId } = await db.$transaction((tx) =>
    createSession(tx, { userId, method: "password", now, ip: null, userAgent: USER_AGENT, secondFactor: true }),
  );
  try {
    await work(await actorFromHeaders(new Headers({ authorization: `Bearer ${token}` }), now));
  } finally {
    await endSession(db, sessionId);
  }
}

const QUEUES_TIMEOUT_MS = 10_000;

async function demonstrate(): Promise<void> {
  await applyMigrations({
    connectionString: process.env.DATABASE_URL as string,
    directory: "prisma/migrations",
    log: { info: () => {}, warn: (line) => console.warn(line) },
  });
  if (await db.app.findFirst({ where: { identifier: IDENTIFIER } })) {
    const { email } = await db.user.findUniqueOrThrow({ where: { id: await administratorId() } });
    console.log(`  The demonstration is there already. Its administrator is ${email}. The password was printed once;`);
    console.log(`  \`${commandLine("admin")} recovery-link ${email}\` prints a link to set a new one.`);
    return;
  }
  try {
    await asAdministrator(publishExamples);
  } finally {
    // The jobs that were requested are run by the console.
    await closeQueues(QUEUES_TIMEOUT_MS);
  }
}

async function publishExamples(actor: Actor): Promise<void> {
  const app = await run(createApp, actor, {
    name: "Orbit",
    identifier: IDENTIFIER,
    description: "A demonstration: an app with two environments and a handful of releases.",
  });
  const development = await run(createEnvironmentApp, actor, {
    appId: app.id,
    name: "Development",
    status: "active",
    identifiers: [`${IDENTIFIER}.dev`],
  });
  const staging = await run(createEnvironmentApp, actor, { appId: app.id, name: "Staging", status: "active" });

  const { earlier, newest, android } = await publishReleases(actor, development.id, staging.id);
  await run(updateEnvironmentRules, actor, {
    environmentId: staging.id,
    growthPercent: { mode: "warn", percent: 20 },
    debuggable: { mode: "warn" },
  });
  await run(updateRetention, actor, { environmentId: staging.id, keepNewest: 10, keepDays: 90 });
  await run(createShareLink, actor, { environmentId: staging.id, name: "For the client", onlyPhones: true });
  const people = ["grace@client.example", "alan@client.example", "edsger@agency.example"];
  const group = await run(createTesterGroup, actor, { appId: app.id, name: "Beta testers", emails: people });
  // Nobody is asked by mail: these people do not exist.
  const askedAt = new Date();
  await db.tester.updateMany({ data: { askedAt } });
  await db.tester.updateMany({ where: { email: { in: people.slice(1) } }, data: { confirmedAt: askedAt } });
  await run(distributeRelease, actor, { releaseId: newest, groupIds: [group.id], notify: false });
  await giveFeedback(actor, newest);
  await addSymbols(actor, { ios: newest, android });
  await recordDemoVisits(newest, Date.now());
  // Nothing was published between the two, so it is over at once.
  await run(startBisect, actor, { environmentId: staging.id, goodId: earlier, badId: newest });
  await addWebhook(actor, app.id);
  await addDevices(actor);
}

/** @returns the IDs of the iOS releases before and after a change, and of the Android release after it */
async function publishReleases(
  actor: Actor,
  developmentId: string,
  stagingId: string,
): Promise<{ earlier: string; newest: string; android: string }> {
  const now = Date.now();
  const profile = (type: "development" | "ad-hoc" | "enterprise", days: number, devices?: number) => ({
    type,
    devices,
    team: "8Q2W7X9Z4K",
    teamName: "Example Studio",
    name: `Orbit ${type}`,
    created: new Date(now - 200 * DAY_MS),
    expires: new Date(now + days * DAY_MS),
  });
  const ios = { name: "Orbit", minOs: "17.0", iconHue: 262 };
  const android = { name: "Orbit", targetSdk: 36, minSdk: 26, hue: 262, abis: ["arm64-v8a", "x86_64"] };
  const from = (branch: string, commit: string) => ({ gitBranch: branch, gitCommit: commit });

  await publish(actor, developmentId, {
    name: "Orbit-dev-2.4.0.ipa",
    bytes: makeIpa({
      ...ios,
      identifier: `${IDENTIFIER}.dev`,
      version: "2.4.0",
      build: "117",
      profile: profile("development", 164, 12),
    }),
    description: "New map tiles behind a switch.\nTurn them on under Settings → Labs.",
    metadata: from("feature/map-tiles", "4f1c2ab"),
  });
  await publish(actor, developmentId, {
    name: "Orbit-dev-2.4.0.apk",
    bytes: await makeApk({
      ...android,
      identifier: `${IDENTIFIER}.dev`,
      versionName: "2.4.0",
      versionCode: 117,
      debuggable: true,
      permissions: ["android.permission.INTERNET"],
    }),
    description: "New map tiles behind a switch.",
    metadata: from("feature/map-tiles", "4f1c2ab"),
  });
  const earlier = await publish(actor, stagingId, {
    name: "Orbit-2.3.1.ipa",
    bytes: makeIpa({
      ...ios,
      identifier: IDENTIFIER,
      version: "2.3.1",
      build: "109",
      profile: profile("ad-hoc", 9, 38),
    }),
    description: "Fixes the crash when a trip is shared without a title.",
    metadata: from("release/2.3", "b07e9d1"),
  });
  await publish(actor, stagingId, {
    name: "Orbit-2.3.1.apk",
    bytes: await makeApk({
      ...android,
      identifier: IDENTIFIER,
      versionName: "2.3.1",
      versionCode: 109,
      permissions: ["android.permission.INTERNET"],
    }),
    description: "Fixes the crash when a trip is shared without a title.",
    metadata: from("release/2.3", "b07e9d1"),
  });
  const newest = await publish(actor, stagingId, {
    name: "Orbit-2.4.0.ipa",
    bytes: makeIpa({
      ...ios,
      identifier: IDENTIFIER,
      version: "2.4.0",
      build: "118",
      profile: profile("ad-hoc", 212, 41),
      info: { CFBundleExecutable: "Orbit" },
      files: {
        "tiles.bin": randomBytes(300_000),
        Orbit: makeMachO({ uuid: PROGRAM_UUID, contents: randomBytes(40_000) }),
        "Frameworks/OrbitMaps.framework/OrbitMaps": makeMachO({ uuid: FRAMEWORK_UUID, fileType: 6 }),
      },
    }),
    description:
      "Offline maps: pick a region under Trips → Download.\nAlso: faster start, and the share sheet shows the route.",
    metadata: from("main", "c8d2f60"),
  });
  const android24 = await publish(actor, stagingId, {
    name: "Orbit-2.4.0.apk",
    bytes: await makeApk({
      ...android,
      identifier: IDENTIFIER,
      versionName: "2.4.0",
      versionCode: 118,
      permissions: ["android.permission.INTERNET", "android.permission.ACCESS_FINE_LOCATION"],
      fillerBytes: 400_000,
    }),
    description: "Offline maps: pick a region under Trips → Download.",
    metadata: from("main", "c8d2f60"),
  });
  await chooseSigningKey(actor, stagingId);
  await publish(actor, stagingId, {
    name: "Orbit-2.4.0.aab",
    bytes: makeAab({ ...android, identifier: IDENTIFIER, versionName: "2.4.0", versionCode: 118 }),
    description: "The bundle for the Play Store, for the record.",
    metadata: from("main", "c8d2f60"),
  });
  const mistaken = await publish(actor, stagingId, {
    name: "Orbit-2.4.1.apk",
    bytes: await makeApk({ ...android, identifier: IDENTIFIER, versionName: "2.4.1", versionCode: 121 }),
    description: "Built from the wrong branch.",
    metadata: from("spike/maps", "0f3ab77"),
  });
  await run(deleteTestingDeploy, actor, { id: mistaken });
  return { earlier, newest, android: android24 };
}

/**
 * Adds a keystore that signs the APKs of the environment's bundles. Everybody knows its password: it is one of the samples of the tests.
 * There is no key of App Store Connect, because Apple would be asked with it.
 */
async function chooseSigningKey(actor: Actor, environmentId: string): Promise<void> {
  const { id } = await run(createSecureCertificate, actor, {
    environmentId,
    name: "Keystore of the demonstration",
    key: "ANDROID_KEYSTORE",
    fileName: "orbit.p12",
    value: Buffer.from(certificateSample("keytool.p12")).toString("base64"),
    password: SAMPLE_PASSWORD,
  });
  await run(updateSigningKey, actor, { environmentId, certificateId: id, alias: "1" });
}

/** Adds symbols: those of the program of one release, whose framework has none, and the mapping file of the other one. */
async function addSymbols(actor: Actor, { ios, android }: { ios: string; android: string }): Promise<void> {
  const add = async (releaseId: string, kind: "dsym" | "mapping", name: string, bytes: Uint8Array) => {
    const now = new Date();
    const { fileId, size } = await receiveFile({
      name,
      contentType: "application/octet-stream",
      body: Readable.from([bytes]),
      purpose: "attachment",
      maxBytes: bytes.length,
      tooLarge: () => new ApiError("file_too_large", { detailKey: "detailPlain" }),
    });
    // A further file comes from an upload of the caller's own.
    await db.upload.create({
      data: {
        id: newId(),
        fileId,
        storeUploadId: fileId,
        partSize: size,
        size: BigInt(size),
        createdBy: ownerOf(actor as AuthenticatedActor),
        createdAt: now,
        expiresAt: new Date(now.getTime() + DAY_MS),
      },
    });
    await run(createReleaseFile, actor, { releaseId, fileId, kind, name });
  };
  await add(ios, "dsym", "Orbit.app.dSYM.zip", makeDsyms([PROGRAM_UUID]));
  await add(android, "mapping", "mapping.txt", makeMapping());
}

/** Adds devices: two that their owners have not registered yet. */
async function addDevices(actor: Actor): Promise<void> {
  const text = [
    "00008110-000A1B2C3D4E5F60\tiPhone of Grace\tios",
    "00008130-001122334455667A\tiPad of the studio\tios",
  ].join("\n");
  await run(importDevices, actor, { text });
}

/** Gives feedback on a release: a fault that is open, and praise that was answered. */
async function giveFeedback(actor: Actor, releaseId: string): Promise<void> {
  const screen = { create: { width: 1_170, height: 2_532, channels: 3 as const, background: "#12324a" } };
  const picture = await sharp(screen).png().toBuffer();
  const screenshot = await receiveFile({
    name: "IMG_0412.PNG",
    contentType: "image/png",
    body: Readable.from([picture]),
    purpose: "screenshot",
    maxBytes: picture.length,
    tooLarge: () => new ApiError("file_too_large", { detailKey: "detailPlain" }),
  });
  await run(createFeedback, actor, {
    releaseId,
    text: "The map stays empty after I pick a region and go back.\nExpected: the region that I picked.",
    rating: 2,
    screenshot,
    device: "ios",
    osVersion: "18.1",
  });
  const text = "Starting is much faster than in 2.3.";
  const { id } = await run(createFeedback, actor, { releaseId, text, rating: 5, device: "ios", osVersion: "17.6" });
  await run(updateFeedback, actor, { id, state: "done", note: "Thanks. It comes from loading the map later." });
}

/** Adds a webhook that is turned off: its address is an example, to which nothing is sent. */
async function addWebhook(actor: Actor, appId: string): Promise<void> {
  const { id } = await run(createWebhook, actor, {
    name: "Releases to the team's channel",
    url: "https://hooks.example.com/services/T000/B000/orbit",
    events: ["release.published", "feedback.created"],
    appIds: [appId],
    format: "slack",
  });
  await run(updateWebhook, actor, { id, status: "inactive" });
}

await runCommand(demonstrate);
