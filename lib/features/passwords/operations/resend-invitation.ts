import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { invitationLinkToPassOn } from "@/lib/auth/password-links";
import { lockRow } from "@/lib/db/locks";
import { requestMail } from "@/lib/jobs/mail";
import { conflict } from "@/lib/kernel/errors";
import { invitee } from "../data";
import { resendInvitationInput, resentInvitationSchema } from "../schema";

/** Sends the invitation again to a user who has not set a password yet. Earlier links stay valid. */
export const resendInvitation = defineCommand({
  area: "auth",
  name: "resend-invitation",
  summary: "Send a user’s invitation again",
  access: "admin",
  // Without a mail server, the answer has a link by which anybody sets the password of the invited person.
  secondFactor: "recentIfEnrolled",
  input: resendInvitationInput,
  output: resentInvitationSchema,
  status: 202,
  errors: ["not_found", "conflict"],
  rateLimit: { points: 30, seconds: 60, by: "actor" },
  audit: { table: "User", action: "invite" },
  async handler({ input: { id }, tx, request }) {
    // The user may be choosing a password at this moment, which takes the same lock.
    await lockRow(tx, "User", id);
    const user = orNotFound(await invitee(tx, id));
    if (user.status !== "active" || user.provider !== "email") throw conflict("id", "notInvitable");
    if (user.passwordHash !== null) throw conflict("id", "hasPassword");
    await requestMail(tx, { purpose: "invitation", userId: id, locale: request.locale });
    const invitationLink = await invitationLinkToPassOn(tx, id, request.now);
    return { output: { invitationLink }, audit: { recordId: id, changes: {} } };
  },
});
