import { AsnConvert } from "@peculiar/asn1-schema";
import * as x509 from "@peculiar/asn1-x509";
import { DAY_MS } from "../time";
import { isInSubtree, isLocalAddress, LOCAL_RANGES, parseAddress } from "./hosts";
import { extension, type Identity, issueCertificate, parseCertificate } from "./issue";

export { isLocalAddress, LOCAL_RANGES, parseAddress } from "./hosts";
export type { Identity } from "./issue";

/** How long an authority is valid, in days. */
const AUTHORITY_DAYS = 3650;
/** How long a server's certificate is valid, in days. Apple accepts 825 of an authority that a user has added, 398 of others. */
const SERVER_DAYS = 396;

/** An authority for the names of one machine. */
export interface Authority {
  /** The certificate that devices trust, DER. Its private key no longer exists. */
  root: Uint8Array<ArrayBuffer>;
  /** Signs the certificates of servers. */
  issuer: Identity;
}

/** The constraints of an authority do not permit a host. */
export class HostNotPermittedError extends Error {
  constructor(readonly host: string) {
    super(`The authority may not sign for ${host}.`);
  }
}

/** Begins a day early, since clocks of devices may be behind. */
function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  // Certificates have whole seconds.
  const seconds = Math.floor(now.getTime() / 1000) * 1000;
  return { notBefore: new Date(seconds - DAY_MS), notAfter: new Date(seconds + days * DAY_MS) };
}

const critical = { critical: true };

/** The extensions of an authority that may sign only for the given names, names below them, and local addresses. */
function authorityExtensions(names: readonly string[], pathLenConstraint: number): x509.Extension[] {
  const permitted = [...names.map((dNSName) => ({ dNSName })), ...LOCAL_RANGES.map((iPAddress) => ({ iPAddress }))].map(
    (name) => new x509.GeneralSubtree({ base: new x509.GeneralName(name) }),
  );
  return [
    extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: true, pathLenConstraint }), critical),
    extension(
      x509.id_ce_keyUsage,
      new x509.KeyUsage(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign),
      critical,
    ),
    extension(
      x509.id_ce_nameConstraints,
      new x509.NameConstraints({ permittedSubtrees: new x509.GeneralSubtrees(permitted) }),
      critical,
    ),
  ];
}

const forServers = extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_serverAuth]));

/**
 * Makes an authority. It may sign only for the given host names and for local addresses, and only certificates of servers
 * (RFC 5280, section 4.2.1.10). Some systems ignore the constraints of a certificate that a user has chosen to trust. The
 * constraints are therefore also in the certificate of the issuer below it, and the root's private key is discarded, so that
 * nobody can make another issuer.
 *
 * @param options.name what devices call the authority
 * @param options.names host names, without wildcards
 */
export async function makeAuthority(options: {
  name: string;
  names: readonly string[];
  now: Date;
}): Promise<Authority> {
  const dates = validity(options.now, AUTHORITY_DAYS);
  const root = await issueCertificate({
    commonName: options.name,
    ...dates,
    extensions: authorityExtensions(options.names, 1),
  });
  const issuer = await issueCertificate({
    commonName: `${options.name}, issuer`,
    ...dates,
    extensions: [...authorityExtensions(options.names, 0), forServers],
    issuer: root,
  });
  return { root: root.certificate, issuer };
}

/** Whether the constraints of an issuer permit a host. @param issuer DER @param host a host name or an IP address */
export function permits(issuer: Uint8Array<ArrayBuffer>, host: string): boolean {
  if (parseAddress(host)) return isLocalAddress(host);
  const constraints = parseCertificate(issuer).tbsCertificate.extensions?.find(
    ({ extnID }) => extnID === x509.id_ce_nameConstraints,
  );
  if (!constraints) return false;
  const { permittedSubtrees } = AsnConvert.parse(constraints.extnValue, x509.NameConstraints);
  return (permittedSubtrees ?? []).some(({ base }) => base.dNSName !== undefined && isInSubtree(host, base.dNSName));
}

/**
 * Makes the key and the certificate of a server, valid for less than 398 days.
 *
 * @param issuer of an authority that `makeAuthority` made
 * @param hosts host names and IP addresses, at least one
 * @throws HostNotPermittedError
 */
export async function issueServerCertificate(issuer: Identity, hosts: readonly string[], now: Date): Promise<Identity> {
  const refused = hosts.find((host) => !permits(issuer.certificate, host));
  if (refused !== undefined) throw new HostNotPermittedError(refused);
  return issueForHosts(issuer, hosts, now);
}

/** Like `issueServerCertificate`, for any host: what a thief of the issuer's key can do. */
export function issueForHosts(issuer: Identity, hosts: readonly string[], now: Date): Promise<Identity> {
  const names = hosts.map((host) => new x509.GeneralName(parseAddress(host) ? { iPAddress: host } : { dNSName: host }));
  const { notBefore, notAfter } = validity(now, SERVER_DAYS);
  const authorityEnd = parseCertificate(issuer.certificate).tbsCertificate.validity.notAfter.getTime();
  return issueCertificate({
    // Not a host name: some systems would apply the constraints for names to an address here.
    commonName: "Slipway server",
    notBefore,
    notAfter: new Date(Math.min(notAfter.getTime(), authorityEnd.getTime())),
    extensions: [
      extension(x509.id_ce_basicConstraints, new x509.BasicConstraints(), critical),
      extension(x509.id_ce_keyUsage, new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature), critical),
      forServers,
      extension(x509.id_ce_subjectAltName, new x509.SubjectAlternativeName(names)),
    ],
    issuer,
  });
}
