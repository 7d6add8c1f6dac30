import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { aUser, send } from "@/lib/testing/console";
import { type MailServer, parseMail, startMailServer } from "@/lib/testing/mail";
import { setUpTestDatabase } from "@/scripts/test-database";
import { sendTestMail } from "./send-test-mail";

setUpTestDatabase();

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  process.env.SMTP_URL = `smtp://127.0.0.1:${server.port}`;
});
afterAll(() => server.close());

it("a test mail goes to the caller at once, who learns whether the mail server took it, up to ten times in ten minutes", async () => {
  const admin = await aUser({ admin: true });
  const sent = await send(sendTestMail, admin, {});
  expect([sent.status, sent.body]).toEqual([200, { outcome: "accepted", code: null, responseCode: null }]);
  expect(server.received.map(({ to }) => to)).toEqual([[admin.email]]);
  expect(parseMail(server.received[0]?.raw ?? "").text).toContain("test email");
  server.fault = "never";
  const refused = await send(sendTestMail, admin, {});
  expect([refused.status, refused.body]).toEqual([200, { outcome: "failed", code: "EENVELOPE", responseCode: 550 }]);
  const records = await db.auditRecord.findMany({ where: { table: "AppConfig", action: "test" } });
  expect(records).toHaveLength(2);
  for (let more = 0; more < 8; more += 1) await send(sendTestMail, admin, {});
  expect((await send(sendTestMail, admin, {})).status).toBe(429);
});
