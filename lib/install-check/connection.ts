import "server-only";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { INSTALL_CHECK_AGENT } from "@/lib/http/install-check-agent";
import { type Outbound, onClosedUnanswered } from "@/lib/http/outbound";
import { bareHost } from "@/lib/kernel/bare-host";
import type { ShownCertificate } from "./trust";

/** How long a handshake may take, in milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/**
 * What a server shows to a client that takes every certificate and every version of TLS since 1.0.
 * @param ca the certificates by which the chain is verified, PEM
 */
export function readCertificate(
  url: URL,
  ca: readonly string[],
  { lookup, signal }: { lookup: LookupFunction; signal: AbortSignal },
): Promise<ShownCertificate> {
  const host = bareHost(url);
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({
      host,
      lookup,
      port: Number(url.port) || 443,
      servername: isIP(host) ? "" : host,
      ca: [...ca],
      rejectUnauthorized: false,
      minVersion: "TLSv1",
      ciphers: "DEFAULT:@SECLEVEL=0",
      ALPNProtocols: ["http/1.1"],
      // Names are checked apart from the chain.
      checkServerIdentity: () => undefined,
    });
    const stop = () => socket.destroy(new Error("the handshake took too long"));
    const timer = setTimeout(stop, HANDSHAKE_TIMEOUT_MS);
    signal.addEventListener("abort", stop, { once: true });
    socket.once("secureConnect", () => {
      const { authorizationError } = socket as { authorizationError: Error | string | null | undefined };
      const chainError = authorizationError ? codeOf(authorizationError) : null;
      const certificate = socket.getPeerCertificate(true);
      resolve({ certificate, protocol: socket.getProtocol() ?? "", chainError });
      socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      reject(new Error("the connection was closed"));
    });
  });
}

/** What Node and OpenSSL call an error. */
export function codeOf(error: unknown): string {
  if (typeof error === "string") return error;
  const { code, message } = error as { code?: unknown; message?: unknown };
  return String(code ?? message ?? error);
}

/** An answer, with as much of its body as was asked for. */
export interface CheckAnswer {
  url: URL;
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** From the request to the headers of the answer, in milliseconds. */
  firstByteMs: number;
}

interface CheckRequest {
  headers?: Record<string, string>;
  /** How many bytes of the body are read; the connection ends after them. */
  maxBytes: number;
  signal: AbortSignal;
}

/**
 * Requests an address as a phone does, which has no session, without following redirects.
 * @param ca the certificates that are trusted, PEM
 */
export function request(
  outbound: Outbound,
  url: URL,
  ca: readonly string[],
  { headers, maxBytes, signal }: CheckRequest,
): Promise<CheckAnswer> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const options: https.RequestOptions = {
      agent: outbound.agent(url),
      headers: { "user-agent": INSTALL_CHECK_AGENT, accept: "*/*", "accept-encoding": "gzip, deflate, br", ...headers },
      signal,
      ...(url.protocol === "https:" && { ca: [...ca] }),
    };
    const sent = (url.protocol === "https:" ? https : http).request(url, options, (answer) => {
      const firstByteMs = Math.round(performance.now() - begun);
      const parts: Buffer[] = [];
      let read = 0;
      const done = () => {
        const body = Buffer.concat(parts).subarray(0, maxBytes);
        resolve({ url, status: answer.statusCode ?? 0, headers: answer.headers, body, firstByteMs });
        sent.destroy();
      };
      if (maxBytes === 0) return done();
      answer.on("data", (part: Buffer) => {
        parts.push(part);
        read += part.length;
        if (read >= maxBytes) done();
      });
      answer.once("end", done);
      answer.once("error", reject);
      answer.once("close", () => reject(new Error("the answer was cut off")));
    });
    sent.once("error", reject);
    onClosedUnanswered(sent, reject);
    sent.end();
  });
}

const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync };

/** An answer whose body is as its server encoded it, decoded as phones do; empty if it cannot be decoded. @param maxBytes of the body */
export function decoded(answer: CheckAnswer, maxBytes: number): CheckAnswer {
  const decode = DECODERS[answer.headers["content-encoding"] as keyof typeof DECODERS];
  if (!decode) return answer;
  try {
    return { ...answer, body: decode(answer.body, { maxOutputLength: maxBytes }) };
  } catch {
    return { ...answer, body: Buffer.alloc(0) };
  }
}
