import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPasswordLink, type PasswordLinkPurpose, redeemPasswordLink } from "@/lib/auth/password-links";
import { hashPassword } from "@/lib/auth/passwords";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { databasePool, db } from "@/lib/db/client";
import { emailLogin } from "@/lib/features/auth/operations/email-login";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { startJobs, stopJobs } from "@/lib/jobs";
import { env } from "@/lib/kernel/env";
import { type Answer, aUser, auditCount, type Caller, send, type TestUser } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { linkIn, type ParsedMail, parseMail } from "@/lib/testing/mail";
import { sealedPassword } from "@/lib/testing/password";
import { setUpTestDatabase } from "@/scripts/test-database";
import { generatePasswordRecovery } from "./generate-password-recovery";
import { getPasswordLink } from "./get-password-link";
import { resendInvitation } from "./resend-invitation";
import { updatePassword } from "./update-password";

setUpTestDatabase();

const OLD = "correct horse battery";
const NEW = "a lantern on the quay";

let oldHash: string;
let nextAddress = 0;

beforeAll(async () => {
  await ensureServerKeys();
  oldHash = await hashPassword(OLD);
  await startJobs();
});
afterAll(stopJobs);

/** A caller in a network of their own, which no limit has counted yet. */
function someone(): Caller {
  nextAddress += 1;
  return { headers: { "x-slipway-remote-address": `2001:db8:0:${nextAddress.toString(16)}::1` } };
}

async function mailsTo(email: string): Promise<ParsedMail[]> {
  const outbox = join(env.DATA_DIR, "outbox");
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith(".eml")).sort();
  const mails = await Promise.all(names.map(async (name) => parseMail(await readFile(join(outbox, name), "utf8"))));
  return mails.filter(({ headers }) => headers.get("to") === email);
}

async function nextMail(email: string, count = 1): Promise<ParsedMail> {
  await expect.poll(async () => (await mailsTo(email)).length).toBe(count);
  return (await mailsTo(email)).at(-1) as ParsedMail;
}

async function aLink(user: TestUser, purpose: PasswordLinkPurpose = "recovery", now = new Date()): Promise<string> {
  return new URL(await newPasswordLink(db, { purpose, userId: user.userId, now })).searchParams.get("token") as string;
}

async function setPassword(token: string, password = NEW, as = someone()): Promise<Answer> {
  return send(updatePassword, as, { token, password: await sealedPassword(password) });
}

const signIn = async (user: TestUser, password: string) =>
  (await send(emailLogin, someone(), { email: user.email, password: await sealedPassword(password) })).status;

/** A response without the parts that differ between requests. */
function shown({ status, headers, body }: Answer): string {
  const { requestId: _, ...rest } = body;
  const kept = [...headers].filter(([name]) => name !== "x-request-id");
  return JSON.stringify({ status, kept, rest });
}

describe("generate-password-recovery", () => {
  it("sends a link to the user, made from APP_URL whatever host the request names", async () => {
    const user = await aUser({ passwordHash: oldHash });
    const answer = await send(
      generatePasswordRecovery,
      someone(),
      { email: user.email.toUpperCase() },
      { headers: { host: "evil.test", "x-forwarded-host": "evil.test", "accept-language": "pt" } },
    );
    expect([answer.status, answer.body]).toEqual([202, {}]);
    const mail = await nextMail(user.email);
    expect(mail.headers.get("subject")).toBe("Redefina a sua senha de Slipway");
    expect(linkIn(mail).href).toMatch(/^http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}$/);
  });

  it("responds and works in the same way for a user, an unknown e-mail, an inactive user, and a user of a provider", async () => {
    const [user, inactive, sso] = [
      await aUser({ passwordHash: oldHash }),
      await aUser({ passwordHash: oldHash, status: "inactive" }),
      await aUser(),
    ];
    await db.user.update({ where: { id: sso.userId }, data: { provider: "github" } });
    const emails = [user.email, "nobody@example.test", inactive.email, sso.email];
    // The clock adds jobs to other queues.
    const all = "SELECT count(*) FROM pgboss.job WHERE name = 'mail'";
    const jobs = async () => Number((await databasePool().query(all)).rows[0].count);
    const answers: Answer[] = [];
    for (const email of emails) {
      const [jobsBefore, recordsBefore] = [await jobs(), await auditCount()];
      answers.push(await send(generatePasswordRecovery, someone(), { email }));
      expect([await jobs(), await auditCount()], email).toEqual([jobsBefore + 1, recordsBefore + 1]);
    }
    expect(new Set(answers.map(shown)).size).toBe(1);
    await nextMail(user.email);
    const open = "SELECT count(*) FROM pgboss.job WHERE name = 'mail' AND state <> 'completed'";
    await expect.poll(async () => (await databasePool().query(open)).rows[0].count).toBe("0");
    for (const email of emails.slice(1)) expect(await mailsTo(email)).toEqual([]);
  });

  it("is limited for each e-mail, known or not, and for each address, in the same words", async () => {
    const user = await aUser({ passwordHash: oldHash });
    const refusals: Answer[] = [];
    for (const email of [user.email, "unknown-and-often@example.test"]) {
      const tries: Answer[] = [];
      for (const written of [email, email, email.toUpperCase(), email, email, email]) {
        tries.push(await send(generatePasswordRecovery, someone(), { email: written }));
      }
      expect(tries.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
      refusals.push(tries.at(-1) as Answer);
    }
    const [known, unknown] = refusals.map(({ body }) => [body.code, body.title]);
    expect(known).toEqual(unknown);
    expect(Number(refusals[0]?.headers.get("retry-after"))).toBeGreaterThan(0);

    const from = someone();
    const statuses: number[] = [];
    for (let turn = 0; turn < 21; turn += 1) {
      statuses.push((await send(generatePasswordRecovery, from, { email: `someone-${turn}@example.test` })).status);
    }
    expect(statuses).toEqual([...Array(20).fill(202), 429]);
  });

  it("takes the longest e-mail that there may be", async () => {
    const email = `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.test`;
    expect((await send(generatePasswordRecovery, someone(), { email })).status).toBe(202);
  });
});

describe("update-password", () => {
  it("sets the password, ends every session, begins none, and tells the user by mail", async () => {
    const user = await aUser({ passwordHash: oldHash });
    const token = await aLink(user);
    const before = await auditCount();
    const answer = await setPassword(token);
    expect([answer.status, answer.body, answer.headers.get("set-cookie")]).toEqual([204, "", null]);
    expect(await auditCount()).toBe(before + 1);
    expect((await send(getUserProfile, user)).status).toBe(401);
    expect([await signIn(user, OLD), await signIn(user, NEW)]).toEqual([401, 200]);
    const notice = await nextMail(user.email);
    expect(notice.headers.get("subject")).toBe("Your Slipway password has been changed");
    expect(notice.text).toContain("http://localhost:3000/generate-password-recovery");
    expect(`${notice.text}${notice.html}`).not.toContain("token=");
    const record = await db.auditRecord.findFirstOrThrow({
      where: { recordId: user.userId, action: "update-password" },
    });
    expect(record.userId).toBe(user.userId);
    expect(JSON.stringify(record.changes)).not.toMatch(/argon2|lantern/);
  });

  it("works once, and using one link revokes the user's others", async () => {
    const user = await aUser({ passwordHash: oldHash });
    const [first, second] = [await aLink(user), await aLink(user, "invitation")];
    expect((await setPassword(first)).status).toBe(204);
    for (const token of [first, second]) {
      const again = await setPassword(token, "another lantern there");
      expect([again.status, again.body.code]).toEqual([410, "link_expired"]);
    }
    expect(await signIn(user, NEW)).toBe(200);
  });

  it("accepts one of two simultaneous calls, with one link or with two", async () => {
    for (const links of [1, 2]) {
      const user = await aUser({ passwordHash: oldHash });
      const tokens = [await aLink(user), await aLink(user)];
      const tries = await Promise.all(
        [0, 1, 2, 3].map((index) => setPassword(tokens[index % links] as string, `lantern number ${index} here`)),
      );
      expect(tries.map(({ status }) => status).sort(), `${links} links`).toEqual([204, 410, 410, 410]);
      const winner = tries.findIndex(({ status }) => status === 204);
      expect(await signIn(user, `lantern number ${winner} here`)).toBe(200);
    }
  });

  it("refuses a link that is unknown, expired, of another kind, or of a user who may have no password", async () => {
    const [user, inactive, sso] = [
      await aUser({ passwordHash: oldHash }),
      await aUser({ passwordHash: oldHash, status: "inactive" }),
      await aUser(),
    ];
    await db.user.update({ where: { id: sso.userId }, data: { provider: "google" } });
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const other = await aLink(user);
    await db.oneTimeToken.updateMany({ where: { subject: user.userId }, data: { purpose: "setup" } });
    const before = await auditCount();
    for (const token of [
      "unknown",
      other,
      await aLink(user, "recovery", minutesAgo(31)),
      await aLink(user, "invitation", minutesAgo(7 * 24 * 60 + 1)),
      await aLink(inactive),
      await aLink(sso),
    ]) {
      const answer = await setPassword(token);
      expect([answer.status, answer.body.code]).toEqual([410, "link_expired"]);
      expect((await send(getPasswordLink, someone(), { token })).body).toEqual({ purpose: null, email: null });
    }
    expect(await auditCount()).toBe(before);
    expect(await signIn(user, OLD)).toBe(200);
    for (const [purpose, minutes] of [
      ["recovery", 29],
      ["invitation", 7 * 24 * 60 - 1],
    ] as const) {
      const token = await aLink(user, purpose, minutesAgo(minutes));
      expect((await send(getPasswordLink, someone(), { token })).body).toEqual({ purpose, email: user.email });
      expect((await setPassword(token)).status).toBe(204);
    }
  });

  it("refuses a password that is short, common, or made of names, in plain text, or replayed, and the link stays valid", async () => {
    const user = await aUser({ passwordHash: oldHash });
    await db.appConfig.update({ where: { id: 1 }, data: { name: "Harbour Deliveries" } });
    const token = await aLink(user);
    for (const [password, code] of [
      ["short", "passwordTooShort"],
      ["é".repeat(513), "passwordTooLong"],
      ["passwordpassword", "passwordCommon"],
      ["AdaLovelace1843", "passwordFromNames"],
      ["slipway-slipway-1", "passwordFromNames"],
      ["harbour-deliveries-1", "passwordFromNames"],
    ] as const) {
      const answer = await setPassword(token, password);
      expect([answer.status, answer.body.errors?.[0]?.code], password).toEqual([422, code]);
    }
    const plain = await send(updatePassword, someone(), { token, password: NEW });
    expect([plain.status, plain.body.errors[0].path]).toEqual([422, "password"]);
    const envelope = await sealedPassword("short");
    for (const status of [422, 400]) {
      expect((await send(updatePassword, someone(), { token, password: envelope })).status).toBe(status);
    }
    expect(await signIn(user, OLD)).toBe(200);
    expect((await setPassword(token)).status).toBe(204);
  });
});

it("no link works, and none is sent, while sign-ins by e-mail are switched off", async () => {
  const user = await aUser({ passwordHash: oldHash });
  const token = await aLink(user);
  await db.authProvider.update({ where: { provider: "email" }, data: { enabled: false } });
  try {
    expect((await setPassword(token)).status).toBe(410);
    expect((await send(generatePasswordRecovery, someone(), { email: user.email })).status).toBe(202);
    const job = "SELECT state FROM pgboss.job WHERE name = 'mail' AND data->>'userId' = $1";
    await expect.poll(async () => (await databasePool().query(job, [user.userId])).rows[0]?.state).toBe("completed");
    expect(await mailsTo(user.email)).toEqual([]);
  } finally {
    await db.authProvider.update({ where: { provider: "email" }, data: { enabled: true } });
  }
  expect((await setPassword(token)).status).toBe(204);
});

describe("an invitation", () => {
  it("is sent once more by an administrator, and sets the first password", async () => {
    const [admin, invited] = [await aUser({ admin: true }), await aUser()];
    const answer = await send(resendInvitation, admin, { id: invited.userId });
    expect([answer.status, answer.body]).toEqual([
      202,
      { invitationLink: expect.stringContaining("/reset-password?token=") },
    ]);
    const mail = await nextMail(invited.email);
    const token = linkIn(mail).searchParams.get("token") as string;
    expect((await send(getPasswordLink, someone(), { token })).body).toEqual({
      purpose: "invitation",
      email: invited.email,
    });
    expect((await setPassword(token)).status).toBe(204);
    expect(await signIn(invited, NEW)).toBe(200);
    const late = await send(resendInvitation, admin, { id: invited.userId });
    expect([late.status, late.body.code, late.body.errors[0].code]).toEqual([409, "conflict", "hasPassword"]);
  });

  it("is not sent to a user who chooses a password at the same time", async () => {
    const [admin, invited] = [await aUser({ admin: true }), await aUser()];
    const token = await aLink(invited);
    const { resent } = await db.$transaction(async (tx) => {
      const set = { token, userId: invited.userId, passwordHash: oldHash, now: new Date() };
      expect(await redeemPasswordLink(tx, set)).toEqual({ first: true });
      const resent = send(resendInvitation, admin, { id: invited.userId });
      await untilWaitingForLocks(1);
      return { resent };
    }, LONG_TRANSACTION);
    const { status, body } = await resent;
    expect([status, body.errors[0].code]).toEqual([409, "hasPassword"]);
    expect(await db.oneTimeToken.count({ where: { subject: invited.userId, usedAt: null } })).toBe(0);
  });

  it("is refused for a user who is inactive, signs in by a provider, or does not exist", async () => {
    const [admin, inactive, sso] = [await aUser({ admin: true }), await aUser({ status: "inactive" }), await aUser()];
    await db.user.update({ where: { id: sso.userId }, data: { provider: "google" } });
    for (const { userId } of [inactive, sso]) {
      const answer = await send(resendInvitation, admin, { id: userId });
      expect([answer.status, answer.body.errors[0].code]).toEqual([409, "notInvitable"]);
    }
    const nobody = await send(resendInvitation, admin, { id: "019a0000-0000-7000-8000-00000000dead" });
    expect([nobody.status, nobody.body.code]).toEqual([404, "not_found"]);
  });

  it("that has expired is replaced by a recovery, without an administrator", async () => {
    const invited = await aUser();
    await send(generatePasswordRecovery, someone(), { email: invited.email });
    const token = linkIn(await nextMail(invited.email)).searchParams.get("token") as string;
    expect((await setPassword(token)).status).toBe(204);
    expect(await signIn(invited, NEW)).toBe(200);
  });
});
