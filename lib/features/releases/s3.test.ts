import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { completeUpload } from "@/lib/features/uploads/operations/complete-upload";
import { createUpload } from "@/lib/features/uploads/operations/create-upload";
import { getUpload } from "@/lib/features/uploads/operations/get-upload";
import { sweep } from "@/lib/jobs/sweep";
import { storage } from "@/lib/storage";
import { emptyWholeBin } from "@/lib/testing/bin";
import { ANONYMOUS, anApp, aUser, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { anIpa, publish, sendAbort, sendPart, sha256Of } from "@/lib/testing/releases";
import { afterSweep } from "@/lib/testing/store";
import { setUpTestDatabase } from "@/scripts/test-database";
import { findTestS3 } from "@/scripts/versitygw";
import { createTestingDeploy } from "./operations/create-testing-deploy";
import { deleteTestingDeploy } from "./operations/delete-testing-deploy";
import { downloadTestingDeployAppleFile } from "./operations/download-testing-deploy-apple-file";
import { downloadTestingDeployFile } from "./operations/download-testing-deploy-file";
import { generateAppleManifestRequestToken } from "./operations/generate-apple-manifest-request-token";

const MIB = 1024 * 1024;

setUpTestDatabase();

const s3 = await findTestS3();

describeWith(s3, "with S3", (server) => {
  let admin: TestUser;
  let app: Awaited<ReturnType<typeof anApp>>;
  let environmentId: string;

  beforeAll(async () => {
    Object.assign(process.env, {
      STORAGE: "s3",
      S3_ENDPOINT: server.endpoint,
      S3_REGION: server.region,
      S3_BUCKET: `releases-${randomUUID()}`,
      S3_ACCESS_KEY_ID: server.accessKey,
      S3_SECRET_ACCESS_KEY: server.secretKey,
      S3_FORCE_PATH_STYLE: "1",
    });
    await storage().prepare();
    admin = await aUser({ admin: true });
    app = await anApp();
    environmentId = app.environmentIds[0] as string;
  });

  afterAll(() => server.stop());

  it("an installer is transferred between client and store only, and is published, installed and deleted", async () => {
    const bytes = anIpa(app.identifier, { fillerBytes: 9 * MIB });
    const announced = { name: "Acme.ipa", size: bytes.length, sha256: sha256Of(bytes) };
    const begun = await send(createUpload, admin, announced);
    expect(begun.status, JSON.stringify(begun.body)).toBe(200);
    const { uploadId, partSize, parts } = begun.body as {
      uploadId: string;
      partSize: number;
      parts: { number: number; url: string }[];
    };
    const sendTo = ({ number, url }: { number: number; url: string }) => {
      expect(url.startsWith(server.endpoint)).toBe(true);
      return fetch(url, { method: "PUT", body: bytes.slice((number - 1) * partSize, number * partSize) });
    };
    const first = await sendTo(parts[0] as { number: number; url: string });
    expect(first.status).toBe(200);
    const state = await send(getUpload, admin, { uploadId });
    expect(state.body.parts).toEqual([{ number: 1, etag: expect.any(String) }]);
    const second = await sendTo(state.body.missing[0]);
    const etags = [first, second].map(({ headers }, index) => ({ number: index + 1, etag: headers.get("etag") }));
    const joined = await send(completeUpload, admin, { uploadId, parts: etags });
    expect(joined.body).toMatchObject({ size: bytes.length, sha256: sha256Of(bytes) });

    const { fileId } = joined.body;
    const published = await send(createTestingDeploy, admin, { fileId, environmentId, description: "x" });
    expect(published.status, JSON.stringify(published.body)).toBe(201);
    const { id } = published.body;

    const redirect = await sendRaw(downloadTestingDeployFile, admin, { id });
    expect([redirect.status, redirect.headers.get("cache-control")]).toEqual([302, "no-store"]);
    const fetched = await fetch(redirect.headers.get("location") as string, { headers: { range: "bytes=0-9" } });
    expect([fetched.status, fetched.headers.get("content-disposition")]).toEqual([
      206,
      'attachment; filename="Acme.ipa"',
    ]);
    const head = await sendRaw(downloadTestingDeployFile, admin, { id }, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);

    const { token } = (await send(generateAppleManifestRequestToken, admin, { id })).body;
    const ipa = await sendRaw(downloadTestingDeployAppleFile, ANONYMOUS, { token, part: "ipa" });
    expect(ipa.status).toBe(302);
    const whole = await fetch(ipa.headers.get("location") as string);
    expect(sha256Of(new Uint8Array(await whole.arrayBuffer()))).toBe(sha256Of(bytes));
    expect((await sendRaw(downloadTestingDeployAppleFile, ANONYMOUS, { token, part: "icon" })).status).toBe(200);
    await expect.poll(() => db.releaseDownload.count({ where: { releaseId: id } })).toBe(2);

    await send(deleteTestingDeploy, admin, { id });
    await emptyWholeBin();
    await expect.poll(() => db.file.count()).toBe(0);
  });

  it("a part can also be sent to this server, which passes it on", async () => {
    const bytes = anIpa(app.identifier, { fillerBytes: 9 * MIB });
    const { uploadId, partSize } = (await send(createUpload, admin, { name: "a.ipa", size: bytes.length })).body;
    const part = bytes.slice(0, partSize);
    expect((await sendPart(admin, uploadId, 1, part.slice(1))).status).toBe(422);
    const { status, body } = await sendPart(admin, uploadId, 1, part);
    expect([status, (await send(getUpload, admin, { uploadId })).body.parts]).toEqual([
      200,
      [{ number: 1, etag: body.etag }],
    ]);
    expect((await sendAbort(admin, uploadId)).status).toBe(204);
  });

  it("the file of a form is also stored and inspected, and removed if it is refused", async () => {
    const answer = await publish(admin, anIpa(app.identifier), "Acme.ipa", { environmentId });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect((await publish(admin, anIpa("com.other.app"), "Acme.ipa", { environmentId })).status).toBe(422);
    const { stored, known, unfinished } = await afterSweep();
    expect(stored).toEqual(known);
    expect([stored.length, unfinished]).toEqual([2, 0]);
  });

  it("a file that differs from its declaration, an aborted upload and an expired one leave nothing", async () => {
    const begin = async (more: object = {}) =>
      (await send(createUpload, admin, { name: "Acme.ipa", size: 3, ...more })).body;
    const sendOnly = async ({ parts }: { parts: { url: string }[] }) =>
      (await fetch(parts[0]?.url as string, { method: "PUT", body: "abc" })).headers.get("etag");

    const other = await begin({ sha256: "0".repeat(64) });
    const wrong = { uploadId: other.uploadId, parts: [{ number: 1, etag: await sendOnly(other) }] };
    expect((await send(completeUpload, admin, wrong)).status).toBe(422);

    const given = await begin();
    await sendOnly(given);
    expect((await sendAbort(admin, given.uploadId)).status).toBe(204);

    const late = await begin();
    await sendOnly(late);
    await db.upload.update({ where: { id: late.uploadId }, data: { expiresAt: new Date() } });
    expect(await sweep(db, storage(), { now: new Date(), graceMs: 0 })).toMatchObject({ uploads: 1 });

    const { stored, known, unfinished } = await afterSweep();
    expect(stored).toEqual(known);
    expect([stored.length, unfinished]).toEqual([2, 0]);
    expect(await storage().sweepUnfinished("", new Date(Date.now() + 60_000))).toBe(0);
  });
});
