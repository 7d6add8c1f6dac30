import { z } from "zod";
import { authenticationResponse, ownRequestOptionsSchema } from "@/lib/features/passkeys/schema";
import { idSchema } from "@/lib/kernel/ids-schema";

/** A code of an authenticator app: six digits, however they were grouped. */
const otpSchema = z
  .string()
  .min(1)
  .max(20)
  .transform((text) => text.replaceAll(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, { error: "otp" }));

/** A recovery code, in any case and grouping. */
const recoveryCodeSchema = z.string().trim().min(1).max(60);

/** What proves a second factor: a code of the app or, once, a recovery code. */
const proofSchema = z
  .strictObject({ code: otpSchema.optional(), recoveryCode: recoveryCodeSchema.optional() })
  .refine(({ code, recoveryCode }) => (code === undefined) !== (recoveryCode === undefined), {
    error: "oneProof",
    path: ["code"],
  });
export type Proof = z.output<typeof proofSchema>;

export const validateTwoFactorInput = proofSchema;
export const deleteTwoFactorInput = proofSchema;
export const createRecoveryCodesInput = z.strictObject({ code: otpSchema });
export const validateTwoFactorEnrollmentInput = z.strictObject({ code: otpSchema });
/** What confirms a second factor within a session: a code of the app or a passkey, and no recovery code. */
export const confirmSecondFactorInput = z
  .strictObject({ code: otpSchema.optional(), response: authenticationResponse.optional() })
  .refine(({ code, response }) => (code === undefined) !== (response === undefined), {
    error: "codeOrPasskey",
    path: ["code"],
  });

export const secondFactorConfirmedSchema = z.object({
  /** Until when operations that require a recent second factor are open to the session. */
  validUntil: z.iso.datetime(),
});

/** How a user can confirm their second factor. */
export const secondFactorOptionsSchema = z.object({
  /** By a code of an authenticator app. */
  totp: z.boolean(),
  /** WebAuthn request options; null if the user has no passkey. */
  passkey: ownRequestOptionsSchema.nullable(),
});

export const resetUserTwoFactorInput = z.strictObject({ id: idSchema });

/** What an authenticator app is set up with, shown during the enrollment. */
export const enrollmentSchema = z.object({
  /** The content of the QR code. */
  otpauthUrl: z.string(),
  /** In base32, to enter by hand. */
  secret: z.string(),
  /** The QR code as an SVG document, dark on white. */
  qrSvg: z.string(),
});
export type Enrollment = z.output<typeof enrollmentSchema>;

/** A set of recovery codes, shown once. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });

/** Whether the user's second factor is on, and how many recovery codes are left. */
export const twoFactorSchema = z.object({
  enabled: z.boolean(),
  /** When it was switched on. */
  enabledAt: z.iso.datetime().nullable(),
  recoveryCodesLeft: z.number().int(),
});
export type TwoFactor = z.output<typeof twoFactorSchema>;
