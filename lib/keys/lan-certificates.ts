import "server-only";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { dirname, join } from "node:path";
import { type Identity, issueServerCertificate, makeAuthority, permits } from "@slipway/certificates/authority";
import { env } from "@/lib/kernel/env";
import { DAY_MS } from "@/lib/kernel/time";

/** Certificates that end within this time are made again. */
const RENEWAL_MS = 30 * DAY_MS;

/** What a server on the local network shows to its clients. */
interface LanCertificates {
  /** The certificate of the server and that of its issuer, PEM. */
  chain: string;
  /** PEM. */
  key: string;
  /** Whether this call made the authority, which devices then have to trust (again). */
  madeAuthority: boolean;
  /** Whether this call made the server's certificate. */
  madeCertificate: boolean;
}

/** The folder of the certificates. */
export function lanFolder(): string {
  return join(env.DATA_DIR, "lan");
}

/** The certificates of the root and of the issuer, and the issuer's key. */
const authorityFile = (folder: string) => join(folder, "authority.pem");
/** The certificates of the server and of its issuer, and the server's key. */
const serverFile = (folder: string) => join(folder, "server.pem");

interface Pem {
  certificates: X509Certificate[];
  key: string | undefined;
}

async function readPem(file: string): Promise<Pem | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  try {
    const blocks = text.match(/-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g) ?? [];
    const certificates = blocks.filter((block) => block.includes("BEGIN CERTIFICATE"));
    return {
      certificates: certificates.map((block) => new X509Certificate(block)),
      key: blocks.find((block) => block.includes("PRIVATE KEY")),
    };
  } catch {
    throw new Error(`${file} is damaged. Delete it; devices then have to trust the console again.`);
  }
}

function keyPem({ privateKey }: Identity): string {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: "der", type: "pkcs8" });
  return key.export({ type: "pkcs8", format: "pem" }).toString().trimEnd();
}

/** Writes a file that only its owner can read, atomically. */
async function writePem(file: string, parts: readonly string[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.draft`;
  await writeFile(draft, parts.map((part) => `${part.trimEnd()}\n`).join(""), { mode: 0o600, flush: true });
  await chmod(draft, 0o600);
  await rename(draft, file);
}

function derOf(certificate: X509Certificate): Uint8Array<ArrayBuffer> {
  return new Uint8Array(certificate.raw);
}

function endsSoon(certificate: X509Certificate, now: Date): boolean {
  return certificate.validToDate.getTime() - now.getTime() < RENEWAL_MS;
}

function names(certificate: X509Certificate): string[] {
  return (certificate.subjectAltName ?? "").split(", ").filter(Boolean);
}

function isFor(certificate: X509Certificate, hosts: readonly string[]): boolean {
  const covers = (host: string) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
  return names(certificate).length === hosts.length && hosts.every(covers);
}

/** What devices call the authority. @param hosts the hosts of the console, the first of which is in its links */
function authorityName(hosts: readonly string[]): string {
  return `Slipway on ${hosts.find((host) => host.endsWith(".local")) ?? hosts[0]}`;
}

/** Host names that an authority has to permit. It permits all local addresses. */
function hostNames(hosts: readonly string[]): string[] {
  return hosts.filter((host) => isIP(host) === 0);
}

async function ensureAuthority(folder: string, hosts: readonly string[], now: Date) {
  const kept = await readPem(authorityFile(folder));
  const [root, issuer] = kept?.certificates ?? [];
  if (root && issuer && kept?.key && !endsSoon(root, now) && hosts.every((host) => permits(derOf(issuer), host))) {
    const der = createPrivateKey(kept.key).export({ type: "pkcs8", format: "der" });
    return { identity: { certificate: derOf(issuer), privateKey: new Uint8Array(der) }, issuer, made: false };
  }
  const made = await makeAuthority({ name: authorityName(hosts), names: hostNames(hosts), now });
  const certificates = [made.root, made.issuer.certificate].map((der) => new X509Certificate(der));
  await writePem(authorityFile(folder), [...certificates.map(String), keyPem(made.issuer)]);
  return { identity: made.issuer, issuer: certificates[1] as X509Certificate, made: true };
}

/**
 * The certificate of a server on the local network. Makes an authority on the first call, and another one
 * when it ends or may not sign for a host. Makes a server's certificate when the hosts have changed, or when it ends soon.
 *
 * @param folder which only this server uses; see `lanFolder`
 * @param hosts host names and local addresses, at least one
 * @throws HostNotPermittedError for an address that is not local
 */
export async function ensureLanCertificates(
  folder: string,
  hosts: readonly string[],
  now: Date,
): Promise<LanCertificates> {
  const { identity, issuer, made } = await ensureAuthority(folder, hosts, now);
  const kept = await readPem(serverFile(folder));
  const [leaf] = kept?.certificates ?? [];
  if (leaf && kept?.key && isFor(leaf, hosts) && !endsSoon(leaf, now) && leaf.verify(issuer.publicKey)) {
    return { chain: `${leaf}${issuer}`, key: kept.key, madeAuthority: made, madeCertificate: false };
  }
  const server = await issueServerCertificate(identity, hosts, now);
  const chain = [new X509Certificate(server.certificate), issuer].map(String).join("");
  const key = keyPem(server);
  await writePem(serverFile(folder), [chain, key]);
  return { chain, key, madeAuthority: made, madeCertificate: true };
}

/** The certificate that devices trust; null before the first start with HTTPS on the local network. */
export async function readLanAuthority(folder: string): Promise<X509Certificate | null> {
  return (await readPem(authorityFile(folder)))?.certificates[0] ?? null;
}
