import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";

/** The most passkeys of one user. */
export const MAX_PASSKEYS = 20;

/** Bytes in base64url without padding (RFC 4648), as WebAuthn's JSON forms carry them. */
const base64url = (maxBytes: number) =>
  z
    .string()
    .min(1)
    .max(Math.ceil((maxBytes * 4) / 3))
    .regex(/^[A-Za-z0-9_-]+$/, { error: "base64url" });

/** WebAuthn allows credential ids of at most 1,023 bytes. */
const credentialId = base64url(1_023);
/** It holds the challenge, the origin and a few words more. */
const clientDataJSON = base64url(4_096);
/** An RSA key of 4,096 bits is the largest thing that is in it. */
const authenticatorData = base64url(4_096);
const signature = base64url(1_024);
/** WebAuthn's own limit is 64 bytes. */
const userHandle = base64url(64);
const attestationObject = base64url(8_192);

const credentialType = z
  .string()
  .max(32)
  .refine((type) => type === "public-key", { error: "publicKeyCredential" });

// What browsers send besides (and the next ones will) is theirs to choose, and none of it is looked at: these three
// shapes drop it, where every other input refuses a field that it does not know.
const browserCredential = z.object({ id: credentialId, rawId: credentialId, type: credentialType });

const registrationResponse = browserCredential.extend({
  response: z.object({
    clientDataJSON,
    attestationObject,
    /** Hints for the browser on how the authenticator is reached; those that WebAuthn does not name are dropped. */
    transports: z.array(z.string().max(32)).max(16).optional(),
  }),
});

/** What `navigator.credentials.get()` gave, in its JSON form. */
export const authenticationResponse = browserCredential.extend({
  response: z.object({
    clientDataJSON,
    authenticatorData,
    signature,
    /** Null where the authenticator tells none; such a passkey signs nobody in. */
    userHandle: userHandle.nullish(),
  }),
});

/** What `navigator.credentials.create()` gave, in its JSON form (RegistrationResponseJSON of WebAuthn Level 3). */
export type RegistrationResponse = z.output<typeof registrationResponse>;
/** What `navigator.credentials.get()` gave, in its JSON form (AuthenticationResponseJSON of WebAuthn Level 3). */
export type AuthenticationResponse = z.output<typeof authenticationResponse>;

/** A passkey as its owner sees it. */
export const passkeySchema = z.object({
  id: idSchema,
  /** The name that its owner gave it. */
  registrant: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  /** True where its provider keeps copies of it, so that the loss of one device does not lose it. */
  backedUp: z.boolean(),
});
export type Passkey = z.output<typeof passkeySchema>;

export const passkeysOutput = z.object({ items: z.array(passkeySchema) });

export const registrantSchema = z.string().trim().min(1).max(100);

export const validateCreatePasskeyInput = z.strictObject({
  registrant: registrantSchema,
  response: registrationResponse,
});

export const validateLoginWithPasskeyInput = z.strictObject({ response: authenticationResponse });

export const deleteUserPasskeyInput = z.strictObject({ id: idSchema });

const publicKeyType = z.literal("public-key");

/** The ways to an authenticator that WebAuthn names. */
export const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;

const descriptorSchema = z.object({
  type: publicKeyType,
  id: z.string(),
  transports: z.array(z.enum(TRANSPORTS)).optional(),
});

/** PublicKeyCredentialCreationOptionsJSON of WebAuthn Level 3, as far as the console uses it. */
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

/** PublicKeyCredentialRequestOptionsJSON of WebAuthn Level 3, as far as the console uses it. */
export const requestOptionsSchema = z.object({
  rpId: z.string(),
  challenge: z.string(),
  /** Milliseconds. */
  timeout: z.number().int(),
  userVerification: z.literal("required"),
});

/** The same for one user, whose passkeys it names. */
export const ownRequestOptionsSchema = requestOptionsSchema.extend({ allowCredentials: z.array(descriptorSchema) });
