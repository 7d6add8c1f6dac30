import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { env } from "@/lib/kernel/env";

/** Whether mails are sent. Without a mail server, they are written to files, and administrators pass on invitations. */
export const getMailState = defineQuery({
  area: "config",
  name: "get-mail-state",
  summary: "Check whether a mail server is set up",
  access: "admin",
  input: z.strictObject({}),
  output: z.object({ configured: z.boolean() }),
  errors: [],
  handler: async () => ({ configured: env.SMTP_URL !== undefined }),
});
