import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { countAnonymousRecord } from "@/lib/auth/anonymous-records";
import { userIdByEmail } from "@/lib/features/auth/data";
import { consume, limiterKey, rateLimiter } from "@/lib/http/rate-limit";
import { requestMail } from "@/lib/jobs/mail";
import { generatePasswordRecoveryInput, mailFollowsSchema } from "../schema";

/** For one e-mail from everywhere. It locks nobody out: each of these mails holds a link that works. */
const PER_EMAIL = { points: 5, seconds: 900 };

/**
 * Sends a link with which a user chooses a new password. Whether there is such a user changes neither the answer nor the
 * work done for it: the same statements run, and a job is left that sends a mail or nothing.
 */
export const generatePasswordRecovery = defineCommand({
  area: "auth",
  name: "generate-password-recovery",
  summary: "Ask for a link with which to choose a new password",
  access: "public",
  input: generatePasswordRecoveryInput,
  output: mailFollowsSchema,
  status: 202,
  errors: [],
  rateLimit: { points: 20, seconds: 60, by: "address" },
  audit: { table: "User", action: "password-recovery" },
  async prepare({ input, db, request }) {
    await countAnonymousRecord(request.ip);
    await consume(rateLimiter("recovery-email", PER_EMAIL), limiterKey(input.email.toLowerCase()));
    // By the same statement for everybody, so that its time tells nobody who has an account; the job decides the rest.
    return { userId: await userIdByEmail(db, input.email) };
  },
  async handler({ prepared: { userId }, tx, request }) {
    await requestMail(tx, { purpose: "recovery", userId, locale: request.locale });
    return { output: {}, audit: { recordId: userId, changes: {} } };
  },
});
