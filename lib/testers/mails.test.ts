import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { deleteTesterGroup } from "@/lib/features/testers/operations/delete-tester-group";
import { distributeRelease } from "@/lib/features/testers/operations/distribute-release";
import { getReleaseDistributions } from "@/lib/features/testers/operations/get-release-distributions";
import { removeTesterGroupMember } from "@/lib/features/testers/operations/remove-tester-group-member";
import { resendTesterConfirmation } from "@/lib/features/testers/operations/resend-tester-confirmation";
import { updateNotificationSettings } from "@/lib/features/testers/operations/update-notification-settings";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { HOUR_MS, MINUTE_MS } from "@/lib/kernel/time";
import { composeReleaseMail, composeTesterInvitation } from "@/lib/mail/tester-mails";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { type MailServer, parseMail, startMailServer } from "@/lib/testing/mail";
import { aRelease } from "@/lib/testing/releases";
import { aTesterGroup, membersOf } from "@/lib/testing/tester-groups";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { makeRecipients } from "./distributions";
import { sendTesterMails } from "./mails";

setUpTestDatabase();

let server: MailServer;
let world: World;

beforeAll(async () => {
  server = await startMailServer();
  process.env.SMTP_URL = `smtp://127.0.0.1:${server.port}`;
  world = await makeWorld();
});
afterAll(() => server.close());
afterEach(() => {
  server.fault = "none";
  server.putOff.clear();
});

const mailsTo = (email: string) =>
  server.received.filter(({ to }) => to.includes(email)).map(({ raw }) => ({ raw, ...parseMail(raw) }));
const anAddress = () => `${randomUUID()}@example.test`;

/** Publishes a release and distributes it to a group. */
async function distribute(
  groupId: string,
  place = { identifier: world.app.identifier, environmentId: world.environmentId },
): Promise<{ id: string }> {
  const release = await aRelease(world.admin, place);
  await send(distributeRelease, world.admin, { releaseId: release.id, groupIds: [groupId] });
  await makeRecipients(() => new Date());
  return release;
}

const run = (at = new Date()) => sendTesterMails({ now: () => at });

/** A group with one member without an account, who agreed unless `pending`. */
async function aMember({ pending = false } = {}) {
  const email = anAddress();
  const group = await aTesterGroup(world.admin, { appId: world.app.appId, emails: [email] });
  if (!pending)
    await db.tester.updateMany({ where: { email }, data: { confirmedAt: new Date(), askedAt: new Date() } });
  return { email, groupId: group.id as string };
}

describe("mails of several callers", () => {
  const anAdmin = () => aUser({ admin: true });
  /** Adds people who are asked. @returns their addresses */
  async function addPeople(caller: TestUser, count: number): Promise<string[]> {
    const emails = Array.from({ length: count }, anAddress);
    await aTesterGroup(caller, { appId: world.app.appId, emails });
    return emails;
  }
  /** The number of mails before the one to an address. */
  const placeOf = (email: string) => order().indexOf(email);
  let before = 0;
  const order = () => server.received.slice(before).flatMap(({ to }) => to);
  beforeEach(async () => {
    await run();
    before = server.received.length;
  });

  it("are sent in turns: questions of one caller hold up neither mails of releases nor questions of others", async () => {
    const member = await aMember();
    await addPeople(world.admin, 40);
    const [other] = await addPeople(await anAdmin(), 1);
    await distribute(member.groupId);
    await run();
    expect(order()).toHaveLength(42);
    expect(placeOf(member.email)).toBeLessThan(8);
    expect(placeOf(other as string)).toBeLessThan(8);
  });

  it("are sent in turns of applications", async () => {
    const many = Array.from({ length: 20 }, anAddress);
    const group = await aTesterGroup(world.admin, { appId: world.app.appId, emails: many });
    await db.tester.updateMany({
      where: { email: { in: many } },
      data: { confirmedAt: new Date(), askedAt: new Date() },
    });
    await distribute(group.id);
    const other = await anApp();
    const email = anAddress();
    const ofOther = await aTesterGroup(world.admin, { appId: other.appId, emails: [email] });
    await db.tester.updateMany({ where: { email }, data: { confirmedAt: new Date(), askedAt: new Date() } });
    await distribute(ofOther.id, { identifier: other.identifier, environmentId: other.environmentIds[0] as string });
    await run();
    expect(order()).toHaveLength(21);
    expect(placeOf(email)).toBeLessThan(8);
  });

  it("wait where a caller has caused as many questions as a day allows, and those of others do not", async () => {
    const [one, two] = [await anAdmin(), await anAdmin()];
    const counter = { key: `tester-questions-of-caller:${one.userId}`, points: 1_999 };
    await db.rateLimit.create({ data: { ...counter, expire: Date.now() + HOUR_MS } });
    await addPeople(one, 3);
    // One question at a time.
    await db.tester.updateMany({ where: { askedBy: one.userId }, data: { askAfter: new Date(Date.now() + 1_000) } });
    const [first] = await db.tester.findMany({ where: { askedBy: one.userId } });
    await db.tester.update({ where: { id: first?.id as string }, data: { askAfter: null } });
    await run();
    await run(new Date(Date.now() + MINUTE_MS));
    const [ofTwo] = await addPeople(two, 1);
    await run(new Date(Date.now() + MINUTE_MS));
    expect(order()).toEqual([first?.email, ofTwo]);
    await db.rateLimit.deleteMany({ where: { key: counter.key } });
    await run(new Date(Date.now() + HOUR_MS));
    expect(order()).toHaveLength(4);
  });
});

describe("somebody without an account", () => {
  it("is asked once by mail, whose link does not agree by itself", async () => {
    const { email, groupId } = await aMember({ pending: true });
    await run();
    await run();
    const [mail, ...more] = mailsTo(email);
    expect(more).toEqual([]);
    expect(mail?.text).toMatch(/http\S+\/t\/[\w-]{43}\r?\n/);
    expect(mail?.headers.get("subject")).toContain(world.app.name);
    const { firstNames, lastNames } = await db.user.findUniqueOrThrow({ where: { id: world.admin.userId } });
    expect(mail?.text).toContain(`${firstNames} ${lastNames} invites ${email} to test ${world.app.name}`);
    expect(await membersOf(world.admin, groupId)).toMatchObject([{ state: "pending" }]);
  });

  it("is asked again when a user asks for it, at most once an hour, until they agree", async () => {
    const { email, groupId } = await aMember({ pending: true });
    const again = async () => {
      const [member] = await membersOf(world.admin, groupId);
      return send(resendTesterConfirmation, world.admin, { groupId, memberId: member?.id });
    };
    expect((await again()).status).toBe(409);
    await run();
    expect((await again()).status).toBe(409);
    await db.tester.updateMany({ where: { email }, data: { askedAt: new Date(Date.now() - HOUR_MS) } });
    expect([(await again()).status, (await again()).status]).toEqual([204, 409]);
    await run();
    const links = mailsTo(email).map(({ text }) => /\/t\/[\w-]{43}/.exec(text ?? "")?.[0]);
    expect(links).toEqual([links[0], links[0]]);
    await db.tester.updateMany({ where: { email }, data: { confirmedAt: new Date(), askedAt: new Date(0) } });
    const refused = await again();
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
  });

  it("is not asked any more after a day in which the mail server put the mail off, until a user asks for it", async () => {
    const { email, groupId } = await aMember({ pending: true });
    server.putOff.add(email);
    const tries = server.tries;
    await run();
    await run(new Date(Date.now() + 2 * MINUTE_MS));
    expect(await db.tester.findFirst({ where: { email } })).toMatchObject({ askTries: 2, askedAt: null });
    await db.tester.updateMany({ where: { email }, data: { askTries: 46 } });
    for (const minutes of [40, 80, 120]) await run(new Date(Date.now() + minutes * MINUTE_MS));
    expect(server.tries - tries).toBe(4);
    const [member] = await membersOf(world.admin, groupId);
    expect(member).toMatchObject({ state: "bounced" });
    await db.tester.updateMany({ where: { email }, data: { askedAt: new Date(Date.now() - HOUR_MS) } });
    server.putOff.clear();
    expect((await send(resendTesterConfirmation, world.admin, { groupId, memberId: member?.id })).status).toBe(204);
    await run();
    expect(mailsTo(email)).toHaveLength(1);
    expect(await membersOf(world.admin, groupId)).toMatchObject([{ state: "pending" }]);
  });

  it("gets a mail of a release with its icon, notes, one button, and one-press unsubscription", async () => {
    const { email, groupId } = await aMember();
    const release = await distribute(groupId);
    await run();
    const [mail] = mailsTo(email);
    expect(mail?.headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    const address = /^<(http\S+\/t\/[\w-]{43})\/unsubscribe\?app=[\da-f-]{36}>$/.exec(
      mail?.headers.get("list-unsubscribe") ?? "",
    );
    expect(address).not.toBeNull();
    expect(mail?.text).toContain(`${address?.[1]}/${release.id}\r\n`);
    expect(mail?.text).toContain("What changed");
    expect(mail?.html).toContain('src="cid:icon"');
    expect(mail?.raw).toMatch(/Content-Type: image\/png; name=icon\.png/);
    const recipient = await db.releaseRecipient.findFirstOrThrow({ where: { releaseId: release.id } });
    expect(recipient).toMatchObject({ mailDue: false, untold: null, toldAt: expect.any(Date) });
    await run();
    expect(mailsTo(email)).toHaveLength(1);
  });

  it("gets one mail in an hour, and then one of all releases since", async () => {
    const { email, groupId } = await aMember();
    await distribute(groupId);
    await run();
    await distribute(groupId);
    await distribute(groupId);
    await run(new Date(Date.now() + 59 * MINUTE_MS));
    expect(mailsTo(email)).toHaveLength(1);
    await run(new Date(Date.now() + HOUR_MS + MINUTE_MS));
    const [, digest] = mailsTo(email);
    expect(digest?.headers.get("subject")).toMatch(/2/);
    expect(digest?.text).toMatch(/\/t\/[\w-]{43}\r?\n/);
    await run(new Date(Date.now() + 5 * HOUR_MS));
    expect(mailsTo(email)).toHaveLength(2);
  });

  it("is marked and gets nothing more once a mail server has refused the address", async () => {
    const { email, groupId } = await aMember();
    const release = await distribute(groupId);
    server.fault = "never";
    await run();
    expect(await membersOf(world.admin, groupId)).toMatchObject([{ state: "bounced" }]);
    expect(await db.releaseRecipient.findFirst({ where: { releaseId: release.id } })).toMatchObject({
      untold: "bounced",
      toldAt: null,
    });
    server.fault = "none";
    await distribute(groupId);
    await run(new Date(Date.now() + 2 * HOUR_MS));
    expect(mailsTo(email)).toEqual([]);
  });

  it("gets mails again once a user has their refused address tried again, without being asked again", async () => {
    const { email, groupId } = await aMember();
    await distribute(groupId);
    server.fault = "never";
    await run();
    server.fault = "none";
    const [member] = await membersOf(world.admin, groupId);
    expect(member).toMatchObject({ state: "bounced" });
    expect((await send(resendTesterConfirmation, world.admin, { groupId, memberId: member?.id })).status).toBe(204);
    expect(await membersOf(world.admin, groupId)).toMatchObject([{ state: "confirmed" }]);
    const release = await distribute(groupId);
    // The claim of the refused mail has ended by then.
    await run(new Date(Date.now() + HOUR_MS));
    expect(mailsTo(email).map(({ text }) => text?.includes(`/${release.id}`))).toEqual([true]);
  });

  it("is marked once by two mails about two applications that are refused at the same time", async () => {
    const { email, groupId } = await aMember();
    const { id } = await db.tester.findFirstOrThrow({ where: { email } });
    const other = await anApp();
    const { id: ofOther } = await aTesterGroup(world.admin, { appId: other.appId, emails: [email] });
    await distribute(groupId);
    await distribute(ofOther, { identifier: other.identifier, environmentId: other.environmentIds[0] as string });
    // The two mails are sent first, at the same time.
    await db.testerMail.updateMany({ where: { testerId: id }, data: { dueAt: new Date(0) } });
    server.fault = "never";
    const { sending } = await db.$transaction(async (tx) => {
      // Only the outcomes of mails change this.
      await tx.$queryRaw`SELECT 1 FROM "ReleaseRecipient" WHERE "testerId" = ${id}::uuid FOR NO KEY UPDATE`;
      const sending = Promise.allSettled([run()]);
      await untilWaitingForLocks(2);
      return { sending };
    }, LONG_TRANSACTION);
    expect(await sending).toEqual([{ status: "fulfilled", value: false }]);
    expect(await membersOf(world.admin, groupId)).toMatchObject([{ state: "bounced" }]);
    expect(await db.testerMail.count({ where: { testerId: id, dueAt: { not: null } } })).toBe(0);
  });

  it("is not marked if a mail is refused for what is in it", async () => {
    const { groupId } = await aMember();
    await distribute(groupId);
    server.fault = "unwanted";
    await run();
    expect(await membersOf(world.admin, groupId)).toMatchObject([{ state: "confirmed" }]);
  });

  it("gets the same mail later if the server is busy, under the same ID", async () => {
    const { email, groupId } = await aMember();
    await distribute(groupId);
    server.fault = "drop-after";
    await run();
    expect(mailsTo(email)).toHaveLength(1);
    server.fault = "none";
    await run(new Date(Date.now() + 2 * MINUTE_MS));
    const [first, second] = mailsTo(email);
    expect(second?.headers.get("message-id")).toBe(first?.headers.get("message-id"));
    await run(new Date(Date.now() + 5 * HOUR_MS));
    expect(mailsTo(email)).toHaveLength(2);
  });

  it("gets a later try under another ID if it names more, so that no mail server drops it as a duplicate", async () => {
    const { email, groupId } = await aMember();
    await distribute(groupId);
    server.fault = "drop-after";
    await run();
    server.fault = "none";
    await distribute(groupId);
    await run(new Date(Date.now() + 2 * MINUTE_MS));
    const [first, second] = mailsTo(email);
    expect(second?.headers.get("subject")).toMatch(/2/);
    expect(second?.headers.get("message-id")).not.toBe(first?.headers.get("message-id"));
  });
});

it("a user is led to the console, in their language", async () => {
  const user = await aUser({ grants: [{ scopes: ["release:read"] }] });
  await db.user.update({ where: { id: user.userId }, data: { locale: "de" } });
  const group = await aTesterGroup(world.admin, { appId: world.app.appId, userIds: [user.userId] });
  const release = await distribute(group.id);
  await run();
  const [mail] = mailsTo(user.email);
  expect(mail?.text).toContain(`/releases?id=${release.id}`);
  expect(mail?.text).toContain("Guten Tag Ada,");
});

describe("a mail that is due is not sent to", () => {
  const stateOf = async (releaseId: string) =>
    (await send(getReleaseDistributions, world.admin, { releaseId })).body.items[0].state;

  /** A release of which a new member waits to be told, who lost it then. Nothing is sent, and no mail stays due. */
  async function expectUntold(
    member: { email: string; groupId: string },
    lose: () => Promise<unknown>,
    state: "no-access" | "off",
  ) {
    const release = await distribute(member.groupId);
    expect(await stateOf(release.id)).toBe("waiting");
    const { testerId } = await db.releaseRecipient.findFirstOrThrow({ where: { releaseId: release.id } });
    await lose();
    await run();
    expect([mailsTo(member.email), await stateOf(release.id)]).toEqual([[], state]);
    expect(await db.testerMail.findFirst({ where: { testerId } })).toMatchObject({ dueAt: null, lastAt: null });
  }

  it("somebody who was removed from the group", async () => {
    const member = await aMember();
    const { groupId } = member;
    const [{ id: memberId }] = (await membersOf(world.admin, groupId)) as [{ id: string }];
    await expectUntold(member, () => send(removeTesterGroupMember, world.admin, { groupId, memberId }), "no-access");
  });

  it("the members of a group that was deleted", async () => {
    const member = await aMember();
    await expectUntold(member, () => send(deleteTesterGroup, world.admin, { id: member.groupId }), "no-access");
  });

  it.each(["environment", "app"] as const)("anybody if the %s was switched off", async (place) => {
    const member = await aMember();
    const set = (status: "active" | "inactive") =>
      place === "app"
        ? db.app.update({ where: { id: world.app.appId }, data: { status } })
        : db.environment.update({ where: { id: world.environmentId }, data: { status } });
    await expectUntold(member, () => set("inactive"), "no-access");
    await set("active");
  });

  it("a user whose role was reduced, who was deactivated, or who turned off the group", async () => {
    for (const [lose, state] of [
      [({ roleId }) => db.rolePermission.deleteMany({ where: { roleId } }), "no-access"],
      [({ userId }) => db.user.update({ where: { id: userId }, data: { status: "inactive" } }), "no-access"],
      [(user, id) => send(updateNotificationSettings, user, { groups: [{ id, notify: false }] }), "off"],
    ] satisfies [(user: TestUser, groupId: string) => Promise<unknown>, "no-access" | "off"][]) {
      const user = await aUser({ grants: [{ scopes: ["release:read"] }] });
      const group = await aTesterGroup(world.admin, { appId: world.app.appId, userIds: [user.userId] });
      await expectUntold({ email: user.email, groupId: group.id }, () => lose(user, group.id), state);
    }
  });

  it("somebody of the releases of a group that they left, and is sent of those of another one", async () => {
    const member = await aMember();
    const other = await aTesterGroup(world.admin, { appId: world.app.appId, emails: [member.email] });
    const [lost, kept] = [await distribute(member.groupId), await distribute(other.id)];
    await send(deleteTesterGroup, world.admin, { id: member.groupId });
    await run();
    expect(mailsTo(member.email).map(({ text }) => text?.includes(`/${kept.id}`))).toEqual([true]);
    expect([await stateOf(lost.id), await stateOf(kept.id)]).toEqual(["no-access", "told"]);
  });
});

it("addresses whose mails are put off keep none from those after them", async () => {
  const off = Array.from({ length: 9 }, anAddress);
  for (const address of off) server.putOff.add(address);
  await aTesterGroup(world.admin, { appId: world.app.appId, emails: off });
  const { email, groupId } = await aMember();
  const asked = await aMember({ pending: true });
  await distribute(groupId);
  await run();
  expect([mailsTo(email).length, mailsTo(asked.email).length]).toEqual([1, 1]);
});

it("a run that has taken its time leaves the rest to the next one", async () => {
  const { email, groupId } = await aMember();
  await distribute(groupId);
  const now = new Date();
  expect(await sendTesterMails({ now: () => now, until: now })).toBe(true);
  expect(mailsTo(email)).toEqual([]);
  expect(await sendTesterMails({ now: () => now, until: new Date(now.getTime() + 1) })).toBe(false);
  expect(mailsTo(email)).toHaveLength(1);
});

it("two instances send each mail once", async () => {
  const { email, groupId } = await aMember();
  await distribute(groupId);
  await Promise.all([run(), run(), run()]);
  expect(mailsTo(email)).toHaveLength(1);
});

it.each([
  [{ installerKind: "ipa", minOs: "16.0" }, "Version 1.2 (7) of Wallet", "a device with iOS 16.0 or later"],
  [{ installerKind: "apk", minOs: "26" }, "Version 1.2 (7) of Wallet", "a device with Android 8.0 or later"],
  [
    { installerKind: "apk", minOs: "14", targetSdk: 21 },
    "Version 1.2 (7) of Wallet",
    "a device with Android 4.0 or later, but older than Android 14, which refuses it",
  ],
  [{ installerKind: "apk", minOs: "14", targetSdk: 23 }, "Version 1.2 (7) of Wallet", "older than Android 15"],
  [{ installerKind: "apk", minOs: "14", targetSdk: 24 }, "Version 1.2 (7) of Wallet", "Android 4.0 or later."],
  [{ installerKind: "apk", minOs: "4000" }, "Version 1.2 (7) of Wallet", "a device with API 4000 or later"],
] as const)("the mail of a release says its version, and the system that it needs: %o", (installer, ...sentences) => {
  const named = { displayName: "Wallet", version: "1.2", buildNumber: "7", description: "", ...installer };
  const facts = { locale: "en" as const, brand: "Acme", email: "ada@example.test", name: null, app: "Wallet" };
  const url = "https://slipway.example/t/x";
  const { html, text } = composeReleaseMail({ ...facts, releases: [named], count: 1, url, stopUrl: url });
  for (const part of [html, text]) for (const sentence of sentences) expect(part).toContain(sentence);
});

describe.each(LOCALES)("in %s", (locale) => {
  const facts = { locale, brand: "Acme\r\nBcc: x", email: "ada@example.test", name: null, app: "Wallet\nx" };
  const release = { displayName: "Wallet", version: "1.2", buildNumber: "7", description: "<b>Fixed</b>\n& more" };
  const built = { ...release, installerKind: "ipa" as const, minOs: "16.0" };
  const url = "https://slipway.example/t/x";

  it("the mails have the same content in both parts, and one line as subject", () => {
    const mails = [
      composeTesterInvitation({ ...facts, by: null, apps: [facts.app], url }),
      composeTesterInvitation({ ...facts, by: "Ada\nL", apps: [facts.app], url }),
      composeReleaseMail({ ...facts, releases: [built], count: 1, url, stopUrl: `${url}/stop` }),
      composeReleaseMail({ ...facts, releases: [built, built], count: 30, url, stopUrl: `${url}/stop` }),
    ];
    for (const { subject, html, text } of mails) {
      expect(subject).not.toMatch(/[\r\n]|mail\.\w/);
      expect(subject).toContain("Wallet");
      for (const part of [html, text]) {
        expect(part).toContain(url);
        expect(part).not.toMatch(/\bmail\.\w/);
      }
      expect(html).not.toMatch(/<b>|<script|url\(/);
    }
    expect(mails[1]?.text).toContain("Ada L ");
    expect(mails[2]?.html).toContain("&lt;b&gt;Fixed&lt;/b&gt;<br>&amp; more");
    expect(mails[3]?.text).toMatch(/28/);
  });
});
