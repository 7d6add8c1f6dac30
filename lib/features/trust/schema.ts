import { z } from "zod";

/** How a console on the local network is trusted. */
export const trustSchema = z.object({
  /** What devices call the authority. */
  name: z.string(),
  /** The console's address. */
  url: z.string(),
  /** The host names for which the authority may sign; it may also sign for local addresses. */
  hosts: z.array(z.string()),
  /** Whether the console's address is an IP address, for which no passkeys exist (WebAuthn, section 5.1.2). */
  isAddress: z.boolean(),
  /** SHA-256 of the certificate, in pairs of hex digits. */
  fingerprint: z.string(),
  expiresAt: z.iso.datetime(),
});

export type Trust = z.output<typeof trustSchema>;

/** `certificate` is X.509 in PEM, `profile` a configuration profile of Apple with it. */
export const downloadAuthorityInput = z.strictObject({
  format: z.enum(["certificate", "profile"]).default("certificate"),
});
