import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import http from "node:http";
import https from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { gzipSync } from "node:zlib";
import { AsnConvert } from "@peculiar/asn1-schema";
import { Certificate } from "@peculiar/asn1-x509";
import { issueForHosts, makeAuthority } from "@slipway/certificates/authority";
import { issueCertificate } from "@slipway/certificates/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOutbound } from "@/lib/http/outbound";
import { INSTALL_CHECKS, type InstallCheckCode, type InstallFinding } from "@/lib/kernel/install-check-codes";
import { DAY_MS } from "@/lib/kernel/time";
import { keyHash, type Roots } from "./trust";
import { checkWay, type Way } from "./way";

const HOST = "console.test";
const NOW = new Date();

type Authority = Awaited<ReturnType<typeof makeAuthority>>;
type Identity = Authority["issuer"];

const pem = (der: Uint8Array) => new X509Certificate(der).toString();
const keyOf = ({ privateKey }: Identity) =>
  createPrivateKey({ key: Buffer.from(privateKey), format: "der", type: "pkcs8" });

let authority: Authority;
let other: Authority;
let good: Identity;
const file = randomBytes(20_000);

beforeAll(async () => {
  authority = await makeAuthority({ name: "Known", names: [HOST], now: NOW });
  other = await makeAuthority({ name: "Unknown", names: [HOST], now: NOW });
  good = await issueForHosts(authority.issuer, [HOST], NOW);
});

/** How the server is broken. */
interface Fault {
  tls?: https.ServerOptions | "none";
  /** Changes the answer to a path. */
  answers?: Partial<Record<Part, (answer: Answer, request: http.IncomingMessage, port: number) => Answer | null>>;
  /** Changes what is checked, and by what. */
  way?: (way: Way) => Partial<Way>;
}
type Part = "live" | "manifest" | "ipa" | "icon" | "icon-large" | "apk";
interface Answer {
  status: number;
  headers: Record<string, string | number>;
  body: Buffer | string;
}

/** A PNG of nothing but a header. */
function png(side: number, chunk = "IHDR"): Buffer {
  const header = Buffer.alloc(25);
  header.writeUInt32BE(13, 0);
  header.write(chunk, 4, "latin1");
  header.writeUInt32BE(side, 8);
  header.writeUInt32BE(side, 12);
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), header]);
}

function manifest(origin: string, replaced: Record<string, string> = {}): string {
  const values = { identifier: "com.example.app", ipa: `${origin}/ipa`, icon: `${origin}/icon`, ...replaced };
  return `<?xml version="1.0"?><plist version="1.0"><dict><key>items</key><array><dict><key>assets</key><array>
    <dict><key>kind</key><string>software-package</string><key>url</key><string>${values.ipa}</string></dict>
    <dict><key>kind</key><string>display-image</string><key>url</key><string>${values.icon}</string></dict>
    <dict><key>kind</key><string>full-size-image</string><key>url</key><string>${origin}/icon-large</string></dict></array>
    <key>metadata</key><dict><key>bundle-identifier</key><string>${values.identifier}</string><key>bundle-version</key>
    <string>1.0</string><key>kind</key><string>software</string><key>title</key><string>App</string></dict></dict></array></dict></plist>`;
}

function rightAnswer(part: Part, origin: string, range: string | undefined): Answer {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  switch (part) {
    case "live":
      return { status: 200, headers: {}, body: "{}" };
    case "manifest":
      return { status: 200, headers: { "content-type": "application/xml; charset=utf-8" }, body: manifest(origin) };
    case "ipa": {
      if (start === undefined)
        return { status: 200, headers: { "content-type": "application/octet-stream" }, body: file };
      const headers = { "content-range": `bytes ${start}-${end}/${file.length}` };
      return { status: 206, headers, body: file.subarray(Number(start), Number(end) + 1) };
    }
    case "apk":
      return { status: 200, headers: { "content-type": "application/vnd.android.package-archive" }, body: file };
    default:
      return { status: 200, headers: { "content-type": "image/png" }, body: png(part === "icon" ? 57 : 512) };
  }
}

const open: http.Server[] = [];
afterAll(() => {
  for (const server of open) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server that answers like a console, but for its fault. @returns its port */
async function start({ tls, answers }: Fault): Promise<number> {
  const listener: http.RequestListener = (request, response) => {
    const part = new URL(request.url ?? "/", "http://x").pathname.split("/").at(-1) as Part;
    const port = (server.address() as AddressInfo).port;
    const right = rightAnswer(part, `https://${HOST}:${port}`, request.headers.range);
    const change = answers?.[part];
    const answer = change ? change(right, request, port) : right;
    // Null: the connection ends without an answer.
    if (answer === null) return void request.socket.destroy();
    const isChunked = answer.headers["transfer-encoding"] !== undefined;
    const length = isChunked ? {} : { "content-length": Buffer.byteLength(answer.body) };
    response.writeHead(answer.status, { ...length, ...answer.headers });
    response.end(answer.body);
  };
  const identity = {
    cert: pem(good.certificate) + pem(authority.issuer.certificate),
    key: keyOf(good).export({ type: "pkcs8", format: "pem" }),
  };
  const server = tls === "none" ? http.createServer(listener) : https.createServer({ ...identity, ...tls }, listener);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const toThisMachine: LookupFunction = (_host, options, callback) =>
  options.all ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4);

function roots(): Roots {
  const root = new X509Certificate(authority.root);
  return {
    certificates: [root.toString()],
    apple: { list: "list-1", keys: new Set([keyHash(root)]), subjects: new Set([root.subject]) },
    own: null,
  };
}

async function check(fault: Fault): Promise<Map<InstallCheckCode, InstallFinding>> {
  const port = await start(fault);
  const appUrl = new URL(`${fault.tls === "none" ? "http" : "https"}://${HOST}:${port}`);
  const way: Way = {
    appUrl,
    ipa: {
      manifestUrl: `${appUrl.origin}/manifest`,
      identifier: "com.example.app",
      version: "1.0",
      size: file.length,
      read: async ({ start, end }) => file.subarray(start, end + 1),
    },
    apkUrl: `${appUrl.origin}/apk`,
    revocation: async () => ({ result: "ok", seen: "good", problem: null }),
    outbound: makeOutbound([HOST, "store.test"], { lookup: toThisMachine }),
    resolve: async () => ["93.184.216.34"],
    lookup: toThisMachine,
    roots: roots(),
    now: () => new Date(),
    databaseTime: async () => new Date(),
    signal: AbortSignal.timeout(20_000),
  };
  const findings = await checkWay({ ...way, ...fault.way?.(way) });
  expect(findings.map(({ code }) => code)).toEqual(INSTALL_CHECKS);
  return new Map(findings.map((finding) => [finding.code, finding]));
}

const of = (findings: Map<InstallCheckCode, InstallFinding>, result: InstallFinding["result"]) =>
  [...findings.values()].filter((finding) => finding.result === result).map(({ code }) => code);

it("finds nothing on a server that answers as the console does", async () => {
  const findings = await check({});
  expect(of(findings, "ok")).toEqual(INSTALL_CHECKS);
});

it("takes a compressed manifest, as phones do", async () => {
  const compressed = (answer: Answer) => ({
    ...answer,
    headers: { ...answer.headers, "content-encoding": "gzip" },
    body: gzipSync(answer.body),
  });
  expect(of(await check({ answers: { manifest: compressed } }), "ok")).toEqual(INSTALL_CHECKS);
});

it("reads no bomb", async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000, "<"));
  const findings = await check({
    answers: {
      manifest: (answer) => ({ ...answer, headers: { ...answer.headers, "content-encoding": "gzip" }, body: bomb }),
    },
  });
  expect(findings.get("manifest_first_byte")).toMatchObject({ result: "failure", problem: "wrong_first_byte" });
});

const withHeader = (name: string, value: string) => (answer: Answer) => ({
  ...answer,
  headers: { ...answer.headers, [name]: value },
});
const withBody = (body: (answer: Answer) => Buffer | string) => (answer: Answer) => ({ ...answer, body: body(answer) });
const redirect = (location: string) => () => ({ status: 302, headers: { location }, body: "" });

type Case = [
  name: string,
  fault: Fault,
  code: InstallCheckCode,
  result: InstallFinding["result"],
  problem: InstallFinding["problem"],
];

const CASES: Case[] = [
  ["a name without an address", { way: () => ({ resolve: async () => [] }) }, "dns", "failure", "unknown_host"],
  [
    "a DNS that does not answer",
    { way: () => ({ resolve: () => Promise.reject(new Error("ESERVFAIL")) }) },
    "dns",
    "failure",
    "unknown_host",
  ],
  [
    "a private address",
    { way: () => ({ resolve: async () => ["192.168.1.5"] }) },
    "address_public",
    "warning",
    "private_address",
  ],
  [
    "a private address beside a public one",
    { way: () => ({ resolve: async () => ["93.184.216.34", "fd00::1"] }) },
    "address_public",
    "warning",
    "private_address",
  ],
  [
    "the address of the machine itself",
    { way: () => ({ resolve: async () => ["::1"] }) },
    "address_public",
    "failure",
    "loopback_address",
  ],
  ["plain HTTP", { tls: "none" }, "tls_chain", "failure", "not_https"],
  [
    "no server",
    { way: (way) => ({ appUrl: new URL("https://console.test:9"), lookup: way.lookup }) },
    "tls_chain",
    "failure",
    "unreachable",
  ],
  [
    "a clock that is wrong",
    { way: () => ({ databaseTime: async () => new Date(Date.now() + 600_000) }) },
    "clock",
    "failure",
    "clock_wrong",
  ],
  [
    "a clock that is a little wrong",
    { way: () => ({ databaseTime: async () => new Date(Date.now() - 120_000) }) },
    "clock",
    "warning",
    "clock_wrong",
  ],
  [
    "an answer of another time",
    { answers: { live: withHeader("date", "Mon, 05 Jan 2026 00:00:00 GMT") } },
    "clock",
    "failure",
    "clock_wrong",
  ],
  [
    "a sign-in page before the console",
    { answers: { live: redirect("https://login.example.com/start") } },
    "redirects",
    "failure",
    "redirected_away",
  ],
  [
    "a sign-in page before the manifest",
    { answers: { manifest: redirect("/oauth2/sign_in") } },
    "redirects",
    "failure",
    "redirected_away",
  ],
  [
    "a redirection without HTTPS",
    { answers: { live: redirect("http://console.test/api/health/live") } },
    "redirects",
    "failure",
    "redirected_insecurely",
  ],
  [
    "a detour",
    {
      answers: {
        live: (_, request, port) => ({
          status: 308,
          headers: { location: `https://${HOST}:${port}${request.url}?x=1` },
          body: "",
        }),
      },
    },
    "redirects",
    "warning",
    "redirected",
  ],
  [
    "a store without HTTPS",
    { answers: { ipa: redirect("http://store.test/ipa") } },
    "redirects",
    "failure",
    "redirected_insecurely",
  ],
  [
    "a store that no phone reaches",
    { answers: { ipa: redirect("https://store.test:9/ipa") } },
    "redirects",
    "failure",
    "file_refused",
  ],
  [
    "a store in a private network that the settings do not name",
    { answers: { ipa: redirect("https://10.0.0.1/ipa") } },
    "redirects",
    "failure",
    "file_refused",
  ],
  ["redirections without an end", { answers: { ipa: redirect("/ipa") } }, "redirects", "failure", "too_many_redirects"],
  [
    "a refused manifest",
    { answers: { manifest: () => ({ status: 403, headers: {}, body: "" }) } },
    "manifest_type",
    "failure",
    "refused",
  ],
  [
    "a connection that ends before the manifest",
    { answers: { manifest: () => null } },
    "manifest_type",
    "failure",
    "refused",
  ],
  [
    "a page instead of the manifest",
    { answers: { manifest: withHeader("content-type", "text/html") } },
    "manifest_type",
    "failure",
    "wrong_type",
  ],
  [
    "a manifest of another type",
    { answers: { manifest: withHeader("content-type", "application/octet-stream") } },
    "manifest_type",
    "warning",
    "wrong_type",
  ],
  [
    "a byte order mark",
    { answers: { manifest: withBody(({ body }) => `\ufeff${body}`) } },
    "manifest_first_byte",
    "failure",
    "wrong_first_byte",
  ],
  [
    "an empty manifest",
    { answers: { manifest: withBody(() => "") } },
    "manifest_first_byte",
    "failure",
    "wrong_first_byte",
  ],
  [
    "half a manifest",
    { answers: { manifest: withBody(({ body }) => String(body).slice(0, 200)) } },
    "manifest_keys",
    "failure",
    "invalid_manifest",
  ],
  [
    "a manifest without an installer",
    { answers: { manifest: withBody(({ body }) => String(body).replace("software-package", "x")) } },
    "manifest_keys",
    "failure",
    "invalid_manifest",
  ],
  [
    "the manifest of another app",
    {
      answers: {
        manifest: (answer, _, port) => ({
          ...answer,
          body: manifest(`https://${HOST}:${port}`, { identifier: "com.example.other" }),
        }),
      },
    },
    "manifest_keys",
    "failure",
    "other_app",
  ],
  [
    "addresses without HTTPS",
    {
      answers: {
        manifest: (answer, _, port) => ({
          ...answer,
          body: manifest(`https://${HOST}:${port}`, { ipa: `http://${HOST}:${port}/ipa` }),
        }),
      },
    },
    "manifest_urls",
    "failure",
    "wrong_urls",
  ],
  [
    "addresses inside of the network",
    {
      answers: {
        manifest: (answer, _, port) => ({
          ...answer,
          body: manifest(`https://${HOST}:${port}`, { icon: "https://app:3000/icon" }),
        }),
      },
    },
    "manifest_urls",
    "failure",
    "wrong_urls",
  ],
  [
    "a refused file",
    { answers: { ipa: () => ({ status: 403, headers: {}, body: "" }) } },
    "ipa_length",
    "failure",
    "file_refused",
  ],
  ["a connection that ends before the file", { answers: { ipa: () => null } }, "ipa_length", "failure", "file_refused"],
  [
    "a file without a length",
    {
      answers: {
        ipa: (answer, request) => (request.headers.range ? answer : withHeader("transfer-encoding", "chunked")(answer)),
      },
    },
    "ipa_length",
    "warning",
    "no_length",
  ],
  [
    "a file that was cut off",
    {
      answers: {
        ipa: (answer, request) => (request.headers.range ? answer : { ...answer, body: file.subarray(0, 100) }),
      },
    },
    "ipa_length",
    "failure",
    "wrong_length",
  ],
  [
    "a compressed file",
    { answers: { ipa: withHeader("content-encoding", "gzip") } },
    "ipa_compression",
    "failure",
    "compressed",
  ],
  [
    "a file without parts",
    { answers: { ipa: (answer) => ({ ...answer, status: 200, headers: {}, body: file }) } },
    "ipa_range",
    "failure",
    "no_ranges",
  ],
  [
    "parts of a file of another length",
    {
      answers: {
        ipa: (answer, request) =>
          request.headers.range ? withHeader("content-range", "bytes 0-4095/4096")(answer) : answer,
      },
    },
    "ipa_range",
    "failure",
    "no_ranges",
  ],
  [
    "parts with other bytes",
    {
      answers: { ipa: (answer, request) => (request.headers.range ? { ...answer, body: Buffer.alloc(4096) } : answer) },
    },
    "ipa_range",
    "failure",
    "wrong_bytes",
  ],
  [
    "a missing icon",
    { answers: { icon: () => ({ status: 404, headers: {}, body: "" }) } },
    "icon_57",
    "warning",
    "icon_refused",
  ],
  ["an icon of another size", { answers: { icon: withBody(() => png(60)) } }, "icon_57", "warning", "wrong_size"],
  [
    "an icon in Apple's variant",
    { answers: { "icon-large": withBody(() => png(512, "CgBI")) } },
    "icon_512",
    "warning",
    "apple_png",
  ],
  [
    "an icon that was converted",
    { answers: { "icon-large": withHeader("content-type", "image/webp") } },
    "icon_512",
    "warning",
    "not_png",
  ],
  [
    "an APK of another type",
    { answers: { apk: withHeader("content-type", "application/zip") } },
    "apk_type",
    "failure",
    "apk_wrong_type",
  ],
  [
    "a refused APK",
    { answers: { apk: () => ({ status: 401, headers: {}, body: "" }) } },
    "apk_type",
    "failure",
    "file_refused",
  ],
];

it.each(CASES)("finds %s", async (_name, fault, code, result, problem) => {
  const findings = await check(fault);
  expect(findings.get(code)).toMatchObject({ result, problem });
});

describe("certificates", () => {
  const served = (identity: Identity, ...issuers: Uint8Array[]): https.ServerOptions => ({
    cert: [identity.certificate, ...issuers].map(pem).join(""),
    key: keyOf(identity).export({ type: "pkcs8", format: "pem" }),
  });

  it("finds a chain without the issuer of the certificate", async () => {
    const findings = await check({ tls: served(good) });
    expect(findings.get("tls_chain")).toMatchObject({ result: "failure", problem: "incomplete_chain" });
    expect(findings.get("tls_name")?.result).toBe("ok");
    expect(of(findings, "skipped")).toContain("manifest_type");
  });

  it("finds an authority that signs itself", async () => {
    const leaf = await issueForHosts(other.issuer, [HOST], NOW);
    const findings = await check({ tls: served(leaf, other.issuer.certificate, other.root) });
    expect(findings.get("tls_chain")).toMatchObject({ result: "failure", problem: "unknown_authority" });
    expect(of(findings, "skipped")).toContain("redirects");
  });

  it("finds a certificate that signed itself and has expired", async () => {
    const reference = await issueForHosts(authority.issuer, [HOST], NOW);
    const names = AsnConvert.parse(reference.certificate, Certificate).tbsCertificate.extensions ?? [];
    const own = await issueCertificate({
      commonName: HOST,
      notBefore: new Date(NOW.getTime() - 30 * DAY_MS),
      notAfter: new Date(NOW.getTime() - DAY_MS),
      extensions: names.filter(({ extnID }) => extnID === "2.5.29.17"),
    });
    const findings = await check({ tls: served(own) });
    expect(findings.get("tls_chain")).toMatchObject({ result: "failure", problem: "unknown_authority" });
    expect(findings.get("tls_expiry")).toMatchObject({ result: "failure", problem: "expired" });
    expect(findings.get("tls_name")?.result).toBe("ok");
  });

  it("finds an authority that is not on Apple’s list", async () => {
    const findings = await check({
      way: () => ({ roots: { ...roots(), apple: { list: "list-1", keys: new Set(), subjects: new Set() } } }),
    });
    expect(findings.get("tls_chain")).toMatchObject({ result: "failure", problem: "not_on_apple_list" });
    expect(findings.get("tls_chain")?.seen).toContain("list-1");
    // Android has another list.
    expect(findings.get("apk_type")?.result).toBe("ok");
    expect(findings.get("manifest_type")).toMatchObject({ result: "skipped", problem: "not_reached" });
  });

  it("says that it cannot verify an authority of Apple’s list of which it has no certificate", async () => {
    const findings = await check({ way: () => ({ roots: { ...roots(), certificates: [pem(other.root)] } }) });
    expect(findings.get("tls_chain")).toMatchObject({ result: "skipped", problem: "authority_not_verified" });
  });

  it("warns of the console’s own authority, and goes on", async () => {
    const findings = await check({ way: () => ({ roots: { ...roots(), own: pem(authority.root) } }) });
    expect(findings.get("tls_chain")).toMatchObject({ result: "warning", problem: "own_authority" });
    expect(findings.get("ipa_range")?.result).toBe("ok");
  });

  it("finds a certificate for another name", async () => {
    const findings = await check({
      tls: served(await issueForHosts(authority.issuer, ["www.console.test"], NOW), authority.issuer.certificate),
    });
    expect(findings.get("tls_name")).toMatchObject({
      result: "failure",
      problem: "other_name",
      seen: "www.console.test",
    });
    expect(findings.get("tls_chain")?.result).toBe("ok");
  });

  it.each([
    [-400, "failure", "expired"],
    [30, "failure", "not_yet_valid"],
    [-390, "warning", "expires_soon"],
  ])("finds a certificate that was made %i days from now", async (days, result, problem) => {
    const leaf = await issueForHosts(authority.issuer, [HOST], new Date(NOW.getTime() + days * DAY_MS));
    const findings = await check({ tls: served(leaf, authority.issuer.certificate) });
    expect(findings.get("tls_expiry")).toMatchObject({ result, problem });
  });

  it("finds an issuer that has expired", async () => {
    const old = new Date(NOW.getTime() - 3_700 * DAY_MS);
    const root = await issueCertificate({
      commonName: "Root",
      notBefore: old,
      notAfter: new Date(NOW.getTime() + DAY_MS),
      extensions: [],
    });
    const ended = await makeAuthority({ name: "Ended", names: [HOST], now: old });
    const leaf = await issueCertificate({
      commonName: "x",
      notBefore: NOW,
      notAfter: new Date(NOW.getTime() + DAY_MS),
      extensions: [],
      issuer: ended.issuer,
    });
    const findings = await check({
      tls: served(leaf, ended.issuer.certificate),
      way: () => ({ roots: { ...roots(), certificates: [pem(ended.root), pem(root.certificate)] } }),
    });
    expect(findings.get("tls_chain")).toMatchObject({ result: "failure", problem: "chain_invalid" });
  });

  it("finds a certificate that is valid for too long", async () => {
    const reference = await issueForHosts(authority.issuer, [HOST], NOW);
    const extensions = AsnConvert.parse(reference.certificate, Certificate).tbsCertificate.extensions ?? [];
    const leaf = await issueCertificate({
      commonName: "x",
      notBefore: new Date(NOW.getTime() - DAY_MS),
      notAfter: new Date(NOW.getTime() + 399 * DAY_MS),
      extensions: extensions.filter(({ extnID }) => !["2.5.29.14", "2.5.29.35"].includes(extnID)),
      issuer: authority.issuer,
    });
    const findings = await check({ tls: served(leaf, authority.issuer.certificate) });
    expect(findings.get("tls_expiry")).toMatchObject({ result: "failure", problem: "valid_too_long" });
  });

  it("finds a version of TLS that phones refuse", async () => {
    const findings = await check({
      tls: { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" },
    });
    expect(findings.get("tls_version")).toMatchObject({ result: "failure", problem: "old_tls", seen: "TLSv1.1" });
  });
});

it("sends no cookie, and a user agent that is not counted as a download", async () => {
  const seen: http.IncomingHttpHeaders[] = [];
  const note = (answer: Answer, request: http.IncomingMessage) => {
    seen.push(request.headers);
    return answer;
  };
  await check({ answers: { live: note, manifest: note, ipa: note, icon: note, "icon-large": note, apk: note } });
  expect(seen.length).toBe(7);
  for (const headers of seen) {
    expect(headers.cookie).toBeUndefined();
    expect(headers.authorization).toBeUndefined();
    expect(headers["user-agent"]).toMatch(/^com\.apple\.appstored.*SlipwayInstallCheck/);
  }
});

it("reads of the stored file only the part that it compares", async () => {
  const ranges: unknown[] = [];
  await check({
    way: ({ ipa }) => ({
      ipa: ipa && {
        ...ipa,
        read: async (range) => {
          ranges.push(range);
          return file.subarray(range.start, range.end + 1);
        },
      },
    }),
  });
  expect(ranges).toEqual([{ start: 10_000, end: 14_095 }]);
});
