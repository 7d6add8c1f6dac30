import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";
import { nameSchema } from "@/lib/kernel/name-schema";

/** The maximum number of passkeys of one user. */
export const MAX_PASSKEYS = 20;

/** Bytes in base64url without padding (RFC 4648), as in WebAuthn's JSON formats. */
const base64url = (maxBytes: number) =>
  z
    .string()
    .min(1)
    .max(Math.ceil((maxBytes * 4) / 3))
    .regex(/^[A-Za-z0-9_-]+$/, { error: "base64url" });

/** WebAuthn allows credential ids of at most 1,023 bytes. */
const credentialId = base64url(1_023);
/** It contains the challenge, the origin and a few other values. */
const clientDataJSON = base64url(4_096);
/** Its largest part is an RSA key of 4,096 bits. */
const authenticatorData = base64url(4_096);
const signature = base64url(1_024);
/** WebAuthn's own limit is 64 bytes. */
const userHandle = base64url(64);
const attestationObject = base64url(8_192);

const credentialType = z
  .string()
  .max(32)
  .refine((type) => type === "public-key", { error: "publicKeyCredential" });

// Browsers send further fields, and future ones may add more. These three schemas drop them, while every other input
// refuses unknown fields.
const browserCredential = z.object({ id: credentialId, rawId: credentialId, type: credentialType });

/** The result of `navigator.credentials.create()` as JSON (RegistrationResponseJSON of WebAuthn Level 3). */
const registrationResponse = browserCredential.extend({
  response: z.object({
    clientDataJSON,
    attestationObject,
    /** Hints on how to reach the authenticator. Unknown ones are dropped. */
    transports: z.array(z.string().max(32)).max(16).optional(),
  }),
});

export const authenticationResponse = browserCredential.extend({
  response: z.object({
    clientDataJSON,
    authenticatorData,
    signature,
    /** Null if the authenticator sends none; such a passkey cannot be used to sign in. */
    userHandle: userHandle.nullish(),
  }),
});

/** The result of `navigator.credentials.get()` as JSON (AuthenticationResponseJSON of WebAuthn Level 3). */
export type AuthenticationResponse = z.output<typeof authenticationResponse>;

/** A passkey as its owner sees it. */
export const passkeySchema = z.object({
  id: idSchema,
  /** The name that its owner gave it. */
  registrant: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  /** Whether copies of it exist, so that it survives the loss of one device. */
  backedUp: z.boolean(),
});
export type Passkey = z.output<typeof passkeySchema>;

export const passkeysOutput = z.object({ items: z.array(passkeySchema) });

export const registrantSchema = nameSchema;

export const validateCreatePasskeyInput = z.strictObject({
  registrant: registrantSchema,
  response: registrationResponse,
});

export const validateLoginWithPasskeyInput = z.strictObject({ response: authenticationResponse });

export const deleteUserPasskeyInput = z.strictObject({ id: idSchema });

const publicKeyType = z.literal("public-key");

/** The transports that WebAuthn defines. */
export const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;

const descriptorSchema = z.object({
  type: publicKeyType,
  id: z.string(),
  transports: z.array(z.enum(TRANSPORTS)).optional(),
});

/** PublicKeyCredentialCreationOptionsJSON of WebAuthn Level 3, with the fields that the console uses. */
export const creationOptionsSchema = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: publicKeyType, alg: z.number().int() })),
  /** Milliseconds. */
  timeout: z.number().int(),
  excludeCredentials: z.array(descriptorSchema),
  authenticatorSelection: z.object({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
  attestation: z.literal("none"),
});

/** PublicKeyCredentialRequestOptionsJSON of WebAuthn Level 3, with the fields that the console uses. */
export const requestOptionsSchema = z.object({
  rpId: z.string(),
  challenge: z.string(),
  /** Milliseconds. */
  timeout: z.number().int(),
  userVerification: z.literal("required"),
});

/** The same with the passkeys of one user. */
export const ownRequestOptionsSchema = requestOptionsSchema.extend({ allowCredentials: z.array(descriptorSchema) });
