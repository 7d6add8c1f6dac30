import { lookup } from "node:dns/promises";
import { isIP, type Socket } from "node:net";
import { connect as connectTls, rootCertificates, type TLSSocket } from "node:tls";
import { bareHost } from "@/lib/kernel/bare-host";
import { DAY_MS } from "@/lib/kernel/time";
import {
  Console,
  consoleAndToken,
  foreignFailure,
  networkCode,
  networkReason,
  OFFLINE_CODES,
  settingsOf,
} from "../lib/console";
import type { Context } from "../lib/context";
import { consoleUrl } from "../lib/credentials";
import type { EnvironmentFlags } from "../lib/environment";
import { EXIT, Failure } from "../lib/failure";
import { send } from "../lib/http";
import { findPlaces, placeOfToken } from "../lib/places";
import { proxyFor, tunnel } from "../lib/proxy";
import { describeFailure } from "../lib/report";
import { printable, wrapFact } from "../lib/terminal";
import { endOfToken } from "../lib/token";
import { writeJson } from "../lib/write-json";

export interface DoctorFlags extends EnvironmentFlags {
  release?: string;
  json: boolean;
}

/** The result of one check. */
interface Finding {
  check: string;
  state: "ok" | "warning" | "failed";
  detail: string;
}

const TIMEOUT_MS = 15_000;
/** A certificate that expires within this many days is mentioned. */
const EXPIRY_WARNING_DAYS = 14;
/** Where the details begin in a line of the result. */
const DETAIL_COLUMN = 19;
/** Sign-in codes and presigned URLs fail if the clock of a machine is wrong by more. */
const CLOCK_TOLERANCE_MS = 60_000;

const ok = (check: string, detail: string): Finding => ({ check, state: "ok", detail });
const warning = (check: string, detail: string): Finding => ({ check, state: "warning", detail });
const failed = (check: string, detail: string): Finding => ({ check, state: "failed", detail });

async function checkDns(url: URL): Promise<Finding> {
  const host = bareHost(url);
  const proxy = proxyFor(url);
  if (proxy) return ok("DNS", `The proxy ${proxy.host} looks the name up.`);
  try {
    const addresses = await lookup(host, { all: true });
    return ok("DNS", addresses.map(({ address }) => address).join(", "));
  } catch (error) {
    return OFFLINE_CODES.includes(networkCode(error))
      ? failed("DNS", "The DNS did not answer. Check the network of this machine.")
      : failed("DNS", `${host} is not known to the DNS.`);
  }
}

/**
 * Checks the chain against the authorities that browsers know, without those that this machine adds. A chain that only those allow is a
 * warning: each device has to be told to trust it, too.
 */
export async function checkTls(url: URL, { timeoutMs = TIMEOUT_MS } = {}): Promise<Finding> {
  let isRefused = false;
  const refuse = () => {
    isRefused = true;
  };
  const finding = await handshake(url, { timeoutMs, ca: [...rootCertificates], refuse });
  if (!isRefused) return finding;
  const here = await handshake(url, { timeoutMs, refuse });
  return here.state === "failed"
    ? finding
    : warning("TLS", `Only this machine was told to trust the authority of the certificate. ${finding.detail}`);
}

/**
 * @param options.ca the authorities; by default those of this machine, with those of NODE_EXTRA_CA_CERTS
 * @param options.refuse called if none of them allows the chain
 */
async function handshake(
  url: URL,
  { timeoutMs, ca, refuse }: { timeoutMs: number; ca?: string[]; refuse: () => void },
): Promise<Finding> {
  if (url.protocol === "http:") return failed("TLS", "iPhones install only from https:// addresses.");
  const [host, port] = [bareHost(url), Number(url.port) || 443];
  const proxy = proxyFor(url);
  let through: Socket | undefined;
  try {
    through = proxy ? await tunnel(proxy, host, port) : undefined;
  } catch (error) {
    return failed("TLS", (error as Error).message);
  }
  return new Promise((resolve) => {
    const servername = isIP(host) ? "" : host;
    const socket: TLSSocket = connectTls(
      { socket: through, host, port, servername, ca, rejectUnauthorized: false },
      () => {
        const { valid_to } = socket.getPeerCertificate();
        const days = Math.floor((Date.parse(valid_to) - Date.now()) / DAY_MS);
        const facts = `${socket.getProtocol()}, valid until ${valid_to}`;
        socket.destroy();
        if (!socket.authorized) {
          const reason = String(socket.authorizationError);
          refuse();
          return resolve(failed("TLS", `A phone refuses the certificate unless it was told to trust it (${reason}).`));
        }
        resolve(days <= EXPIRY_WARNING_DAYS ? warning("TLS", `${facts}: ${days} days left.`) : ok("TLS", facts));
      },
    );
    // Over all: of a server that sends a byte now and then, the connection is never idle.
    const late = () => socket.destroy(Object.assign(new Error("no handshake"), { code: "ETIMEDOUT" }));
    const timer = setTimeout(late, timeoutMs);
    socket.on("close", () => clearTimeout(timer));
    socket.on("error", (error) => resolve(failed("TLS", `No secure connection: ${networkReason(error)}.`)));
  });
}

/** A duration in its largest unit that has at least two, as "7 hours". */
function duration(ms: number): string {
  const units = [
    ["days", DAY_MS],
    ["hours", 3_600_000],
    ["minutes", 60_000],
  ] as const;
  const [name, unit] = units.find(([, one]) => ms >= 2 * one) ?? (["seconds", 1000] as const);
  return `${Math.round(ms / unit)} ${name}`;
}

async function checkConsole(console: Console): Promise<Finding[]> {
  try {
    const options = { timeoutMs: TIMEOUT_MS };
    const response = await console.orFailure(console.requestJson("/api/config/get-app-config", options));
    const { name } = (await response.json()) as { name?: string };
    if (name === undefined) throw foreignFailure(console.url, response.status, response.headers.get("content-type"));
    const difference = Date.now() - Date.parse(response.headers.get("date") ?? "");
    const clock =
      Math.abs(difference) > CLOCK_TOLERANCE_MS
        ? failed(
            "Clock",
            `The clock of this machine is ${duration(Math.abs(difference))} ${difference > 0 ? "fast" : "slow"}.`,
          )
        : ok("Clock", "This machine and the console agree.");
    return [ok("Console", name), ...(Number.isNaN(difference) ? [] : [clock])];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [failed("Console", [error.message, ...error.hints].join(" "))];
  }
}

/** Says when an API token ends; a session is kept alive by use. */
async function checkToken(console: Console): Promise<Finding[]> {
  if (!console.isApiToken) return [];
  try {
    const { text, isSoon } = endOfToken((await placeOfToken(console)).validUntil, new Date());
    return [(isSoon ? warning : ok)("Token", text)];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [failed("Token", describeFailure(error).replaceAll("\n", " "))];
  }
}

interface FileExpectation {
  types: readonly string[];
  /** Whether devices continue its download from the middle. */
  hasRanges: boolean;
  headers?: Record<string, string>;
}

/** Fetches an address as a device does, which sends no session; of a file with ranges, the first bytes. */
async function checkFile(check: string, url: string, { types, hasRanges, headers }: FileExpectation): Promise<Finding> {
  try {
    const sent = { ...headers, ...(hasRanges && { Range: "bytes=0-1" }) };
    const options = { headers: sent, signal: AbortSignal.timeout(TIMEOUT_MS), redirections: 5 };
    const response = await send(new URL(url), options);
    const { status } = response;
    const type = response.headers.get("content-type")?.split(";")[0] ?? "none";
    const bytes = (await response.arrayBuffer()).byteLength;
    if (hasRanges && (status !== 206 || bytes !== 2)) {
      return failed(check, `A range of bytes is answered with status ${status}. A proxy may not support ranges.`);
    }
    if (!response.ok) return failed(check, `It is answered with status ${status} and type ${type}.`);
    return types.includes(type)
      ? ok(check, hasRanges ? `${type}, ranges` : type)
      : failed(check, `The type is ${type} instead of ${types.join(" or ")}.`);
  } catch {
    return failed(check, `${new URL(url).origin} cannot be reached from here.`);
  }
}

/** Walks the way of an iPhone: the manifest, and what it names. */
async function checkApple(console: Console, id: string): Promise<Finding[]> {
  const { manifestUrl } = await console.command("apps/generate-apple-manifest-request-token", { id });
  const options = { signal: AbortSignal.timeout(TIMEOUT_MS), redirections: 5 };
  const response = await send(new URL(manifestUrl), options).catch(() => null);
  if (response === null) return [failed("Manifest", `${new URL(manifestUrl).origin} cannot be reached from here.`)];
  const type = response.headers.get("content-type")?.split(";")[0] ?? "none";
  const text = await response.text();
  if (
    !response.ok ||
    !/^(text|application)\/(x-)?(xml|plist|x-plist)$/.test(type) ||
    !text.includes("software-package")
  ) {
    return [failed("Manifest", `It is answered with status ${response.status} and type ${type}.`)];
  }
  const urls = [...text.matchAll(/<string>(https?:[^<]+)<\/string>/g)].map(([, url = ""]) =>
    url.replaceAll("&amp;", "&"),
  );
  const [ipa, ...icons] = urls;
  const installer = { types: ["application/octet-stream"], hasRanges: true };
  const picture = { types: ["image/png"], hasRanges: false };
  return [
    ok("Manifest", `${type}, ${urls.length} addresses`),
    ...(ipa ? [await checkFile("Installer", ipa, installer)] : [failed("Manifest", "It names no installer.")]),
    ...(await Promise.all(icons.map((icon, index) => checkFile(`Icon ${index + 1}`, icon, picture)))),
  ];
}

/** What the console finds on the way of a phone to its own address. */
async function checkFromConsole(console: Console, id: string): Promise<Finding[]> {
  try {
    const { ok: isRight, checks } = await console.command("installs/run-install-check", { id });
    const wrong = checks.filter(({ result }) => result === "warning" || result === "failure");
    if (isRight && wrong.length === 0)
      return [ok("Phone", "The console finds nothing that keeps a phone from installing.")];
    return wrong.map(({ result, title, seen, advice }) =>
      (result === "failure" ? failed : warning)("Phone", `${title}: ${[seen, advice].filter(Boolean).join(". ")}`),
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [warning("Phone", `Not checked by the console. ${describeFailure(error).replaceAll("\n", " ")}`)];
  }
}

async function checkInstaller(console: Console, id: string): Promise<Finding[]> {
  const { platform, installer } = await console.query("apps/get-testing-deploy-by-id", { id });
  if (installer.kind === "ipa") return checkApple(console, id);
  const url = `${console.url}/api/apps/download-testing-deploy-file?id=${encodeURIComponent(id)}`;
  const types =
    installer.kind === "apk"
      ? ["application/vnd.android.package-archive"]
      : ["application/octet-stream", "application/x-authorware-bin"];
  return [
    ok("Release", platform.name),
    await checkFile("Installer", url, { types, hasRanges: true, headers: console.headers }),
  ];
}

/**
 * The newest release of the environment that the command, slipway.json or the token names; null if they name none or several, or if it
 * has no release.
 */
async function newestRelease(context: Context, console: Console, flags: DoctorFlags): Promise<string | null> {
  const { app, environment } = settingsOf(context, flags);
  const [place, ...others] = await findPlaces(console, { app, environment });
  if (others.length > 0) return null;
  const { items } = await console.query("apps/get-testing-deploys", { environmentId: place.environment.id, limit: 1 });
  return items[0]?.id ?? null;
}

/** Checks what a device fetches of the named release, or of the newest one. */
async function checkRelease(context: Context, console: Console, flags: DoctorFlags): Promise<Finding[]> {
  const named = flags.release !== undefined;
  if (!named && console.token === null) {
    return [warning("Release", "Not checked. Sign in with `slipway login`, and name a release with --release.")];
  }
  try {
    const id = flags.release ?? (await newestRelease(context, console, flags));
    return id === null
      ? [warning("Release", "Not checked. Name a release with --release.")]
      : [...(await checkInstaller(console, id)), ...(await checkFromConsole(console, id))];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const detail = describeFailure(error).replaceAll("\n", " ");
    return [named ? failed("Release", detail) : warning("Release", `Not checked. ${detail}`)];
  }
}

/** Checks the way from this machine to an installation. */
export async function doctor(this: Context, flags: DoctorFlags, address?: string): Promise<void> {
  const { url, token } = consoleAndToken(this, address === undefined ? flags : { console: consoleUrl(address) });
  const target = new URL(url);
  const console = new Console(url, token);
  const findings = [await checkDns(target)];
  if (findings[0]?.state === "ok") {
    // At the same time, so that a server which is silent is waited for once.
    const [tls, found] = await Promise.all([checkTls(target), checkConsole(new Console(url, null))]);
    findings.push(tls, ...found);
  }
  const reached = findings.some(({ check, state }) => check === "Console" && state === "ok");
  if (reached) findings.push(...(await checkToken(console)), ...(await checkRelease(this, console, flags)));
  if (flags.json) writeJson(this, findings);
  const styles = { ok: "green", warning: "yellow", failed: "red" } as const;
  for (const { check, state, detail } of flags.json ? [] : findings) {
    const line = `${this.out.paint(styles[state], state.padEnd(8))}${check.padEnd(11)}${printable(detail)}`;
    this.out.write(`${this.out.isTTY ? wrapFact(line, this.out.columns, DETAIL_COLUMN) : line}\n`);
  }
  if (!reached) process.exitCode = EXIT.unreachable;
  else if (findings.some(({ state }) => state === "failed")) process.exitCode = EXIT.refused;
}
