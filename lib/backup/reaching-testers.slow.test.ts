import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { expect, it, onTestFinished } from "vitest";
import { db } from "@/lib/db/client";
import { PrismaClient } from "@/lib/db/generated/client";
import { createCalendarFeed } from "@/lib/features/feeds/operations/create-calendar-feed";
import { createReleaseFeed } from "@/lib/features/feeds/operations/create-release-feed";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { updateRetention } from "@/lib/features/retention/operations/update-retention";
import { distributeRelease } from "@/lib/features/testers/operations/distribute-release";
import { redeliverWebhook } from "@/lib/features/webhooks/operations/redeliver-webhook";
import { rotateWebhookSecret } from "@/lib/features/webhooks/operations/rotate-webhook-secret";
import { unseal } from "@/lib/kernel/crypto/sealed";
import { env } from "@/lib/kernel/env";
import { storage } from "@/lib/storage";
import { restoreFromBin } from "@/lib/storage/bin";
import { makeRecipients } from "@/lib/testers/distributions";
import { secretOf } from "@/lib/testers/secrets";
import { aUser, send } from "@/lib/testing/console";
import { someFeedback } from "@/lib/testing/feedback";
import { addFile } from "@/lib/testing/release-files";
import { aRelease } from "@/lib/testing/releases";
import { aShareLink } from "@/lib/testing/share-links";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { aDelivery, aWebhook, WEBHOOK_SECRET } from "@/lib/testing/webhooks";
import { makeWorld } from "@/lib/testing/world";
import { validPreviousSecrets } from "@/lib/webhooks/secrets";
import { openPool, setUpTestDatabase } from "@/scripts/test-database";
import { backUp, contentOf, newDeployment, newFolder, newKeys, restoreInto } from "./testing/deployment";

setUpTestDatabase();

/** Tables that each have a row before the backup. */
const TABLES = [
  ...["ShareLink", "Feedback", "Webhook", "WebhookDelivery", "Retention", "BinnedRelease", "BinnedRow"],
  ...["Tester", "TesterGroup", "TesterGroupMember", "TesterMail"],
  ...["ReleaseTesterGroup", "ReleaseDistribution", "ReleaseRecipient"],
  ...["ReleaseFeed", "CalendarFeed", "ExpiryNotice", "ReleaseFile", "BinnedFile"],
];

/** Makes what reaches testers. The release in the bin was distributed, and has a share link. */
async function makeEverything() {
  const world = await makeWorld();
  const { admin, verifiedAdmin, app, environmentId } = world;
  const place = { identifier: app.identifier, environmentId };
  const binned = await aRelease(admin, place, { version: "1.0" });
  const kept = await aRelease(admin, place, { version: "2.0" });
  const user = await aUser({ admin: true });
  const people = { userIds: [user.userId], emails: [`${randomUUID()}@example.test`] };
  const group = await aTesterGroup(admin, { appId: app.appId, ...people });
  await db.tester.updateMany({ data: { confirmedAt: new Date() } });
  for (const { id } of [binned, kept]) {
    await addFile(admin, id, { kind: "other", name: "plan.txt", bytes: new Uint8Array(Buffer.from(id)) });
    await send(distributeRelease, admin, { releaseId: id, groupIds: [group.id] });
  }
  await makeRecipients(() => new Date());
  const link = await aShareLink(admin, { releaseId: binned.id, password: "correct horse", maxInstalls: 3 });
  const webhookId = await aWebhook(["release.published"]);
  await send(rotateWebhookSecret, verifiedAdmin, { id: webhookId });
  const delivery = await aDelivery(webhookId, { state: "failed" });
  await send(redeliverWebhook, admin, { id: delivery });
  await someFeedback(world, { releaseId: kept.id, withPicture: true });
  await send(createReleaseFeed, admin, {});
  await send(createCalendarFeed, admin, {});
  const notice = { userId: admin.userId, key: "license", step: 7 };
  await db.expiryNotice.create({ data: { ...notice, endsAt: new Date(), day: new Date() } });
  await send(updateRetention, admin, { environmentId, keepNewest: 5 });
  expect((await send(deleteTestingDeploy, admin, { id: binned.id })).status).toBe(204);
  const tester = await db.tester.findFirstOrThrow({ where: { userId: null } });
  return { binned, link, webhookId, testerId: tester.id, secret: await secretOf(db, tester.id) };
}

it("a backup brings back groups, share links, webhooks, feedback, further files, retention and the bin, whose releases can be restored", async () => {
  const { binned, link, webhookId, testerId, secret } = await makeEverything();
  const source = { url: env.DATABASE_URL, store: storage() };
  const { drop, ...target } = await newDeployment({ empty: true });
  onTestFinished(drop);
  const [keys, folder] = [await newKeys(), newFolder()];
  const expected = await contentOf({ ...target, ...source });
  for (const table of TABLES) expect([table, expected.tables[table]?.rows]).not.toEqual([table, 0]);
  expect((await backUp({ ...target, ...source }, folder, keys.recipient)).lost).toEqual([]);
  await restoreInto(target, folder, keys.identity);
  const { tables, objects } = await contentOf(target);
  expect(objects).toEqual(expected.objects);
  for (const table of TABLES) expect([table, tables[table]]).toEqual([table, expected.tables[table]]);

  const pool = openPool({ connectionString: target.url });
  onTestFinished(() => pool.end());
  const restored = new PrismaClient({ adapter: new PrismaPg(pool) });
  expect(await restored.$transaction((tx) => restoreFromBin(tx, binned.id, new Date()))).toBe(true);
  expect(await restored.release.findUnique({ where: { id: binned.id } })).toMatchObject({ version: "1.0" });
  expect(await restored.releaseFile.count({ where: { releaseId: binned.id } })).toBe(1);
  expect(await restored.releaseRecipient.count({ where: { releaseId: binned.id } })).toBe(2);
  const opened = await restored.shareLink.findUniqueOrThrow({ where: { id: link.id } });
  expect(opened).toMatchObject({
    releaseId: binned.id,
    maxInstalls: 3,
    passwordHash: expect.stringMatching(/^\$argon2id/),
  });
  expect(unseal(opened.code as Uint8Array, { table: "ShareLink", id: link.id, column: "code" }).toString()).toBe(
    link.code,
  );
  const webhook = await restored.webhook.findUniqueOrThrow({ where: { id: webhookId } });
  expect(validPreviousSecrets(webhook, new Date())).toEqual([
    { secret: WEBHOOK_SECRET, until: webhook.previousSecretUntil },
  ]);
  expect(await secretOf(restored, testerId)).toBe(secret);
});
