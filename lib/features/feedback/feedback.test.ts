import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { downloadFile } from "@/lib/features/files/operations/download-file";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { EVENT_DATA } from "@/lib/kernel/events";
import {
  ANONYMOUS,
  type Answer,
  anApp,
  aToken,
  aUser,
  requestedMails,
  send,
  sendRaw,
  type TestUser,
} from "@/lib/testing/console";
import { feedbackForm, screenshotPng, someFeedback } from "@/lib/testing/feedback";
import { aRelease } from "@/lib/testing/releases";
import { aWebhook, deliveriesOf } from "@/lib/testing/webhooks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createFeedback } from "./operations/create-feedback";
import { deleteFeedback } from "./operations/delete-feedback";
import { downloadFeedbackScreenshot } from "./operations/download-feedback-screenshot";
import { getFeedback } from "./operations/get-feedback";
import { updateFeedback } from "./operations/update-feedback";
import { MAX_FEEDBACK_OF_RELEASE } from "./schema";

setUpTestDatabase();

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";

let admin: TestUser;
let tester: TestUser;
let world: { admin: TestUser; app: Awaited<ReturnType<typeof anApp>>; environmentId: string };

beforeAll(async () => {
  admin = await aUser({ admin: true });
  const app = await anApp();
  const environmentId = app.environmentIds[0] as string;
  world = { admin, app, environmentId };
  tester = await aUser({
    grants: [{ scopes: ["release:read"], apps: [{ appId: app.appId, environmentIds: [environmentId] }] }],
  });
});

const place = () => ({ identifier: world.app.identifier, environmentId: world.environmentId });
const told = ({ status, body }: Answer) => [status, body.code];
const pictures = () => db.file.count({ where: { purpose: "screenshot", state: { not: "deleting" } } });

describe("create-feedback", () => {
  it("keeps a text, a rating, the device, and a picture that is re-encoded", async () => {
    const { id: releaseId, version, buildNumber } = await aRelease(admin, place());
    const photo = await sharp({ create: { width: 3_000, height: 1_000, channels: 3, background: "red" } })
      .withExif({ IFD0: { Artist: "canary-in-exif" } })
      .jpeg()
      .toBuffer();
    const form = await feedbackForm(
      { releaseId, text: " First line\r\nSecond line ", rating: "4" },
      { picture: photo },
    );
    const { status, body } = await send(createFeedback, tester, form, { headers: { "user-agent": IPHONE } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      releaseId,
      version,
      buildNumber,
      text: "First line\nSecond line",
      rating: 4,
      state: "open",
      note: null,
      device: "ios",
      osVersion: "17.5",
      author: { kind: "user", id: tester.userId },
      mayChange: false,
    });
    const { response, bytes } = await picture(body.id);
    expect(response.headers.get("content-type")).toBe("image/webp");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    const { format, width, height, exif } = await sharp(bytes).metadata();
    expect([format, width, height, exif]).toEqual(["webp", 2_048, 683, undefined]);
    expect(bytes.includes("canary-in-exif")).toBe(false);
  });

  it("names a device in one line of visible characters", async () => {
    const { id: releaseId } = await aRelease(world.admin, place());
    for (const device of [{ model: "Pixel\u001b[2J" }, { model: "Pixel \u202e9" }, { osVersion: "17\u0007" }]) {
      const input = { releaseId, text: "It works", ...device };
      expect((await send(createFeedback, tester, input)).body.errors).toMatchObject([{ path: Object.keys(device)[0] }]);
    }
  });

  async function picture(id: string, caller = tester) {
    const response = await sendRaw(downloadFeedbackScreenshot, caller, { id });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  it("shows the picture only to those who may read the release", async () => {
    const { id } = await someFeedback(world, { caller: tester, withPicture: true });
    const { screenshotFileId } = await db.feedback.findUniqueOrThrow({ where: { id } });
    const stranger = await aUser();
    expect((await picture(id)).response.status).toBe(200);
    expect((await picture(id, stranger)).response.status).toBe(404);
    expect((await picture(id, ANONYMOUS as TestUser)).response.status).toBe(401);
    // Everybody with its ID gets a logo.
    expect((await send(downloadFile, ANONYMOUS, { id: screenshotFileId as string })).status).toBe(404);
  });

  it("tells a webhook and the publisher, who gets one mail an hour for a release, without the text", async () => {
    const publisher = await aUser({ admin: true });
    const { id: releaseId } = await aRelease(publisher, place());
    const webhookId = await aWebhook(["feedback.created"]);
    for (const caller of [publisher, tester, tester]) await someFeedback(world, { caller, releaseId });
    const deliveries = await deliveriesOf(webhookId);
    expect(deliveries.map(({ lane }) => lane)).toEqual(Array(3).fill(world.app.appId));
    const told = EVENT_DATA["feedback.created"].parse(deliveries[1]?.data);
    expect(told).toMatchObject({ release: { id: releaseId }, userId: tester.userId, feedback: { rating: 3 } });
    expect(told.url).toContain(`release=${releaseId}`);
    const mails = await requestedMails(publisher.userId);
    expect(mails).toMatchObject([{ purpose: "feedback", app: world.app.name, rating: 3 }]);
    expect(JSON.stringify(mails)).not.toContain("cart");
    await db.feedback.updateMany({ where: { releaseId }, data: { createdAt: new Date(Date.now() - 3_700_000) } });
    await someFeedback(world, { caller: tester, releaseId });
    expect(await requestedMails(publisher.userId)).toHaveLength(2);
    await db.webhook.deleteMany();
  });

  it("leaves an audit record without what somebody wrote", async () => {
    const { id } = await someFeedback(world, { caller: tester });
    const record = await db.auditRecord.findFirstOrThrow({ where: { table: "Feedback", recordId: id } });
    expect(record).toMatchObject({ action: "create", userId: tester.userId, changes: { rating: [null, 3] } });
    expect(JSON.stringify(record.changes)).not.toContain("cart");
  });

  it("takes the device that a caller names, and does not take the system of another one", async () => {
    const { id: releaseId } = await aRelease(admin, place());
    const given = { releaseId, text: "Fine", device: "android", model: "Pixel 9" };
    const { body } = await send(createFeedback, tester, given, { headers: { "user-agent": IPHONE } });
    expect(body).toMatchObject({ device: "android", model: "Pixel 9", osVersion: null, rating: null });
  });

  it.each([
    ["an empty text", { text: " \r\n " }, "text"],
    ["a text that is too long", { text: "x".repeat(5_001) }, "text"],
    ["a rating of 0", { rating: 0 }, "rating"],
    ["a rating of 6", { rating: "6" }, "rating"],
    ["an unknown device", { device: "toaster" }, "device"],
    ["an unknown field", { note: "mine" }, "note"],
  ])("refuses %s", async (_what, wrong, path) => {
    const { id: releaseId } = await aRelease(admin, place());
    const { status, body } = await send(createFeedback, tester, { releaseId, text: "Fine", ...wrong });
    expect([status, body.errors?.[0]?.path]).toEqual([422, path]);
    expect(await db.feedback.count({ where: { releaseId } })).toBe(0);
  });

  it("takes 5,000 characters, whose line breaks count once", async () => {
    const { id: releaseId } = await aRelease(admin, place());
    const text = `${"x\r\n".repeat(2_499)}xx`;
    expect((await send(createFeedback, tester, { releaseId, text })).status).toBe(201);
  });

  it.each([
    ["no picture", () => Buffer.from("%PDF-1.7 no picture")],
    ["a bomb of 100 megapixels", () => bomb()],
    ["a damaged PNG", async () => (await screenshotPng()).subarray(0, 60)],
  ])("refuses %s, and keeps nothing", async (_what, make) => {
    const { id: releaseId } = await aRelease(admin, place());
    const before = await pictures();
    const answer = await send(createFeedback, tester, await feedbackForm({ releaseId }, { picture: await make() }));
    expect(told(answer)).toEqual([415, "unsupported_media_type"]);
    expect([await pictures(), await db.feedback.count({ where: { releaseId } })]).toEqual([before, 0]);
  });

  /** 100 megapixels in about 300 kB. */
  function bomb(): Promise<Buffer> {
    return sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: "white" } })
      .png({ compressionLevel: 9 })
      .toBuffer();
  }

  it("refuses a picture of more than 10 MB, and one of a release that the caller does not see, before it is stored", async () => {
    const { id: releaseId } = await aRelease(admin, place());
    const before = await pictures();
    const large = await feedbackForm({ releaseId }, { picture: Buffer.alloc(10_000_001) });
    expect(told(await send(createFeedback, tester, large))).toEqual([413, "file_too_large"]);
    const stranger = await aUser({ grants: [{ scopes: ["release:read"], apps: [{ appId: (await anApp()).appId }] }] });
    expect((await send(createFeedback, stranger, await feedbackForm({ releaseId }))).status).toBe(404);
    expect(await pictures()).toBe(before);
  });

  it("ends when a release has as much as it can have", async () => {
    const { id: releaseId } = await aRelease(admin, place());
    await db.$executeRaw`
      INSERT INTO "Feedback" ("id", "environmentId", "releaseId", "version", "buildNumber", "text", "device")
      SELECT gen_random_uuid(), ${world.environmentId}::uuid, ${releaseId}::uuid, '1', '1', 'x', 'ios'
      FROM generate_series(2, ${MAX_FEEDBACK_OF_RELEASE}::int)`;
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => send(createFeedback, tester, { releaseId, text: "One more" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it("takes it from an API token", async () => {
    const token = await aToken({
      appId: world.app.appId,
      environmentId: world.environmentId,
      scopes: ["release:read"],
    });
    const { author } = await someFeedback(world, { caller: token });
    expect(author.kind).toBe("token");
  });
});

describe("get-feedback", () => {
  it("lists that of a release, an environment, or an application in the environments that the caller reads", async () => {
    const app = await anApp({ environments: [{ name: "One" }, { name: "Two" }] });
    const [first, second] = app.environmentIds as [string, string];
    const [inFirst, inSecond] = [
      { admin, app, environmentId: first },
      { admin, app, environmentId: second },
    ];
    const one = await someFeedback(inFirst);
    const other = await someFeedback(inFirst);
    const hidden = await someFeedback(inSecond);
    const reader = await aUser({
      grants: [{ scopes: ["release:read"], apps: [{ appId: app.appId, environmentIds: [first] }] }],
    });
    const idsOf = async (caller: TestUser, input: Record<string, unknown>) => {
      const { body } = await send(getFeedback, caller, input);
      return body.items?.map(({ id }: { id: string }) => id);
    };
    expect(await idsOf(reader, { appId: app.appId })).toEqual([other.id, one.id]);
    expect(await idsOf(admin, { appId: app.appId })).toEqual([hidden.id, other.id, one.id]);
    expect(await idsOf(reader, { releaseId: one.releaseId })).toEqual([one.id]);
    expect(await idsOf(reader, { environmentId: first })).toEqual([other.id, one.id]);
    for (const place of [
      { releaseId: hidden.releaseId },
      { environmentId: second },
      { appId: world.app.appId, releaseId: one.releaseId },
    ]) {
      expect((await send(getFeedback, reader, place)).status).toBe(404);
    }
    expect((await send(getFeedback, reader, {})).status).toBe(422);
  });

  it("filters by state, rating, device and text, pages, and counts what is open", async () => {
    const app = await anApp();
    const own = { admin, app, environmentId: app.environmentIds[0] as string };
    const { id: releaseId } = await aRelease(admin, { identifier: app.identifier, environmentId: own.environmentId });
    const given = [
      { text: "100 % slow", rating: 1, device: "ios" },
      { text: "Fine", rating: 5, device: "android" },
      { text: "No rating", device: "ios" },
    ];
    const ids: string[] = [];
    for (const input of given) ids.push((await send(createFeedback, admin, { releaseId, ...input })).body.id);
    await send(updateFeedback, admin, { id: ids[1], state: "done", note: "Thanks" });
    const list = async (filters: object) => (await send(getFeedback, admin, { releaseId, ...filters })).body;
    const found = async (filters: object) =>
      (await list(filters)).items.map(({ id }: { id: string }) => ids.indexOf(id));
    expect(await found({ state: "done" })).toEqual([1]);
    expect(await found({ rating: 1 })).toEqual([0]);
    expect(await found({ device: "ios" })).toEqual([2, 0]);
    expect(await found({ search: "0 %" })).toEqual([0]);
    expect(await found({ search: "thanks" })).toEqual([1]);
    expect(await list({ state: "done" })).toMatchObject({ total: 1, open: 2 });
    const first = await list({ limit: 2 });
    const rest = await list({ limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...rest.items].map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
    expect([first.total, rest.nextCursor]).toEqual([3, null]);
  });
});

describe("update-feedback and delete-feedback", () => {
  it("are for those who may change the release", async () => {
    const { id } = await someFeedback(world, { caller: tester });
    expect((await send(updateFeedback, tester, { id, state: "done" })).status).toBe(403);
    expect((await send(deleteFeedback, tester, { id })).status).toBe(403);
  });

  it("changes the state and the note, and records them", async () => {
    const { id } = await someFeedback(world, { caller: tester });
    const { body } = await send(updateFeedback, admin, { id, state: "done", note: " Fixed\r\nin 2.4.1 " });
    expect(body).toMatchObject({ state: "done", note: "Fixed\nin 2.4.1", mayChange: true });
    const record = await db.auditRecord.findFirstOrThrow({ where: { recordId: id, action: "update" } });
    expect(record.changes).toMatchObject({ state: ["open", "done"], note: [null, "Fixed\nin 2.4.1"] });
    expect((await send(updateFeedback, admin, { id, note: "" })).body).toMatchObject({ state: "done", note: null });
  });

  it("deletes the text and the picture", async () => {
    const { id } = await someFeedback(world, { caller: tester, withPicture: true });
    const { screenshotFileId } = await db.feedback.findUniqueOrThrow({ where: { id } });
    expect((await send(deleteFeedback, admin, { id })).status).toBe(204);
    expect(await db.feedback.count({ where: { id } })).toBe(0);
    await expect.poll(() => db.file.findUnique({ where: { id: screenshotFileId as string } })).toBeNull();
    const { changes } = await db.auditRecord.findFirstOrThrow({ where: { recordId: id, action: "delete" } });
    expect(JSON.stringify(changes)).not.toContain("cart");
  });

  it("feedback outlives its release, with the version that it is about", async () => {
    const { id, releaseId, version } = await someFeedback(world, { caller: tester, withPicture: true });
    expect((await send(deleteTestingDeploy, admin, { id: releaseId })).status).toBe(204);
    const { body } = await send(getFeedback, tester, { environmentId: world.environmentId, limit: 100 });
    expect(body.items.find((item: { id: string }) => item.id === id)).toMatchObject({ releaseId: null, version });
    expect((await send(downloadFeedbackScreenshot, tester, { id })).status).toBe(200);
  });
});
