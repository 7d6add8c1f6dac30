import "server-only";
import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { type Db, db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { masterKeys } from "@/lib/kernel/crypto/master-keys";
import { readDeliveryReport } from "@/lib/mail/delivery-report";
import { lockMails, PUSH_WAITS } from "./push-subscriptions";

/** The ID of a mail to a tester, before the `@` of its Message-ID: what it is about, the tester, and a proof. */
const MAIL_ID = /^((?:ask|release)-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})[\da-f-]*)-([\da-f]{32})@/;

function proofOf(id: string, master: KeyObject): string {
  const key = createHmac("sha256", master).update("mails to testers").digest();
  return createHmac("sha256", key).update(id).digest("hex").slice(0, 32);
}

/** The ID of a mail to a tester with a proof that this console made it: only whom it was sent to knows it. */
export function provenMailId(id: string): string {
  return `${id}-${proofOf(id, masterKeys().current.key)}`;
}

/** The tester to whom a mail with a Message-ID was sent; null unless this console sent it. */
function testerOf(messageId: string): string | null {
  const [, id = "", testerId = "", proof = ""] = MAIL_ID.exec(messageId) ?? [];
  const isProven = [...masterKeys().all.values()].some((key) =>
    timingSafeEqual(Buffer.from(proofOf(id, key)), Buffer.from(proof.padEnd(32))),
  );
  return isProven ? testerId : null;
}

/** Keeps that a mail server refuses the address of a person. Nothing more is sent to it. */
export async function markBounced(tx: Db, testerId: string, now: Date): Promise<void> {
  await lockMails(tx, testerId);
  await tx.tester.updateMany({ where: { id: testerId }, data: { bouncedAt: now } });
  await queryRows(
    tx,
    sql`
      UPDATE "ReleaseRecipient" r SET "mailDue" = false,
        "untold" = CASE WHEN r."toldAt" IS NULL AND NOT ${PUSH_WAITS} THEN 'bounced'::"UntoldReason" END
      WHERE r."testerId" = ${testerId}::uuid AND r."mailDue"`,
  );
  await queryRows(tx, sql`UPDATE "TesterMail" SET "dueAt" = NULL, "tries" = 0 WHERE "testerId" = ${testerId}::uuid`);
}

/**
 * Takes a mail that came back, and marks the address that it was sent to. The report names a mail by its Message-ID, which contains
 * a proof; anything else changes nothing, nor does a report about another address than the person has now.
 * @returns whether an address was marked
 */
export async function takeReturnedMail(message: Uint8Array, now: Date): Promise<boolean> {
  const report = readDeliveryReport(message);
  const testerId = report && testerOf(report.messageId);
  if (!report || testerId === null) return false;
  return db.$transaction(async (tx) => {
    const [tester] = await queryRows<{ id: string }>(
      tx,
      sql`
        SELECT t."id" FROM "Tester" t LEFT JOIN "User" u ON u."id" = t."userId"
        WHERE t."id" = ${testerId}::uuid AND t."bouncedAt" IS NULL
          AND lower(coalesce(u."email", t."email")) = ANY (${report.failed}::text[])`,
    );
    if (!tester) return false;
    await markBounced(tx, testerId, now);
    return true;
  });
}
