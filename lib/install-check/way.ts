import "server-only";
import type { LookupFunction } from "node:net";
import { isPublicAddress, type Outbound } from "@/lib/http/outbound";
import { bareHost } from "@/lib/kernel/bare-host";
import {
  type CheckProblem,
  type CheckResult,
  INSTALL_CHECKS,
  type InstallCheckCode,
  type InstallFinding,
} from "@/lib/kernel/install-check-codes";
import { type CheckAnswer, codeOf, decoded, readCertificate, request } from "./connection";
import { contentTypeOf, firstByteFinding, iconFinding, readManifest, typeFinding } from "./contents";
import { checkCertificate, type Roots } from "./trust";

/** Redirections that are followed for the installer. */
const MAX_REDIRECTIONS = 5;
const MAX_MANIFEST_BYTES = 64 * 1024;
const MAX_ICON_BYTES = 512 * 1024;
/** How many bytes from the middle of the installer are compared. */
const RANGE_BYTES = 4_096;
/** By how much a clock may be wrong, in milliseconds. */
const CLOCK = { warning: 60_000, failure: 5 * 60_000 };

/** The release that is checked. */
interface CheckedIpa {
  manifestUrl: string;
  /** The bundle ID and version that the manifest has to name. */
  identifier: string;
  version: string;
  /** Bytes. */
  size: number;
  /** Bytes of the stored file, both ends included. */
  read(range: { start: number; end: number }): Promise<Buffer>;
}

/** What is checked, and by what. */
export interface Way {
  appUrl: URL;
  ipa: CheckedIpa | null;
  /** Whether the certificate that signed the app is revoked; not asked without an app. */
  revocation(): Promise<Omit<InstallFinding, "code">>;
  /** The address of the installer of an Android release, with a token. */
  apkUrl: string | null;
  outbound: Outbound;
  /** The addresses of a name. */
  resolve(host: string): Promise<readonly string[]>;
  /** Resolves the name of the console for a handshake. */
  lookup: LookupFunction;
  roots: Roots;
  now: () => Date;
  databaseTime: () => Promise<Date>;
  signal: AbortSignal;
}

const isLoopback = (address: string) => /^(127\.|0\.0\.0\.0$|::1?$)/.test(address);

/** Collects the findings; what was not reached is skipped. */
class Findings {
  private readonly found = new Map<InstallCheckCode, InstallFinding>();

  add(code: InstallCheckCode, result: CheckResult, seen: string, problem: CheckProblem | null = null): void {
    this.found.set(code, { code, result, seen, problem });
  }

  addAll(findings: readonly InstallFinding[]): void {
    for (const finding of findings) this.found.set(finding.code, finding);
  }

  /** Whether a phone of some system goes on: Android has another list of authorities, and also takes plain HTTP. */
  letsAnyPhoneIn(): boolean {
    const chain = this.found.get("tls_chain");
    if (chain?.problem === "not_https") return true;
    const isTrusted = chain?.result === "ok" || ["own_authority", "not_on_apple_list"].includes(chain?.problem ?? "");
    return isTrusted && !this.failed("tls_name", "tls_expiry");
  }

  failed(...codes: readonly InstallCheckCode[]): boolean {
    return codes.some((code) => this.found.get(code)?.result === "failure");
  }

  /** In the order of the checks. */
  list(missing: Pick<Way, "ipa" | "apkUrl">): InstallFinding[] {
    return INSTALL_CHECKS.map((code) => {
      const isOfIpa = /^(manifest|ipa|icon|certificate)_/.test(code);
      const problem =
        isOfIpa && !missing.ipa ? "no_ipa" : code === "apk_type" && !missing.apkUrl ? "no_apk" : "not_reached";
      return this.found.get(code) ?? { code, result: "skipped", seen: "", problem };
    });
  }
}

/**
 * Goes the way of a phone that installs: the name, the connection, the manifest and everything that it names, without a session. A
 * failure that would stop the phone ends its way, and what comes after it is skipped.
 */
export async function checkWay(way: Way): Promise<InstallFinding[]> {
  const findings = new Findings();
  const revocation = way.ipa ? way.revocation() : null;
  // Awaited below; a failure before that must not end the process.
  revocation?.catch(() => undefined);
  if (await checkAddress(way, findings)) {
    await checkTls(way, findings);
    if (findings.letsAnyPhoneIn() && (await checkAnswer(way, findings))) {
      if (way.ipa && !findings.failed("tls_chain", "tls_version", "redirects")) await checkIpa(way, way.ipa, findings);
      if (way.apkUrl && !findings.failed("redirects")) await checkApk(way, way.apkUrl, findings);
    }
  }
  if (revocation) findings.addAll([{ code: "certificate_revoked", ...(await revocation) }]);
  return findings.list(way);
}

/** @returns whether the name has an address */
async function checkAddress({ appUrl, resolve }: Way, findings: Findings): Promise<boolean> {
  const host = bareHost(appUrl);
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) {
    findings.add("dns", "failure", host, "unknown_host");
    return false;
  }
  const seen = addresses.join(", ");
  findings.add("dns", "ok", seen);
  if (addresses.some(isLoopback)) findings.add("address_public", "failure", seen, "loopback_address");
  else if (addresses.every(isPublicAddress)) findings.add("address_public", "ok", seen);
  else findings.add("address_public", "warning", seen, "private_address");
  return true;
}

async function checkTls({ appUrl, roots, now, lookup, signal }: Way, findings: Findings): Promise<void> {
  if (appUrl.protocol === "http:") {
    findings.add("tls_chain", "failure", appUrl.origin, "not_https");
    return;
  }
  try {
    const shown = await readCertificate(appUrl, roots.certificates, { lookup, signal });
    findings.addAll(checkCertificate(shown, bareHost(appUrl), roots, now()));
  } catch (error) {
    findings.add("tls_chain", "failure", codeOf(error), "unreachable");
  }
}

function checkClock(answer: CheckAnswer, databaseTime: Date, now: Date, findings: Findings): void {
  const shown = Date.parse(answer.headers.date ?? "");
  const differences = [databaseTime.getTime(), shown].filter(Number.isFinite).map((time) => time - now.getTime());
  const largest = differences.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one), 0);
  const seen = `${largest > 0 ? "+" : ""}${Math.round(largest / 1000)} s`;
  const size = Math.abs(largest);
  const result = size > CLOCK.failure ? "failure" : size > CLOCK.warning ? "warning" : "ok";
  findings.add("clock", result, seen, result === "ok" ? null : "clock_wrong");
}

/** Where an answer redirects to; null if it does not. */
function redirectionOf({ status, headers, url }: CheckAnswer): URL | null {
  if (status < 300 || status >= 400 || !headers.location) return null;
  return URL.canParse(headers.location, url.href) ? new URL(headers.location, url) : null;
}

/** Whether the console answers by itself at its address. @returns false if it does not answer at all */
async function checkAnswer(way: Way, findings: Findings): Promise<boolean> {
  const url = new URL("/api/health/live", way.appUrl);
  try {
    const answer = await fetchFrom(way, url, 1_024);
    checkClock(answer, await way.databaseTime(), way.now(), findings);
    const target = redirectionOf(answer);
    if (target === null) findings.add("redirects", "ok", `${url.origin} ${answer.status}`);
    else addRedirection(url, target, answer.status, findings);
    return true;
  } catch (error) {
    findings.add("redirects", "failure", codeOf(error), "unreachable");
    return false;
  }
}

function addRedirection(from: URL, to: URL, status: number, findings: Findings): void {
  const seen = `${status} → ${to.origin}${to.pathname}`.slice(0, 200);
  if (to.protocol !== "https:" && from.protocol === "https:") {
    findings.add("redirects", "failure", seen, "redirected_insecurely");
  } else if (to.host === from.host && to.pathname === from.pathname)
    findings.add("redirects", "warning", seen, "redirected");
  else findings.add("redirects", "failure", seen, "redirected_away");
}

function fetchFrom(way: Way, url: URL, maxBytes: number, headers: Record<string, string> = {}): Promise<CheckAnswer> {
  return request(way.outbound, url, way.roots.certificates, { maxBytes, headers, signal: way.signal });
}

async function checkIpa(way: Way, ipa: CheckedIpa, findings: Findings): Promise<void> {
  const url = new URL(ipa.manifestUrl);
  let answer: CheckAnswer;
  try {
    answer = decoded(await fetchFrom(way, url, MAX_MANIFEST_BYTES), MAX_MANIFEST_BYTES);
  } catch (error) {
    findings.add("manifest_type", "failure", codeOf(error), "refused");
    return;
  }
  const target = redirectionOf(answer);
  if (target) {
    addRedirection(url, target, answer.status, findings);
    if (findings.failed("redirects")) return;
  }
  findings.addAll([typeFinding(answer), firstByteFinding(answer)]);
  if (findings.failed("manifest_type", "manifest_first_byte")) return;
  const { manifest, findings: ofManifest } = readManifest(answer.body, ipa, way.appUrl);
  findings.addAll(ofManifest);
  if (!manifest || findings.failed("manifest_urls")) return;
  await checkInstaller(way, ipa, new URL(manifest.packageUrl), findings);
  await Promise.all([
    checkIcon(way, "icon_57", 57, manifest.displayImageUrl, findings),
    checkIcon(way, "icon_512", 512, manifest.fullSizeImageUrl, findings),
  ]);
}

/**
 * Follows the redirections of an installer.
 * @returns null if the way ends, which is among the findings then
 */
async function follow(
  way: Way,
  from: URL,
  { maxBytes, headers }: { maxBytes: number; headers?: Record<string, string> },
  findings: Findings,
): Promise<CheckAnswer | null> {
  let url = from;
  for (let redirections = 0; redirections <= MAX_REDIRECTIONS; redirections += 1) {
    let answer: CheckAnswer;
    try {
      answer = await fetchFrom(way, url, maxBytes, headers);
    } catch (error) {
      const isElsewhere = url.host !== from.host;
      const seen = `${url.host}: ${codeOf(error)}`;
      if (isElsewhere) findings.add("redirects", "failure", seen, "file_refused");
      else findings.add("ipa_length", "failure", seen, "file_refused");
      return null;
    }
    const target = redirectionOf(answer);
    if (target === null) return answer;
    if (target.protocol !== "https:") {
      findings.add("redirects", "failure", `${answer.status} → ${target.origin}`, "redirected_insecurely");
      return null;
    }
    url = target;
  }
  findings.add("redirects", "failure", url.origin, "too_many_redirects");
  return null;
}

async function checkInstaller(way: Way, ipa: CheckedIpa, url: URL, findings: Findings): Promise<void> {
  const whole = await follow(way, url, { maxBytes: 0 }, findings);
  if (!whole) return;
  const length = whole.headers["content-length"];
  if (whole.status !== 200) findings.add("ipa_length", "failure", `HTTP ${whole.status}`, "file_refused");
  else if (length === undefined) findings.add("ipa_length", "warning", "", "no_length");
  else if (Number(length) !== ipa.size)
    findings.add("ipa_length", "failure", `${length} ≠ ${ipa.size}`, "wrong_length");
  else findings.add("ipa_length", "ok", length);
  const encoding = whole.headers["content-encoding"] ?? "identity";
  const isPlain = encoding === "identity";
  findings.add("ipa_compression", isPlain ? "ok" : "failure", encoding, isPlain ? null : "compressed");
  if (whole.status === 200) await checkRange(way, ipa, url, findings);
}

async function checkRange(way: Way, { size, read }: CheckedIpa, url: URL, findings: Findings): Promise<void> {
  const start = Math.floor(size / 2);
  const end = Math.min(size, start + RANGE_BYTES) - 1;
  const part = await follow(way, url, { maxBytes: RANGE_BYTES, headers: { range: `bytes=${start}-${end}` } }, findings);
  if (!part) return;
  const range = part.headers["content-range"] ?? "";
  const seen = `HTTP ${part.status} ${range}`.trim();
  if (part.status !== 206 || range !== `bytes ${start}-${end}/${size}`) {
    findings.add("ipa_range", "failure", seen, "no_ranges");
  } else if (!part.body.equals(await read({ start, end }))) findings.add("ipa_range", "failure", seen, "wrong_bytes");
  else findings.add("ipa_range", "ok", seen);
}

async function checkIcon(
  way: Way,
  code: "icon_57" | "icon_512",
  side: number,
  url: string | null,
  findings: Findings,
): Promise<void> {
  if (url === null) return findings.add(code, "warning", "", "icon_refused");
  try {
    const answer = decoded(await fetchFrom(way, new URL(url), MAX_ICON_BYTES), MAX_ICON_BYTES);
    findings.addAll([iconFinding(code, side, answer)]);
  } catch (error) {
    findings.add(code, "warning", codeOf(error), "icon_refused");
  }
}

const APK_TYPE = "application/vnd.android.package-archive";

async function checkApk(way: Way, apkUrl: string, findings: Findings): Promise<void> {
  let url = new URL(apkUrl);
  try {
    for (let redirections = 0; ; redirections += 1) {
      const answer = await fetchFrom(way, url, 0);
      const target = redirectionOf(answer);
      if (target && redirections < MAX_REDIRECTIONS) {
        url = target;
        continue;
      }
      const type = contentTypeOf(answer);
      if (answer.status !== 200) findings.add("apk_type", "failure", `HTTP ${answer.status}`, "file_refused");
      else if (type === APK_TYPE) findings.add("apk_type", "ok", type);
      else findings.add("apk_type", "failure", type, "apk_wrong_type");
      return;
    }
  } catch (error) {
    findings.add("apk_type", "failure", `${url.host}: ${codeOf(error)}`, "file_refused");
  }
}
