import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { createFeedback } from "@/lib/features/feedback/operations/create-feedback";
import { deleteFeedback } from "@/lib/features/feedback/operations/delete-feedback";
import { createTestingDeploy } from "@/lib/features/releases/operations/create-testing-deploy";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { promoteTestingDeploy } from "@/lib/features/releases/operations/promote-testing-deploy";
import { emptyBin } from "@/lib/features/retention/operations/empty-bin";
import { restoreRelease } from "@/lib/features/retention/operations/restore-release";
import { KEPT_DELETED_LINKS } from "@/lib/features/share-links/data";
import { createShareLink } from "@/lib/features/share-links/operations/create-share-link";
import { createShareLinkFeedback } from "@/lib/features/share-links/operations/create-share-link-feedback";
import { deleteShareLink } from "@/lib/features/share-links/operations/delete-share-link";
import { toResponse } from "@/lib/http/reply";
import { handlerOf } from "@/lib/http/routes";
import { routes } from "@/lib/routes";
import { emptyWholeBin } from "@/lib/testing/bin";
import { ANONYMOUS, anApp, aToken, aUser, send, type TestUser } from "@/lib/testing/console";
import { anApk, anIpa, aRelease, publish, uploadInParts } from "@/lib/testing/releases";
import { storedKeys } from "@/lib/testing/store";
import messages from "@/messages/en.json";
import { setUpTestDatabase } from "@/scripts/test-database";

const LIMIT = 2;
for (const name of ["MAX_RELEASES", "MAX_SHARE_LINKS", "MAX_FEEDBACK"]) process.env[name] = String(LIMIT);

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
let other: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
});

beforeEach(async () => {
  app = await anApp({ environments: [{ name: "QA" }, { name: "Staging" }] });
  [environmentId, other] = app.environmentIds as [string, string];
});

const place = (id = environmentId) => ({ identifier: app.identifier, environmentId: id });
const publishNew = () => publish(admin, anIpa(app.identifier), "App.ipa", { environmentId });
const countReleases = () => db.release.count({ where: { environmentId } });

async function fill(count = LIMIT): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await aRelease(admin, place())).id);
  return ids;
}

const refused = (detail: "detailReleases" | "detailShareLinks" | "detailFeedback") => ({
  status: 409,
  body: { code: "conflict", detail: messages.errors.conflict[detail].replace("{limit, number}", String(LIMIT)) },
});
const REFUSED = refused("detailReleases");

it("an environment takes releases up to its limit by a form and in parts, and a refused file is not stored", async () => {
  await fill(LIMIT - 1);
  const { fileId } = await uploadInParts(admin, anIpa(app.identifier), "App.ipa");
  const inParts = () => send(createTestingDeploy, admin, { environmentId, fileId, description: "-" });
  expect(await publishNew()).toMatchObject({ status: 201 });
  const before = await storedKeys();
  expect(await publishNew()).toMatchObject(REFUSED);
  // The file may be removed after the answer.
  await expect.poll(storedKeys).toEqual(before);
  expect(await inParts()).toMatchObject(REFUSED);
  expect(await countReleases()).toBe(LIMIT);
  // Another environment has a limit of its own.
  expect(await publish(admin, anIpa(app.identifier), "App.ipa", { environmentId: other })).toMatchObject({
    status: 201,
  });
});

it("publishing the same file again is answered with the release, also in a full environment", async () => {
  const bytes = anIpa(app.identifier);
  const { body: first } = await publish(admin, bytes, "App.ipa", { environmentId });
  await fill(LIMIT - 1);
  expect(await publish(admin, bytes, "App.ipa", { environmentId })).toMatchObject({
    status: 200,
    body: { id: first.id, repeated: true },
  });
});

it("of publications at the same moment for the last place, one succeeds", async () => {
  await fill(LIMIT - 1);
  const bytes = await Promise.all(Array.from({ length: 3 }, () => anApk(app.identifier)));
  const answers = await Promise.all(bytes.map((one) => publish(admin, one, "App.apk", { environmentId })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(await countReleases()).toBe(LIMIT);
});

it("a promotion of several releases is refused whole if they do not all have a place", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 2; index += 1) ids.push((await aRelease(admin, place(other))).id);
  await fill(LIMIT - 1);
  expect(await send(promoteTestingDeploy, admin, { ids, environmentId })).toMatchObject(REFUSED);
  expect(await countReleases()).toBe(LIMIT - 1);
  expect(await send(promoteTestingDeploy, admin, { ids: ids.slice(1), environmentId })).toMatchObject({ status: 201 });
});

it("releases in the bin have their places until it is emptied, and are restored into them", async () => {
  const [first, second] = (await fill()) as [string, string];
  for (const id of [first, second]) await send(deleteTestingDeploy, admin, { id });
  expect(await publishNew()).toMatchObject(REFUSED);
  expect(await send(restoreRelease, admin, { id: first })).toMatchObject({ status: 200 });
  expect(await send(emptyBin, admin, { environmentId })).toMatchObject({ status: 202 });
  await emptyWholeBin();
  expect(await publishNew()).toMatchObject({ status: 201 });
  expect(await publishNew()).toMatchObject(REFUSED);
});

/** Sends a form as a client of another product does. */
async function asClient(path: string, fields: Record<string, string>): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new File([anIpa(app.identifier)], "App.ipa"));
  const request = new Request(new URL(path, "http://localhost"), { method: "POST", body: form });
  const reply = await handlerOf(routes, path, "POST")?.(request);
  if (!reply) throw new Error(`nothing answers ${path}`);
  return toResponse(reply, request).text();
}

it.each([
  ["Zealot", "/compat/zealot/api/apps/upload", "token"],
  ["TestFairy", "/compat/testfairy/api/upload/", "api_key"],
])("the client of %s is told of the limit and what to do", async (_name, path, tokenField) => {
  const { token } = await aToken({ appId: app.appId, environmentId });
  await fill(LIMIT - 1);
  await asClient(path, { [tokenField]: token });
  expect(await countReleases()).toBe(LIMIT);
  expect(await asClient(path, { [tokenField]: token })).toContain("MAX_RELEASES");
  expect(await countReleases()).toBe(LIMIT);
});

describe("share links of an environment", () => {
  const create = () => send(createShareLink, admin, { environmentId, name: "For the client" });

  it("are created up to the limit, also at the same moment, and again once one was deleted", async () => {
    const { body } = await create();
    const answers = await Promise.all([create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await create()).toMatchObject(refused("detailShareLinks"));
    expect(await send(deleteShareLink, admin, { id: body.id })).toMatchObject({ status: 204 });
    expect(await create()).toMatchObject({ status: 201 });
  });

  it("are known after their deletion, but not without end", async () => {
    await db.$executeRaw`
      INSERT INTO "ShareLink" ("id", "environmentId", "followsLatest", "name", "codeHash", "onlyPhones", "showNotes", "deletedAt")
      SELECT gen_random_uuid(), ${environmentId}::uuid, true, 'old', uuid_send(gen_random_uuid()), false, false,
        now() - n * interval '1 day' FROM generate_series(1, ${KEPT_DELETED_LINKS}::int) n`;
    const { body } = await create();
    await send(deleteShareLink, admin, { id: body.id });
    const { _count, _min } = await db.shareLink.aggregate({
      where: { environmentId },
      _count: true,
      _min: { deletedAt: true },
    });
    expect(_count).toBe(KEPT_DELETED_LINKS);
    const days = (Date.now() - (_min.deletedAt as Date).getTime()) / 86_400_000;
    expect(Math.round(days)).toBe(KEPT_DELETED_LINKS - 1);
  });
});

it("feedback of an environment is taken up to its limit, also at the same moment and by a link, and outlives its release", async () => {
  const [first, second] = (await fill()) as [string, string];
  const { body: link } = await send(createShareLink, admin, { releaseId: second, name: "For the client" });
  const give = (releaseId: string) => send(createFeedback, admin, { releaseId, text: "The cart is empty." });
  const { body } = await give(first);
  await send(deleteTestingDeploy, admin, { id: first });
  await emptyWholeBin();
  const answers = await Promise.all([give(second), give(second)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const byLink = () => send(createShareLinkFeedback, ANONYMOUS, { code: link.code, text: "The cart is empty." });
  expect(await byLink()).toMatchObject(refused("detailFeedback"));
  expect(await send(deleteFeedback, admin, { id: body.id })).toMatchObject({ status: 204 });
  expect(await byLink()).toMatchObject({ status: 201 });
});
