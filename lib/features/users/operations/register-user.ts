import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { invitationLinkToPassOn } from "@/lib/auth/password-links";
import { findRole } from "@/lib/features/roles/data";
import { requestMail } from "@/lib/jobs/mail";
import { invalidField } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { createUser, toAdministeredUser } from "../data";
import { invitedEvent } from "../internal/user-events";
import { registeredUserSchema, registerUserInput } from "../schema";

/** Registers a user with a sign-in provider. A user who signs in by e-mail is invited to set a password. */
export const registerUser = defineCommand({
  area: "auth",
  name: "register-user",
  summary: "Register a user",
  access: "admin",
  secondFactor: "recentIfEnrolled",
  input: registerUserInput,
  output: registeredUserSchema,
  status: 201,
  errors: ["conflict"],
  audit: { table: "User", action: "create" },
  async handler({ input, actor, tx, request }) {
    const role = await findRole(tx, input.roleId);
    if (role === null) throw invalidField("roleId", "unknown");
    const created = await createUser(tx, { id: newId(), ...input });
    const isInvited = input.provider === "email" && input.status === "active";
    if (isInvited) {
      await requestMail(tx, { purpose: "invitation", userId: created.id, locale: request.locale });
    }
    const invitationLink = isInvited ? await invitationLinkToPassOn(tx, created.id, request.now) : null;
    return {
      output: { ...toAdministeredUser(created), invitationLink },
      audit: { recordId: created.id, changes: changesBetween(null, input) },
      events: [invitedEvent(created, role, actor)],
    };
  },
});
