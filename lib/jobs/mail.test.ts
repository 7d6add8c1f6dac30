import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { PasswordLinkPurpose } from "@/lib/auth/password-links";
import { databasePool, db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { hashToken } from "@/lib/kernel/crypto/tokens";
import type { Locale } from "@/lib/kernel/i18n/locales";
import type { NoticePurpose } from "@/lib/mail/compose";
import type { MailRequest } from "@/lib/mail/send";
import { aUser } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { linkIn, type MailServer, parseMail, startMailServer } from "@/lib/testing/mail";
import { setUpTestDatabase } from "@/scripts/test-database";
import { startJobs, stopJobs } from "./index";
import { requestMail, requestNotice } from "./mail";

setUpTestDatabase();

let server: MailServer;

beforeAll(async () => {
  server = await startMailServer();
  process.env.SMTP_URL = `smtp://127.0.0.1:${server.port}`;
  await startJobs();
});
afterAll(async () => {
  await stopJobs();
  await server.close();
});
afterEach(() => {
  server.fault = "none";
});

const ask = (request: { userId: string | null; locale?: Locale; purpose?: PasswordLinkPurpose }) =>
  db.$transaction((tx) => requestMail(tx, { purpose: "recovery", locale: "en", ...request }));

const notify = (userId: string, purpose: NoticePurpose = "passkey-added") =>
  db.$transaction((tx) =>
    requestNotice(tx, { purpose, userId }, { locale: "en", now: new Date("2026-11-21T16:05:09Z"), ip: "192.0.2.7" }),
  );

interface JobRow {
  id: string;
  state: string;
  data: MailRequest;
  output: unknown;
  retry_count: number;
  /** Seconds until the next attempt. */
  wait: number;
}

async function jobOf(userId: string | null): Promise<JobRow> {
  const { rows } = await databasePool().query<JobRow>(
    `SELECT id, state, data, output, retry_count, extract(epoch FROM start_after - now())::float AS wait
     FROM pgboss.job WHERE name = 'mail' AND data->>'userId' IS NOT DISTINCT FROM $1`,
    [userId],
  );
  expect(rows).toHaveLength(1);
  return rows[0] as JobRow;
}

const stateOf = async (userId: string | null) => (await jobOf(userId)).state;

/** Retries a waiting job now. */
async function retryNow(userId: string): Promise<void> {
  await databasePool().query("UPDATE pgboss.job SET start_after = now() WHERE name = 'mail' AND data->>'userId' = $1", [
    userId,
  ]);
}

const mailsTo = (email: string) =>
  server.received.filter(({ to }) => to.includes(email)).map(({ raw }) => parseMail(raw));

/** Returns the content of all jobs and tokens, as in a database dump. */
async function dump(): Promise<string> {
  const { rows } = await databasePool().query("SELECT * FROM pgboss.job");
  const tokens = await db.oneTimeToken.findMany();
  return JSON.stringify([rows, tokens.map((token) => ({ ...token, hash: Buffer.from(token.hash).toString("hex") }))]);
}

describe("a requested mail", () => {
  it("is sent only if its transaction commits", async () => {
    const [kept, undone] = [await aUser(), await aUser()];
    const failing = db.$transaction(async (tx) => {
      await requestMail(tx, { purpose: "recovery", userId: undone.userId, locale: "en" });
      throw new Error("undone");
    });
    await expect(failing).rejects.toThrow("undone");
    await ask({ userId: kept.userId });
    await expect.poll(() => stateOf(kept.userId)).toBe("completed");
    expect(mailsTo(kept.email)).toHaveLength(1);
    expect(mailsTo(undone.email)).toEqual([]);
  });

  it("is sent without delay, even if many are requested at the same time", async () => {
    const users = await Promise.all(Array.from({ length: 16 }, () => aUser()));
    await db.$transaction(async (tx) => {
      for (const { userId } of users) await requestMail(tx, { purpose: "invitation", userId, locale: "en" });
    });
    await expect.poll(() => users.flatMap(({ email }) => mailsTo(email)).length).toBe(users.length);
  });

  it("contains a link of which the database only stores a hash", async () => {
    const { userId, email } = await aUser();
    await ask({ userId });
    await expect.poll(() => stateOf(userId)).toBe("completed");
    const [mail] = mailsTo(email);
    const link = linkIn(mail as NonNullable<typeof mail>);
    expect(link.origin).toBe("http://localhost:3000");
    const token = link.searchParams.get("token") as string;
    expect(await dump()).not.toContain(token);
    const row = await db.oneTimeToken.findUniqueOrThrow({ where: { hash: hashToken(token) } });
    expect(row).toMatchObject({ purpose: "recovery", subject: userId, usedAt: null });
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBeLessThanOrEqual(30 * 60_000 + 5_000);
    expect((await jobOf(userId)).data).toEqual({ purpose: "recovery", userId, locale: "en" });
  });

  it("is in the user's language, else in that of the request", async () => {
    const [chosen, open] = [await aUser(), await aUser()];
    await db.user.update({ where: { id: chosen.userId }, data: { locale: "de" } });
    await ask({ userId: chosen.userId, locale: "fr" });
    await ask({ userId: open.userId, locale: "fr" });
    await expect.poll(() => mailsTo(chosen.email).length + mailsTo(open.email).length).toBe(2);
    expect(mailsTo(chosen.email)[0]?.headers.get("subject")).toBe("Passwort für Slipway zurücksetzen");
    expect(mailsTo(open.email)[0]?.headers.get("subject")).toBe("Réinitialisez votre mot de passe Slipway");
  });

  it("that invites is not sent to a user who has chosen a password in the meantime", async () => {
    const user = await aUser({ passwordHash: "chosen" });
    await ask({ userId: user.userId, purpose: "invitation" });
    await expect.poll(() => stateOf(user.userId)).toBe("completed");
    expect(mailsTo(user.email)).toEqual([]);
    expect(await db.oneTimeToken.count({ where: { subject: user.userId } })).toBe(0);
  });

  it("that invites is not sent to a user who chooses a password at that moment", async () => {
    const { userId, email } = await aUser();
    await db.user.update({ where: { id: userId }, data: { passwordHash: null } });
    await db.$transaction(async (tx) => {
      await lockRow(tx, "User", userId);
      await ask({ userId, purpose: "invitation" });
      await untilWaitingForLocks(1);
      await tx.user.update({ where: { id: userId }, data: { passwordHash: "chosen" } });
    }, LONG_TRANSACTION);
    await expect.poll(() => stateOf(userId)).toBe("completed");
    expect(mailsTo(email)).toEqual([]);
    expect(await db.oneTimeToken.count({ where: { subject: userId } })).toBe(0);
  });

  it("is not sent to an unknown user, a deactivated user, or one who signs in with a provider", async () => {
    const [inactive, sso] = [await aUser({ status: "inactive" }), await aUser()];
    await db.user.update({ where: { id: sso.userId }, data: { provider: "google" } });
    for (const userId of [null, inactive.userId, sso.userId]) {
      await ask({ userId });
      await expect.poll(() => stateOf(userId)).toBe("completed");
    }
    expect([...mailsTo(inactive.email), ...mailsTo(sso.email)]).toEqual([]);
    expect(await db.oneTimeToken.count({ where: { subject: { in: [inactive.userId, sso.userId] } } })).toBe(0);
  });

  it("about a change is also sent to users of a provider, with time and IP address and without a token", async () => {
    const [byPassword, sso] = [await aUser(), await aUser()];
    await db.user.update({ where: { id: sso.userId }, data: { provider: "google" } });
    for (const { userId, email } of [byPassword, sso]) {
      await notify(userId);
      await expect.poll(() => stateOf(userId)).toBe("completed");
      expect(mailsTo(email)).toHaveLength(1);
    }
    const [forPassword, forSso] = [byPassword, sso].map(({ email }) => mailsTo(email)[0]);
    expect(forPassword?.headers.get("subject")).toBe("A passkey was added to your Slipway account");
    expect(forPassword?.text).toContain("http://localhost:3000/generate-password-recovery");
    expect(forSso?.text).toContain("http://localhost:3000/profile");
    for (const mail of [forPassword, forSso]) {
      for (const part of [mail?.text, mail?.html]) {
        expect(part).toMatch(/November 21, 2026\D+4:05:09\sPM UTC/);
        expect(part).toContain("192.0.2.7");
        expect(part).not.toContain("token");
      }
    }
    expect(await db.oneTimeToken.count({ where: { subject: { in: [byPassword.userId, sso.userId] } } })).toBe(0);
  });

  it("about a change is not sent to a deactivated user", async () => {
    const { userId, email } = await aUser({ status: "inactive" });
    await notify(userId);
    await expect.poll(() => stateOf(userId)).toBe("completed");
    expect(mailsTo(email)).toEqual([]);
  });

  it("that the server rejects temporarily is retried later, with the same Message-ID", async () => {
    const { userId, email } = await aUser();
    server.fault = "later";
    await ask({ userId });
    await expect.poll(() => stateOf(userId)).toBe("retry");
    const first = await jobOf(userId);
    expect(first.wait).toBeGreaterThan(0);
    await retryNow(userId);
    await expect.poll(async () => (await jobOf(userId)).retry_count).toBe(1);
    await expect.poll(() => stateOf(userId)).toBe("retry");
    expect(mailsTo(email)).toEqual([]);
    server.fault = "none";
    await retryNow(userId);
    await expect.poll(() => stateOf(userId)).toBe("completed");
    expect(mailsTo(email).map(({ headers }) => headers.get("message-id"))).toEqual([`<${first.id}@localhost>`]);
  });

  it("is sent later if the server disconnects or is unavailable", async () => {
    const [dropped, away] = [await aUser(), await aUser()];
    server.fault = "drop";
    await ask({ userId: dropped.userId });
    await expect.poll(() => stateOf(dropped.userId)).toBe("retry");
    const { port } = server;
    await server.close();
    await ask({ userId: away.userId });
    await expect.poll(() => stateOf(away.userId)).toBe("retry");
    server = await startMailServer({ port });
    for (const { userId, email } of [dropped, away]) {
      await retryNow(userId);
      await expect.poll(() => stateOf(userId)).toBe("completed");
      expect(mailsTo(email)).toHaveLength(1);
    }
  });

  it("that the server rejects permanently is not retried, and the job does not contain the server's reply", async () => {
    const { userId, email } = await aUser();
    server.fault = "never";
    await ask({ userId });
    await expect.poll(() => stateOf(userId)).toBe("failed");
    expect((await jobOf(userId)).retry_count).toBe(0);
    expect(await dump()).not.toContain(email);
  });

  it("is retried for about a day", async () => {
    const { rows } = await databasePool().query(
      "SELECT retry_limit, retry_delay, retry_backoff, retry_delay_max, notify FROM pgboss.queue WHERE name = 'mail'",
    );
    const [queue] = rows;
    expect(queue).toMatchObject({ retry_backoff: true, notify: true });
    // pg-boss waits between half and all of the delay, which doubles with each attempt.
    const least = Array.from({ length: queue.retry_limit }, (_, tried) =>
      Math.min(queue.retry_delay_max, (queue.retry_delay * 2 ** Math.min(16, tried)) / 2),
    ).reduce((sum, wait) => sum + wait, 0);
    expect(least / 3_600).toBeGreaterThan(20);
    expect(least / 3_600).toBeLessThan(30);
  });
});
