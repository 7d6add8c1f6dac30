import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { newId } from "@/lib/kernel/ids";
import { sendTestMail as send } from "@/lib/mail/send";

/** Sends a test mail to the caller at once, and answers what the mail server said. Without a mail server, it is written to a file. */
export const sendTestMail = defineCommand({
  area: "config",
  name: "send-test-mail",
  summary: "Send a test mail to the caller",
  access: "admin",
  input: z.strictObject({}),
  output: z.object({
    /** `written`: no mail server is set up, and the mail is in `DATA_DIR/outbox` */
    outcome: z.enum(["accepted", "failed", "written"]),
    /** Why it failed, such as `ESOCKET`, `ETIMEDOUT` or `EAUTH`; null unless it failed. */
    code: z.string().nullable(),
    /** The reply code of the mail server; null without one. */
    responseCode: z.int().nullable(),
  }),
  status: 200,
  errors: [],
  rateLimit: { points: 10, seconds: 600, by: "actor" },
  audit: { table: "AppConfig", action: "test" },
  prepare: ({ actor: { userId }, request: { locale } }) => send({ userId, locale, id: newId() }),
  async handler({ prepared }) {
    const { outcome, code } = prepared;
    return { output: prepared, audit: { recordId: "1", changes: { outcome: [null, outcome], code: [null, code] } } };
  },
});
