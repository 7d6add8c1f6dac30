import "server-only";
import { createHash, X509Certificate } from "node:crypto";
import { checkServerIdentity, type DetailedPeerCertificate, rootCertificates } from "node:tls";
import type { InstallFinding } from "@/lib/kernel/install-check-codes";
import { DAY_MS } from "@/lib/kernel/time";
import appleRoots from "./apple-roots.json";

/** How many days before its end a certificate is a warning. */
const EXPIRY_WARNING_DAYS = 14;
/** The longest validity that Apple accepts of a public authority, and of one that was added to the device (support.apple.com/102028, 103769). */
const MAX_DAYS = { public: 398, added: 825 };

/** The authorities that an answer is checked against. */
export interface Roots {
  /** The certificates by which chains are verified, PEM. */
  certificates: readonly string[];
  /** The authorities of Apple's list: the SHA-256 of their public keys, in base64, and their names. */
  apple: { list: string; keys: ReadonlySet<string>; subjects: ReadonlySet<string> };
  /** The authority of this console on the local network, PEM; null if it has none. */
  own: string | null;
}

/**
 * The authorities of Node.js (those of Mozilla) and Apple's list, as Apple publishes it with the source code of its systems
 * (github.com/apple-oss-distributions/security_certificates).
 */
export function defaultRoots(own: string | null): Roots {
  const { list, keys, subjects } = appleRoots;
  return {
    certificates: own === null ? rootCertificates : [...rootCertificates, own],
    apple: { list, keys: new Set(keys), subjects: new Set(subjects) },
    own,
  };
}

const { apple: APPLE_LIST } = defaultRoots(null);

/** Whether a certificate that signed itself is that of an authority of Apple itself. */
export function isAppleRoot(certificate: X509Certificate): boolean {
  const { subject } = certificate;
  const isOfApple = APPLE_LIST.subjects.has(subject) && /^O=Apple Inc\.$/m.test(subject);
  return isOfApple && APPLE_LIST.keys.has(keyHash(certificate));
}

/** What a server showed during the handshake. */
export interface ShownCertificate {
  /** With its issuers, as far as they are known. */
  certificate: DetailedPeerCertificate;
  protocol: string;
  /** OpenSSL's code of what is wrong with the chain; null if it is valid. */
  chainError: string | null;
}

/** The SHA-256 of the public key of a certificate, in base64. */
export function keyHash(certificate: X509Certificate): string {
  const key = certificate.publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("base64");
}

/** A certificate and its issuers. */
function chainOf(leaf: DetailedPeerCertificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  const seen = new Set<DetailedPeerCertificate>();
  for (let one: DetailedPeerCertificate | undefined = leaf; one?.raw && !seen.has(one); one = one.issuerCertificate) {
    seen.add(one);
    chain.push(new X509Certificate(one.raw));
  }
  return chain;
}

const VALIDITY_ERRORS = ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"];
const NO_ISSUER_ERRORS = [
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_GET_ISSUER_CERT",
];
const SELF_SIGNED_ERRORS = ["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"];

type Finding = Omit<InstallFinding, "code">;

function nameOf(subject: string): string {
  return /(?:^|\n)CN=(.*)/.exec(subject)?.[1] ?? subject.replaceAll("\n", ", ");
}

/** Whether a chain ends with a certificate that signed itself and is not among those by which chains are verified. */
function endsWithStranger(last: X509Certificate, { certificates }: Roots): boolean {
  if (last.issuer !== last.subject) return false;
  const key = keyHash(last);
  return certificates.every((known) => keyHash(new X509Certificate(known)) !== key);
}

/** Whether a phone of Apple finds its way from the certificate to an authority that it trusts. */
function checkChain({ certificate, chainError }: ShownCertificate, roots: Roots, now: Date): Finding {
  const chain = chainOf(certificate);
  const last = chain.at(-1) as X509Certificate;
  const names = [...chain].reverse().map(({ subject }) => nameOf(subject));
  const seen = names.join(" → ");
  // OpenSSL reports the end of a validity instead of an unknown authority.
  const isEnded = chainError !== null && VALIDITY_ERRORS.includes(chainError);
  const isSelfSigned = chainError !== null && SELF_SIGNED_ERRORS.includes(chainError);
  if (isSelfSigned || (isEnded && endsWithStranger(last, roots))) {
    return { result: "failure", seen, problem: "unknown_authority" };
  }
  if (chainError !== null && NO_ISSUER_ERRORS.includes(chainError)) {
    return roots.apple.subjects.has(last.issuer)
      ? { result: "skipped", seen: `${nameOf(last.issuer)} → ${seen}`, problem: "authority_not_verified" }
      : { result: "failure", seen: `${nameOf(last.issuer)}? → ${seen}`, problem: "incomplete_chain" };
  }
  // Of a leaf that has ended, the check of its dates says so.
  const endedIssuer = chain.slice(1).some(({ validToDate }) => validToDate <= now);
  if (chainError !== null && (endedIssuer || !isEnded)) {
    return { result: "failure", seen: `${seen} (${chainError})`, problem: "chain_invalid" };
  }
  if (roots.own !== null && keyHash(last) === keyHash(new X509Certificate(roots.own))) {
    return { result: "warning", seen, problem: "own_authority" };
  }
  return roots.apple.keys.has(keyHash(last))
    ? { result: "ok", seen, problem: null }
    : { result: "failure", seen: `${seen} (${roots.apple.list})`, problem: "not_on_apple_list" };
}

/** Apple's systems ignore the common name: the host has to be among the alternative names. */
function checkName({ certificate }: ShownCertificate, host: string): Finding {
  const seen = certificate.subjectaltname?.replaceAll("DNS:", "").replaceAll("IP Address:", "") ?? "";
  const fits = seen !== "" && checkServerIdentity(host, certificate) === undefined;
  return fits ? { result: "ok", seen, problem: null } : { result: "failure", seen, problem: "other_name" };
}

function checkExpiry({ certificate }: ShownCertificate, isAdded: boolean, now: Date): Finding {
  const [from, to] = [new Date(certificate.valid_from), new Date(certificate.valid_to)];
  const seen = `${from.toISOString().slice(0, 10)} – ${to.toISOString().slice(0, 10)}`;
  if (to <= now) return { result: "failure", seen, problem: "expired" };
  if (from > now) return { result: "failure", seen, problem: "not_yet_valid" };
  // A validity of whole days ends a second early.
  const days = Math.floor((to.getTime() - from.getTime()) / DAY_MS);
  if (days > (isAdded ? MAX_DAYS.added : MAX_DAYS.public)) {
    return { result: "failure", seen: `${seen} (${days} d)`, problem: "valid_too_long" };
  }
  return to.getTime() - now.getTime() < EXPIRY_WARNING_DAYS * DAY_MS
    ? { result: "warning", seen, problem: "expires_soon" }
    : { result: "ok", seen, problem: null };
}

/** What a phone of Apple says of a server's certificate and of the version of TLS. */
export function checkCertificate(shown: ShownCertificate, host: string, roots: Roots, now: Date): InstallFinding[] {
  const chain = checkChain(shown, roots, now);
  const isAdded = chain.problem === "own_authority" || chain.problem === "unknown_authority";
  const isOld = !["TLSv1.2", "TLSv1.3"].includes(shown.protocol);
  return [
    { code: "tls_chain", ...chain },
    { code: "tls_name", ...checkName(shown, host) },
    { code: "tls_expiry", ...checkExpiry(shown, isAdded, now) },
    {
      code: "tls_version",
      result: isOld ? "failure" : "ok",
      seen: shown.protocol,
      problem: isOld ? "old_tls" : null,
    },
  ];
}
