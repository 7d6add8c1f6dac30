import "server-only";
import { z } from "zod";
import type { SsoProvider } from "@/lib/auth/providers";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { tenantOf } from "./endpoints";
import { SignInFailure } from "./failure";

/** Who signed in, as the provider says. */
export interface SsoIdentity {
  provider: SsoProvider;
  /** Who the person is to the provider, for ever; an e-mail is only what they are reached at now. */
  subject: string;
  /** Null where the provider names none that it vouches for. */
  verifiedEmail: string | null;
}

const subjectSchema = z.string().min(1).max(255);

const claimsSchema = z.object({
  sub: subjectSchema,
  email: z.string().max(254).optional(),
  /** A word in Apple's tokens. */
  email_verified: z.union([z.boolean(), z.stringbool()]).optional(),
});

const azureClaimsSchema = claimsSchema.extend({
  tid: z.string().min(1).max(100),
  oid: z.string().min(1).max(100),
  preferred_username: z.string().max(254).optional(),
  /** "The e-mail's domain is verified", an optional claim. */
  xms_edov: z.union([z.boolean(), z.stringbool(), z.literal([0, 1]).transform(Boolean)]).optional(),
});

/**
 * The identity in the verified claims of a provider.
 *
 * Azure's tokens carry no `email_verified`: the tenant that the administrator chose answers for its directory, unless
 * it says itself that it does not. Its key is tenant and object, as `sub` differs from one registered client to another.
 *
 * @param issuer whom the claims were verified to come from
 * @throws ZodError, Error where claims are missing or do not fit the issuer
 */
export function identityFrom(provider: SsoProvider, issuer: string, claims: unknown): SsoIdentity {
  if (provider !== "azure") {
    const { sub, email, email_verified } = claimsSchema.parse(claims);
    return { provider, subject: sub, verifiedEmail: email_verified === true && email ? email : null };
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

/** Lower case for A to Z alone: other scripts have letters whose lower case is an ASCII one. */
function fold(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * The active user behind an identity. At the first sign-in that is whoever an administrator registered with this
 * provider and e-mail, and the subject is noted; from then on the subject alone counts.
 *
 * @returns the user's id, and whether the subject was noted just now
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
  // In one conditional update: of two subjects with one e-mail at the same moment, one is noted.
  const { count } = await tx.user.updateMany({
    where: { id: candidate.id, provider, providerSubject: null, status: "active" },
    data: { providerSubject: subject },
  });
  if (count > 0) return { userId: candidate.id, linked: true };
  // The same person in two windows: the other one was faster.
  const now = await tx.user.findFirst({ where: { provider, providerSubject: subject, status: "active" } });
  if (!now) throw new SignInFailure("not_registered");
  return { userId: now.id, linked: false };
}
