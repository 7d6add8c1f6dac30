import { randomUUID } from "node:crypto";
import { processorTimeMs } from "@slipway/installers/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { handleReturnedMail } from "@/lib/features/testers/routes";
import { readDeliveryReport } from "@/lib/mail/delivery-report";
import { type MailServer, parseMail, startMailServer } from "@/lib/testing/mail";
import { aTesterGroup, membersOf } from "@/lib/testing/tester-groups";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { takeReturnedMail } from "./bounces";
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

interface Report {
  address: string;
  messageId: string;
  status?: string;
  action?: string;
  type?: string;
  /** The third part; by default the headers of the mail. */
  returned?: string;
}

/** A report as Postfix writes it. */
function report({ address, messageId, status = "5.1.1", action = "failed", ...more }: Report): Buffer {
  const { type = "report-type=delivery-status", returned = `Message-ID:\r\n ${messageId}\r\nSubject: Hello\r\n` } =
    more;
  return Buffer.from(
    [
      "From: MAILER-DAEMON@mx.example.net (Mail Delivery System)",
      "To: releases@example.com",
      "Subject: Undelivered Mail Returned to Sender",
      "MIME-Version: 1.0",
      `Content-Type: multipart/report; ${type};`,
      '\tboundary="B/mx.example.net"',
      "",
      "This is a MIME-encapsulated message.",
      "--B/mx.example.net",
      "Content-Type: text/plain; charset=us-ascii",
      "",
      "I'm sorry to have to inform you that your message could not be delivered.",
      "--B/mx.example.net",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.example.net",
      "Arrival-Date: Thu, 26 Nov 2026 01:00:00 +0000",
      "",
      `Final-Recipient: rfc822; ${address}`,
      `Original-Recipient: rfc822;${address}`,
      `Action: ${action}`,
      `Status: ${status}`,
      "Diagnostic-Code: smtp; 550 5.1.1 no",
      "    such user",
      "",
      "--B/mx.example.net",
      "Content-Type: text/rfc822-headers",
      "",
      returned,
      "--B/mx.example.net--",
      "",
    ].join("\r\n"),
  );
}

/** Somebody without an account who was asked by mail. */
async function anAsked() {
  const email = `${randomUUID()}@example.test`;
  const { id: groupId } = await aTesterGroup(world.admin, { appId: world.app.appId, emails: [email] });
  await sendTesterMails({ now: () => new Date() });
  const raw = server.received.find(({ to }) => to.includes(email))?.raw as string;
  expect(parseMail(raw)).toBeDefined();
  const messageId = /^Message-ID:\s+(<.*>)/im.exec(raw)?.[1] as string;
  const state = async () => (await membersOf(world.admin, groupId))[0]?.state;
  return { email, messageId, state };
}

describe("a mail that came back", () => {
  it("marks the address that it was sent to", async () => {
    const { email, messageId, state } = await anAsked();
    expect(await state()).toBe("pending");
    expect(await takeReturnedMail(report({ address: email.toUpperCase(), messageId }), new Date())).toBe(true);
    expect(await state()).toBe("bounced");
    expect(await takeReturnedMail(report({ address: email, messageId }), new Date())).toBe(false);
  });

  it("changes nothing with another Message-ID, another address, or for a while only", async () => {
    const [asked, other] = [await anAsked(), await anAsked()];
    const { email, messageId } = asked;
    const forged = messageId.replace(/[\da-f]{32}@/, `${"0".repeat(32)}@`);
    for (const one of [
      { address: email, messageId: forged },
      { address: email, messageId: other.messageId },
      { address: email, messageId: `<ask-${randomUUID()}@example.com>` },
      { address: other.email, messageId },
      { address: email, messageId, status: "4.2.2" },
      { address: email, messageId, status: "5.7.1" },
      { address: email, messageId, action: "delayed" },
      { address: email, messageId, type: "report-type=disposition-notification" },
      { address: email, messageId, returned: "Subject: Hello\r\n" },
    ]) {
      expect(await takeReturnedMail(report(one), new Date()), JSON.stringify(one)).toBe(false);
    }
    expect([await asked.state(), await other.state()]).toEqual(["pending", "pending"]);
  });

  it("gets the same answer by POST, whatever it is", async () => {
    const { email, messageId, state } = await anAsked();
    const post = (body: BodyInit) => {
      const headers = new Headers({ "content-type": "message/rfc822" });
      const request = new Request("https://slipway.example.com/api/testers/returned-mail", {
        method: "POST",
        headers,
        body,
      });
      return handleReturnedMail(request as never);
    };
    for (const body of [new Uint8Array(), "hello", new Uint8Array(1_000).fill(255)]) {
      expect((await post(body as BodyInit)).status).toBe(204);
    }
    expect((await post(new Uint8Array(600 * 1024))).status).toBe(413);
    expect((await post(new Uint8Array(report({ address: email, messageId })))).status).toBe(204);
    expect(await state()).toBe("bounced");
    expect(await db.tester.count({ where: { email, bouncedAt: { not: null } } })).toBe(1);
  });

  it("is read in time that grows with its length, also if it is hostile", () => {
    const started = processorTimeMs();
    const head = "Content-Type: multipart/report; report-type=delivery-status; boundary=x\r\n\r\n";
    for (const body of [
      `--x\r\n`.repeat(60_000),
      `--x\r\nContent-Type: message/delivery-status\r\n\r\n${"\r\n".repeat(200_000)}`,
      `--x\r\nContent-Type: message/delivery-status\r\n\r\n${"a:\r\n ".repeat(80_000)}`,
      " ".repeat(500_000),
    ]) {
      expect(readDeliveryReport(Buffer.from(head + body))).toBeNull();
    }
    expect(processorTimeMs() - started).toBeLessThan(5_000);
  });
});
