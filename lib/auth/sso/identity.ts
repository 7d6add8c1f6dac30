import "server-only";
import { z } from "zod";
import type { SsoProvider } from "@/lib/auth/providers";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { tenantOf } from "./endpoints";
import { SignInFailure } from "./failure";

/** The user as the provider identifies them. */
export interface SsoIdentity {
  provider: SsoProvider;
  /** The permanent ID of the user at the provider. An e-mail address may change. */
  subject: string;
  /** Null if the provider reports no verified address. */
  verifiedEmail: string | null;
}

const subjectSchema = z.string().min(1).max(255);

/** A text that may be an e-mail address. Anything else that a mapping of a directory yields is no address. */
const emailSchema = z.string().min(1).max(254).optional().catch(undefined);

/**
 * Whether a claim vouches for the address: one of these texts, or true. Anything else that is there does not; undefined if the
 * claim is not there.
 */
const vouching = (...texts: string[]) =>
  z
    .unknown()
    .transform((value) => texts.includes(String(value).toLowerCase()))
    .optional();

/** `email_verified` is a text in Apple's tokens. */
const claimsSchema = z.object({ sub: subjectSchema, email: emailSchema, email_verified: vouching("true") });

const azureClaimsSchema = claimsSchema.extend({
  tid: z.string().min(1).max(100),
  oid: z.string().min(1).max(100),
  preferred_username: emailSchema,
  /** "The e-mail's domain is verified", an optional claim; a number in some tokens. */
  xms_edov: vouching("true", "1"),
});

/**
 * The identity in the verified claims of a provider.
 *
 * Azure's tokens have no `email_verified`. The addresses of the configured tenant count as verified, unless a claim says
 * that they are not. Its users are identified by tenant and object, because `sub` differs between registered clients.
 *
 * @param issuer the verified issuer of the claims
 * @throws ZodError, Error if the subject is missing or does not match the issuer. The other claims stop nobody: a known subject
 *   needs none of them.
 */
export function identityFrom(provider: SsoProvider, issuer: string, claims: unknown): SsoIdentity {
  if (provider !== "azure") {
    const { sub, email, email_verified } = claimsSchema.parse(claims);
    return { provider, subject: sub, verifiedEmail: (email_verified && email) || null };
  }
  const { tid, oid, email, preferred_username, email_verified, xms_edov } = azureClaimsSchema.parse(claims);
  const tenant = tenantOf(issuer);
  if (tenant !== null && tenant !== tid.toLowerCase()) throw new Error("the token is of another tenant");
  const vouched = email_verified !== false && xms_edov !== false;
  return {
    provider,
    subject: `${tid}.${oid}`.toLowerCase(),
    verifiedEmail: vouched ? (email ?? preferred_username ?? null) : null,
  };
}

/** Lower case for A to Z only: in other scripts, some letters have an ASCII lower case. */
function fold(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * The active user of an identity. The first sign-in finds the user whom an administrator registered with this provider and
 * e-mail, and stores the subject. Later ones are matched by the subject only.
 *
 * @returns the user's id, and whether the subject was stored by this call
 * @throws SignInFailure not_registered, email_unverified
 */
export async function admitIdentity(tx: Db, identity: SsoIdentity): Promise<{ userId: string; linked: boolean }> {
  const { provider, subject, verifiedEmail } = identity;
  const known = await tx.user.findFirst({
    where: { provider, providerSubject: subject },
    select: { id: true, status: true },
  });
  if (known?.status === "active") return { userId: known.id, linked: false };
  if (verifiedEmail === null) throw new SignInFailure("email_unverified");
  if (known) throw new SignInFailure("not_registered");
  const candidates = await queryRows<{ id: string; email: string }>(
    tx,
    sql`SELECT "id", "email" FROM "User" WHERE lower("email") = lower(${verifiedEmail})`,
  );
  const candidate = candidates.find(({ email }) => fold(email) === fold(verifiedEmail));
  if (!candidate) throw new SignInFailure("not_registered");
  // In one conditional update: of two simultaneous subjects with one e-mail, one is stored.
  const { count } = await tx.user.updateMany({
    where: { id: candidate.id, provider, providerSubject: null, status: "active" },
    data: { providerSubject: subject },
  });
  if (count > 0) return { userId: candidate.id, linked: true };
  // The same user has signed in from another window in the meantime.
  const now = await tx.user.findFirst({ where: { provider, providerSubject: subject, status: "active" } });
  if (!now) throw new SignInFailure("not_registered");
  return { userId: now.id, linked: false };
}
