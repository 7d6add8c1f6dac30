import "server-only";
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { Turns } from "@/lib/db/turns";
import { type Counter, countAll, type RateLimit, usedUpUntil } from "@/lib/http/rate-limit";
import { env } from "@/lib/kernel/env";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/kernel/i18n/locales";
import { log } from "@/lib/kernel/log";
import { metrics } from "@/lib/kernel/metrics";
import { PAGES, releasePath } from "@/lib/kernel/navigation/pages";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/kernel/time";
import { DeliveryError, deliver, type OutgoingMail } from "@/lib/mail/deliver";
import {
  composeReleaseMail,
  composeTesterInvitation,
  MAX_NAMED_RELEASES,
  type MailedRelease,
  type TesterFacts,
} from "@/lib/mail/tester-mails";
import { storage } from "@/lib/storage";
import { renderAppleIcon } from "@/lib/storage/images";
import { WITHHELD, type WithheldReason, withhold } from "./access";
import { markBounced, provenMailId } from "./bounces";
import { MAIL_INTERVAL_MS } from "./distributions";
import { PUSH_WAITS } from "./push-subscriptions";
import { secretOf, testerUrl, unsubscribeUrl } from "./secrets";

/** Mails that an instance sends at the same time. */
const MAX_AT_ONCE = 4;
/** How long a mail belongs to the instance that sends it: longer than the time limits of one delivery. */
const CLAIM_MS = 10 * MINUTE_MS;
/** After each failed try, how long until the next one; then the last of them again. */
const RETRY_DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS] as const;
/** The failed tries after which a mail is given up, which is about a day. */
const MAX_TRIES = 48;
/** The side of the icon, in pixels: it is shown at half of that. */
const ICON_SIDE = 128;
const MAX_KEPT_ICONS = 20;

/** What a run of mails needs. */
interface MailRun {
  now: () => Date;
  /** After this, what is due is left to the next run. */
  until?: Date;
  signal?: AbortSignal;
}

type Outcome = "sent" | "kept" | "refused" | "rejected" | "later" | "unavailable";

/**
 * Sends a mail.
 * @returns `kept` if there is no mail server and it was written to a file, `refused` if the address is refused for good, `rejected` if this mail is, `later` if a retry may succeed, `unavailable` if the
 *   server takes no mails
 */
async function send(mail: OutgoingMail, id: string, signal: AbortSignal | undefined): Promise<Outcome> {
  try {
    if (!(await deliver(mail, signal ? { id, signal } : { id }))) return "kept";
    metrics.get().mails.inc({ outcome: "sent" });
    return "sent";
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    metrics.get().mails.inc({ outcome: error.permanent ? "rejected" : "failed" });
    const { code, responseCode } = error;
    if (!error.permanent) return error.takesOthers ? "later" : "unavailable";
    log.warn({ code, responseCode }, "the mail server rejected a mail to a tester");
    return error.addressRefused ? "refused" : "rejected";
  }
}

/** When a mail is tried again, by the failed tries before. */
function nextTry(tries: number, now: Date): Date {
  return new Date(now.getTime() + (RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length - 1)] as number));
}

async function brandOf(): Promise<string> {
  return (await db.appConfig.findUniqueOrThrow({ where: { id: 1 }, select: { name: true } })).name;
}

const localeOf = (text: string | null): Locale => (text !== null && isLocale(text) ? text : DEFAULT_LOCALE);

/** How many questions a user or API token may cause in a day. */
const QUESTIONS_OF_CALLER: RateLimit = { points: 2_000, seconds: DAY_MS / SECOND_MS };
/** How many questions the console sends in an hour. */
const QUESTIONS_OF_CONSOLE: RateLimit = { points: 1_000, seconds: HOUR_MS / SECOND_MS };

/** The counters of a question. @param askedBy the user or API token on whose behalf it is asked */
function questionCounters(askedBy: string): Counter[] {
  return [
    { name: "tester-questions-of-caller", limit: QUESTIONS_OF_CALLER, key: askedBy },
    { name: "tester-questions", limit: QUESTIONS_OF_CONSOLE, key: "all" },
  ];
}

/** That the tester `t` has no account and was not asked yet, as in the index. */
const UNASKED = sql`
  t."userId" IS NULL AND t."askedAt" IS NULL AND t."confirmedAt" IS NULL AND t."bouncedAt" IS NULL`;

/** On whose behalf the tester `t` is asked, as in the index; the nil UUID for people who were added before the console kept it. */
const CALLER = sql`coalesce(t."askedBy", '00000000-0000-0000-0000-000000000000'::uuid)`;

interface UnaskedRow {
  id: string;
  email: string;
  locale: string;
  tries: number;
  apps: string[];
  askedBy: string;
  /** The name of the user, or of the one who made the API token; null if they no longer exist. */
  by: string | null;
}

/** Claims people without an account who are members of a group and were not asked yet. */
async function claimUnasked(now: Date, max: number, turns: Turns): Promise<UnaskedRow[]> {
  const isDue = sql`${UNASKED} AND (t."askAfter" IS NULL OR t."askAfter" <= ${now}::timestamptz)`;
  const rows = await queryRows<UnaskedRow>(
    db,
    sql`
      WITH due AS (
        SELECT first."id" FROM (SELECT DISTINCT ${CALLER} AS "id" FROM "Tester" t WHERE ${isDue}) caller
        CROSS JOIN LATERAL (
          SELECT of_caller."id", row_number() OVER () AS "rank" FROM (
            SELECT t."id" FROM "Tester" t WHERE ${isDue} AND ${CALLER} = caller."id"
              AND EXISTS (SELECT 1 FROM "TesterGroupMember" m WHERE m."testerId" = t."id")
            ORDER BY t."id" LIMIT ${max}::int FOR NO KEY UPDATE SKIP LOCKED
          ) of_caller
        ) first
        ORDER BY first."rank", ${turns.order(sql`caller."id"`)}, first."id" LIMIT ${max}::int
      )
      UPDATE "Tester" t SET "askAfter" = ${new Date(now.getTime() + CLAIM_MS)}::timestamptz FROM due WHERE t."id" = due."id"
      RETURNING t."id", t."email", t."locale", t."askTries" AS "tries", ${CALLER} AS "askedBy", (
        SELECT u."firstNames" || ' ' || u."lastNames" FROM "User" u
        WHERE u."id" = coalesce((SELECT k."createdBy" FROM "ApiToken" k WHERE k."id" = t."askedBy"), t."askedBy")) AS "by",
        ARRAY(
        SELECT DISTINCT a."name" FROM "TesterGroupMember" m JOIN "TesterGroup" g ON g."id" = m."groupId"
        JOIN "App" a ON a."id" = g."appId" WHERE m."testerId" = t."id" ORDER BY a."name" LIMIT 5) AS "apps"`,
  );
  turns.took(rows.map(({ askedBy }) => askedBy));
  return rows;
}

/** Leaves all questions of a caller alone until a limit allows more. */
async function putOffQuestions(askedBy: string, until: Date): Promise<void> {
  log.warn({ askedBy, until }, "questions to new testers wait for their limit");
  await queryRows(
    db,
    sql`UPDATE "Tester" t SET "askAfter" = ${until}::timestamptz WHERE ${UNASKED} AND ${CALLER} = ${askedBy}::uuid`,
  );
}

async function ask(
  { id, email, locale, tries, apps, askedBy, by }: UnaskedRow,
  run: MailRun,
): Promise<Outcome | "none"> {
  const counters = questionCounters(askedBy);
  const limitedUntil = await usedUpUntil(counters);
  if (limitedUntil !== null) {
    await putOffQuestions(askedBy, limitedUntil);
    return "none";
  }
  const brand = await brandOf();
  const url = testerUrl(await secretOf(db, id));
  const facts = { locale: localeOf(locale), brand, email, name: null, by, apps, url };
  const outcome = await send(
    { ...composeTesterInvitation(facts), to: email, brand },
    provenMailId(`ask-${id}`),
    run.signal,
  );
  const now = run.now();
  const isPutOff = outcome === "unavailable" || (outcome === "later" && tries + 1 < MAX_TRIES);
  if (isPutOff) {
    const askTries = outcome === "later" ? tries + 1 : tries;
    await db.tester.updateMany({ where: { id }, data: { askAfter: nextTry(tries, now), askTries } });
    return outcome;
  }
  await db.$transaction(async (tx) => {
    await countAll(counters, tx);
    await tx.tester.updateMany({ where: { id }, data: { askedAt: now, askAfter: null, askTries: 0 } });
    if (outcome === "refused" || outcome === "later") await markBounced(tx, id, now);
  });
  return outcome;
}

interface DueRow {
  testerId: string;
  appId: string;
  tries: number;
}

/** Claims mails that are due. */
async function claimDue(now: Date, max: number, turns: Turns): Promise<DueRow[]> {
  const isDue = sql`
    m."dueAt" <= ${now}::timestamptz AND (m."claimedUntil" IS NULL OR m."claimedUntil" <= ${now}::timestamptz)`;
  const rows = await queryRows<DueRow>(
    db,
    sql`
      WITH app AS MATERIALIZED (
        SELECT a."id" FROM "App" a WHERE EXISTS (SELECT 1 FROM "TesterMail" m WHERE m."appId" = a."id" AND ${isDue})
        ORDER BY ${turns.order(sql`a."id"`)}, a."id" LIMIT ${max}::int
      ), due AS (
        SELECT first."testerId", first."appId" FROM app CROSS JOIN LATERAL (
          SELECT of_app.*, row_number() OVER () AS "rank" FROM (
            SELECT m."testerId", m."appId", m."dueAt" FROM "TesterMail" m WHERE m."appId" = app."id" AND ${isDue}
            ORDER BY m."dueAt" LIMIT ${max}::int FOR NO KEY UPDATE SKIP LOCKED
          ) of_app
        ) first
        ORDER BY first."rank", first."dueAt" LIMIT ${max}::int
      )
      UPDATE "TesterMail" m SET "claimedUntil" = ${new Date(now.getTime() + CLAIM_MS)}::timestamptz
      FROM due WHERE m."testerId" = due."testerId" AND m."appId" = due."appId"
      RETURNING m."testerId", m."appId", m."tries"`,
  );
  turns.took(rows.map(({ appId }) => appId));
  return rows;
}

interface MailableRow {
  userId: string | null;
  email: string;
  firstNames: string | null;
  locale: string | null;
  app: string;
}

/** The person of a due mail; null if they get no mails any more. */
async function findMailable({ testerId, appId }: DueRow): Promise<MailableRow | null> {
  const [row] = await queryRows<MailableRow>(
    db,
    sql`
      SELECT t."userId", coalesce(u."email", t."email") AS "email", u."firstNames", coalesce(u."locale", t."locale") AS "locale",
        a."name" AS "app"
      FROM "Tester" t JOIN "App" a ON a."id" = ${appId}::uuid LEFT JOIN "User" u ON u."id" = t."userId"
      WHERE t."id" = ${testerId}::uuid AND t."mail" AND t."bouncedAt" IS NULL`,
    { prepared: true },
  );
  return row ?? null;
}

interface DueRelease extends MailedRelease {
  id: string;
  iconKey: string | null;
  iconFileId: string | null;
  withheld: WithheldReason | null;
}

/** What a due mail is about. */
interface DueReleases {
  /** The releases that it tells of. */
  ids: string[];
  /** Those of them that it names, the latest one first. */
  named: DueRelease[];
  /** Those that the person is not told of any more. */
  withheld: { id: string; withheld: WithheldReason }[];
}

async function dueReleases({ testerId, appId }: DueRow): Promise<DueReleases> {
  const rows = await queryRows<DueRelease>(
    db,
    sql`
      SELECT r."id", r."displayName", r."version", r."buildNumber", r."description", r."descriptionHtml" AS "notesHtml", r."iconFileId", r."minOs",
        r."installer"->>'kind' AS "installerKind",
        (r."installer"->>'targetSdk')::int AS "targetSdk", f."storageKey" AS "iconKey", ${WITHHELD} AS "withheld"
      FROM "ReleaseRecipient" o JOIN "Release" r ON r."id" = o."releaseId" JOIN "Environment" e ON e."id" = r."environmentId"
        JOIN "App" a ON a."id" = e."appId" JOIN "Tester" t ON t."id" = o."testerId" LEFT JOIN "User" u ON u."id" = t."userId"
        LEFT JOIN "Role" ro ON ro."id" = u."roleId" LEFT JOIN "File" f ON f."id" = r."iconFileId"
      WHERE o."testerId" = ${testerId}::uuid AND o."mailDue" AND e."appId" = ${appId}::uuid
      ORDER BY r."deployDate" DESC, r."id" DESC`,
    { prepared: true },
  );
  const told = rows.filter(({ withheld }) => withheld === null);
  const withheldOf = ({ id, withheld }: DueRelease) => (withheld === null ? [] : { id, withheld });
  return {
    ids: told.map(({ id }) => id),
    named: told.slice(0, MAX_NAMED_RELEASES),
    withheld: rows.flatMap(withheldOf),
  };
}

const icons = new Map<string, Promise<Uint8Array | null>>();

/** The icon of a release as mails show it; null if it cannot be read. Those of the latest releases are kept. */
function iconOf({ iconFileId, iconKey }: DueRelease): Promise<Uint8Array | null> {
  if (iconFileId === null || iconKey === null) return Promise.resolve(null);
  const known = icons.get(iconFileId);
  if (known) return known;
  const drawn = (async () => {
    const bytes = await buffer(await storage().get(iconKey));
    const signal = AbortSignal.timeout(30_000);
    return renderAppleIcon(bytes, ICON_SIDE, { id: "tester-mails", lane: "release", signal });
  })().catch((error: unknown) => {
    log.warn({ err: error, fileId: iconFileId }, "an icon is left out of a mail");
    icons.delete(iconFileId);
    return null;
  });
  if (icons.size >= MAX_KEPT_ICONS) icons.delete(icons.keys().next().value as string);
  icons.set(iconFileId, drawn);
  return drawn;
}

/**
 * Settles a mail, and plans the next one if another message has become due. The row of the mail is locked first, as by the job that
 * makes recipients.
 */
async function settle(
  due: DueRow,
  outcome: Outcome | "none",
  { ids, withheld }: DueReleases,
  now: Date,
): Promise<void> {
  const { testerId, appId } = due;
  const key = sql`"testerId" = ${testerId}::uuid AND "appId" = ${appId}::uuid`;
  await db.$transaction(async (tx) => {
    // `markBounced` locks the rows of all mails to the person, in their order.
    if (outcome === "refused") return markBounced(tx, testerId, now);
    await queryRows(tx, sql`SELECT 1 FROM "TesterMail" WHERE ${key} FOR NO KEY UPDATE`);
    await withhold(tx, testerId, withheld);
    if ((outcome === "later" || outcome === "unavailable") && due.tries + 1 < MAX_TRIES) {
      await queryRows(
        tx,
        sql`
          UPDATE "TesterMail" SET "tries" = "tries" + 1, "claimedUntil" = ${nextTry(due.tries, now)}::timestamptz
          WHERE ${key}`,
      );
      return;
    }
    const isSent = outcome === "sent";
    const unsent = outcome === "kept" ? "no-mail" : "off";
    await queryRows(
      tx,
      sql`
        UPDATE "ReleaseRecipient" r SET "mailDue" = false, "toldAt" = CASE WHEN ${isSent} THEN coalesce("toldAt", ${now}::timestamptz)
          ELSE "toldAt" END,
          "untold" = CASE WHEN ${isSent} OR "toldAt" IS NOT NULL OR ${PUSH_WAITS} THEN NULL ELSE ${unsent}::"UntoldReason" END
        WHERE "testerId" = ${testerId}::uuid AND "releaseId" = ANY (${ids}::uuid[])`,
    );
    await queryRows(
      tx,
      sql`
        UPDATE "TesterMail" m SET "tries" = 0, "claimedUntil" = NULL,
          "lastAt" = CASE WHEN ${isSent || outcome === "kept"} THEN ${now}::timestamptz ELSE "lastAt" END,
          "dueAt" = CASE WHEN EXISTS (
            SELECT 1 FROM "ReleaseRecipient" o JOIN "Release" r ON r."id" = o."releaseId"
              JOIN "Environment" e ON e."id" = r."environmentId"
            WHERE o."testerId" = m."testerId" AND o."mailDue" AND e."appId" = m."appId"
          ) THEN ${new Date(now.getTime() + MAIL_INTERVAL_MS)}::timestamptz END
        WHERE ${key}`,
    );
  });
}

/**
 * The ID of a mail, the same for each try, so that a mail server can detect the duplicate. A try that names other releases than the one
 * before is another mail: a server that has accepted that one would otherwise drop it.
 */
function mailId({ testerId, appId }: DueRow, releaseIds: readonly string[]): string {
  const named = createHash("sha256").update(releaseIds.toSorted().join()).digest("hex").slice(0, 16);
  return provenMailId(`release-${testerId}-${appId}-${named}`);
}

/** Sends one due mail: of one release, or of all that became due since the last mail. */
async function tell(due: DueRow, run: MailRun): Promise<Outcome | "none"> {
  const person = await findMailable(due);
  const releases = await dueReleases(due);
  const { ids, named } = releases;
  const [first] = named;
  if (!person || !first) {
    await settle(due, "none", releases, run.now());
    return "none";
  }
  const brand = await brandOf();
  const secret = await secretOf(db, due.testerId);
  const isOne = ids.length === 1;
  const png = await iconOf(first);
  const ofUser = `${env.APP_URL}${isOne ? releasePath(first.id) : PAGES.home}`;
  const stopUrl = unsubscribeUrl(secret, due.appId);
  const facts: TesterFacts = { locale: localeOf(person.locale), brand, email: person.email, name: person.firstNames };
  const composed = composeReleaseMail({
    ...facts,
    app: person.app,
    releases: named,
    count: ids.length,
    url: person.userId === null ? testerUrl(secret, isOne ? first.id : undefined) : ofUser,
    stopUrl,
    icon: png ? "icon" : undefined,
  });
  const images = png ? [{ cid: "icon", png }] : [];
  const id = mailId(due, ids);
  const outcome = await send({ ...composed, to: person.email, brand, unsubscribeUrl: stopUrl, images }, id, run.signal);
  await settle(due, outcome, releases, run.now());
  return outcome;
}

/**
 * Asks people without an account whether they agree, and tells of releases, a few at a time. The two have half of the places each, as long
 * as both are due; within them, callers and applications take turns.
 * @returns whether more may be due, because `run.until` has passed. While the mail server takes no mails, the rest is left to the next
 *   scheduled run
 */
export async function sendTesterMails(run: MailRun): Promise<boolean> {
  const turns = { callers: new Turns(), apps: new Turns() };
  for (;;) {
    run.signal?.throwIfAborted();
    if (run.until && run.now() >= run.until) return true;
    const now = run.now();
    const asked = await claimUnasked(now, MAX_AT_ONCE / 2, turns.callers);
    const due = await claimDue(now, MAX_AT_ONCE - asked.length, turns.apps);
    const free = MAX_AT_ONCE - asked.length - due.length;
    if (asked.length > 0 && free > 0) asked.push(...(await claimUnasked(now, free, turns.callers)));
    if (asked.length + due.length === 0) return false;
    const outcomes = await Promise.all([...asked.map((row) => ask(row, run)), ...due.map((row) => tell(row, run))]);
    if (outcomes.every((outcome) => outcome === "unavailable")) return false;
  }
}
