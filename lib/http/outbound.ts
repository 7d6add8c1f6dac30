import "server-only";
import { lookup as systemLookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Duplex } from "node:stream";
import { env } from "@/lib/kernel/env";
import { aside } from "@/lib/kernel/turns";
import { blockList, isInList } from "./network";

/** How long one request may take from the first look-up to the last byte, in milliseconds. */
const TIME_LIMIT_MS = 10_000;
/** How much one answer may weigh with its headers, in bytes. */
const SIZE_LIMIT = 1024 ** 2;

/**
 * Why a request to an address that someone typed in was not made or did not end well:
 * `insecure` plain http · `forbidden_address` not on the public internet · `unknown_host` the name does not resolve ·
 * `tls` the certificate is not trusted · `unreachable` no answer, or not in HTTP · and the limits.
 */
export type OutboundFailure =
  | "insecure"
  | "forbidden_address"
  | "unknown_host"
  | "tls"
  | "unreachable"
  | "timeout"
  | "too_large"
  | "redirected";

/** A request that was refused or failed; `failure` says why, the message and cause are for the log. */
export class OutboundError extends Error {
  constructor(
    readonly failure: OutboundFailure,
    readonly host: string,
    options?: ErrorOptions,
  ) {
    super(`request to ${host}: ${failure}`, options);
    this.name = "OutboundError";
  }
}

/** Everything that is not the public internet, by the IANA special-purpose registries (RFC 6890). */
const SPECIAL_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
];
/** The one block that IPv6's public addresses are given from: what is outside it (mapped IPv4 too) is refused. */
const PUBLIC_IPV6 = ["2000::/3"];
/** Within it: protocol assignments with Teredo, documentation, and 6to4, which carries an IPv4 address. */
const SPECIAL_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const specialIpv4 = blockList(SPECIAL_IPV4);
const publicIpv6 = blockList(PUBLIC_IPV6);
const specialIpv6 = blockList(SPECIAL_IPV6);

/** Whether an IP address, in the form in which a connection would use it, is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIpv4.check(address, "ipv4");
    case 6:
      return publicIpv6.check(address, "ipv6") && !specialIpv6.check(address, "ipv6");
    default:
      return false;
  }
}

/** A URL's or a connection's host without brackets, final dot and case. */
function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

const failures = new WeakMap<Duplex, OutboundFailure>();

/** Ends a connection that takes longer or brings more than it may. */
function limit(socket: Duplex): void {
  const fail = (failure: OutboundFailure) => {
    failures.set(socket, failure);
    // Without an error: what waits for the answer sees it cut off. With one, a request that nobody listens to any more would end the process.
    socket.destroy();
  };
  const timer = setTimeout(() => fail("timeout"), TIME_LIMIT_MS);
  let received = 0;
  socket.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (received > SIZE_LIMIT) fail("too_large");
  });
  socket.once("close", () => clearTimeout(timer));
}

/** What may be asked of the outside, under a list of exceptions. */
export interface Outbound {
  /**
   * A request with fetch's own parameters and answer. Redirects are not followed, an answer is read whole.
   * @throws OutboundError
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The agent for a URL, for libraries that take one (openid-client's and next-auth's `httpOptions`). */
  agent(url: URL): http.Agent;
  /** What is wrong with a URL as far as it tells by itself, before its name is resolved. */
  problem(url: URL): "insecure" | "forbidden_address" | null;
}

type Connecting = { host?: string | null; lookup?: LookupFunction };

/**
 * @param allowed names, addresses and ranges that may be private, and may be asked over plain http
 * @param options.lookup resolves a name, as `dns.lookup`
 * @param options.plainHttp whether public addresses may be asked over plain http, for answers that are signed themselves
 */
export function makeOutbound(
  allowed: readonly string[],
  { lookup = systemLookup as LookupFunction, plainHttp = false }: { lookup?: LookupFunction; plainHttp?: boolean } = {},
): Outbound {
  const isRange = (entry: string) => isIP(entry.split("/")[0] ?? "") !== 0;
  const ranges = allowed.filter(isRange);
  const allowedAddresses = blockList(ranges);
  const allowedNames = new Set(allowed.filter((entry) => !isRange(entry)).map(plainHost));

  const isAllowed = (address: string) => isInList(allowedAddresses, address);
  const addressProblem = (address: string, secure: boolean) => {
    if (isAllowed(address)) return null;
    if (!isPublicAddress(address)) return "forbidden_address";
    return secure || plainHttp ? null : "insecure";
  };

  /** Resolves a name once, for this very connection, and lets no address through that may not be reached. */
  const guardedLookup =
    (secure: boolean): LookupFunction =>
    (hostname, options, callback) => {
      lookup(hostname, { ...options, all: true }, (error, found) => {
        const addresses = Array.isArray(found) ? found : [];
        const refuse = (failure: OutboundFailure, cause?: unknown) =>
          callback(new OutboundError(failure, hostname, { cause }), []);
        if (error || addresses.length === 0) return refuse("unknown_host", error);
        if (!allowedNames.has(plainHost(hostname))) {
          for (const { address } of addresses) {
            const problem = addressProblem(address, secure);
            if (problem) return refuse(problem);
          }
        }
        if (options.all) return callback(null, addresses);
        const [first] = addresses;
        callback(null, first?.address ?? "", first?.family);
      });
    };

  const connecting = <T extends Connecting>(options: T, secure: boolean): T => {
    const host = plainHost(options.host ?? "");
    const problem = isIP(host) === 0 ? null : addressProblem(host, secure);
    if (problem) throw new OutboundError(problem, host);
    return { ...options, lookup: guardedLookup(secure) };
  };

  class SecureAgent extends https.Agent {
    override createConnection(
      options: https.RequestOptions,
      callback?: (error: Error | null, stream: Duplex) => void,
    ): Duplex | null | undefined {
      const socket = super.createConnection(connecting(options as Connecting, true) as https.RequestOptions, callback);
      if (socket) limit(socket);
      return socket;
    }
  }

  class PlainAgent extends http.Agent {
    override createConnection(
      options: http.ClientRequestArgs,
      callback?: (error: Error | null, stream: Duplex) => void,
    ): Duplex | null | undefined {
      const socket = super.createConnection(
        connecting(options as Connecting, false) as http.ClientRequestArgs,
        callback,
      );
      if (socket) limit(socket);
      return socket;
    }
  }

  const secureAgent = new SecureAgent();
  const plainAgent = new PlainAgent();
  const agent = (url: URL): http.Agent => (url.protocol === "http:" ? plainAgent : secureAgent);

  return {
    agent,
    problem(url) {
      const host = plainHost(url.hostname);
      if (url.protocol !== "https:" && url.protocol !== "http:") return "insecure";
      if (allowedNames.has(host)) return null;
      const secure = url.protocol === "https:";
      if (isIP(host) !== 0) return addressProblem(host, secure);
      return secure || plainHttp || ranges.length > 0 ? null : "insecure";
    },
    async fetch(input, init) {
      const request = new Request(input, init);
      const url = new URL(request.url);
      if (url.protocol !== "https:" && url.protocol !== "http:") throw new OutboundError("insecure", url.host);
      const body = Buffer.from(await request.arrayBuffer());
      const headers = { ...Object.fromEntries(request.headers), "accept-encoding": "identity" };
      return aside(() =>
        send(url, { method: request.method, headers, agent: agent(url), signal: request.signal }, body),
      );
    },
  };
}

/** Reports a connection that is closed without an answer and without an error, as Node closes it after an answer 101. */
export function onClosedUnanswered(request: http.ClientRequest, fail: (error: Error) => void): void {
  const closed = () => fail(new Error("the connection was closed without an answer"));
  request.once("close", closed);
  request.once("response", () => request.off("close", closed));
}

/** Sends one request and reads its answer whole. */
function send(url: URL, options: https.RequestOptions, body: Buffer): Promise<Response> {
  return new Promise((resolve, reject) => {
    let socket: Duplex | undefined;
    const fail = (cause: unknown) => reject(outboundError(cause, url.host, socket && failures.get(socket)));
    const request = (url.protocol === "https:" ? https : http).request(url, options, (answer) => {
      const status = answer.statusCode ?? 0;
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.once("error", fail);
      answer.once("end", () => {
        if (status >= 300 && status < 400) return reject(new OutboundError("redirected", url.host));
        try {
          const headers = new Headers();
          for (const [name, values] of Object.entries(answer.headersDistinct)) {
            for (const value of values ?? []) headers.append(name, value);
          }
          const empty = status === 204 || status === 205;
          resolve(new Response(empty ? null : Buffer.concat(parts), { status, headers }));
        } catch (error) {
          fail(error);
        }
      });
    });
    request.on("socket", (connected) => {
      socket = connected;
    });
    request.on("error", fail);
    onClosedUnanswered(request, fail);
    request.end(body);
  });
}

/** Codes by which Node says that it does not trust a server's certificate. */
const TLS_CODES = /^(ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_SSL_|HOSTNAME_MISMATCH|EPROTO)/;

function outboundError(cause: unknown, host: string, failure: OutboundFailure | undefined): OutboundError {
  if (failure) return new OutboundError(failure, host, { cause });
  if (cause instanceof OutboundError) return cause;
  const code = String((cause as { code?: unknown } | null)?.code ?? "");
  return new OutboundError(TLS_CODES.test(code) ? "tls" : "unreachable", host, { cause });
}

let configured: Outbound | undefined;

/** Under the exceptions of OUTBOUND_ALLOWED_HOSTS. */
function outbound(): Outbound {
  configured ??= makeOutbound(env.OUTBOUND_ALLOWED_HOSTS);
  return configured;
}

/**
 * `fetch` for an address that an administrator typed: https, on the public internet (unless OUTBOUND_ALLOWED_HOSTS
 * says otherwise), the name resolved once and the connection made to what was checked, no redirects, 10 s, 1 MiB.
 * @throws OutboundError
 */
export const outboundFetch: Outbound["fetch"] = (input, init) => outbound().fetch(input, init);

/** The agent that keeps the same rules, for openid-client 5 and next-auth 4 (`httpOptions: { agent, timeout }`). */
export const outboundAgent: Outbound["agent"] = (url) => outbound().agent(url);

/** What is wrong with an address that is to be kept, without asking anyone; null where nothing is. */
export const outboundProblem: Outbound["problem"] = (url) => outbound().problem(url);
