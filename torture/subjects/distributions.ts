import { setTimeout as delay } from "node:timers/promises";
import { makeIpa } from "@slipway/installers/testing";
import { databasePool } from "@/lib/db/client";
import { type MailServer, parseMail, startMailServer } from "@/lib/testing/mail";
import type { Random } from "@/lib/testing/random";
import { type Receiver, startReceiver } from "@/lib/testing/webhook-receiver";
import { messageId } from "@/lib/webhooks/attempt";
import { expectRecorded } from "../audit-records.ts";
import type { Arena, Round, Subject } from "../torture.ts";

const WORKERS = 3;
const GROUPS = 60;
/** Members of a group without an account. One more has an address that the mail server refuses. */
const MEMBERS = 4;
/** A mail names 20 releases, and each of these has to be found in it. */
const MAX_RELEASES = 16;
/** One mail in this many is refused once for the moment. It is tried again after a minute. */
const MAILS_PER_REFUSAL = 50;
/** How many mails an instance sends at the same time, and how long they are its own (`lib/testers/mails.ts`). */
const MAILS_AT_ONCE = 4;
const CLAIM_MS = 10 * 60_000;
/** The least time between a mail and its repetition. A claim begins before the mail is sent. */
const MIN_REPEAT_MS = CLAIM_MS - 60_000;
/** A mail of a killed instance is claimed for ten minutes, and then found by the schedule of one minute. */
const DELIVERY_TIMEOUT_MS = CLAIM_MS + 240_000;
/** How often the end of the mails is looked for. */
const LOOK_MS = 1_000;

const IDENTIFIER = "com.example.meteor";
const MEMBER = "tester-";
const REFUSED = "refused-";
const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)] as T;

/** A mail to a tester. */
interface Mail {
  to: string;
  at: number;
  /** The versions that it names; none if it asks whether the person agrees. */
  versions: string[];
  /** The person's page, which the first mail has. */
  page: string | null;
}

/**
 * Distributions: releases are published and distributed to groups, and people agree by the link of the first mail, while instances are
 * killed, which also make the recipients and send the mails. Afterwards, the recipients, the mails that arrived, the events and what was
 * answered must agree.
 */
export class Distributions implements Subject {
  readonly name = "distributions";
  #mailServer!: MailServer;
  #receiver!: Receiver;
  #appId = "";
  #environmentId = "";
  #clients: Record<string, string>[] = [];
  #groupIds: string[] = [];
  readonly #releaseIds: string[] = [];
  #nextVersion = 0;
  /** How many of the received mails are read. */
  #read = 0;
  readonly #mails: Mail[] = [];
  /** Pages of people who have not agreed yet. */
  readonly #pages: string[] = [];
  /** By the address: how many times an hour has passed since the last mail. */
  readonly #hours = new Map<string, number>();
  /** The requests of commands that were answered with a success. */
  readonly #recorded: string[] = [];
  #kills = 0;
  /** Whether nothing is due any more. */
  #isSettled = false;
  readonly #refusedOnce = new Set<string>();
  readonly #figures = {
    releases: 0,
    distributions: 0,
    recipients: 0,
    "mails received": 0,
    "releases named in mails": 0,
    "named again": 0,
    "mails refused once": 0,
    events: 0,
  };

  async prepare(arena: Arena): Promise<void> {
    let rcpts = 0;
    this.#mailServer = await startMailServer({
      onRcptTo: ({ address }, _session, answer) => {
        if (address.startsWith(REFUSED)) answer(Object.assign(new Error("no such user"), { responseCode: 550 }));
        else if (++rcpts % MAILS_PER_REFUSAL === 0 && !this.#refusedOnce.has(address)) {
          this.#refusedOnce.add(address);
          answer(Object.assign(new Error("try again later"), { responseCode: 451 }));
        } else answer();
      },
    });
    this.#receiver = await startReceiver();
    arena.configure({ SMTP_URL: `smtp://127.0.0.1:${this.#mailServer.port}`, OUTBOUND_ALLOWED_HOSTS: "127.0.0.1" });
    await arena.update(new AbortController().signal);
    const admin = await arena.admin();
    const app = await admin.command("apps/create-app", { name: "Meteor", identifier: IDENTIFIER, status: "active" });
    this.#appId = app.id;
    const place = { appId: app.id, name: "Testing", status: "active" as const };
    this.#environmentId = (await admin.command("apps/create-environment-app", place)).id;
    for (let index = 0; index < WORKERS; index++) {
      const { token } = await admin.command("config/create-api-token", {
        name: `Publisher ${index}`,
        appId: app.id,
        environmentId: this.#environmentId,
        identifiers: ["server"],
        validUntil: new Date(Date.now() + 24 * 3_600_000).toISOString(),
        scopes: ["release:create", "release:update"],
      });
      this.#clients.push({ authorization: `Bearer ${token}` });
    }
    for (let group = 0; group < GROUPS; group++) {
      const emails = Array.from({ length: MEMBERS }, (_, index) => `${MEMBER}${group}-${index}@example.test`);
      const input = { appId: app.id, name: `Group ${group}`, emails: [...emails, `${REFUSED}${group}@example.test`] };
      this.#groupIds.push((await admin.command("testers/create-tester-group", input)).id);
    }
    // They have agreed before their address was closed.
    await databasePool().query(
      `UPDATE "Tester" SET "confirmedAt" = now(), "askedAt" = now() WHERE "email" LIKE '${REFUSED}%'`,
    );
    const events: "release.distributed"[] = ["release.distributed"];
    await admin.command("webhooks/create-webhook", { name: "Distributions", url: this.#receiver.url, events });
  }

  async work(round: Round): Promise<void> {
    this.#kills += 1;
    await Promise.all(
      this.#clients.map(async (headers) => {
        while (!round.signal.aborted) await this.#step(round, headers);
      }),
    );
  }

  async #step(round: Round, headers: Record<string, string>): Promise<void> {
    const choice = round.random(100);
    this.#readMails();
    if (this.#releaseIds.length === 0 || (this.#nextVersion < MAX_RELEASES && choice < 10)) {
      await this.#publish(round, headers);
    } else if (this.#pages.length > 0 && choice < 40) {
      const page = this.#pages.splice(round.random(this.#pages.length), 1)[0] as string;
      const agreed = await round.call(`${page}/confirm`, { form: new FormData() });
      if (agreed === null) this.#pages.push(page);
      else if (agreed.status !== 303) round.fail(`agreeing answered ${agreed.status}`);
    } else {
      const input = {
        releaseId: pick(round.random, this.#releaseIds),
        groupIds: [pick(round.random, this.#groupIds), pick(round.random, this.#groupIds)],
      };
      const answer = await round.call("testers/distribute-release", { headers, input });
      if (answer?.status === 202) this.#recorded.push(answer.requestId);
      else if (answer) round.fail(`distribute-release answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
  }

  /** Publishes a release for a group. One without an answer is published, or not, and its version is not used again. */
  async #publish(round: Round, headers: Record<string, string>): Promise<void> {
    const version = `7.0.${this.#nextVersion++}`;
    const form = new FormData();
    form.append("environmentId", this.#environmentId);
    form.append("description", "What changed");
    form.append("groups", pick(round.random, this.#groupIds));
    form.append("file", new Blob([makeIpa({ identifier: IDENTIFIER, version, icon: null })]), "Meteor.ipa");
    const answer = await round.call("apps/create-testing-deploy", { headers, form });
    if (answer?.status === 201) this.#releaseIds.push(answer.body.id);
    else if (answer) round.fail(`a publication answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  /** Reads the mails that have arrived since the last time. */
  #readMails(): void {
    for (const { to, raw, at } of this.#mailServer.received.slice(this.#read)) {
      this.#read += 1;
      const [address] = to as [string];
      // The administrator gets mails of other kinds.
      if (!address.startsWith(MEMBER)) continue;
      const { headers, text } = parseMail(raw);
      const versions = [...new Set(`${headers.get("subject")}\n${text}`.match(/\b7\.0\.\d+\b/g))];
      const page = versions.length > 0 ? null : (/\/t\/[\w-]{43}(?=\s)/.exec(text)?.[0] ?? null);
      const isFirst = page !== null && !this.#mails.some((mail) => mail.page === page);
      if (isFirst) this.#pages.push(page);
      this.#mails.push({ to: address, at, versions, page });
    }
  }

  async check(round: Round): Promise<void> {
    await expectRecorded(round, this.#recorded.splice(0), "a distribution");
    // The mails before the rows: each mail is of a recipient. The rows before the mails: each who was told has a mail.
    this.#readMails();
    const before = [...this.#mails];
    const recipients = await this.#recipients();
    this.#readMails();
    const known = new Map(recipients.map((one) => [`${one.email} ${one.version}`, one]));
    for (const { to, versions, page } of before) {
      if (versions.length === 0 && page === null) round.fail(`${to} got a mail without a version and a link`);
      for (const version of versions) {
        const recipient = known.get(`${to} ${version}`);
        if (!recipient) round.fail(`${to} was told of ${version}, which was not distributed to them`);
        else if (!recipient.confirmed) round.fail(`${to} was told of ${version} and has not agreed`);
      }
    }
    const named = new Set(this.#mails.flatMap(({ to, versions }) => versions.map((version) => `${to} ${version}`)));
    for (const { email, version, told } of recipients) {
      if (told && !named.has(`${email} ${version}`)) round.fail(`${email} counts as told of ${version} without a mail`);
    }
    this.#expectOnce(round);
    await this.#expectAccounted(round);
    await this.#expectEvents(round);
    await this.#letAnHourPass();
    Object.assign(this.#figures, {
      releases: this.#releaseIds.length,
      recipients: recipients.length,
      "mails received": this.#mails.length,
      "releases named in mails": named.size,
      "mails refused once": this.#refusedOnce.size,
    });
  }

  async #recipients(): Promise<{ email: string; version: string; told: boolean; confirmed: boolean }[]> {
    const { rows } = await databasePool().query(
      `SELECT t."email", r."version", o."toldAt" IS NOT NULL AS "told", t."confirmedAt" IS NOT NULL AS "confirmed"
       FROM "ReleaseRecipient" o JOIN "Tester" t ON t."id" = o."testerId" JOIN "Release" r ON r."id" = o."releaseId"
       WHERE r."environmentId" = $1`,
      [this.#environmentId],
    );
    return rows;
  }

  /**
   * A release is named once to each person, and there is one mail in an hour. The exceptions are the mails that a killed instance was
   * sending: they are sent once more when its claim has ended.
   */
  #expectOnce(round: Round): void {
    const lastAt = new Map<string, number>();
    const mailsOf = new Map<string, number>();
    let again = 0;
    for (const { to, at, versions, page } of this.#mails) {
      const parts = page === null ? versions : [page];
      const repeated = parts.filter((part) => lastAt.has(`${to} ${part}`));
      for (const part of repeated) {
        const passed = at - (lastAt.get(`${to} ${part}`) as number);
        if (passed < MIN_REPEAT_MS) round.fail(`${to} was told of ${part} again after ${Math.round(passed / 1000)} s`);
      }
      for (const part of parts) lastAt.set(`${to} ${part}`, at);
      if (repeated.length > 0) again += 1;
      else if (page === null) mailsOf.set(to, (mailsOf.get(to) ?? 0) + 1);
    }
    this.#figures["named again"] = again;
    // A kill of all instances ends the mails of both.
    const limit = this.#kills * 2 * MAILS_AT_ONCE;
    if (again > limit) round.fail(`${again} mails were sent again after ${this.#kills} kills`);
    for (const [to, count] of mailsOf) {
      const hours = 1 + (this.#hours.get(to) ?? 0);
      if (count > hours) round.fail(`${to} got ${count} mails in ${hours} hours`);
    }
  }

  /** Every member of a distribution that is done is a recipient, who was told, is due, or is not to be told for a reason. */
  async #expectAccounted(round: Round): Promise<void> {
    const { rows } = await databasePool().query<{ problem: string; count: number }>(
      `WITH of_app AS (
         SELECT d.* FROM "ReleaseDistribution" d JOIN "Release" r ON r."id" = d."releaseId" WHERE r."environmentId" = $1
       ), recipients AS (
         SELECT o.*, t."bouncedAt" FROM "ReleaseRecipient" o JOIN "Release" r ON r."id" = o."releaseId"
           JOIN "Tester" t ON t."id" = o."testerId" WHERE r."environmentId" = $1
       )
       SELECT 'members of a distribution that are no recipients' AS "problem", count(*)::int AS "count"
       FROM of_app d JOIN "TesterGroupMember" m ON m."groupId" = ANY (d."groupIds")
         LEFT JOIN recipients o ON o."releaseId" = d."releaseId" AND o."testerId" = m."testerId"
       WHERE d."state" = 'done' AND o."testerId" IS NULL
       UNION ALL
       SELECT 'distributions that did not count each member once', count(*)::int FROM of_app d
       WHERE d."state" = 'done' AND (d."processed" <> d."total" OR d."total" <> (
         SELECT count(DISTINCT m."testerId") FROM "TesterGroupMember" m WHERE m."groupId" = ANY (d."groupIds")))
       UNION ALL
       SELECT 'recipients who will never be told', count(*)::int FROM recipients
       WHERE NOT "mailDue" AND "toldAt" IS NULL AND "untold" IS NULL
       UNION ALL
       SELECT 'recipients whose mail is not due', count(*)::int FROM recipients o
       WHERE o."mailDue" AND NOT EXISTS (
         SELECT 1 FROM "TesterMail" m WHERE m."testerId" = o."testerId" AND m."appId" = $2 AND m."dueAt" IS NOT NULL)
       UNION ALL
       SELECT 'mails to an address that was refused', count(*)::int FROM recipients
       WHERE "mailDue" AND "bouncedAt" IS NOT NULL`,
      [this.#environmentId, this.#appId],
    );
    for (const { problem, count } of rows) if (count > 0) round.fail(`${count} ${problem}`);
  }

  /** Each distribution that is done has one event, which was received or waits. */
  async #expectEvents(round: Round): Promise<void> {
    const { rows } = await databasePool().query<{ releaseId: string; done: number; waiting: string[] }>(
      `SELECT r."id" AS "releaseId",
         (SELECT count(*)::int FROM "ReleaseDistribution" d WHERE d."releaseId" = r."id" AND d."state" = 'done') AS "done",
         ARRAY(SELECT w."id"::text FROM "WebhookDelivery" w WHERE w."type" = 'release.distributed' AND w."state" = 'pending'
           AND w."data"->'release'->>'id' = r."id"::text) AS "waiting"
       FROM "Release" r WHERE r."environmentId" = $1`,
      [this.#environmentId],
    );
    // What arrives while the rows are read may be newer than they are: it is compared in the next round.
    const received = new Map<string, Set<string>>();
    for (const { body, headers } of this.#receiver.received) {
      const { id } = JSON.parse(body).data.release;
      received.set(id, (received.get(id) ?? new Set()).add(headers["webhook-id"] as string));
    }
    for (const { releaseId, done, waiting } of rows) {
      const events = received.get(releaseId) ?? new Set();
      for (const id of waiting) events.add(messageId(id));
      if (events.size < done) round.fail(`${done} distributions of ${releaseId} have ${events.size} events`);
      if (this.#isSettled && events.size > done) round.fail(`${done} distributions have ${events.size} events`);
    }
    this.#figures.distributions = rows.reduce((sum, { done }) => sum + done, 0);
    this.#figures.events = [...received.values()].reduce((sum, ids) => sum + ids.size, 0);
  }

  /** What became due within the hour after a mail is told by the next one. */
  async #letAnHourPass(): Promise<void> {
    const { rows } = await databasePool().query<{ email: string }>(
      `UPDATE "TesterMail" m SET "dueAt" = now(), "lastAt" = "lastAt" - interval '1 hour' FROM "Tester" t
       WHERE t."id" = m."testerId" AND m."appId" = $1 AND m."dueAt" > now() AND m."claimedUntil" IS NULL RETURNING t."email"`,
      [this.#appId],
    );
    for (const { email } of rows) this.#hours.set(email, (this.#hours.get(email) ?? 0) + 1);
  }

  /** How many distributions, mails and events are due. */
  async #due(): Promise<number> {
    const { rows } = await databasePool().query(
      `SELECT (SELECT count(*) FROM "ReleaseDistribution" WHERE "state" = 'pending')::int
         + (SELECT count(*) FROM "TesterMail" WHERE "dueAt" IS NOT NULL)::int
         + (SELECT count(*) FROM "WebhookDelivery" WHERE "state" = 'pending')::int
         + (SELECT count(*) FROM "Tester" WHERE "askedAt" IS NULL AND "confirmedAt" IS NULL AND "bouncedAt" IS NULL)::int AS "count"`,
    );
    return rows[0].count;
  }

  /** Everybody is told in the end. */
  async finish(round: Round): Promise<void> {
    const until = performance.now() + DELIVERY_TIMEOUT_MS;
    while ((await this.#due()) > 0 && performance.now() < until) {
      await this.#letAnHourPass();
      await delay(LOOK_MS);
    }
    const left = await this.#due();
    if (left > 0) round.fail(`${left} distributions, mails and events are still due`);
    this.#isSettled = true;
    await this.check(round);
    await this.#mailServer.close();
    await this.#receiver.close();
  }

  figures(): Record<string, number> {
    return { ...this.#figures };
  }
}
