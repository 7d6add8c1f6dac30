import "server-only";
import { lookup as systemLookup } from "node:dns";
import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { buffer } from "node:stream/consumers";
import { issueToken, revokeToken, type TokenPurpose } from "@/lib/auth/one-time-tokens";
import { type Db, db } from "@/lib/db/client";
import { makeOutbound } from "@/lib/http/outbound";
import { bareHost } from "@/lib/kernel/bare-host";
import { env } from "@/lib/kernel/env";
import type { InstallFinding } from "@/lib/kernel/install-check-codes";
import { appleFileUrl, installerUrl } from "@/lib/kernel/navigation/installer-urls";
import { lanFolder, readLanAuthority } from "@/lib/keys/lan-certificates";
import { storage } from "@/lib/storage";
import { type CheckableRelease, databaseTime } from "./data";
import { appleRevocations, RevocationError, type Revocations, renewRevocation } from "./revocation";
import { signerOfRelease } from "./revocation-data";
import { defaultRoots } from "./trust";
import { checkWay } from "./way";

/** How long all checks of one run may take, in milliseconds. */
const RUN_TIMEOUT_MS = 45_000;

/** The hosts that the settings name, which may be private: the console's own, and that of the store. */
function ownHosts(): string[] {
  const stores = env.STORAGE === "s3" ? [env.S3_PUBLIC_ENDPOINT ?? env.S3_ENDPOINT] : [];
  return [env.APP_URL, ...stores].flatMap((url) => (url ? [bareHost(new URL(url))] : []));
}

/** Gives tokens for the time of a run. */
async function withTokens<T>(work: (issue: (purpose: TokenPurpose, subject: string) => Promise<string>) => Promise<T>) {
  const issued: string[] = [];
  try {
    return await work(async (purpose, subject) => {
      const { token } = await issueToken(db, { purpose, subject, now: new Date() });
      issued.push(token);
      return token;
    });
  } finally {
    await Promise.all(issued.map((token) => revokeToken(db, token)));
  }
}

const SIGNER_FINDINGS = {
  good: { result: "ok", problem: null },
  revoked: { result: "failure", problem: "certificate_revoked" },
  unknown: { result: "skipped", problem: "revocation_unknown" },
} as const;

const REVOCATION_PROBLEMS = {
  foreign: "signer_foreign",
  expired: "expired",
  unanswered: "revocation_unanswered",
} as const;

/** Whether the certificate that signed the app of a release is revoked: by the last answer, or one that is asked for now. */
async function revocationOf(
  from: Db,
  releaseId: string,
  { signal, revocations }: { signal: AbortSignal; revocations: Revocations | null },
): Promise<Omit<InstallFinding, "code">> {
  if (!revocations) return { result: "skipped", seen: "", problem: "revocation_off" };
  const signer = await signerOfRelease(from, releaseId);
  if (!signer) return { result: "skipped", seen: "", problem: "signer_unknown" };
  const now = new Date();
  try {
    const isCurrent = signer.status !== null && signer.validUntil !== null && signer.validUntil > now;
    const { status, revokedAt } = isCurrent
      ? signer
      : await renewRevocation(from, signer, revocations, { now, signal });
    const seen = status === "revoked" && revokedAt ? `revoked ${revokedAt.toISOString()}` : (status ?? "");
    return { seen, ...SIGNER_FINDINGS[status ?? "unknown"] };
  } catch (error) {
    if (!(error instanceof RevocationError)) throw error;
    return { result: "skipped", seen: error.detail, problem: REVOCATION_PROBLEMS[error.failure] };
  }
}

/**
 * Checks whether a phone can install from this console: from its own address, with the releases that are given. One of each system is
 * checked; without any, only the address.
 */
export async function checkInstallation(
  releases: readonly CheckableRelease[],
  {
    signal: ofCaller,
    revocations = env.APPLE_REVOCATION_CHECK ? appleRevocations() : null,
  }: { signal?: AbortSignal; revocations?: Revocations | null } = {},
): Promise<InstallFinding[]> {
  const limit = AbortSignal.timeout(RUN_TIMEOUT_MS);
  const signal = ofCaller ? AbortSignal.any([ofCaller, limit]) : limit;
  const ipa = releases.find(({ kind, iosEnabled }) => kind === "ipa" && iosEnabled);
  const apk = releases.find(({ kind }) => kind === "apk");
  const own = await readLanAuthority(lanFolder()).catch(() => null);
  return withTokens(async (issue) =>
    checkWay({
      appUrl: new URL(env.APP_URL),
      ipa: ipa
        ? {
            ...ipa,
            manifestUrl: appleFileUrl(await issue("manifest", ipa.id), "manifest"),
            read: async (range) => buffer(await storage().get(ipa.storageKey, range)),
          }
        : null,
      apkUrl: apk ? installerUrl(await issue("installer", apk.id)) : null,
      outbound: makeOutbound([...env.OUTBOUND_ALLOWED_HOSTS, ...ownHosts()]),
      resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
      lookup: systemLookup as LookupFunction,
      roots: defaultRoots(own?.toString() ?? null),
      now: () => new Date(),
      databaseTime: () => databaseTime(db),
      revocation: () => revocationOf(db, ipa?.id ?? "", { signal, revocations }),
      signal,
    }),
  );
}
