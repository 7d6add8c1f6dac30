import { open, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { makeIcon } from "@slipway/installers/testing";
import { slowSvg } from "@/lib/storage/images/testing/hostile-images";
import type { FaultProxy } from "@/lib/testing/fault-proxy";
import type { OwnS3Server } from "../scripts/versitygw.ts";
import { NoS3Server } from "../scripts/versitygw.ts";
import { canary } from "../testing/canaries";
import type { ConsoleClient } from "../testing/console-client";
import { canMount, type Deployment, startDeployment } from "../testing/deployment";
import { ADMIN } from "../testing/environment.ts";
import { anIpa } from "../testing/installers";
import { makePlace } from "../testing/place";
import { ConsoleDatabase } from "./fixtures/database";
import { expect, type Place, test } from "./fixtures/test";

test.use({ signedIn: false });
test.setTimeout(90_000);

const MIB = 1024 * 1024;

/** An answer, and how long it took. */
interface TimedAnswer {
  status: number;
  code?: string;
  retryAfter: string | null;
  milliseconds: number;
}

async function timed(
  work: () => Promise<{ status(): number; json(): Promise<{ code?: string }>; headers(): Record<string, string> }>,
): Promise<TimedAnswer> {
  const begun = performance.now();
  const answer = await work();
  const milliseconds = performance.now() - begun;
  const { code } = await answer.json();
  return { status: answer.status(), code, retryAfter: answer.headers()["retry-after"] ?? null, milliseconds };
}

const publish = (admin: ConsoleClient, place: Place, options: Parameters<typeof anIpa>[1] = {}) => {
  const { name, bytes } = anIpa(place.identifier, options);
  const file = { name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) };
  return timed(() =>
    admin.request.post("/api/apps/create-testing-deploy", {
      multipart: { environmentId: place.environmentId, description: "Sent while something was broken", file },
    }),
  );
};
const beginUpload = (admin: ConsoleClient, size = 100) =>
  timed(() => admin.request.post("/api/files/create-upload", { data: { name: "a.ipa", size } }));
const unavailable = { status: 503, code: "unavailable", retryAfter: expect.stringMatching(/^\d+$/) };

function expectPromptly({ milliseconds, ...answer }: TimedAnswer, expected: Record<string, unknown>): void {
  expect(answer).toMatchObject(expected);
  expect(milliseconds).toBeLessThan(5_000);
}

async function releasesOf(admin: ConsoleClient, { environmentId }: Place): Promise<number> {
  return (await admin.query("apps/get-testing-deploys", { environmentId })).total;
}

const signal = (pids: number[], name: "SIGSTOP" | "SIGCONT") => {
  for (const pid of pids) process.kill(pid, name);
};

test.describe("a console whose database or S3 store breaks", () => {
  let deployment: Deployment;
  let store: { server: OwnS3Server; proxy: FaultProxy };
  let admin: ConsoleClient;
  let place: Place;

  test.beforeAll(async () => {
    try {
      deployment = await startDeployment("server-faults", { store: "s3" });
    } catch (error) {
      test.skip(error instanceof NoS3Server, `there is no S3 server: ${String(error)}`);
      throw error;
    }
    if (!deployment.store) throw new Error("there is no store");
    store = deployment.store;
    admin = await deployment.signIn();
    place = await makePlace(admin);
  });

  test.afterAll(async () => {
    await admin?.dispose();
    await deployment?.stop();
  });

  test.afterEach(() => store.proxy.treat(() => "pass"));

  /** What is in the store that no release of the console refers to, uploads that were begun included. */
  async function leftInStore(): Promise<string[]> {
    const { server } = store;
    const credentials = { accessKeyId: server.accessKey, secretAccessKey: server.secretKey };
    const s3 = new S3Client({ endpoint: server.endpoint, region: server.region, forcePathStyle: true, credentials });
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "slipway" }));
    const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket: "slipway" }));
    s3.destroy();
    const database = new ConsoleDatabase(deployment.databaseUrl);
    const known = new Set(await database.readyKeys());
    await database.close();
    return [...Contents, ...Uploads].map(({ Key }) => Key as string).filter((key) => !known.has(key));
  }

  for (const [how, breakIt, mendIt] of [
    ["has ended", () => deployment.postgres.kill(), () => deployment.postgres.start()],
    [
      "answers nothing any more",
      async () => signal(deployment.postgres.processes(), "SIGSTOP"),
      async () => signal(deployment.postgres.processes(), "SIGCONT"),
    ],
  ] as const) {
    test(`says so within 5 seconds where the database ${how}, and goes on when it is back`, async () => {
      await breakIt();
      try {
        const answers = await Promise.all([
          timed(() => admin.request.get("/api/config/get-app-config")),
          timed(() => admin.request.get(`/api/apps/get-app?id=${place.appId}`)),
          publish(admin, place),
          beginUpload(admin),
        ]);
        for (const answer of answers) expectPromptly(answer, unavailable);
        for (const page of ["/", "/home", "/admin-apps"]) {
          const answer = await admin.request.get(page, { maxRedirects: 0 });
          expect([page, answer.status(), answer.headers()["retry-after"]]).toEqual([page, 503, "2"]);
        }
        expect((await fetch(`${deployment.url}/api/health/ready`)).status).toBe(503);
        expect((await fetch(`${deployment.url}/api/health/live`)).status).toBe(200);
      } finally {
        await mendIt();
      }
      await expect
        .poll(async () => (await admin.request.get(`/api/apps/get-app?id=${place.appId}`)).status(), {
          timeout: 15_000,
        })
        .toBe(200);
      expect((await fetch(`${deployment.url}/api/health/ready`)).status).toBe(200);
      expect(await releasesOf(admin, place)).toBe(0);
      const password = new URL(deployment.databaseUrl).password;
      expect(deployment.servers[0]?.log()).not.toContain(password);
      // It is still the same process.
      expect(deployment.servers[0]?.log().match(/"msg":"stopped"/g)).toBeNull();
    });
  }

  for (const [how, breakIt, mendIt] of [
    ["has ended", () => store.server.kill(), () => store.server.start()],
    [
      "answers nothing any more",
      async () => signal([store.server.pid()], "SIGSTOP"),
      async () => signal([store.server.pid()], "SIGCONT"),
    ],
  ] as const) {
    test(`publishes nothing where the store ${how}, says so within 5 seconds, and goes on when it is back`, async () => {
      const before = await releasesOf(admin, place);
      await breakIt();
      try {
        const answers = await Promise.all([beginUpload(admin), publish(admin, place)]);
        for (const answer of answers) expectPromptly(answer, unavailable);
        expect((await fetch(`${deployment.url}/api/health/ready`)).status).toBe(503);
      } finally {
        await mendIt();
      }
      await expect.poll(async () => (await fetch(`${deployment.url}/api/health/ready`)).status).toBe(200);
      expect(await releasesOf(admin, place)).toBe(before);
      expect(await publish(admin, place)).toMatchObject({ status: 201 });
      expect((await deployment.run("sweep", "--now")).code).toBe(0);
      expect(await leftInStore()).toEqual([]);
    });
  }

  // Of one piece, and so large that it goes to the store in parts.
  for (const [size, fillerBytes] of [
    ["small", 0],
    ["large", 12 * MIB],
  ] as const) {
    test(`publishes nothing of a ${size} file about whose entity tag the store lies`, async () => {
      const before = await releasesOf(admin, place);
      store.proxy.treat(({ method }) =>
        method === "PUT" ? { headers: { etag: '"0123456789abcdef0123456789abcdef"' } } : "pass",
      );
      expectPromptly(await publish(admin, place, { fillerBytes }), unavailable);
      store.proxy.treat(() => "pass");
      expect(await releasesOf(admin, place)).toBe(before);
      await expect.poll(leftInStore).toEqual([]);
    });

    test(`publishes nothing of a ${size} file for which the store has no room`, async () => {
      const before = await releasesOf(admin, place);
      store.proxy.treat(({ method }) =>
        method === "PUT"
          ? { status: 507, body: "<Error><Code>XMinioStorageFull</Code><Message>full</Message></Error>" }
          : "pass",
      );
      const answer = await publish(admin, place, { fillerBytes });
      expect([answer.status, answer.code]).toEqual([507, "storage_full"]);
      store.proxy.treat(() => "pass");
      expect(await releasesOf(admin, place)).toBe(before);
      await expect.poll(leftInStore).toEqual([]);
    });
  }

  test("publishes nothing when the store fails in the middle of a file, and cleans up when it is back", async () => {
    const before = await releasesOf(admin, place);
    let parts = 0;
    store.proxy.treat(({ method, url }) =>
      url.searchParams.has("partNumber") && ++parts > 1 ? "cut" : method === "DELETE" ? "cut" : "pass",
    );
    const answer = await publish(admin, place, { fillerBytes: 12 * MIB });
    expect([answer.status, answer.code]).toEqual([503, "unavailable"]);
    store.proxy.treat(() => "pass");
    expect(await releasesOf(admin, place)).toBe(before);
    expect(await leftInStore()).not.toEqual([]);
    expect(JSON.parse((await deployment.run("sweep", "--now")).out)).toMatchObject({ lost: [] });
    expect(await leftInStore()).toEqual([]);
  });
});

/** Another program that fills the disk of the files and the database. */
class OtherProgram {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }

  /** Fills the volume until `bytes` are free. */
  async leave(bytes: number): Promise<void> {
    await this.makeRoom();
    const file = await open(join(this.#folder, "other-program"), "w");
    try {
      for (let left = (await this.freeBytes()) - bytes; left > 0; left = (await this.freeBytes()) - bytes) {
        await file.writeFile(Buffer.alloc(Math.min(left, MIB)));
      }
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    } finally {
      await file.close();
    }
  }

  async makeRoom(): Promise<void> {
    await rm(join(this.#folder, "other-program"), { force: true });
  }
}

// Only where a real small disk can be mounted; lib/storage/disk/space.test.ts has the rules on any machine.
if (canMount()) {
  test.describe("a console whose files and database are on one small disk", () => {
    const DISK_MIB = 420;
    const RESERVE = 64 * MIB;
    let deployment: Deployment;
    let admin: ConsoleClient;
    let place: Place;
    let other: OtherProgram;

    test.beforeAll(async () => {
      const settings = { DISK_RESERVE_BYTES: String(RESERVE) };
      deployment = await startDeployment("server-full", { diskMiB: DISK_MIB, settings });
      admin = await deployment.signIn();
      place = await makePlace(admin);
      other = new OtherProgram(deployment.dataDir);
      await expect.poll(ballastBytes).toBe(RESERVE / 4);
    });

    test.afterAll(async () => {
      await admin?.dispose();
      await deployment?.stop();
    });

    test.afterEach(() => other.makeRoom());

    const ballastBytes = () =>
      stat(join(deployment.dataDir, "ballast")).then(
        ({ size }) => size,
        () => 0,
      );
    const full = { status: 507, code: "storage_full" };
    const begin = async (size: number) => {
      const begun = await admin.command("files/create-upload", { name: "a.ipa", size });
      if (!("parts" in begun)) throw new Error("there is nothing to upload");
      const { uploadId, parts, partSize } = begun;
      const sendPart = async ({ number, url }: { number: number; url: string }) => {
        const data = Buffer.alloc(Math.min(partSize, size - (number - 1) * partSize));
        return (await admin.request.put(url, { data })).status();
      };
      return { uploadId, parts, sendPart };
    };
    const giveUp = async (uploadId: string) =>
      (await admin.request.post("/api/files/abort-upload", { data: { uploadId } })).status();
    const remove = async (id: string) =>
      (await admin.request.post("/api/apps/delete-testing-deploy", { data: { id } })).status();
    const emptyBin = async (environmentId: string) =>
      (await admin.request.post("/api/retention/empty-bin", { data: { environmentId } })).status();

    test("answers 507 above the reserve, publishes nothing, and still accepts what fits", async () => {
      const room = (await other.freeBytes()) - RESERVE;
      expect(await beginUpload(admin, room + MIB)).toMatchObject(full);
      expect(await publish(admin, place, { fillerBytes: room + MIB })).toMatchObject(full);
      expect(await releasesOf(admin, place)).toBe(0);

      // What is announced counts, though nothing of it is written.
      const size = 18 * MIB;
      const { uploadId, parts, sendPart } = await begin(size);
      expect(await beginUpload(admin, room - 10 * MIB)).toMatchObject(full);

      // There is room when it is begun, and none any more when its last part comes.
      const sent = [await sendPart(parts[0] as (typeof parts)[0])];
      await other.leave(RESERVE - MIB);
      for (const part of parts.slice(1)) sent.push(await sendPart(part));
      expect(sent).toEqual([200, 507, 507]);
      expect(await publish(admin, place)).toMatchObject(full);
      // Signing in and changes need the database alone.
      await (await deployment.signIn()).dispose();

      // Once there is room again, it goes on with what is missing.
      await other.makeRoom();
      const { missing } = await admin.query("files/get-upload", { uploadId });
      expect(missing.map(({ number }) => number)).toEqual([2, 3]);
      for (const part of missing) expect(await sendPart(part)).toBe(200);
      const whole = await admin.query("files/get-upload", { uploadId });
      expect(await admin.command("files/complete-upload", { uploadId, parts: whole.parts })).toMatchObject({ size });
      await admin.command("files/abort-upload", { uploadId });
      expect(await publish(admin, place)).toMatchObject({ status: 201 });
      expect(await releasesOf(admin, place)).toBe(1);
      expect(JSON.parse((await deployment.run("sweep", "--now")).out)).toMatchObject({ lost: [] });
    });

    test("frees space without one free byte: uploads are aborted, releases deleted, the store swept", async () => {
      const installer = anIpa(place.identifier, { fillerBytes: 30 * MIB });
      const { id } = await admin.publish(installer, { environmentId: place.environmentId, description: "To delete" });
      const given = await begin(18 * MIB);
      expect(await given.sendPart(given.parts[0] as (typeof given.parts)[0])).toBe(200);
      const left = await begin(18 * MIB);
      expect(await left.sendPart(left.parts[0] as (typeof left.parts)[0])).toBe(200);

      await other.leave(0);
      while ((await ballastBytes()) === 0) {
        // It was released while the disk was being filled, and filled up too.
        await other.makeRoom();
        await expect.poll(ballastBytes).toBe(RESERVE / 4);
        await other.leave(0);
      }
      await expect.poll(ballastBytes).toBe(0);
      expect(await giveUp(given.uploadId)).toBe(204);
      expect(await remove(id)).toBe(204);
      expect(await emptyBin(place.environmentId)).toBe(202);
      await (await deployment.signIn()).dispose();
      expect((await deployment.run("sweep", "--now")).code).toBe(0);
      expect((await fetch(`${deployment.url}/api/health/ready`)).status).toBe(200);
      expect(await beginUpload(admin, 30 * MIB)).toMatchObject(full);

      await other.makeRoom();
      for (const part of left.parts.slice(1)) expect(await left.sendPart(part)).toBe(200);
      expect(await giveUp(left.uploadId)).toBe(204);
      expect(await publish(admin, place)).toMatchObject({ status: 201 });
      await expect.poll(ballastBytes).toBe(RESERVE / 4);
      expect(deployment.servers[0]?.log()).toContain("the disk is full: the ballast was released");
      // It is still the same process.
      expect(deployment.servers[0]?.log()).not.toContain('"msg":"stopped"');
    });
  });
}

test.describe("a console that receives images which take minutes to render", () => {
  let deployment: Deployment;
  let admin: ConsoleClient;

  test.beforeAll(async () => {
    // No mail server answers, so the failure of the job is logged.
    const settings = { SMTP_URL: `smtp://slipway:${canary("smtp-password")}@127.0.0.1:1`, MAIL_FROM: "a@slipway.test" };
    deployment = await startDeployment("server-images", { settings });
    admin = await deployment.signIn();
  });

  test.afterAll(async () => {
    await admin?.dispose();
    await deployment?.stop();
  });

  test("signs users in, serves downloads and stays ready while it rejects the images", async () => {
    await admin.command("auth/generate-password-recovery", { email: ADMIN.email });
    const place = await makePlace(admin);
    const installer = anIpa(place.identifier);
    const { id } = await admin.publish(installer, {
      environmentId: place.environmentId,
      description: "Downloaded while images are drawn",
    });
    const hostile = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(slowSvg()) };
    const refused: number[] = [];
    const uploads = Array.from({ length: 5 }, async () => {
      const answer = await admin.request.post("/api/files/upload-file", { multipart: { file: hostile } });
      refused.push(answer.status());
    });

    const person = await deployment.signIn();
    expect((await fetch(`${deployment.url}/api/health/ready`)).status).toBe(200);
    const download = await person.request.get(`/api/apps/download-testing-deploy-file?id=${id}`);
    expect((await download.body()).equals(Buffer.from(installer.bytes))).toBe(true);
    expect(refused.length).toBeLessThan(5);
    await person.dispose();

    await Promise.all(uploads);
    expect(refused).toEqual([415, 415, 415, 415, 415]);
    expect(await admin.uploadImage(makeIcon({ size: 64 }))).toBeTruthy();
    expect(deployment.servers[0]?.log()).toContain("the process that drew an image was killed");
    await expect.poll(() => deployment.servers[0]?.log()).toContain("the mail was not accepted");
  });
});
