import { z } from "zod";
import { emailSchema, passwordEnvelopeSchema } from "@/lib/features/auth/schema";
import { idSchema } from "@/lib/kernel/ids-schema";

export const generatePasswordRecoveryInput = z.strictObject({ email: emailSchema });

const linkTokenSchema = z.string().min(1).max(200);

export const getPasswordLinkInput = z.strictObject({ token: linkTokenSchema });

export const passwordLinkSchema = z.object({
  /** The purpose of the link; null if it is unknown, used or expired. */
  purpose: z.enum(["recovery", "invitation"]).nullable(),
  /** The user whose password it sets, for the browser's password manager. */
  email: z.string().nullable(),
});

export const updatePasswordInput = z.strictObject({ token: linkTokenSchema, password: passwordEnvelopeSchema });

/** Two envelopes, each with a nonce of its own. */
export const changePasswordInput = z.strictObject({
  currentPassword: passwordEnvelopeSchema,
  password: passwordEnvelopeSchema,
});

export const resendInvitationInput = z.strictObject({ id: idSchema });

/** `invitationLink` is the one-time link, to pass on; null if a mail server sends it. */
export const resentInvitationSchema = z.object({ invitationLink: z.url().nullable() });

/** The response of operations that send a mail: empty. */
export const mailFollowsSchema = z.object({});
