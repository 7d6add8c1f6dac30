import { z } from "zod";
import { emailSchema, passwordEnvelopeSchema } from "@/lib/features/auth/schema";
import { idSchema } from "@/lib/kernel/ids-schema";

export const generatePasswordRecoveryInput = z.strictObject({ email: emailSchema });

const linkTokenSchema = z.string().min(1).max(200);

export const getPasswordLinkInput = z.strictObject({ token: linkTokenSchema });

export const passwordLinkSchema = z.object({
  /** What the link was sent for; null where it is unknown, used or too old. */
  purpose: z.enum(["recovery", "invitation"]).nullable(),
  /** Whose password it sets, for the browser's password manager. */
  email: z.string().nullable(),
});

export const updatePasswordInput = z.strictObject({ token: linkTokenSchema, password: passwordEnvelopeSchema });

export const resendInvitationInput = z.strictObject({ id: idSchema });

/** A mail is on its way; there is nothing to say of it. */
export const mailFollowsSchema = z.object({});
