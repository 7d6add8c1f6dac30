import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { countAnonymousRecord } from "@/lib/auth/anonymous-records";
import { userIdByEmail } from "@/lib/features/auth/data";
import { consume, limiterKey } from "@/lib/http/rate-limit";
import { requestMail } from "@/lib/jobs/mail";
import { generatePasswordRecoveryInput, mailFollowsSchema } from "../schema";

/** Calls for one e-mail, from all networks. It locks nobody out, because each mail that was sent has a valid link. */
const PER_EMAIL = { points: 5, seconds: 900 };

/**
 * Sends a link to set a new password. The response and the work are the same whether or not the user exists: the same
 * statements run, and a job sends the mail or nothing.
 */
export const generatePasswordRecovery = defineCommand({
  area: "auth",
  name: "generate-password-recovery",
  summary: "Request a link to choose a new password",
  access: "public",
  input: generatePasswordRecoveryInput,
  output: mailFollowsSchema,
  status: 202,
  errors: [],
  rateLimit: { points: 20, seconds: 60, by: "address" },
  audit: { table: "User", action: "password-recovery" },
  async prepare({ input, db, request }) {
    await countAnonymousRecord(request);
    await consume({ name: "recovery-email", limit: PER_EMAIL, key: limiterKey(input.email.toLowerCase()) });
    // The same statement for every e-mail, so that its time does not reveal who has an account. The job decides the rest.
    return { userId: await userIdByEmail(db, input.email) };
  },
  async handler({ prepared: { userId }, tx, request }) {
    await requestMail(tx, { purpose: "recovery", userId, locale: request.locale });
    return { output: {}, audit: { recordId: userId, changes: {} } };
  },
});
